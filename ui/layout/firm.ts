import { createContext, useContext } from 'react'

/** The firm's data of the settings; the layouts provide it, so that `ui` needs no request of its own. */
interface Firm {
  name: string
  logoUrl: string | null
  supportEmail: string
}

export const FirmContext = createContext<Firm | null>(null)

export function useFirm(): Firm | null {
  return useContext(FirmContext)
}

export function useFirmName(): string {
  return useContext(FirmContext)?.name ?? ''
}

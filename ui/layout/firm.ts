import { createContext, useContext } from 'react'

/** The firm as settings name it; the layouts give it, so that `ui` needs no call of its own. */
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

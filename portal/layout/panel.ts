/** Which panel is open over the page: Help, or language and appearance (requirements 24.14). */
import { useEffect, useSyncExternalStore } from 'react'
import { useLocation, useSearch } from 'wouter'

export type PanelName = 'help' | 'display'

export interface OpenedPanel {
  readonly name: PanelName
  /** The enquiry at which Help opens. */
  readonly enquiry: string | null
}

let opened: OpenedPanel | null = null
const listeners = new Set<() => void>()

function change(to: OpenedPanel | null): void {
  opened = to
  for (const listener of listeners) listener()
}

export function openPanel(name: PanelName, enquiry: string | null = null): void {
  change({ name, enquiry })
}

export function closePanel(): void {
  change(null)
}

export function usePanel(): OpenedPanel | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => opened,
  )
}

/** Opens Help at the enquiry of the address, which a mail or a notice leads to, and takes it out of the address. */
export function useEnquiryOfAddress(isSignedIn: boolean): void {
  const [path, navigate] = useLocation()
  const enquiry = new URLSearchParams(useSearch()).get('enquiry')
  useEffect(() => {
    if (enquiry === null || !isSignedIn) return
    openPanel('help', enquiry)
    navigate(path, { replace: true })
  }, [enquiry, isSignedIn, path, navigate])
}

/** The open panel: Help, or language and appearance (requirements 24.14). */
import { useEffect, useSyncExternalStore } from 'react'
import { useLocation, useSearch } from 'wouter'

export type PanelName = 'help' | 'display'

export interface OpenedPanel {
  readonly name: PanelName
  /** The enquiry to show in Help. */
  readonly enquiry: string | null
  /** The reference of the payment about which Help opens its contact form. */
  readonly about: string | null
}

let opened: OpenedPanel | null = null
const listeners = new Set<() => void>()

function setOpened(to: OpenedPanel | null): void {
  opened = to
  for (const listener of listeners) listener()
}

export function openPanel(name: PanelName): void {
  setOpened({ name, enquiry: null, about: null })
}

export function openEnquiry(enquiry: string): void {
  setOpened({ name: 'help', enquiry, about: null })
}

export function openContactForm(about: string): void {
  setOpened({ name: 'help', enquiry: null, about })
}

export function closePanel(): void {
  setOpened(null)
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

/** Opens Help at the enquiry in the URL, from an email or a notice, and removes it from the URL. */
export function useEnquiryFromUrl(isSignedIn: boolean): void {
  const [path, navigate] = useLocation()
  const enquiry = new URLSearchParams(useSearch()).get('enquiry')
  useEffect(() => {
    if (enquiry === null || !isSignedIn) return
    openEnquiry(enquiry)
    navigate(path, { replace: true })
  }, [enquiry, isSignedIn, path, navigate])
}

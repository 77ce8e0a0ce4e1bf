import { useState, useEffect, useSyncExternalStore } from 'react'
import { lazyPart } from '../loading/lazy.tsx'
import type { DialogProps, DrawerProps } from './modals.tsx'
import './dialog.css'

const fetchModals = () => import('./modals.tsx')
const DialogModal = lazyPart(async () => (await fetchModals()).DialogModal)
const DrawerModal = lazyPart(async () => (await fetchModals()).DrawerModal)

/** A dialog of 520 px in the middle; on phones a sheet from the bottom. Only one at a time. */
export function Dialog(props: DialogProps) {
  const { isOpen = true, waits = false } = props
  const others = useOpenDialogs()
  useCounted(isOpen && !waits)
  const opens = isOpen && !(waits && others > 0)
  return useOpened(opens) && <DialogModal {...props} isOpen={opens} />
}

/** Details of a row, 460 px on the right; on phones a sheet from the bottom. Escape and a click beside it close it. */
export function Drawer(props: DrawerProps) {
  const { isOpen = true } = props
  useCounted(isOpen)
  return useOpened(isOpen) && <DrawerModal {...props} />
}

/** Returns whether it was open once: from then on it is rendered closed too, for its closing transition. */
function useOpened(isOpen: boolean): boolean {
  const [opened, setOpened] = useState(isOpen)
  if (isOpen && !opened) setOpened(true)
  return opened || isOpen
}

/** The number of open dialogs and drawers, so that none opens above another automatically. */
let open = 0
const listeners = new Set<() => void>()

function change(by: 1 | -1): void {
  open += by
  for (const tell of listeners) tell()
}

function subscribe(tell: () => void): () => void {
  listeners.add(tell)
  return () => listeners.delete(tell)
}

/** Counts a dialog while it is open. */
function useCounted(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return undefined
    change(1)
    return () => change(-1)
  }, [isOpen])
}

/** Returns how many counted dialogs are open now. */
function useOpenDialogs(): number {
  return useSyncExternalStore(subscribe, () => open)
}

import { useState } from 'react'
import { lazyDialog } from '../loading/lazy.tsx'
import type { DialogProps, DrawerProps } from './modals.tsx'
import { useOpenDialogs } from './open-dialogs.ts'
import './dialog.css'

const fetchModals = () => import('./modals.tsx')
const DialogModal = lazyDialog(async () => (await fetchModals()).DialogModal)
const DrawerModal = lazyDialog(async () => (await fetchModals()).DrawerModal)

/** A dialog of 520 px in the middle; on phones a sheet from the bottom. Only one at a time. */
export function Dialog(props: DialogProps) {
  const { isOpen = true, waits = false } = props
  const others = useOpenDialogs()
  const opens = isOpen && !(waits && others > 0)
  return useWasOpened(opens) && <DialogModal {...props} isOpen={opens} />
}

/** Details of a row, 460 px on the right; on phones a sheet from the bottom. Escape and a click beside it close it. */
export function Drawer(props: DrawerProps) {
  const { isOpen = true } = props
  return useWasOpened(isOpen) && <DrawerModal {...props} />
}

/** Returns whether it was open once: from then on it is rendered closed too, for its closing transition. */
function useWasOpened(isOpen: boolean): boolean {
  const [opened, setOpened] = useState(isOpen)
  if (isOpen && !opened) setOpened(true)
  return opened || isOpen
}

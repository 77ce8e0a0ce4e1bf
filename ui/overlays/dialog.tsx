import { useState } from 'react'
import { lazyPart } from '../loading/lazy.tsx'
import type { DialogProps, DrawerProps } from './modals.tsx'
import { useCounted, useOpenDialogs } from './open-dialogs.ts'
import './dialog.css'

const fetchModals = () => import('./modals.tsx')
const DialogModal = lazyPart(async () => (await fetchModals()).DialogModal)
const DrawerModal = lazyPart(async () => (await fetchModals()).DrawerModal)

/** 520 px in the middle; on phones a sheet from the bottom. One at a time, never on another. */
export function Dialog(props: DialogProps) {
  const { isOpen, waits = false } = props
  const others = useOpenDialogs()
  useCounted(isOpen && !waits)
  const opens = isOpen && !(waits && others > 0)
  return useOpened(opens) && <DialogModal {...props} isOpen={opens} />
}

/** Details of a row, 460 px at the right; on phones a sheet from the bottom. Escape and scrim close it. */
export function Drawer(props: DrawerProps) {
  useCounted(props.isOpen)
  return useOpened(props.isOpen) && <DrawerModal {...props} />
}

/** Returns whether it was open once: from then on it is drawn closed, too, so that it can leave as it came. */
function useOpened(isOpen: boolean): boolean {
  const [opened, setOpened] = useState(isOpen)
  if (isOpen && !opened) setOpened(true)
  return opened || isOpen
}

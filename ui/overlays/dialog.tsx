import { type ReactNode, useState } from 'react'
import { lazyPart } from '../loading/lazy.tsx'
import { useCounted, useOpenDialogs } from './open-dialogs.ts'
import './dialog.css'

export interface DialogProps {
  /** The matter, not "Are you sure?". */
  title: ReactNode
  isOpen: boolean
  /** Called on Escape, scrim and close mark; without it the dialog can only be answered (consents). */
  onClose?: () => void
  children: ReactNode
  /** The buttons, the safe one first; they stay in view while the text scrolls. */
  actions?: ReactNode
  size?: 'normal' | 'wide'
  /** `alertdialog` for a confirm before something that cannot be undone. */
  role?: 'dialog' | 'alertdialog'
  /** A prompt that no one asked for: it waits until no other dialog is open. */
  waits?: boolean
  /** Asked for in the middle of another dialog's command: that one is out of sight meanwhile, with what it holds. */
  above?: boolean
}

export interface DrawerProps extends Omit<DialogProps, 'size' | 'role' | 'title' | 'waits' | 'above'> {
  /** Names the drawer; shown unless `head` is given. */
  title: string
  /** Above the line: status, amount, one line. */
  head?: ReactNode
}

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

/** Whether it was open once: from then on it is drawn closed, too, so that it can leave as it came. */
function useOpened(isOpen: boolean): boolean {
  const [opened, setOpened] = useState(isOpen)
  if (isOpen && !opened) setOpened(true)
  return opened || isOpen
}

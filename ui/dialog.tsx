import { IconX } from '@tabler/icons-react'
import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Dialog as AriaDialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { IconButton } from './button.tsx'
import './dialog.css'
import { useCounted, useOpenDialogs } from './open-dialogs.ts'

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
  /** A prompt that nobody asked for: it waits until no other dialog is open. */
  waits?: boolean
  /** Asked for in the middle of another dialog's command: that one is out of sight meanwhile, with what it holds. */
  above?: boolean
}

/** 520 px in the middle; on phones a sheet from the bottom. One at a time, never on another. */
export function Dialog({
  title,
  isOpen,
  onClose,
  children,
  actions,
  size = 'normal',
  role = 'dialog',
  waits = false,
  above = false,
}: DialogProps) {
  const { t } = useLingui()
  const others = useOpenDialogs()
  useCounted(isOpen && !waits)
  return (
    <ModalOverlay
      className={above ? 'scrim above' : 'scrim'}
      isOpen={isOpen && !(waits && others > 0)}
      onOpenChange={(open) => !open && onClose?.()}
      isDismissable={Boolean(onClose) && role === 'dialog'}
      isKeyboardDismissDisabled={!onClose}
    >
      <Modal className={`dialog ${size}`}>
        <AriaDialog role={role} className="dialog-body">
          <header className="dialog-head">
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            {onClose && (
              <IconButton name={t`Close`} onClick={onClose}>
                <IconX aria-hidden="true" />
              </IconButton>
            )}
          </header>
          <div className="dialog-content">{children}</div>
          {actions && <footer className="dialog-actions">{actions}</footer>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

export interface DrawerProps extends Omit<DialogProps, 'size' | 'role' | 'title' | 'waits' | 'above'> {
  /** Names the drawer; shown unless `head` is given. */
  title: string
  /** Above the line: status, amount, one line. */
  head?: ReactNode
}

/** Details of a row, 460 px at the right; on phones a sheet from the bottom. Escape and scrim close it. */
export function Drawer({ title, head, isOpen, onClose, children, actions }: DrawerProps) {
  const { t } = useLingui()
  useCounted(isOpen)
  return (
    <ModalOverlay className="scrim" isOpen={isOpen} onOpenChange={(open) => !open && onClose?.()} isDismissable>
      <Modal className="drawer">
        <AriaDialog aria-label={title} className="dialog-body">
          <header className="drawer-head">
            <div className="grow">{head ?? <h2>{title}</h2>}</div>
            {onClose && (
              <IconButton name={t`Close`} onClick={onClose}>
                <IconX aria-hidden="true" />
              </IconButton>
            )}
          </header>
          <div className="drawer-content">{children}</div>
          {actions && <footer className="drawer-actions">{actions}</footer>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

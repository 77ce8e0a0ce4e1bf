/** Renders dialogs and drawers. Separate from `dialog.tsx`, since the first load of a page does without this code. */
import { IconX } from '@tabler/icons-react'
import { useLingui } from '@lingui/react/macro'
import { Dialog as AriaDialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { useEffect, useRef, type ReactNode } from 'react'
import { AriaLanguage } from '../i18n/aria-language.tsx'
import { IconButton } from '../forms/button.tsx'
import { useCountedDialog } from './open-dialogs.ts'

export interface DialogProps {
  /** The subject, not "Are you sure?". */
  title: ReactNode
  /** True unless given: most are rendered only while they are open. */
  isOpen?: boolean
  /**
   * Called on Escape, on the close button, and on a click beside it until something has been entered; without it the
   * dialog must be answered (consents).
   */
  onClose?: () => void
  children: ReactNode
  /** The buttons, the safe one first; they stay visible while the text scrolls. */
  actions?: ReactNode
  size?: 'normal' | 'wide'
  /** `alertdialog` for a confirmation of something irreversible. */
  role?: 'dialog' | 'alertdialog'
  /** An unrequested prompt: it waits until no other dialog is open. */
  waits?: boolean
  /** Opened during another dialog's action: that dialog is hidden meanwhile, with its contents. */
  above?: boolean
}

export interface DrawerProps extends Omit<DialogProps, 'size' | 'role' | 'title' | 'waits' | 'above'> {
  /** The accessible name; shown unless `head` is given. */
  title: string
  /** Above the line: status, amount, one line of text. */
  head?: ReactNode
}

export function DialogModal({
  title,
  isOpen = true,
  onClose,
  children,
  actions,
  size = 'normal',
  role = 'dialog',
  waits = false,
  above = false,
}: DialogProps) {
  const { t } = useLingui()
  useCountedDialog(isOpen && !waits)
  const hasEntries = useRef(false)
  useEffect(() => {
    if (isOpen) hasEntries.current = false
  }, [isOpen])
  return (
    <AriaLanguage>
      <ModalOverlay
        className={above ? 'scrim above' : 'scrim'}
        isOpen={isOpen}
        onOpenChange={(open) => !open && onClose?.()}
        isDismissable={Boolean(onClose) && role === 'dialog'}
        shouldCloseOnInteractOutside={() => !hasEntries.current}
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
            <div className="dialog-content" onInput={() => (hasEntries.current = true)}>
              {children}
            </div>
            {actions && <footer className="dialog-actions">{actions}</footer>}
          </AriaDialog>
        </Modal>
      </ModalOverlay>
    </AriaLanguage>
  )
}

export function DrawerModal({ title, head, isOpen = true, onClose, children, actions }: DrawerProps) {
  const { t } = useLingui()
  useCountedDialog(isOpen)
  return (
    <AriaLanguage>
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
    </AriaLanguage>
  )
}

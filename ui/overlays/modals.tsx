/** How dialogs and drawers are drawn: apart from `dialog.tsx`, because the first look at a page does without this code. */
import { IconX } from '@tabler/icons-react'
import { useLingui } from '@lingui/react/macro'
import { Dialog as AriaDialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { AriaLanguage } from '../i18n/aria-language.tsx'
import { IconButton } from '../forms/button.tsx'
import type { DialogProps, DrawerProps } from './dialog.tsx'

export function DialogModal({
  title,
  isOpen,
  onClose,
  children,
  actions,
  size = 'normal',
  role = 'dialog',
  above = false,
}: DialogProps) {
  const { t } = useLingui()
  return (
    <AriaLanguage>
      <ModalOverlay
        className={above ? 'scrim above' : 'scrim'}
        isOpen={isOpen}
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
    </AriaLanguage>
  )
}

export function DrawerModal({ title, head, isOpen, onClose, children, actions }: DrawerProps) {
  const { t } = useLingui()
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

import type { ReactNode, RefObject } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Popover } from 'react-aria-components/Popover'
import { AriaLanguage } from '../i18n/aria-language.tsx'
import './popover.css'

interface PopoverPanelProps {
  name: string
  /** The button below which it is positioned. */
  button: RefObject<HTMLButtonElement | null>
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  children: ReactNode
}

/** A small form below its button: separate from it, because the first load of a page does without this code. */
export function PopoverPanel({ name, button, isOpen, onOpenChange, children }: PopoverPanelProps) {
  return (
    <AriaLanguage>
      <Popover
        triggerRef={button}
        isOpen={isOpen}
        onOpenChange={onOpenChange}
        className="floating"
        placement="bottom start"
      >
        <Dialog aria-label={name} className="popover-panel">
          {children}
        </Dialog>
      </Popover>
    </AriaLanguage>
  )
}

import { type ReactNode, useRef, useState } from 'react'
import { lazyPart } from '../loading/lazy.tsx'

const PopoverPanel = lazyPart(async () => (await import('./popover-panel.tsx')).PopoverPanel)

interface PopoverButtonProps {
  /** The accessible name of the button and the panel. */
  name: string
  face: ReactNode
  /** The class of the button: "chip", "button outline small". */
  look: string
  /** `close` returns the focus to the button. */
  children: (close: () => void) => ReactNode
}

/** A button that opens a small form above the page: filters, columns, days. */
export function PopoverButton({ name, face, look, children }: PopoverButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState<boolean | null>(null)
  return (
    <>
      <button
        ref={button}
        type="button"
        className={look}
        aria-label={name}
        aria-haspopup="dialog"
        aria-expanded={open === true}
        onClick={() => setOpen(open !== true)}
      >
        {face}
      </button>
      {open !== null && (
        <PopoverPanel name={name} button={button} isOpen={open} onOpenChange={setOpen}>
          {children(() => setOpen(false))}
        </PopoverPanel>
      )}
    </>
  )
}

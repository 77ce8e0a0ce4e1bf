import { type RefCallback, useState } from 'react'
import { takeFocus } from '#ui/forms/form-focus.ts'

export interface LastLook<Deed extends string> {
  /** What is asked for; null while the drawer is open. */
  readonly open: Deed | null
  readonly ask: (deed: Deed) => void
  readonly leave: () => void
  /** The `ref` of a deed's command. */
  readonly opener: (deed: Deed) => RefCallback<HTMLElement> | undefined
}

/** The last look takes the place of the drawer that led there; on the way back the focus is at its command again. */
export function useLastLook<Deed extends string>(): LastLook<Deed> {
  const [deed, setDeed] = useState<Deed | null>(null)
  const [isOpen, setOpen] = useState(false)
  return {
    open: isOpen ? deed : null,
    ask: (one) => {
      setDeed(one)
      setOpen(true)
    },
    leave: () => setOpen(false),
    opener: (one) => (one === deed ? takeFocus : undefined),
  }
}

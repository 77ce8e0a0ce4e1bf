import { type RefCallback, useState } from 'react'
import { takeFocus } from '#ui/forms/form-focus.ts'

export interface Confirmation<Action extends string> {
  /** What is asked for; null while the drawer is open. */
  readonly open: Action | null
  readonly ask: (action: Action) => void
  readonly leave: () => void
  /** The `ref` of an action's command. */
  readonly opener: (action: Action) => RefCallback<HTMLElement> | undefined
}

/** The last look takes the place of the drawer that led there; on the way back the focus is at its command again. */
export function useConfirmation<Action extends string>(): Confirmation<Action> {
  const [action, setAction] = useState<Action | null>(null)
  const [isOpen, setOpen] = useState(false)
  return {
    open: isOpen ? action : null,
    ask: (one) => {
      setAction(one)
      setOpen(true)
    },
    leave: () => setOpen(false),
    opener: (one) => (one === action ? takeFocus : undefined),
  }
}

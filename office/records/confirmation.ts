import { type RefCallback, useState } from 'react'
import { focusOnRender } from '#ui/a11y/focus.ts'

export interface Confirmation<Action extends string> {
  /** The action to confirm; null while the drawer is open. */
  readonly open: Action | null
  readonly ask: (action: Action) => void
  readonly leave: () => void
  /** Returns the `ref` of an action's button. */
  readonly opener: (action: Action) => RefCallback<HTMLElement> | undefined
}

/** The confirmation replaces the drawer that opened it; on the way back the focus returns to the action's button. */
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
    opener: (one) => (one === action ? focusOnRender : undefined),
  }
}

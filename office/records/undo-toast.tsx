import { Trans } from '@lingui/react/macro'
import { undoShownMs } from '#rules/constants.ts'
import type { AlertKind } from '#ui/feedback/alert.tsx'
import { showToast } from '#ui/feedback/toasts.tsx'

let dismissLast: () => void = () => undefined

/** Shows what was done, with a button to undo it. Earlier actions can no longer be undone. */
export function showUndoToast(text: string, onUndo: () => void, kind: AlertKind = 'ok'): void {
  dismissLast()
  const dismiss = showToast(
    () => (
      <>
        {text}{' '}
        <button
          type="button"
          className="text-button"
          onClick={() => {
            dismiss()
            onUndo()
          }}
        >
          <Trans>Undo</Trans>
        </button>
      </>
    ),
    // A refusal stays until it is closed.
    kind === 'bad' ? { kind } : { kind, ms: undoShownMs },
  )
  dismissLast = dismiss
}

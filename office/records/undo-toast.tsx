import { Trans } from '@lingui/react/macro'
import { showToast } from '#ui/feedback/toasts.tsx'

let dismissLast: () => void = () => undefined

/** Says what was done, with the button that takes it back. What was done before that can be taken back no longer. */
export function showUndoToast(text: string, onUndo: () => void): void {
  dismissLast()
  const dismiss = showToast(
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
    </>,
  )
  dismissLast = dismiss
}

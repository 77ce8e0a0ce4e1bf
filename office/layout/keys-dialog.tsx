import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '#ui/forms/button.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { type PrintedKey, usePrintedKeys } from './printed-keys.ts'
import './keys-dialog.css'

/** All keyboard shortcuts of the back office, by area. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const groups = usePrintedKeys()
  return (
    <Dialog
      title={<Trans>Keyboard shortcuts</Trans>}
      size="wide"
      onClose={onClose}
      actions={<Button kind="primary" onClick={onClose}>{t`Close`}</Button>}
    >
      {/* Scrolls, by keys too, if it exceeds the window. */}
      <div className="keys-groups" role="group" tabIndex={0} aria-label={t`Keyboard shortcuts`}>
        {groups.map(({ name, keys }) => (
          <section key={name} className="keys-group" aria-label={name}>
            <h3 className="section-name">{name}</h3>
            <dl className="keys-list">
              {keys.map((line) => (
                <KeyLine key={line.what} line={line} />
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}

/** Symbols of keys; other keys are shown by their names. */
const faces: Readonly<Record<string, string>> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
  Enter: '↵',
  Escape: 'esc',
  E: '⇧ e',
  '-': '−',
  'Control+k': 'ctrl k',
  'Control+Enter': 'ctrl ↵',
}

function KeyLine({ line: { strokes, what } }: { line: PrintedKey }) {
  return (
    <>
      <dt>
        {strokes.map((stroke) => (
          <kbd key={stroke} className="key" data-stroke={stroke}>
            {faces[stroke] ?? stroke}
          </kbd>
        ))}
      </dt>
      <dd>{what}</dd>
    </>
  )
}

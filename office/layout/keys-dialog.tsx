import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '#ui/forms/button.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { useKeyNames } from '#ui/navigation/key-names.ts'
import type { ShortcutKey } from '#ui/navigation/keyboard-shortcuts.ts'
import type { goKeys } from './go-keys.ts'
import './keys-dialog.css'

/** All keyboard shortcuts of the back office, by area. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
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
const symbols: Readonly<Record<string, string>> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
  Enter: '↵',
  Escape: 'esc',
  E: '⇧ e',
  '-': '−',
}

function KeyLine({ line: { strokes, what } }: { line: PrintedKey }) {
  const { control, home, end, space } = useKeyNames()
  const faces: Readonly<Record<string, string>> = {
    ...symbols,
    Home: home,
    End: end,
    'Control+k': `${control} k`,
    'Control+Enter': `${control} ↵`,
    'Shift+Space': `⇧ ${space}`,
  }
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

/** A key of a page, a key after g, or one of a control or the search. */
type Stroke =
  | ShortcutKey
  | `g ${keyof typeof goKeys}`
  | 'Control+k'
  | 'Control+Enter'
  | 'Shift+Space'
  | '>'
  | '#'
  | ChartKey
type ChartKey = 'ArrowLeft' | 'ArrowRight' | 'Home' | 'End'

interface PrintedKey {
  readonly strokes: readonly Stroke[]
  readonly what: string
}

interface PrintedKeys {
  readonly name: string
  readonly keys: readonly PrintedKey[]
}

/** Returns all shortcuts of the back office, by area. */
function usePrintedKeys(): readonly PrintedKeys[] {
  const { t } = useLingui()
  return [
    {
      name: t`Every page`,
      keys: [
        { strokes: ['Control+k'], what: t`search and commands, also from a field` },
        { strokes: ['/'], what: t`search and commands` },
        { strokes: ['g o'], what: t`open overview` },
        { strokes: ['g i'], what: t`open inbox` },
        { strokes: ['g n'], what: t`open my reviews` },
        { strokes: ['?'], what: t`all shortcuts` },
        { strokes: ['v'], what: t`lists: open the menu of views` },
      ],
    },
    {
      name: t`Search`,
      keys: [
        { strokes: ['>'], what: t`actions only` },
        { strokes: ['#'], what: t`references only` },
        { strokes: ['Control+Enter'], what: t`open in a new tab` },
      ],
    },
    {
      name: t`Inbox and overview`,
      keys: [
        { strokes: ['j', 'k'], what: t`next or previous item` },
        { strokes: ['ArrowDown', 'ArrowUp'], what: t`inbox: next or previous item` },
        { strokes: ['Enter'], what: t`open` },
        { strokes: ['a', 'r'], what: t`inbox: open the record and its confirmation to approve or reject` },
        { strokes: ['e'], what: t`inbox: assign` },
        { strokes: ['E'], what: t`inbox: unassign` },
        { strokes: ['s'], what: t`inbox: snooze` },
        { strokes: ['x'], what: t`inbox: select, Shift and click for a range` },
        { strokes: ['Shift+Space'], what: t`inbox: on a checkbox, select a range` },
        { strokes: ['Escape'], what: t`inbox: clear the selection` },
      ],
    },
    {
      name: t`Record`,
      keys: [
        { strokes: ['j', 'k'], what: t`next or previous record that is pending` },
        { strokes: ['e'], what: t`assign to me or unassign` },
        { strokes: ['a'], what: t`open the confirmation to approve` },
        { strokes: ['r'], what: t`open the confirmation to reject` },
        { strokes: ['p'], what: t`request more information from a professional applicant` },
        { strokes: ['r', 'a', 'c'], what: t`enquiry: reply, conclude a complaint, close` },
        { strokes: ['m'], what: t`confirm what was read from a document` },
        { strokes: ['+', '=', '-', '0', 't'], what: t`zoom in, zoom out, fit or rotate image` },
        { strokes: ['b'], what: t`compare two documents side by side` },
        { strokes: ['o'], what: t`side by side: zoom and rotate the other image` },
        { strokes: ['ArrowLeft', 'ArrowRight', 'Home', 'End'], what: t`on a chart: another day` },
        { strokes: ['Escape'], what: t`on a chart: back to the latest day` },
      ],
    },
    {
      name: t`Dialog`,
      keys: [
        { strokes: ['Enter'], what: t`confirm with the focused button` },
        { strokes: ['Control+Enter'], what: t`confirm from a text field` },
        { strokes: ['Escape'], what: t`close` },
      ],
    },
  ]
}

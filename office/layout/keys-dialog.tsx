import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '#ui/forms/button.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import './keys-dialog.css'

/** Every key of the back office. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const keys: [string[], string][] = [
    [['j', 'k'], t`next or previous item`],
    [['↵'], t`open`],
    [['a'], t`open the confirmation to approve`],
    [['r'], t`open the confirmation to reject`],
    [['p'], t`request more information from a professional applicant`],
    [['r', 'a', 'c'], t`enquiry: reply, conclude a complaint, close`],
    [['m'], t`confirm what was read from a document`],
    [['e'], t`inbox: assign; on a record: assign to me or unassign`],
    [['⇧ e'], t`inbox: unassign`],
    [['s'], t`inbox: snooze`],
    [['x'], t`inbox: select, Shift and click for a range`],
    [['v'], t`lists: open the menu of views`],
    [['+', '−', '0', 't'], t`zoom in, zoom out, fit or rotate image`],
    [['b'], t`compare two documents side by side`],
    [['o'], t`side by side: zoom and rotate the other image`],
    [['ctrl', 'k'], t`search and commands, also from a field`],
    [['/'], t`search and commands`],
    [['>'], t`in the search: actions only`],
    [['#'], t`in the search: references only`],
    [['g', 'o'], t`open overview`],
    [['g', 'i'], t`open inbox`],
    [['g', 'n'], t`open my reviews`],
    [['?'], t`all shortcuts`],
    [['↵'], t`confirm with the focused button`],
    [['ctrl', '↵'], t`confirm from a text field`],
    [['esc'], t`close dialog`],
  ]
  return (
    <Dialog
      title={<Trans>Keyboard shortcuts</Trans>}
      isOpen
      onClose={onClose}
      actions={
        <Button kind="primary" onClick={onClose}>
          <Trans>Close</Trans>
        </Button>
      }
    >
      <dl className="keys-list">
        {keys.map(([strokes, what]) => (
          <KeyLine key={what} strokes={strokes} what={what} />
        ))}
      </dl>
    </Dialog>
  )
}

function KeyLine({ strokes, what }: { strokes: readonly string[]; what: string }) {
  return (
    <>
      <dt>
        {strokes.map((stroke) => (
          <kbd key={stroke} className="key">
            {stroke}
          </kbd>
        ))}
      </dt>
      <dd>{what}</dd>
    </>
  )
}

import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '#ui/forms/button.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'

/** Every key of the inbox and of the pages behind it. */
export default function KeysDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const keys: [string[], string][] = [
    [['j', 'k'], t`next or previous item`],
    [['↵'], t`open`],
    [['a'], t`open the confirmation to approve`],
    [['r'], t`open the confirmation to reject`],
    [['p'], t`request more information from a professional applicant`],
    [['e'], t`assign to me or unassign`],
    [['+', '−', '0', 't'], t`zoom in, zoom out, fit or rotate image`],
    [['/'], t`search clients, accounts, references, IBANs`],
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

import { Trans, useLingui } from '@lingui/react/macro'
import { endMyAbsence, setMyAbsence } from '#contract/office/absences.ts'
import { officeCurrent } from '#contract/office/session.ts'
import { useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { showToast } from '#ui/feedback/toasts.tsx'
import { Button } from '#ui/forms/button.tsx'
import { AbsenceDialog } from '../../records/absence-dialog.tsx'
import { AbsenceLine } from '../../records/absence.tsx'
import { showFailure } from '../../records/show-failure.ts'
import { useFormFromUrl } from '../../records/use-form-from-url.ts'
import { useStaff } from '../../session.ts'

/** The reader's own absence, which colleagues see (requirements 24.73). */
export function MyAbsence() {
  const { t } = useLingui()
  const { absence } = useStaff().staff
  const [open, setOpen] = useFormFromUrl(['absence'])
  const end = useEndpointMutation(endMyAbsence, {
    refreshes: [officeCurrent],
    onDone: () => showToast(t`Your absence has ended.`),
    onFailure: showFailure,
  })
  return (
    <div className="stack-2">
      {absence ? (
        <AbsenceLine absence={absence} />
      ) : (
        <span>
          <Trans context="absence">None</Trans>
        </span>
      )}
      <div className="row wrap">
        <Button size="small" onClick={() => setOpen('absence')}>
          {absence ? <Trans>Change absence…</Trans> : <Trans>Set absence…</Trans>}
        </Button>
        {absence && (
          <Button size="small" pending={end.isPending} onClick={() => end.mutate({ before: absence })}>
            <Trans>End absence</Trans>
          </Button>
        )}
      </div>
      {open && (
        <AbsenceDialog
          endpoint={setMyAbsence}
          input={(days) => days}
          refreshes={[officeCurrent]}
          title={<Trans>My absence</Trans>}
          absence={absence}
          onClose={() => setOpen(null)}
        />
      )}
    </div>
  )
}

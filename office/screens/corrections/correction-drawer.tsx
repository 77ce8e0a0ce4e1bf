import { Trans, useLingui } from '@lingui/react/macro'
import { approveCorrection, getCorrection, listCorrections, rejectCorrection } from '#contract/office/accounting.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { officePaths } from '#contract/office-paths.ts'
import { Button } from '#ui/forms/button.tsx'
import { Drawer } from '#ui/overlays/dialog.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { ErrorPanel } from '#ui/feedback/content-states.tsx'
import { groupedByFour } from '#ui/text/code-format.ts'
import { DescriptionList } from '#ui/data/description-list.tsx'
import { Link } from '#ui/navigation/link.tsx'
import { Money, moneyText, Totals } from '#ui/money/money.tsx'
import { StatusBadge } from '#ui/data/status-badge.tsx'
import { Time } from '#ui/text/time.tsx'
import { Codes } from '#ui/text/codes.tsx'
import { DecisionChecks } from '../../decision/decision-checks.tsx'
import { ActionDialog } from '../../records/action-dialog.tsx'
import { type Confirmation, useConfirmation } from '../../records/confirmation.ts'

type Correction = ResponseOf<typeof getCorrection>['correction']
type CorrectionAction = 'approve' | 'reject'

/** One correction, with the ledger balance before and after, and the decision of a second person. */
export function CorrectionDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useLingui()
  const look = useConfirmation<CorrectionAction>()
  const { data, error, refetch } = useEndpoint(getCorrection, { id })
  const correction = data?.correction
  if (look.open && correction) return <DecideDialog action={look.open} correction={correction} onClose={look.leave} />
  return (
    <Drawer title={t`Correction`} onClose={onClose}>
      {error && <ErrorPanel failure={error} onRetry={() => void refetch()} />}
      {correction && (
        <div className="stack-6">
          <Facts correction={correction} />
          {correction.decisionChecks.length > 0 && (
            <DecisionChecks kind="correction" record={correction.id} checks={correction.decisionChecks} />
          )}
          <DecisionActions correction={correction} look={look} />
        </div>
      )}
    </Drawer>
  )
}

function Facts({ correction }: { correction: Correction }) {
  const { currency } = correction
  const money = (minor: bigint, signed = false) => <Money amount={{ minor, currency }} signed={signed} />
  return (
    <>
      <DescriptionList
        rows={[
          { key: <Trans>Status</Trans>, value: <StatusBadge record="correction" state={correction.state} /> },
          {
            key: <Trans>Client</Trans>,
            value: <Link href={officePaths.client(correction.client.id)}>{correction.client.name}</Link>,
          },
          { key: <Trans>Account</Trans>, value: groupedByFour(correction.accountNumber) },
          {
            key: <Trans>Requested by</Trans>,
            value: (
              <>
                {correction.askedBy.name}, <Time at={correction.createdAt} />
              </>
            ),
          },
          correction.deposit && {
            key: <Trans>Returned deposit</Trans>,
            value: (
              <Link href={officePaths.deposit(correction.deposit.id)}>
                <Codes>{correction.deposit.reference}</Codes>
              </Link>
            ),
          },
          { key: <Trans>Reason</Trans>, value: correction.why },
          correction.platformBalance !== null && {
            key: <Trans>Platform balance</Trans>,
            value: (
              <>
                {money(correction.platformBalance)}, <Time at={correction.readAt} />
              </>
            ),
          },
          correction.decidedBy && { key: <Trans>Decided by</Trans>, value: correction.decidedBy.name },
          correction.reason !== null && { key: <Trans>Reason</Trans>, value: correction.reason },
        ]}
      />
      <Totals
        rows={[
          { label: <Trans>Ledger before</Trans>, value: money(correction.ledgerBefore) },
          { label: <Trans>Correction</Trans>, value: money(correction.amount, true) },
        ]}
        total={{ label: <Trans>Ledger after</Trans>, value: money(correction.ledgerAfter) }}
      />
    </>
  )
}

function DecisionActions({ correction, look }: { correction: Correction; look: Confirmation<CorrectionAction> }) {
  const { t } = useLingui()
  const refusal = (action: string) => correction.verbs.find((one) => one.verb === action)?.refusal ?? null
  const [noApprove, noReject] = [refusal('approve'), refusal('reject')]
  if (correction.state !== 'pending') return null
  return (
    <>
      {noApprove && <p>{noApprove.text}</p>}
      <div className="row wrap">
        {!noReject && (
          <Button ref={look.opener('reject')} kind="danger" onClick={() => look.ask('reject')}>{t`Reject…`}</Button>
        )}
        {!noApprove && (
          <Button ref={look.opener('approve')} kind="primary" onClick={() => look.ask('approve')}>{t`Approve…`}</Button>
        )}
      </div>
    </>
  )
}

interface DecideDialogProps {
  action: CorrectionAction
  correction: Correction
  onClose: () => void
}

function DecideDialog({ action, correction, onClose }: DecideDialogProps) {
  const { t, i18n } = useLingui()
  const { id, version, amount, currency } = correction
  const accountNumber = groupedByFour(correction.accountNumber)
  const sum = moneyText({ minor: amount, currency }, i18n.locale)
  const both = { refreshes: [listCorrections, getCorrection], onClose }
  if (action === 'reject')
    return (
      <ActionDialog
        {...both}
        endpoint={rejectCorrection}
        input={(reason) => ({ id, version, reason })}
        done={t`The correction has been rejected.`}
        title={<Trans>Reject correction</Trans>}
        command={<Trans>Reject</Trans>}
        kind="danger"
      />
    )
  return (
    <ActionDialog
      {...both}
      endpoint={approveCorrection}
      input={(note) => ({ id, version, note })}
      done={t`The correction is being posted.`}
      title={t`Approve the correction of ${sum} to ${accountNumber}`}
      command={<Trans>Approve</Trans>}
      reason="optional"
    >
      <p>
        <Trans>
          The amount is posted once in the ledger and on the platform under one reference. You can undo it only with
          another correction.
        </Trans>
      </p>
    </ActionDialog>
  )
}

import { Trans, useLingui } from '@lingui/react/macro'
import { useLocation } from 'wouter'
import type { OfficeWithdrawal } from '#contract/office/withdrawals.ts'
import { createPayoutBatch } from '#contract/office/payout-batches.ts'
import { officePaths } from '#contract/office-paths.ts'
import { Button } from '#ui/forms/button.tsx'
import { useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { Link } from '#ui/navigation/link.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { showToast } from '#ui/feedback/toasts.tsx'
import { Codes } from '#ui/text/codes.tsx'
import { useStoppedReason } from '../../records/stopped-reason.ts'
import { useCanDo } from '../../session.ts'
import { BatchStatus } from '../payout-batch/batch-status.tsx'

/** The payout batch of a withdrawal; one without a batch can be put in a batch of its own. */
export function BatchOfWithdrawal({ withdrawal }: { withdrawal: OfficeWithdrawal }) {
  const { t } = useLingui()
  const [, navigate] = useLocation()
  const mayCreate = useCanDo('createPayoutBatch')
  const stopped = useStoppedReason('payouts')
  const create = useEndpointMutation(createPayoutBatch, {
    refreshes: [],
    onFailure: (failure) => showToast(() => failure.error, { kind: 'bad' }),
    onDone: ({ id, number }) => {
      showToast(() => t`${number} has been created.`)
      navigate(officePaths.payoutBatch(id))
    },
  })
  const { batch, reversal, state, id, currency } = withdrawal
  if (batch)
    return (
      <Alert
        title={
          <>
            <Trans>Payout batch</Trans>{' '}
            <Link href={officePaths.payoutBatch(batch.id)}>
              <Codes>{batch.number}</Codes>
            </Link>
          </>
        }
      >
        <BatchStatus state={batch.state} />
      </Alert>
    )
  if (state !== 'approved') return null
  if (reversal)
    return (
      <Alert kind="wait" title={<Trans>{reversal.by.name} requested the reversal</Trans>}>
        <Trans>This withdrawal will not be paid out. A second person confirms or cancels the reversal.</Trans>
      </Alert>
    )
  return (
    <Alert
      title={<Trans>Ready for payout</Trans>}
      action={
        mayCreate && (
          <Button
            size="small"
            disabledReason={stopped}
            pending={create.isPending}
            onClick={() => create.mutate({ currency, withdrawals: [id] })}
          >
            <Trans>Create payout batch</Trans>
          </Button>
        )
      }
    >
      <Trans>This withdrawal is not in a payout batch.</Trans>
    </Alert>
  )
}

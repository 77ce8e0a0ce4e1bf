import { Trans, useLingui } from '@lingui/react/macro'
import {
  requestVoidPayoutBatch,
  closePayoutBatch,
  confirmPayoutBatch,
  confirmVoidPayoutBatch,
  discardPayoutBatch,
  dropVoidPayoutBatch,
  releasePayoutBatch,
  type PayoutBatch,
} from '#contract/office/payout-batches.ts'
import { decimalOf, minorOf } from '#rules/money.ts'
import { readBatchNumber } from '#rules/payout-batches.ts'
import { call } from '#ui/api/call.ts'
import { Money, moneyText, MoneySummary } from '#ui/money/money.tsx'
import { StepUpHint } from '#ui/auth/step-up-hint.tsx'
import type { Decision } from '../../decision/decision.tsx'
import { isTotalOf } from './before-release.tsx'

/** Explains the consequences before the click. */
export function BatchDecisionEffect({ batch }: { batch: PayoutBatch }) {
  switch (batch.state) {
    case 'created':
      return (
        <>
          <Trans>
            <b>Release</b> to create the payout file. The person who created the batch cannot release it.
          </Trans>
          <StepUpHint />
        </>
      )
    case 'released':
      return (
        <Trans>
          <b>Confirm</b> to mark every payment as paid and email the clients. The person who released the batch cannot
          confirm it.
        </Trans>
      )
    case 'void_requested':
      return (
        <Trans>
          <b>Void</b> to make the payments available for another batch. First check that the bank executed none.
        </Trans>
      )
    case 'sent':
    case 'partly_returned':
      return (
        <Trans>
          <b>Close</b> once the bank statement shows every payment. No money moves and no client is notified. A closed
          batch cannot be reopened.
        </Trans>
      )
    default:
      return null
  }
}

/**
 * Returns the decisions of every state; the page shows those that the state allows. `typed` is the total as entered.
 */
export function useBatchDecisions(batch: PayoutBatch, typed: string): Decision[] {
  const { t, i18n } = useLingui()
  const { id, version, draft, number } = batch
  const review = <ReleaseSummary batch={batch} />
  const total = moneyText({ minor: draft?.total ?? batch.total, currency: batch.currency }, i18n.locale)
  return [
    {
      action: 'discard',
      label: <Trans>Void batch</Trans>,
      kind: 'danger',
      key: 'r',
      title: t`Void ${number}`,
      words: 'log',
      review,
      send: (reason) => call(discardPayoutBatch, { id, version, reason }),
    },
    {
      action: 'release',
      label: <Trans>Release {total}</Trans>,
      kind: 'primary',
      key: 'a',
      ...(isTotalOf(batch, typed) ? {} : { notYet: <Trans>Enter the total before you release the batch.</Trans> }),
      title: t`Release ${number} to the bank`,
      words: 'note',
      review,
      ...(batch.asksBankNumber && {
        field: {
          name: 'bankNumber',
          label: t`Last batch at the bank in ${batch.currency}`,
          hint: t`Check at the bank, not here. Enter for example PB-000041, or 0 if there is none. A number that is not in our records stops all payments.`,
          check: (number) =>
            readBatchNumber(number) === null
              ? t`Enter the number of the last payout batch at the bank, for example PB-000041. Enter 0 if there is none.`
              : undefined,
        },
      }),
      send: (note, _clientText, bankNumber) =>
        call(releasePayoutBatch, {
          id,
          version,
          note,
          count: draft?.count ?? 0,
          // As the server writes it: "250" is typed for 250.00.
          total: decimalOf(minorOf(typed) ?? 0n),
          sha256: draft?.sha256 ?? '',
          bankNumber,
        }),
    },
    {
      action: 'askVoid',
      label: <Trans>Void batch</Trans>,
      kind: 'danger',
      title: t`Void ${number}`,
      words: 'log',
      review: (
        <p className="muted">
          {t`Explain how you know that the bank executed none of the payments. A second person must confirm it.`}
        </p>
      ),
      send: (reason) => call(requestVoidPayoutBatch, { id, version, reason }),
    },
    {
      action: 'confirm',
      label: <Trans>Confirm as sent</Trans>,
      kind: 'primary',
      key: 'a',
      title: t`Confirm that the bank has sent ${number}`,
      words: 'note',
      review,
      send: (note) => call(confirmPayoutBatch, { id, version, note }),
    },
    {
      action: 'dropVoid',
      label: <Trans>Keep batch</Trans>,
      outcome: t`Void request rejected. The batch stays released.`,
      kind: 'outline',
      title: t`Keep ${number} as released`,
      words: 'log',
      send: (reason) => call(dropVoidPayoutBatch, { id, version, reason }),
    },
    {
      action: 'confirmVoid',
      label: <Trans>Confirm void</Trans>,
      kind: 'danger',
      title: t`Confirm that the bank executed no payment of ${number}`,
      words: 'note',
      review,
      send: (note) => call(confirmVoidPayoutBatch, { id, version, note }),
    },
    {
      action: 'close',
      label: <Trans>Close batch</Trans>,
      kind: 'outline',
      title: t`Close ${number}`,
      words: 'note',
      review,
      send: (note) => call(closePayoutBatch, { id, version, note }),
    },
  ]
}

/** Count, total and hash that will be released. */
function ReleaseSummary({ batch }: { batch: PayoutBatch }) {
  const { t } = useLingui()
  const { currency, draft } = batch
  const hash = draft?.sha256 ?? batch.sha256
  const total = { minor: draft?.total ?? batch.total, currency }
  return (
    <MoneySummary
      lines={[
        { label: t`Payments`, value: draft?.count ?? batch.count },
        ...(hash === null ? [] : [{ label: t`SHA-256`, value: <code className="batch-hash">{hash}</code> }]),
      ]}
      total={{ label: t`Total`, value: <Money amount={total} /> }}
    />
  )
}

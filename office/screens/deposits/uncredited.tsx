import { Trans, useLingui } from '@lingui/react/macro'
import { creditDeposit, refundDeposit, type OfficeDeposit } from '#contract/office/deposits.ts'
import { call } from '#ui/api/call.ts'
import { Alert } from '#ui/feedback/alert.tsx'
import { Money, MoneySummary } from '#ui/money/money.tsx'
import { groupedByFour } from '#ui/text/code-format.ts'
import type { Acknowledging, Decision } from '../../decision/decision.tsx'

/** The payment was received and is not credited: where it is, and what can be done. */
export function UncreditedAlert({ deposit: { refunded, chargedBack, currency } }: { deposit: OfficeDeposit }) {
  const back = refunded + chargedBack
  return (
    <Alert kind="wait" title={<Trans>The payment was received and is not credited</Trans>}>
      <Trans>The money is with the unallocated receipts. Resolve the cause, then credit or refund it.</Trans>{' '}
      {back > 0n && (
        <Trans>
          <Money amount={{ minor: back, currency }} /> has been returned to the payer already.
        </Trans>
      )}
    </Alert>
  )
}

/** Returns the decisions on a payment that is not credited. */
export function useUncreditedDecisions(deposit: OfficeDeposit, acknowledging: Acknowledging): Decision[] {
  const { t } = useLingui()
  const { id, version, currency, received, refunded, chargedBack, client, account, fee } = deposit
  const left = { minor: (received ?? 0n) - refunded - chargedBack, currency }
  const body = (note: string) => ({ id, version, note, acknowledged: acknowledging.names })
  return [
    {
      action: 'refund',
      label: <Trans>Refund payment</Trans>,
      kind: 'outline',
      title: t`Refund the payment of ${client.name}`,
      outcome: t`The refund has been requested from the card provider.`,
      review: <MoneySummary lines={[]} total={{ label: t`Refund to the payer`, value: <Money amount={left} /> }} />,
      ...acknowledging.of,
      send: (note) => call(refundDeposit, body(note)),
    },
    {
      action: 'credit',
      label: <Trans>Credit payment</Trans>,
      kind: 'primary',
      key: 'a',
      title: t`Credit the payment of ${client.name}`,
      outcome: t`The platform is crediting the amount.`,
      review: (
        <MoneySummary
          lines={[
            { label: t`Account`, value: <span className="numbers">{groupedByFour(account.number)}</span> },
            { label: t`Fee`, value: <Money amount={{ minor: fee, currency }} /> },
          ]}
          total={{ label: t`Credited amount`, value: <Money amount={{ minor: left.minor - fee, currency }} /> }}
        />
      ),
      ...acknowledging.of,
      send: (note) => call(creditDeposit, body(note)),
    },
  ]
}

import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { OfficeWithdrawal } from '#contract/office/withdrawals.ts'
import { documentOriginal } from '#contract/office/documents.ts'
import { approveLastBalance, rejectLastBalance } from '#contract/office/last-balance.ts'
import { call } from '#ui/api/call.ts'
import { moneyText } from '#ui/money/money.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { type Decision, type Acknowledging, rejection } from '../../decision/decision.tsx'
import { useCanRead } from '../../session.ts'

/** Says that finance entered this payout, with the evidence. */
export function LastBalance({ withdrawal: { lastBalance } }: { withdrawal: OfficeWithdrawal }) {
  const maySee = useCanRead('pictures')
  if (!lastBalance) return null
  const { by, proof } = lastBalance
  return (
    <Alert title={<Trans>Last balance, entered by {by.name} with evidence</Trans>}>
      {proof &&
        (maySee ? (
          <a href={documentOriginal.path.replace(':id', encodeURIComponent(proof.fileId))}>{proof.filename}</a>
        ) : (
          proof.filename
        ))}
    </Alert>
  )
}

/** Returns the decisions of compliance on the payout together with its bank account. */
export function useLastBalanceDecisions(
  { id, version, currency, amount: minor }: OfficeWithdrawal,
  { names: acknowledged, of }: Acknowledging,
  review: ReactNode,
): Decision[] {
  const { t, i18n } = useLingui()
  const amount = moneyText({ minor, currency }, i18n.locale)
  return [
    {
      ...rejection('withdrawal', t`Reject the last balance of ${amount}`, (texts) =>
        call(rejectLastBalance, { id, version, ...texts }),
      ),
      action: 'rejectLastBalance',
    },
    {
      action: 'approveLastBalance',
      label: <Trans>Approve {amount}</Trans>,
      kind: 'primary',
      key: 'a',
      title: t`Approve the payout and its bank account`,
      ...of,
      review,
      send: (note) => call(approveLastBalance, { id, version, note, acknowledged }),
    },
  ]
}

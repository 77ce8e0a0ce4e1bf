import { Trans, useLingui } from '@lingui/react/macro'
import {
  approveWithdrawal,
  requestReversal,
  confirmWithdrawal,
  dropReversal,
  getOfficeWithdrawal,
  rejectWithdrawal,
  returnWithdrawal,
  reverseWithdrawal,
  type OfficeWithdrawal,
} from '#contract/office/withdrawals.ts'
import { officePaths } from '#contract/office-paths.ts'
import { call } from '#ui/api/call.ts'
import { groupedByFour, groupedInPlace } from '#ui/text/code-format.ts'
import { Money, moneyText, MoneySummary } from '#ui/money/money.tsx'
import { OriginalFile } from '../../decision/original-file.tsx'
import { ClientFacts, recordScreen, OperationNotice } from '../../decision/record-parts.tsx'
import { type Decision, useDecision, type Acknowledging, useAcknowledged, rejection } from '../../decision/decision.tsx'
import { AmountPage } from '../../decision/record-page.tsx'
import { Recipient } from '../../decision/recipient.tsx'
import { SaveReceipt } from '../../decision/save-receipt.tsx'
import { Approvals } from './approvals.tsx'
import { BatchOfWithdrawal } from './batch-of-withdrawal.tsx'
import { AccountBalances } from './account-balances.tsx'
import './withdrawal.css'
import type { ReactNode } from 'react'
import { approveLastBalance, rejectLastBalance } from '#contract/office/last-balance.ts'
import { Alert } from '#ui/feedback/alert.tsx'
import { useCanRead } from '../../session.ts'

/** One withdrawal: past and pending approvals, its destination, and the remaining balance. */
export default recordScreen(getOfficeWithdrawal, ({ withdrawal }) => <Page withdrawal={withdrawal} />)

function Page({ withdrawal }: { withdrawal: OfficeWithdrawal }) {
  const deciding = useDecision('withdrawal', officePaths.withdrawals)
  const acknowledging = useAcknowledged(withdrawal.decisionChecks)
  const ordinary = useDecisions(withdrawal, acknowledging)
  const ofLast = useLastBalanceDecisions(withdrawal, acknowledging, <ApprovalSummary withdrawal={withdrawal} />)
  const decisions = [...ofLast, ...ordinary]
  const isOpen = withdrawal.state === 'pending' || withdrawal.state === 'second_approval'
  const { currency } = withdrawal
  const amount = { minor: withdrawal.amount, currency }
  return (
    <AmountPage
      kind="withdrawal"
      side={<SaveReceipt list="withdrawals" record={withdrawal} />}
      record={withdrawal}
      section={
        <>
          <Trans>Withdrawal</Trans> · <span className="unbroken">{withdrawal.reference}</span>
        </>
      }
      amount={amount}
      deciding={deciding}
      {...(isOpen ? { acknowledging } : {})}
      decisions={decisions}
      sentence={<DecisionEffect withdrawal={withdrawal} />}
      lead={
        <>
          <OperationNotice
            operation={withdrawal.operation}
            state={withdrawal.state}
            checks={withdrawal.decisionChecks}
          />
          <LastBalance withdrawal={withdrawal} />
          <Approvals withdrawal={withdrawal} />
          <BatchOfWithdrawal withdrawal={withdrawal} />
        </>
      }
    >
      <div className="columns-2">
        <ClientFacts client={withdrawal.client} />
        <Recipient bank={withdrawal.bank} currency={withdrawal.currency} />
      </div>
      {withdrawal.money && <AccountBalances money={withdrawal.money} withdrawal={withdrawal} />}
    </AmountPage>
  )
}

/** Explains the consequences before the click. */
function DecisionEffect({ withdrawal }: { withdrawal: OfficeWithdrawal }) {
  const { t, i18n } = useLingui()
  const { state, currency, account, fourEyes } = withdrawal
  const amount = moneyText({ minor: withdrawal.amount, currency }, i18n.locale)
  const sent = moneyText({ minor: withdrawal.arrives, currency }, i18n.locale)
  const number = groupedByFour(account.number)
  const mayGive = (action: string) =>
    withdrawal.verbs.some((one) => one.verb === action && one.refusal?.code !== 'wrong-role')
  if (state === 'pending' && withdrawal.lastBalance)
    return mayGive('approveLastBalance') ? (
      <Trans>
        <b>Approve</b> to approve the bank account too. <b>Reject</b> to reject both and make {amount} available again.
      </Trans>
    ) : (
      <Trans>Compliance approves or rejects the payout together with its bank account.</Trans>
    )
  if (state === 'pending' && !mayGive('approve'))
    return (
      <Trans>
        An operations clerk gives the first approval. <b>Reject</b> to make {amount} available to the client again.
      </Trans>
    )
  if (state === 'pending' && fourEyes.needed)
    return (
      <Trans>
        <b>Approve</b> to send it to a finance supervisor for second approval. No money moves before that.
      </Trans>
    )
  if (state === 'second_approval' && !mayGive('confirm'))
    return (
      <Trans>
        A finance supervisor gives the second approval. <b>Reject</b> to make {amount} available to the client again.
      </Trans>
    )
  if (state === 'pending' || state === 'second_approval')
    return (
      <Trans>
        <b>Approve</b> to debit {number} on the platform and email the client. {sent} is added to the next payout file
        for {currency}. You cannot undo the debit.
      </Trans>
    )
  if (state === 'processing')
    return (
      <Trans>
        The debit has not been sent to the platform. <b>Reject</b> to make {amount} available to the client again.
      </Trans>
    )
  if (state === 'approved')
    return t`A payout batch pays ${sent}. A second person releases it and finance confirms that the bank has sent it.`
  return (
    <Trans>
      <b>Mark as returned</b> to credit {sent} to {number} again and give the client your reason.
    </Trans>
  )
}

function useDecisions(withdrawal: OfficeWithdrawal, { names: acknowledged, of }: Acknowledging): Decision[] {
  const { t, i18n } = useLingui()
  const { id, version, currency } = withdrawal
  const amount = moneyText({ minor: withdrawal.amount, currency }, i18n.locale)
  const sent = moneyText({ minor: withdrawal.arrives, currency }, i18n.locale)
  const review = <ApprovalSummary withdrawal={withdrawal} />
  return [
    {
      ...rejection('withdrawal', t`Reject the withdrawal of ${amount}`, (texts) =>
        call(rejectWithdrawal, { id, version, ...texts }),
      ),
      review: <p className="muted">{t`The reserved ${amount} will be available to the client again.`}</p>,
    },
    {
      action: 'approve',
      label: <Trans>Approve {amount}</Trans>,
      kind: 'primary',
      key: 'a',
      title: withdrawal.fourEyes.needed ? t`Approve withdrawal (first approval)` : t`Approve withdrawal`,
      ...of,
      review,
      send: (note) => call(approveWithdrawal, { id, version, note, acknowledged }),
    },
    {
      action: 'confirm',
      label: <Trans>Approve {amount}</Trans>,
      kind: 'primary',
      key: 'a',
      title: t`Approve withdrawal (second approval)`,
      ...of,
      review,
      send: (note) => call(confirmWithdrawal, { id, version, note, acknowledged }),
    },
    ...(withdrawal.reversal === null
      ? [
          {
            action: 'askReversal',
            label: <Trans>Request reversal</Trans>,
            outcome: t`Reversal requested. A second person must confirm it.`,
            kind: 'danger' as const,
            title: t`Request the reversal of ${amount}`,
            words: 'log' as const,
            review: (
              <p className="muted">
                <Trans>
                  The full debit of {amount}, including the fee, returns to the trading account. A second person must
                  confirm it. The client does not see your reason.
                </Trans>
              </p>
            ),
            send: (reason: string) => call(requestReversal, { id, version, reason }),
          },
        ]
      : [
          {
            action: 'dropReversal',
            label: <Trans>Cancel reversal request</Trans>,
            outcome: t`Reversal request cancelled.`,
            kind: 'outline' as const,
            title: t`Cancel the reversal of ${amount}`,
            words: 'log' as const,
            send: (reason: string) => call(dropReversal, { id, version, reason }),
          },
          {
            action: 'reverse',
            label: <Trans>Confirm reversal</Trans>,
            kind: 'primary' as const,
            title: t`Confirm the reversal of ${amount}`,
            words: 'note' as const,
            review,
            send: (note: string) => call(reverseWithdrawal, { id, version, note }),
          },
        ]),
    {
      action: 'return',
      label: <Trans>Mark as returned</Trans>,
      kind: 'danger',
      title: t`Mark ${sent} as returned`,
      words: 'client',
      review,
      send: (reason) => call(returnWithdrawal, { id, version, reason }),
    },
  ]
}

/** The content of the confirmation: destination and amount. */
function ApprovalSummary({ withdrawal }: { withdrawal: OfficeWithdrawal }) {
  const { t } = useLingui()
  const { bank, currency, account } = withdrawal
  return (
    <MoneySummary
      lines={[
        { label: t({ message: 'To', context: 'recipient' }), value: bank.holder },
        { label: t`Bank account`, value: groupedInPlace(bank.iban ?? bank.accountNumber ?? '–') },
        { label: t`From account`, value: groupedByFour(account.number) },
        { label: t`Amount`, value: <Money amount={{ minor: withdrawal.amount, currency }} /> },
        { label: t`Fee`, value: <Money amount={{ minor: withdrawal.fee, currency }} /> },
      ]}
      total={{ label: t`Payout amount`, value: <Money amount={{ minor: withdrawal.arrives, currency }} /> }}
    />
  )
}

/** Says that finance entered this payout, with the evidence. */
function LastBalance({ withdrawal: { lastBalance } }: { withdrawal: OfficeWithdrawal }) {
  const maySee = useCanRead('pictures')
  if (!lastBalance) return null
  const { by, proof } = lastBalance
  return (
    <Alert title={<Trans>Last balance, entered by {by.name} with evidence</Trans>}>
      {proof && (maySee ? <OriginalFile file={proof} /> : proof.filename)}
    </Alert>
  )
}

/** Returns the decisions of compliance on the payout together with its bank account. */
function useLastBalanceDecisions(
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

import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import {
  confirmLine,
  confirmSettlement,
  getBankLine,
  matchLine,
  rejectLine,
  rejectSettlement,
  sendBackLine,
  type BankLineDetails,
  type BankLine,
} from '#contract/office/bank-lines.ts'
import { rejectionReasons } from '#contract/office/rejection-reasons.ts'
import { officePaths } from '#contract/office-paths.ts'
import { bankLineMachine } from '#rules/deposits.ts'
import { call } from '#ui/api/call.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { groupedInPlace } from '#ui/text/code-format.ts'
import { DescriptionList } from '#ui/data/description-list.tsx'
import { Money, moneyText, MoneySummary } from '#ui/money/money.tsx'
import { calendarDayText } from '#ui/text/time.tsx'
import { RecordScreen } from '../../decision/record-parts.tsx'
import { RecordSection } from '../../decision/record-section.tsx'
import { type Decision, type OfficeRecord, useDecision } from '../../decision/decision.tsx'
import { AmountPage } from '../../decision/record-page.tsx'
import { DecisionChecks } from '../../decision/decision-checks.tsx'
import { type LineChecks, useLineChecks } from '../deposits/use-line-checks.tsx'
import { type LineTarget, LineTargets } from './line-targets.tsx'
import { LineState, SecondApproverText } from './line-state.tsx'
import { CardSettlement, SettlementTotals } from './card-settlement.tsx'
import { ReturnedPayouts, useMatchRows } from './returned-payouts.tsx'
import { useLocation } from 'wouter'
import { proposeFirmMoney } from '#contract/office/firm-money.ts'
import { decimalOf } from '#rules/money.ts'
import { Button } from '#ui/forms/button.tsx'
import { Codes } from '#ui/text/codes.tsx'
import { ActionDialog } from '../../records/action-dialog.tsx'
import { useStoppedReason } from '../../records/stopped-reason.ts'
import { useCanDo } from '../../session.ts'
import '../deposits/deposits.css'

/** One bank transaction: the deposits that it may pay, or another account of a client. */
export function BankLineScreen({ id }: { id: string }) {
  const read = useEndpoint(getBankLine, { id })
  return <RecordScreen read={read}>{(found) => <Page found={found} />}</RecordScreen>
}

function Page({ found }: { found: BankLineDetails }) {
  const { t, i18n } = useLingui()
  const { line } = found
  const [target, setTarget] = useState<LineTarget | null>(null)
  const deciding = useDecision('bank_line', officePaths.imports)
  const isOpen = line.state === 'unmatched' && line.amount > 0n
  const lineChecks = useLineChecks(line.id, target?.clientId, isOpen)
  const decisions = useDecisions(found, target, lineChecks)
  const takenFor = useMatchRows(found)
  const record: OfficeRecord = {
    ...line,
    ...decisionOf(found),
    item: null,
    viewers: found.viewers,
    checks: [],
    timeline: found.timeline,
  }
  const amount = { minor: line.amount, currency: line.currency }
  const words = moneyText(amount, i18n.locale)
  const mayMatch = line.verbs.some(({ verb, refusal }) => verb === 'match' && refusal?.code !== 'wrong-role')
  return (
    <AmountPage
      kind="bank_line"
      record={record}
      section={<Trans>Bank transaction</Trans>}
      amount={amount}
      status={<LineState line={line} />}
      deciding={deciding}
      decisions={decisions}
      sentence={
        line.state === 'second_approval' ? (
          <>
            <SecondApproverText line={line} />{' '}
            <Trans>
              <b>Confirm</b> that {words} has arrived. You can then match it.
            </Trans>
          </>
        ) : line.state === 'settlement_proposed' ? (
          <Trans>
            <b>Confirm</b> that the card provider’s report shows {words} and these charges.
          </Trans>
        ) : line.amount < 0n && found.withdrawal !== null ? (
          <Trans>This is a payout that we sent. No decision is needed.</Trans>
        ) : line.amount < 0n ? (
          <Trans>
            Outgoing payment. Finance must explain it under Reconciliation or record it as firm money or card
            settlement.
          </Trans>
        ) : mayMatch ? (
          <Trans>
            <b>Match</b> to credit {words} on the platform and notify the client.
          </Trans>
        ) : (
          <Trans>
            An operations clerk matches the payment. <b>Return to sender</b> to post {words} as returned to {line.payer}
            .
          </Trans>
        )
      }
    >
      <RecordSection title={<Trans>Bank data</Trans>}>
        <DescriptionList
          rows={[
            { key: t`Payer`, value: line.payer || '–' },
            {
              key: t`Payer’s account`,
              value: <span className="numbers">{groupedInPlace(line.payerAccount) || '–'}</span>,
            },
            { key: t`Payment reference`, value: <Codes>{line.remittance || '–'}</Codes> },
            { key: t`Posted`, value: calendarDayText(line.bookedOn, i18n.locale) },
            { key: t`Bank reference`, value: <span className="numbers line-id">{line.bankId}</span> },
            { key: t`Our account`, value: <span className="numbers">{groupedInPlace(line.bankAccount)}</span> },
            line.typedBy !== null && { key: t`Entered by`, value: line.typedBy.name },
            line.importedBy !== null && { key: t`Imported by`, value: line.importedBy.name },
            line.confirmedBy !== null && { key: t`Confirmed by`, value: line.confirmedBy.name },
            ...takenFor,
          ]}
        />
      </RecordSection>
      <ReturnedPayouts found={found} />
      {isOpen && <LineTargets found={found} value={target} onValue={setTarget} />}
      {isOpen && lineChecks.checks && (
        <RecordSection title={target ? <Trans>Checks for the match</Trans> : <Trans>Checks for the return</Trans>}>
          <DecisionChecks
            kind="bank_line"
            record={line.id}
            client={target?.clientId}
            checks={lineChecks.checks}
            acknowledging={lineChecks.acknowledging}
          />
        </RecordSection>
      )}
      {found.withdrawal === null && <CardSettlement line={line} />}
      {line.state === 'unmatched' && found.withdrawal === null && <FirmMoneyMatch line={line} />}
    </AmountPage>
  )
}

/** Returns who settled the transaction, and when: a posting by the bank is not a decision by a person. */
function decisionOf({ line, timeline }: BankLineDetails): Pick<OfficeRecord, 'decidedAt' | 'decidedBy'> {
  const waits = bankLineMachine.undecided.some((state) => state === line.state)
  const last = waits ? undefined : timeline.find(({ to }) => to === line.state)
  const { id, name } = last?.actor ?? { id: null, name: null }
  const isStaff = last?.actor.kind === 'staff' && id !== null && name !== null
  return isStaff ? { decidedAt: last.at, decidedBy: { id, name } } : { decidedAt: null, decidedBy: null }
}

function useDecisions(
  { line }: BankLineDetails,
  target: LineTarget | null,
  { acknowledging, of }: LineChecks,
): Decision[] {
  const { t, i18n } = useLingui()
  const { id, version } = line
  const amount = { minor: line.amount, currency: line.currency }
  const words = moneyText(amount, i18n.locale)
  const reasons = rejectionReasons.bank_line ?? []
  return [
    {
      action: 'sendBack',
      label: <Trans>Return to sender</Trans>,
      kind: 'danger',
      title: t`Return ${words} to ${line.payer}`,
      words: 'log',
      notYet: target ? undefined : of.notYet,
      review: (
        <p>
          <Trans>
            The amount is removed from the ledger immediately. Make the payment manually at the bank. It is not included
            in any payout file.
          </Trans>
        </p>
      ),
      send: (reason) => call(sendBackLine, { id, version, reason }),
    },
    {
      action: 'reject',
      label: <Trans>Never arrived</Trans>,
      kind: 'danger',
      key: 'r',
      title: t`This payment never arrived`,
      words: 'log',
      reasons,
      send: (reason) => call(rejectLine, { id, version, reason }),
    },
    {
      action: 'confirm',
      label: <Trans>Confirm {words}</Trans>,
      kind: 'primary',
      key: 'a',
      title: t`Confirm the payment`,
      words: 'note',
      review: (
        <MoneySummary
          lines={[{ label: t`Payer`, value: line.payer }]}
          total={{ label: t`Arrived`, value: <Money amount={amount} /> }}
        />
      ),
      send: (note) => call(confirmLine, { id, version, note }),
    },
    {
      action: 'rejectSettlement',
      label: <Trans>Reject settlement</Trans>,
      kind: 'danger',
      key: 'r',
      title: t`Reject card settlement`,
      words: 'log',
      outcome: t`The settlement has been rejected. The transaction is unmatched again.`,
      send: (reason) => call(rejectSettlement, { id, version, reason }),
    },
    {
      action: 'confirmSettlement',
      label: <Trans>Confirm settlement</Trans>,
      kind: 'primary',
      key: 'a',
      title: t`Confirm card settlement`,
      words: 'note',
      outcome: t`The settlement has been posted.`,
      review: <SettlementTotals line={line} fee={line.settlement?.fee ?? 0n} />,
      send: (note) => call(confirmSettlement, { id, version, note }),
    },
    {
      action: 'match',
      label: <Trans>Match {words}</Trans>,
      kind: 'primary',
      key: 'a',
      title: t`Match payment`,
      ...(target ? of : { words: 'note', notYet: t`Choose a deposit or an account.` }),
      review: target && (
        <>
          <MoneySummary
            lines={[
              { label: t`Payer`, value: line.payer },
              { label: t`Client`, value: target.client },
              { label: t`Account`, value: target.account },
            ]}
            total={{ label: t`Amount received`, value: <Money amount={amount} /> }}
          />
          <p className="muted">{t`The account is credited with this amount less the deposit fee.`}</p>
        </>
      ),
      send: (note) =>
        call(matchLine, {
          id,
          version,
          note,
          acknowledged: acknowledging.names,
          ...(target?.depositId ? { depositId: target.depositId } : {}),
          ...(target?.accountId ? { accountId: target.accountId } : {}),
        }),
    },
  ]
}

/** Declares a bank transaction to be firm money, in or out: another person confirms. */
function FirmMoneyMatch({ line }: { line: BankLine }) {
  const { t, i18n } = useLingui()
  const [, navigate] = useLocation()
  const [asking, setAsking] = useState(false)
  const { id, amount, currency } = line
  const stopped = useStoppedReason('payouts')
  if (!useCanDo('proposeFirmMoney')) return null
  return (
    <RecordSection title={<Trans>Not client money</Trans>}>
      <Button size="small" disabledReason={stopped} onClick={() => setAsking(true)}>{t`Propose as firm money…`}</Button>
      {asking && (
        <ActionDialog
          endpoint={proposeFirmMoney}
          input={(reason) => ({ amount: decimalOf(amount), currency, reason, lineId: id })}
          refreshes={[getBankLine]}
          done={t`Proposed. Another person must confirm it before it is posted.`}
          title={<Trans>Propose {moneyText({ minor: amount, currency }, i18n.locale)} as firm money</Trans>}
          command={<Trans>Propose</Trans>}
          onClose={() => setAsking(false)}
          onDone={(answer) => navigate(officePaths.firmMoney(answer.id))}
        >
          <p>{t`Once another person confirms, the amount counts as firm money.`}</p>
        </ActionDialog>
      )}
    </RecordSection>
  )
}

import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { checkoutLabels } from '#contract/office/checkout-labels.ts'
import { getOfficeDeposit, rejectDeposit, type OfficeDeposit } from '#contract/office/deposits.ts'
import { matchDeposit } from '#contract/office/bank-lines.ts'
import { getInboxItem } from '#contract/office/inbox.ts'
import { officePaths } from '#contract/office-paths.ts'
import { currencies, minorOf } from '#rules/money.ts'
import { call } from '#ui/api/call.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { useLabels } from '#ui/i18n/labels.ts'
import { groupedByFour } from '#ui/text/code-format.ts'
import { DescriptionList } from '#ui/data/description-list.tsx'
import { Link } from '#ui/navigation/link.tsx'
import { Money, moneyText, MoneySummary } from '#ui/money/money.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { Time } from '#ui/text/time.tsx'
import { Codes } from '#ui/text/codes.tsx'
import { ClientFacts, recordScreen, OperationNotice } from '../../decision/record-parts.tsx'
import { RecordSection } from '../../decision/record-section.tsx'
import { type Decision, rejection, useAcknowledged, useDecision } from '../../decision/decision.tsx'
import { AmountPage } from '../../decision/record-page.tsx'
import { SaveReceipt } from '../../decision/save-receipt.tsx'
import { useCanDo, useCanRead } from '../../session.ts'
import { DecisionChecks } from '../../decision/decision-checks.tsx'
import './deposits.css'
import { SuggestedLines } from './suggested-lines.tsx'
import { UncreditedAlert, useUncreditedDecisions } from './uncredited.tsx'
import { type LineChecks, useLineChecks } from './use-line-checks.tsx'

/** One deposit: announced and received amount side by side, and the bank transactions that may be its payment. */
export default recordScreen(getOfficeDeposit, ({ deposit }) => <Page deposit={deposit} />)

function Page({ deposit }: { deposit: OfficeDeposit }) {
  const { t } = useLingui()
  const deciding = useDecision('deposit', officePaths.deposits)
  const atProvider = useLabels(checkoutLabels)
  const imports = useCanDo('importStatement')
  const [lineId, setLineId] = useState('')
  const { client, currency } = deposit
  const lineChecks = useLineChecks(lineId, client.id, lineId !== '')
  const acknowledging = useAcknowledged(deposit.decisionChecks)
  const decisions = [...useDecisions(deposit, lineId, lineChecks), ...useUncreditedDecisions(deposit, acknowledging)]
  const amount = { minor: deposit.amount, currency }
  const number = groupedByFour(deposit.account.number)
  const waits = deposit.state === 'pending' && deposit.type === 'wire'
  return (
    <AmountPage
      kind="deposit"
      side={<SaveReceipt list="deposits" record={deposit} />}
      record={deposit}
      section={
        <>
          <Trans>Deposit</Trans> · <span className="unbroken">{deposit.reference}</span>
        </>
      }
      amount={amount}
      deciding={deciding}
      decisions={decisions}
      {...(deposit.state === 'uncredited' ? { acknowledging } : {})}
      sentence={<DecisionEffect deposit={deposit} />}
    >
      <OperationNotice operation={deposit.operation} state={deposit.state} />
      {deposit.state === 'in_review' && deposit.item && <MismatchedPaymentAlert itemId={deposit.item.id} />}
      {deposit.state === 'uncredited' && <UncreditedAlert deposit={deposit} />}
      {deposit.state === 'refunding' && (
        <Alert kind="run" title={<Trans>The refund has been requested from the card provider</Trans>}>
          <Trans>It is posted once the provider has settled it.</Trans>
        </Alert>
      )}
      {deposit.state === 'approved' && deposit.provider !== null && deposit.provider.refunded > 0n && (
        <ReturnedFundsAlert deposit={deposit} />
      )}
      <Announced deposit={deposit} />
      {waits && (
        <RecordSection title={<Trans>Possible bank transactions</Trans>}>
          <div className="stack">
            <SuggestedLines suggestions={deposit.suggestions} currency={currency} value={lineId} onValue={setLineId} />
            {lineChecks.checks && (
              <DecisionChecks
                kind="bank_line"
                record={lineId}
                client={client.id}
                checks={lineChecks.checks}
                acknowledging={lineChecks.acknowledging}
              />
            )}
          </div>
          {deposit.suggestions.length === 0 && (
            <p className="muted">
              {imports ? (
                <Trans>
                  No bank transactions yet.{' '}
                  <Link href={officePaths.imports}>Import a bank statement or enter a payment</Link>.
                </Trans>
              ) : (
                t`No bank transactions yet.`
              )}
            </p>
          )}
        </RecordSection>
      )}
      <div className="columns-2">
        <RecordSection title={<Trans>Expected</Trans>}>
          <DescriptionList
            rows={[
              { key: t`Account`, value: <span className="numbers">{number}</span> },
              { key: t`Method`, value: deposit.method },
              { key: t`Reference`, value: <span className="numbers unbroken">{deposit.reference}</span> },
              { key: t`Expected`, value: <Time at={deposit.createdAt} /> },
              waits && { key: t`Expires`, value: <Time at={deposit.expiresAt} form="day" /> },
              deposit.comment !== '' && { key: t`Comment`, value: deposit.comment },
              deposit.line !== null && {
                key: t`Payer`,
                value: <Codes>{`${deposit.line.payer} · ${deposit.line.remittance}`}</Codes>,
              },
              deposit.provider?.id != null && {
                key: t`ID at the card provider`,
                value: <span className="numbers">{deposit.provider.id}</span>,
              },
              deposit.provider?.state != null && {
                key: t`Status at the card provider`,
                value: atProvider(deposit.provider.state),
              },
              deposit.refunded > 0n && {
                key: t`Refunded`,
                value: <Money amount={{ minor: deposit.refunded, currency: deposit.currency }} />,
              },
              deposit.chargedBack > 0n && {
                key: t`Charged back`,
                value: <Money amount={{ minor: deposit.chargedBack, currency: deposit.currency }} />,
              },
            ]}
          />
        </RecordSection>
        <ClientFacts client={client} />
      </div>
    </AmountPage>
  )
}

/** What the decisions on a deposit do. */
function DecisionEffect({ deposit: { type, state, account, client } }: { deposit: OfficeDeposit }) {
  const number = groupedByFour(account.number)
  if (type === 'wire')
    return (
      <Trans>
        <b>Match</b> to credit the received amount to {number} on {account.platform}. {client.name} will be notified.
        You cannot undo this here.
      </Trans>
    )
  if (state === 'uncredited')
    return (
      <Trans>
        <b>Credit</b> to send the amount to {number} on {account.platform} again. <b>Refund</b> to return the payment to
        the payer through the card provider. {client.name} will be notified.
      </Trans>
    )
  return (
    <Trans>
      <b>Reject</b> to close the deposit and give {client.name} your reason. The payment stays with the provider until
      you resolve it there.
    </Trans>
  )
}

/** Another payment was made at the provider: the work item has its details. */
function MismatchedPaymentAlert({ itemId }: { itemId: string }) {
  const { data } = useEndpoint(getInboxItem, { id: itemId })
  const of = (code: string) => data?.facts.find((fact) => fact.code === code)?.value
  const minor = minorOf(of('paid') ?? '')
  const currency = currencies.find((one) => one === of('paidCurrency'))
  if (minor === null || !currency) return null
  const reference = of('paidReference') ?? '–'
  return (
    <Alert kind="wait" title={<Trans>Payment at the provider does not match</Trans>}>
      <Trans>
        <Money amount={{ minor, currency }} /> with reference <Codes>{reference}</Codes>. Nothing was credited.
      </Trans>
    </Alert>
  )
}

/** A refund or chargeback: the deposit stays approved, and links lead to the required actions. */
function ReturnedFundsAlert({ deposit: { refunded, chargedBack, currency } }: { deposit: OfficeDeposit }) {
  const { t } = useLingui()
  const reads = useCanRead('reconciliation')
  const back = <Money amount={{ minor: chargedBack > 0n ? chargedBack : refunded, currency }} />
  return (
    <Alert
      kind="wait"
      title={
        chargedBack > 0n ? (
          <Trans>The card provider charged back {back}</Trans>
        ) : (
          <Trans>The card provider refunded {back}</Trans>
        )
      }
    >
      <Trans>The credited amount is still in the account.</Trans>{' '}
      {reads && <Link href={officePaths.reconciliation}>{t`Reconciliation`}</Link>}
    </Alert>
  )
}

function Announced({ deposit: { amount, received, fee, currency } }: { deposit: OfficeDeposit }) {
  const { t } = useLingui()
  const figures = [
    { label: t`Expected`, minor: amount, differs: false },
    { label: t`Arrived`, minor: received, differs: received !== null && received !== amount },
    { label: t`Credited after the fee`, minor: received === null ? null : received - fee, differs: false },
  ]
  return (
    <dl className="announced">
      {figures.map(({ label, minor, differs }) => (
        <div key={label} className={differs ? 'differs' : undefined}>
          <dt>{label}</dt>
          <dd>
            <Money amount={minor === null ? null : { minor, currency }} size="total" />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function useDecisions(deposit: OfficeDeposit, lineId: string, { acknowledging, of }: LineChecks): Decision[] {
  const { t, i18n } = useLingui()
  const { id, version, currency, client } = deposit
  const line = deposit.suggestions.find((one) => one.line.id === lineId)?.line
  const chooses = deposit.suggestions.length > 0
  const arrived = line ? moneyText({ minor: line.amount, currency: line.currency }, i18n.locale) : ''
  return [
    rejection('deposit', t`Reject the deposit of ${client.name}`, (texts) =>
      call(rejectDeposit, { id, version, ...texts }),
    ),
    {
      action: 'match',
      label: line ? <Trans>Match {arrived}</Trans> : <Trans>Match</Trans>,
      kind: 'primary',
      key: 'a',
      title: t`Match payment`,
      ...(line
        ? of
        : {
            notYet: chooses ? t`Choose a bank transaction.` : t`There is no bank transaction to match yet.`,
            words: 'note',
          }),
      review: line && (
        <MoneySummary
          lines={[
            { label: t`Payer`, value: line.payer },
            { label: t`Payment reference`, value: <Codes>{line.remittance || '–'}</Codes> },
            { label: t`Expected`, value: <Money amount={{ minor: deposit.amount, currency }} /> },
          ]}
          total={{ label: t`Arrived`, value: <Money amount={{ minor: line.amount, currency: line.currency }} /> }}
        />
      ),
      send: (note) => {
        if (!line) throw new Error('a bank transaction must be selected before the dialog opens')
        return call(matchDeposit, {
          id,
          version,
          lineId: line.id,
          lineVersion: line.version,
          note,
          acknowledged: acknowledging.names,
        })
      },
    },
  ]
}

import { Trans, useLingui } from '@lingui/react/macro'
import { approveTransfer, getOfficeTransfer, rejectTransfer, type OfficeTransfer } from '#contract/office/transfers.ts'
import { officePaths } from '#contract/office-paths.ts'
import { call } from '#ui/api/call.ts'
import { groupedByFour } from '#ui/text/code-format.ts'
import { Money, moneyText } from '#ui/money/money.tsx'
import { rateText } from '#ui/money/rate-format.ts'
import {
  type BalanceLine,
  BalancesTable,
  ClientFacts,
  HeldDebit,
  isHeld,
  recordScreen,
  SendingTitle,
} from '../../decision/record-parts.tsx'
import { RecordSection } from '../../decision/record-section.tsx'
import { useDecision, type Acknowledging, useAcknowledged, approval, rejection } from '../../decision/decision.tsx'
import { AmountPage } from '../../decision/record-page.tsx'
import { SaveReceipt } from '../../decision/save-receipt.tsx'
import { BothAccounts, hasBalances } from './both-accounts.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { DescriptionList } from '#ui/data/description-list.tsx'
import { Time } from '#ui/text/time.tsx'
import './transfers.css'

/** One transfer: both accounts, the rate and its time, and the remaining balance of the source. */
export default recordScreen(getOfficeTransfer, ({ transfer }) => <Page transfer={transfer} />)

function Page({ transfer }: { transfer: OfficeTransfer }) {
  const { t, i18n } = useLingui()
  const deciding = useDecision('transfer', officePaths.transfers)
  const acknowledging = useAcknowledged(transfer.decisionChecks)
  const decisions = useDecisions(transfer, acknowledging)
  const { source, destination, client } = transfer
  const debited = { minor: transfer.amount, currency: transfer.currency }
  const amount = moneyText(debited, i18n.locale)
  const arrives = moneyText({ minor: transfer.arrives, currency: transfer.arrivesCurrency }, i18n.locale)
  return (
    <AmountPage
      kind="transfer"
      side={<SaveReceipt list="transfers" record={transfer} />}
      record={transfer}
      section={
        <>
          <Trans>Transfer</Trans> · <span className="unbroken">{transfer.reference}</span>
        </>
      }
      amount={debited}
      deciding={deciding}
      {...(transfer.state === 'pending' ? { acknowledging } : {})}
      decisions={decisions}
      sentence={
        transfer.state === 'processing' ? (
          <Trans>
            The debit has not been sent to the platform. <b>Reject</b> to make {amount} available to the client again.
          </Trans>
        ) : (
          <Trans>
            <b>Approve</b> to debit {groupedByFour(source.number)} and credit {arrives} to{' '}
            {groupedByFour(destination.number)}. {client.name} will be notified.
          </Trans>
        )
      }
      lead={
        <>
          <Legs transfer={transfer} />
          <BothAccounts transfer={transfer} />
        </>
      }
    >
      <div className="columns-2">
        <Rate transfer={transfer} />
        <ClientFacts client={client} more={[transfer.comment !== '' && { key: t`Comment`, value: transfer.comment }]} />
      </div>
      {hasBalances(transfer) && <SourceBalances transfer={transfer} />}
    </AmountPage>
  )
}

function useDecisions(transfer: OfficeTransfer, { names: acknowledged, of }: Acknowledging) {
  const { t, i18n } = useLingui()
  const { id, version, client } = transfer
  const amount = { minor: transfer.amount, currency: transfer.currency }
  const words = moneyText(amount, i18n.locale)
  return [
    rejection('transfer', t`Reject the transfer of ${client.name}`, (texts) =>
      call(rejectTransfer, { id, version, ...texts }),
    ),
    approval({
      label: <Trans>Approve {words}</Trans>,
      title: t`Approve transfer`,
      ...of,
      lines: [
        { label: t`From account`, value: groupedByFour(transfer.source.number) },
        { label: t`To account`, value: groupedByFour(transfer.destination.number) },
        { label: t`Amount`, value: <Money amount={amount} /> },
        { label: t`Rate`, value: rateText(transfer.rate, i18n.locale) },
      ],
      total: {
        label: t`Credited amount`,
        value: <Money amount={{ minor: transfer.arrives, currency: transfer.arrivesCurrency }} />,
      },
      send: (note) => call(approveTransfer, { id, version, note, acknowledged }),
    }),
  ]
}

/** The platform operations by leg; an unconfirmed one is never shown as failed. */
function Legs({ transfer: { legs, state, decisionChecks } }: { transfer: OfficeTransfer }) {
  const { t } = useLingui()
  const [debit] = legs
  if (!debit) return null
  if (state === 'processing' && isHeld(debit, decisionChecks)) return <HeldDebit />
  const names = {
    withdraw: t`Debit of the source`,
    deposit: t`Credit of the destination`,
    compensate: t`Debit reversed`,
  }
  const word = (leg: OfficeTransfer['legs'][number]) =>
    leg.state === 'done'
      ? t`done, ticket ${leg.ticket ?? '–'}`
      : leg.state === 'refused'
        ? t`rejected`
        : leg.state === 'waiting'
          ? t`not sent yet`
          : t`not confirmed yet`
  return (
    <Alert
      kind={state === 'processing' ? 'run' : 'plain'}
      title={state === 'processing' ? <SendingTitle operation={debit} /> : t`Platform response`}
    >
      <ul className="transfer-legs">
        {legs.map((leg) => (
          <li key={leg.ref}>
            {names[leg.leg]}: {word(leg)} <span className="muted numbers">{leg.ref}</span>
            {leg.lastError && <p className="muted">{leg.lastError}</p>}
          </li>
        ))}
      </ul>
    </Alert>
  )
}

/** The amount that can leave the source, less reservations, with the available rest. */
function SourceBalances({ transfer }: { transfer: OfficeTransfer }) {
  const { source, currency, setAsideHere, setAsideElsewhere, freeAfter } = transfer
  const isReserved = setAsideHere.amount !== 0n
  const lines: (BalanceLine | false)[] = [
    { key: 'free', label: <LowerLabel source={source} />, minor: smallerOf(source) },
    isReserved && { key: 'here', label: <Trans>Reserved for this transfer</Trans>, minor: setAsideHere.amount },
    (setAsideElsewhere.amount ?? 0n) !== 0n && {
      key: 'elsewhere',
      label: <Trans>Reserved for other requests</Trans>,
      minor: setAsideElsewhere.amount,
    },
  ]
  return (
    <RecordSection title={<Trans>Balances of account {groupedByFour(source.number)}</Trans>}>
      <BalancesTable
        at={source.balance.at}
        currency={currency}
        lines={lines}
        available={{
          key: 'available',
          label: isReserved ? <Trans>Available after transfer</Trans> : <Trans>Available</Trans>,
          minor: freeAfter.amount,
        }}
      />
    </RecordSection>
  )
}

/** Returns the smaller of balance and free margin, which can leave an account (requirements 18.5). */
function smallerOf({ balance, freeMargin }: OfficeTransfer['source']): bigint | null {
  if (balance.amount === null || freeMargin.amount === null) return balance.amount
  return freeMargin.amount < balance.amount ? freeMargin.amount : balance.amount
}

function LowerLabel({ source }: { source: OfficeTransfer['source'] }) {
  const { t } = useLingui()
  return smallerOf(source) === source.balance.amount ? t`Platform balance` : t`Free margin below balance`
}

/** The rate that the client agreed to with its time; before a decision beside the current one. */
function Rate({ transfer }: { transfer: OfficeTransfer }) {
  const { t, i18n } = useLingui()
  const { state, currency, arrivesCurrency, rate, rateAt, rateNow } = transfer
  if (currency === arrivesCurrency)
    return (
      <RecordSection title={<Trans>Rate</Trans>}>
        <p className="muted">{t`None. Both accounts are in ${currency}. The full amount is credited.`}</p>
      </RecordSection>
    )
  return (
    <RecordSection title={<Trans>Rate</Trans>}>
      <DescriptionList
        rows={[
          {
            key: t`Agreed with the client`,
            value: (
              <b className="numbers strong">
                1 {currency} = {rateText(rate, i18n.locale)} {arrivesCurrency}
              </b>
            ),
          },
          { key: t`Rate set on`, value: rateAt ? <Time at={rateAt} /> : t`not recorded` },
          { key: t`Requested`, value: <Time at={transfer.createdAt} /> },
          state === 'pending' && {
            key: t`Current rate in settings`,
            value: (
              <>
                <span className="numbers">{rateNow === null ? t`no rate` : rateText(rateNow, i18n.locale)}</span>{' '}
                <RateComparison same={rateNow === rate} />
              </>
            ),
          },
        ]}
      />
    </RecordSection>
  )
}

function RateComparison({ same }: { same: boolean }) {
  return same ? (
    <span className="tone-ok transfer-mark">
      <IconCheck className="small" aria-hidden="true" /> <Trans>unchanged</Trans>
    </span>
  ) : (
    <span className="tone-wait transfer-mark">
      <IconAlertTriangle className="small" aria-hidden="true" /> <Trans>Changed since. The agreed rate applies.</Trans>
    </span>
  )
}

import { Trans, useLingui } from '@lingui/react/macro'
import { approveTransfer, getOfficeTransfer, rejectTransfer, type OfficeTransfer } from '#contract/office/transfers.ts'
import { officePaths } from '#contract/office-paths.ts'
import { call } from '#ui/api/call.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { groupedByFour } from '#ui/text/code-format.ts'
import { Money, moneyText } from '#ui/money/money.tsx'
import { rateText } from '#ui/money/rate-format.ts'
import { MoneySummary } from '#ui/money/money-summary.tsx'
import { ClientFacts } from '../../decision/client-facts.tsx'
import type { Decision } from '../../decision/office-record.ts'
import { AmountPage } from '../../decision/record-page.tsx'
import { RecordScreen } from '../../decision/record-screen.tsx'
import { rejection } from '../../decision/rejection.tsx'
import { type Acknowledging, useAcknowledged } from '../../decision/use-acknowledged.ts'
import { useDecision } from '../../decision/use-decision.ts'
import { BothAccounts } from './both-accounts.tsx'
import { Legs } from './legs.tsx'
import { SourceBalances } from './source-balances.tsx'
import { Rate } from './rate.tsx'
import './transfers.css'

/** One transfer: both accounts, the rate and its time, and what is left at the source. */
export function TransferScreen({ id }: { id: string }) {
  const read = useEndpoint(getOfficeTransfer, { id })
  return <RecordScreen read={read}>{({ transfer }) => <Page key={id} transfer={transfer} />}</RecordScreen>
}

function Page({ transfer }: { transfer: OfficeTransfer }) {
  const { t, i18n } = useLingui()
  const deciding = useDecision(officePaths.transfers)
  const acknowledging = useAcknowledged(transfer.decisionChecks)
  const decisions = useDecisions(transfer, acknowledging)
  const { source, destination, client } = transfer
  const amount = { minor: transfer.amount, currency: transfer.currency }
  const arrives = moneyText({ minor: transfer.arrives, currency: transfer.arrivesCurrency }, i18n.locale)
  return (
    <AmountPage
      kind="transfer"
      record={transfer}
      section={
        <>
          <Trans>Transfer</Trans> · {transfer.reference}
        </>
      }
      amount={amount}
      deciding={deciding}
      {...(transfer.state === 'pending' ? { acknowledging } : {})}
      decisions={decisions}
      sentence={
        <Trans>
          <b>Approve</b> to debit {groupedByFour(source.number)} and credit {arrives} to{' '}
          {groupedByFour(destination.number)}. {client.name} will be notified.
        </Trans>
      }
    >
      <Legs legs={transfer.legs} state={transfer.state} />
      <BothAccounts transfer={transfer} />
      <div className="columns-2">
        <Rate transfer={transfer} />
        <ClientFacts client={client} more={[transfer.comment !== '' && { key: t`Comment`, value: transfer.comment }]} />
      </div>
      <SourceBalances transfer={transfer} />
    </AmountPage>
  )
}

function useDecisions(transfer: OfficeTransfer, { names: acknowledged, of }: Acknowledging): Decision[] {
  const { t, i18n } = useLingui()
  const { id, version, client } = transfer
  const amount = { minor: transfer.amount, currency: transfer.currency }
  const words = moneyText(amount, i18n.locale)
  return [
    rejection('transfer', t`Reject the transfer of ${client.name}`, (texts) =>
      call(rejectTransfer, { id, version, ...texts }),
    ),
    {
      verb: 'approve',
      label: <Trans>Approve {words}</Trans>,
      kind: 'primary',
      key: 'a',
      title: t`Approve transfer`,
      ...of,
      review: (
        <MoneySummary
          lines={[
            { label: t`From account`, value: groupedByFour(transfer.source.number) },
            { label: t`To account`, value: groupedByFour(transfer.destination.number) },
            { label: t`Amount`, value: <Money amount={amount} /> },
            { label: t`Rate`, value: rateText(transfer.rate, i18n.locale) },
          ]}
          total={{
            label: t`Credited amount`,
            value: <Money amount={{ minor: transfer.arrives, currency: transfer.arrivesCurrency }} />,
          }}
        />
      ),
      send: (note) => call(approveTransfer, { id, version, note, acknowledged }),
    },
  ]
}

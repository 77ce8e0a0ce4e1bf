import { Trans, useLingui } from '@lingui/react/macro'
import type { OfficeTransfer } from '#contract/office/transfers.ts'
import { groupedByFour } from '#ui/text/code-format.ts'
import { Money } from '#ui/money/money.tsx'
import { type Column, Table } from '#ui/data/table.tsx'
import { Time } from '#ui/text/time.tsx'
import { ReadAt } from '../../decision/record-parts.tsx'
import { RecordSection } from '../../decision/record-section.tsx'

interface Side {
  key: 'source' | 'destination'
  account: OfficeTransfer['source']
  moves: { minor: bigint; currency: OfficeTransfer['currency'] }
}

/** Returns whether balances belong to the page: once it is decided, today's are not those of the decision. */
export function hasBalances({ state }: Pick<OfficeTransfer, 'state'>): boolean {
  return state === 'pending' || state === 'processing'
}

/** Source and destination, each with the platform's last reading until it is decided. */
export function BothAccounts({ transfer }: { transfer: OfficeTransfer }) {
  const { t } = useLingui()
  const { source, destination, amount, currency, arrives, arrivesCurrency } = transfer
  const sides: Side[] = [
    { key: 'source', account: source, moves: { minor: -amount, currency } },
    { key: 'destination', account: destination, moves: { minor: arrives, currency: arrivesCurrency } },
  ]
  const figure = (fact: OfficeTransfer['source']['balance']) => (
    <Money amount={fact.amount === null ? null : { minor: fact.amount, currency: fact.currency }} />
  )
  const balances: Column<Side>[] = [
    {
      head: t`Balance`,
      align: 'right',
      phone: 'time',
      cell: ({ account }) => (
        <>
          <span className="transfer-said">{t`Balance`} </span>
          {figure(account.balance)}
        </>
      ),
    },
    { head: t`Free margin`, align: 'right', cell: ({ account }) => figure(account.freeMargin) },
    { head: t`Open positions`, align: 'right', cell: ({ account }) => account.openPositions ?? '–' },
  ]
  const columns: Column<Side>[] = [
    {
      head: t`Account`,
      phone: 'title',
      cell: ({ key, account }) => (
        <span className="queue-client">
          <span className="strong numbers unbroken">{groupedByFour(account.number)}</span>
          <small>
            {account.platform} · {key === 'source' ? t`debited here` : t`credited here`}
          </small>
        </span>
      ),
    },
    ...(hasBalances(transfer) ? balances : []),
    { head: t`Transfer`, align: 'right', phone: 'figure', cell: ({ moves }) => <Money signed amount={moves} /> },
  ]
  return (
    <RecordSection title={<Trans>Both accounts</Trans>}>
      <div className="transfer-sides">
        <Table caption={t`Both accounts`} columns={columns} rows={sides} rowKey={({ key }) => key} />
      </div>
      <ReadAt at={source.balance.at} />
      {destination.balance.at?.getTime() !== source.balance.at?.getTime() && (
        <p className="muted size-12">
          <Trans>
            Balances of the destination as of <Time at={destination.balance.at} />
          </Trans>
        </p>
      )}
    </RecordSection>
  )
}

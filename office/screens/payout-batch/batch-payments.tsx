import { useLingui } from '@lingui/react/macro'
import type { PayoutBatch } from '#contract/office/payout-batches.ts'
import { officePaths } from '#contract/office-paths.ts'
import { groupedByFour } from '#ui/text/code-format.ts'
import { Money } from '#ui/money/money.tsx'
import { StatusBadge } from '#ui/data/status-badge.tsx'
import { type Column, Table } from '#ui/data/table.tsx'
import { ClientCell } from '../../decision/queue.tsx'
import './payout-batch.css'

type Payment = PayoutBatch['payments'][number]

/** The payments of a batch, those that stay out of the file first. */
export function BatchPayments({ batch }: { batch: PayoutBatch }) {
  const { t } = useLingui()
  const { currency } = batch
  const columns: Column<Payment>[] = [
    { key: 'client', head: t`Client`, phone: 'title', cell: ({ client }) => <ClientCell client={client} /> },
    { key: 'holder', head: t`Holder`, cell: ({ holder }) => holder },
    {
      key: 'number',
      head: t`Bank account`,
      phone: 'time',
      cell: ({ iban, accountNumber }) => (
        <span className="numbers unbroken">{groupedByFour(iban ?? accountNumber ?? '–')}</span>
      ),
    },
    {
      key: 'reference',
      head: t`Reference`,
      cell: ({ reference }) => <span className="numbers unbroken">{reference}</span>,
    },
    {
      key: 'state',
      head: t`Status`,
      phone: 'status',
      cell: ({ state, blocks }) =>
        blocks.length > 0 ? (
          <span className="tone-bad">{blocks.map(({ text }) => text).join(' ')}</span>
        ) : (
          <StatusBadge state={state} />
        ),
    },
    {
      key: 'amount',
      head: t`Amount`,
      align: 'right',
      phone: 'figure',
      cell: ({ amount }) => <Money amount={{ minor: amount, currency }} />,
    },
  ]
  return (
    <div className="sheet">
      <Table
        caption={t`Payments of ${batch.number}`}
        columns={columns}
        rows={[...batch.payments].toSorted((a, b) => Number(a.inFile) - Number(b.inFile))}
        rowKey={({ id }) => id}
        rowHref={({ id }) => officePaths.withdrawal(id)}
      />
    </div>
  )
}

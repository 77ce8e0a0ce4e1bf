import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { PayoutBatch } from '#contract/office/payout-batches.ts'
import { officePaths } from '#contract/office-paths.ts'
import { Money } from '#ui/money/money.tsx'
import { StatusBadge } from '#ui/data/status-badge.tsx'
import { type Column, Table } from '#ui/data/table.tsx'
import { groupedByFour } from '#ui/text/code-format.ts'

type Payment = PayoutBatch['payments'][number]

/** Returns whether a payment needs attention: left out of the file, or returned. */
function isWrong({ blocks, state }: Payment): boolean {
  return blocks.length > 0 || state === 'returned'
}

/** The payments of a batch with their bank accounts and their total. */
export function BatchPayments({ batch }: { batch: PayoutBatch }) {
  const { t } = useLingui()
  const { currency, payments, draft } = batch
  const count = draft?.count ?? batch.count
  const columns = useColumns(batch)
  const returned = payments.filter(({ state }) => state === 'returned').length
  const paid = payments.filter(({ state }) => state === 'paid').length
  return (
    <section className="batch-payments">
      <div className="batch-payments-head">
        <h2 className="title-3">
          <Trans>Payments</Trans> <span className="muted numbers">{payments.length}</span>
        </h2>
        {returned > 0 && (
          <p className="numbers">
            <span className="tone-bad">{t`${returned} returned`}</span>
            <span className="tone-ok">{t`${paid} paid`}</span>
          </p>
        )}
      </div>
      <Table
        caption={t`Payments of ${batch.number}`}
        columns={columns}
        rows={payments.toSorted((a, b) => Number(isWrong(b)) - Number(isWrong(a)))}
        rowKey={({ id }) => id}
        rowHref={({ id }) => officePaths.withdrawal(id)}
        rowTone={(payment) => (isWrong(payment) ? 'bad' : undefined)}
        foot={[
          <Trans key="total">
            Total, <Plural value={count} one="# payment" other="# payments" />
          </Trans>,
          '',
          '',
          <Money key="sum" amount={{ minor: draft?.total ?? batch.total, currency }} />,
          '',
        ]}
      />
    </section>
  )
}

function useColumns({ currency, draft }: PayoutBatch): Column<Payment>[] {
  const { t } = useLingui()
  return [
    {
      key: 'reference',
      head: t`Withdrawal`,
      phone: 'time',
      cell: ({ reference, iban, accountNumber }) => (
        <span className="numbers">
          <span className="strong unbroken">{reference}</span>
          <span className="batch-ending">
            {' · '}
            <Trans>ending {(iban ?? accountNumber ?? '').slice(-4)}</Trans>
          </span>
        </span>
      ),
    },
    { key: 'client', head: t`Client`, phone: 'title', cell: (payment) => <Payee payment={payment} /> },
    {
      key: 'number',
      head: t`Bank account`,
      cell: ({ iban, accountNumber }) => <span className="numbers">{groupedByFour(iban ?? accountNumber ?? '–')}</span>,
    },
    {
      key: 'amount',
      head: currency,
      align: 'right',
      phone: 'figure',
      cell: ({ amount }) => <Money amount={{ minor: amount, currency }} />,
    },
    {
      key: 'state',
      head: draft ? t`Approved` : t`Status`,
      phone: 'status',
      cell: ({ state, approvals, blocks }) =>
        blocks.length > 0 ? (
          <span className="tone-bad">{blocks.map(({ text }) => text).join(' ')}</span>
        ) : draft ? (
          <span className="muted">
            <Plural value={approvals} one="# approval" other="# approvals" />
          </span>
        ) : (
          <StatusBadge record="withdrawal" state={state} />
        ),
    },
  ]
}

/** The client, and the holder of the bank account if the names differ. */
function Payee({ payment: { client, holder } }: { payment: Payment }) {
  return (
    <span className="queue-client">
      {client.name}
      {holder !== client.name && <small>{holder}</small>}
    </span>
  )
}

import { useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '#contract/endpoint.ts'
import { listOfficeTransfers } from '#contract/office/transfers.ts'
import { officePaths } from '#contract/office-paths.ts'
import { transferMachine } from '#rules/transfers.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { groupedByFour } from '#ui/text/code-format.ts'
import { Money } from '#ui/money/money.tsx'
import { rateText } from '#ui/money/rate-format.ts'
import type { ListColumn } from '../../records/record-list.tsx'
import { Queue, useMoneyFilters } from '../../decision/queue.tsx'
import { useMoneyColumns } from '../../decision/queue-columns.tsx'

type Row = ResponseOf<typeof listOfficeTransfers>['rows'][number]

/** Transfers between own accounts. */
export default function Transfers() {
  const { t, i18n } = useLingui()
  const asked = useMoneyFilters(transferMachine.states)
  const read = useEndpoint(listOfficeTransfers, asked.query, { keepLast: true })
  const { reference, amount } = useMoneyColumns<Row>(t`Amount`)
  const columns: ListColumn<Row>[] = [
    reference,
    {
      key: 'accounts',
      head: t`Accounts`,
      cell: ({ sourceNumber, destinationNumber }) => (
        <span className="numbers">
          <span className="unbroken">{groupedByFour(sourceNumber)} →</span>{' '}
          <span className="unbroken">{groupedByFour(destinationNumber)}</span>
        </span>
      ),
    },
    {
      key: 'rate',
      head: t`Rate`,
      align: 'right',
      wideOnly: true,
      cell: ({ rate }) => <span className="numbers">{rateText(rate, i18n.locale)}</span>,
    },
    amount,
    {
      key: 'arrives',
      head: t`Credited amount`,
      align: 'right',
      wideOnly: true,
      cell: ({ arrives, arrivesCurrency }) => <Money amount={{ minor: arrives, currency: arrivesCurrency }} />,
    },
  ]
  return (
    <Queue
      record="transfer"
      list="transfers"
      path={officePaths.transfers}
      title={t`Transfers`}
      filters={asked}
      read={read}
      href={({ id }) => officePaths.transfer(id)}
      columns={columns}
      empty={t`No transfers to review. New requests will appear here.`}
    />
  )
}

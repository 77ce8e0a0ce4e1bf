import { useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '#contract/endpoint.ts'
import { depositDays, listOfficeDeposits } from '#contract/office/deposits.ts'
import { officePaths } from '#contract/office-paths.ts'
import { depositMachine } from '#rules/deposits.ts'
import { ButtonLink } from '#ui/forms/button.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { Money } from '#ui/money/money.tsx'
import type { ListColumn } from '../../records/record-list.tsx'
import { DateKindFilter, MethodFilter, Queue, useMoneyFilters } from '../../decision/queue.tsx'
import { useAccountColumn, useMoneyColumns } from '../../decision/queue-columns.tsx'

type Row = ResponseOf<typeof listOfficeDeposits>['rows'][number]

/** Deposits. */
export default function Deposits() {
  const { t } = useLingui()
  const asked = useMoneyFilters(depositMachine.states, depositDays)
  const read = useEndpoint(listOfficeDeposits, asked.query, { keepLast: true })
  const { reference, amount } = useMoneyColumns<Row>(t`Expected`)
  const account = useAccountColumn<Row>()
  const columns: ListColumn<Row>[] = [
    reference,
    account,
    { key: 'method', head: t`Method`, wideOnly: true, cell: ({ method }) => method },
    amount,
    {
      key: 'received',
      head: t`Arrived`,
      align: 'right',
      cell: ({ received, currency }) => <Money amount={received === null ? null : { minor: received, currency }} />,
    },
    {
      key: 'refunded',
      head: t`Refunded`,
      align: 'right',
      wideOnly: true,
      cell: ({ refunded, currency }) => <Money amount={refunded === 0n ? null : { minor: refunded, currency }} />,
    },
    {
      key: 'chargedBack',
      head: t`Charged back`,
      align: 'right',
      wideOnly: true,
      cell: ({ chargedBack, currency }) => (
        <Money amount={chargedBack === 0n ? null : { minor: chargedBack, currency }} />
      ),
    },
  ]
  return (
    <Queue
      record="deposit"
      list="deposits"
      path={officePaths.deposits}
      title={t`Deposits`}
      action={<ButtonLink href={officePaths.imports}>{t`Bank statements`}</ButtonLink>}
      filters={asked}
      own={
        <>
          <DateKindFilter filters={asked} dates={{ credited: t`Credited`, refunded: t`Refunded` }} />
          <MethodFilter filters={asked} name={read.data?.rows[0]?.method} />
        </>
      }
      read={read}
      href={({ id }) => officePaths.deposit(id)}
      columns={columns}
      empty={t`No deposits to review. New deposits will appear here.`}
    />
  )
}

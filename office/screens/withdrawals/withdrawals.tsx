import { useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '#contract/endpoint.ts'
import { listOfficeWithdrawals, withdrawalDays } from '#contract/office/withdrawals.ts'
import { officePaths } from '#contract/office-paths.ts'
import { withdrawalMachine } from '#rules/withdrawals.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import type { ListColumn } from '../../records/record-list.tsx'
import { Queue, DateKindFilter, MethodFilter, useMoneyFilters } from '../../decision/queue.tsx'
import { useAccountColumn, useMoneyColumns } from '../../decision/queue-columns.tsx'

type Row = ResponseOf<typeof listOfficeWithdrawals>['rows'][number]

/** Withdrawals, pending ones first. */
export default function Withdrawals() {
  const { t } = useLingui()
  const asked = useMoneyFilters(withdrawalMachine.states, withdrawalDays)
  const read = useEndpoint(listOfficeWithdrawals, asked.query, { keepLast: true })
  const { reference, amount } = useMoneyColumns<Row>(t`Amount`)
  const account = useAccountColumn<Row>()
  const columns: ListColumn<Row>[] = [
    reference,
    account,
    {
      key: 'bank',
      head: t`Bank account`,
      wideOnly: true,
      cell: ({ bankEnding }) => <span className="numbers unbroken">•••• {bankEnding}</span>,
    },
    {
      key: 'first',
      head: t`First approval`,
      wideOnly: true,
      cell: ({ firstApprovedBy }) => firstApprovedBy?.name ?? <span className="muted">–</span>,
    },
    amount,
  ]
  return (
    <Queue
      record="withdrawal"
      list="withdrawals"
      path={officePaths.withdrawals}
      title={t`Withdrawals`}
      filters={asked}
      own={
        <>
          <DateKindFilter filters={asked} dates={{ debited: t`Debited`, returned: t`Returned` }} />
          <MethodFilter filters={asked} />
        </>
      }
      read={read}
      href={({ id }) => officePaths.withdrawal(id)}
      columns={columns}
      empty={t`No withdrawals to review. New requests will appear here.`}
    />
  )
}

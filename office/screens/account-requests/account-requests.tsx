import { useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '#contract/endpoint.ts'
import { listAccountRequests } from '#contract/office/account-requests.ts'
import { officePaths } from '#contract/office-paths.ts'
import { accountMachine } from '#rules/accounts.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { groupedByFour, leverageText } from '#ui/text/code-format.ts'
import type { ListColumn } from '../../records/record-list.tsx'
import { Queue, useQueueFilters } from '../../decision/queue.tsx'

type Row = ResponseOf<typeof listAccountRequests>['rows'][number]

/** Account requests. */
export default function AccountRequests() {
  const { t } = useLingui()
  const asked = useQueueFilters(accountMachine.states)
  const read = useEndpoint(listAccountRequests, asked.query, { keepLast: true })
  const columns: ListColumn<Row>[] = [
    { key: 'platform', head: t`Platform`, cell: ({ platform }) => platform },
    {
      key: 'type',
      head: t`Type`,
      phone: 'figure',
      cell: ({ platform, accType, currency }) => (
        <>
          <span className="phone-only">{platform} · </span>
          {accType} · {currency}
        </>
      ),
    },
    {
      key: 'leverage',
      head: t`Leverage`,
      align: 'right',
      cell: ({ leverage }) => <span className="numbers">{leverageText(leverage)}</span>,
    },
    {
      key: 'number',
      head: t`Number`,
      wideOnly: true,
      cell: ({ number }) => <span className="numbers">{number === null ? '–' : groupedByFour(number)}</span>,
    },
  ]
  return (
    <Queue
      record="account"
      list="account-requests"
      path={officePaths.accountRequests}
      title={t`Account requests`}
      filters={asked}
      read={read}
      href={({ id }) => officePaths.accountRequest(id)}
      columns={columns}
      empty={t`No account requests to review. New requests will appear here.`}
    />
  )
}

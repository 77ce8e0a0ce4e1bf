import { useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '#contract/endpoint.ts'
import { listLeverageRequests } from '#contract/office/leverage-requests.ts'
import { officePaths } from '#contract/office-paths.ts'
import { leverageRequestMachine } from '#rules/leverage-requests.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { groupedByFour, leverageText } from '#ui/text/code-format.ts'
import type { ListColumn } from '../../records/record-list.tsx'
import { Queue, useQueueFilters } from '../../decision/queue.tsx'

type Row = ResponseOf<typeof listLeverageRequests>['rows'][number]

/** Leverage requests. */
export default function Leverage() {
  const { t } = useLingui()
  const asked = useQueueFilters(leverageRequestMachine.states)
  const read = useEndpoint(listLeverageRequests, asked.query, { keepLast: true })
  const columns: ListColumn<Row>[] = [
    {
      key: 'account',
      head: t`Account`,
      cell: ({ accountNumber }) => <span className="numbers unbroken">{groupedByFour(accountNumber)}</span>,
    },
    { key: 'platform', head: t`Platform`, cell: ({ platform, currency }) => `${platform} · ${currency}` },
    {
      key: 'leverage',
      head: t`Leverage`,
      phone: 'figure',
      cell: ({ from, to }) => (
        <span className="numbers unbroken">
          {leverageText(from)} → <b className="strong">{leverageText(to)}</b>
        </span>
      ),
    },
  ]
  return (
    <Queue
      record="leverage_request"
      list="leverage-requests"
      path={officePaths.leverage}
      title={t`Leverage`}
      filters={asked}
      read={read}
      href={({ id }) => officePaths.leverageRequest(id)}
      columns={columns}
      empty={t`No leverage requests to review. New requests will appear here.`}
    />
  )
}

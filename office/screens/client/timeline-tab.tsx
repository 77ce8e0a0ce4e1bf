import { Trans } from '@lingui/react/macro'
import { getClientEvents } from '#contract/office/clients.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { ErrorPanel } from '#ui/feedback/error-panel.tsx'
import { Pagination } from '#ui/data/pagination.tsx'
import { EventTable } from '../../records/event-table.tsx'
import { usePages } from '../../records/pages.ts'

/** Every event of a client, newest first, with before and after. */
export function TimelineTab({ clientId }: { clientId: string }) {
  const pages = usePages(clientId, 50)
  const { data, error, isFetching, refetch } = useEndpoint(
    getClientEvents,
    { id: clientId, cursor: pages.cursor, size: pages.size },
    { keepLast: true },
  )
  if (error && !data) return <ErrorPanel failure={error} onRetry={() => void refetch()} />
  return (
    <>
      <section className="sheet">
        <EventTable
          events={data?.rows ?? []}
          busy={isFetching}
          instead={data?.rows.length === 0 ? <EmptyState level="h2" title={<Trans>No events yet</Trans>} /> : undefined}
        />
      </section>
      <Pagination {...pages.shown(data?.next)} />
    </>
  )
}

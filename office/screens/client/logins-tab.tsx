import { Trans, useLingui } from '@lingui/react/macro'
import { getClientLogins } from '#contract/office/client-tabs.ts'
import { useDeviceLabels } from '#ui/text/device-labels.ts'
import { EmptyState, ErrorPanel } from '#ui/feedback/content-states.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { Pagination } from '#ui/data/pagination.tsx'
import { Table } from '#ui/data/table.tsx'
import { Time } from '#ui/text/time.tsx'
import { useActionLabel } from '../../records/event-labels.ts'
import { usePages } from '../../records/pages.ts'

/** Shows open sessions and login attempts. */
export function LoginsTab({ clientId }: { clientId: string }) {
  const { t } = useLingui()
  const actionLabel = useActionLabel()
  const device = useDeviceLabels()
  const pages = usePages(clientId)
  const { data, error, isFetching, refetch } = useEndpoint(
    getClientLogins,
    { id: clientId, cursor: pages.cursor, size: pages.size },
    { keepLast: true },
  )
  if (error && !data) return <ErrorPanel failure={error} onRetry={() => void refetch()} />
  const said = (what: string) => {
    const words = actionLabel(what)
    return words.charAt(0).toUpperCase() + words.slice(1)
  }
  return (
    <div className="stack-6">
      <section className="sheet">
        <header>
          <h2>{t`Active sessions`}</h2>
        </header>
        <Table
          caption={t`Active sessions`}
          rows={data?.sessions ?? []}
          rowKey={(row) => row.id}
          instead={data?.sessions.length === 0 ? <EmptyState title={<Trans>No active sessions</Trans>} /> : undefined}
          columns={[
            { head: t`Device`, phone: 'title', cell: (row) => (row.device ? device(row.device) : '–') },
            {
              head: t({ message: 'Address', context: 'network' }),
              phone: 'figure',
              cell: (row) => <span className="numbers">{row.address}</span>,
            },
            { head: t`Since`, phone: 'time', cell: (row) => <Time at={row.createdAt} /> },
            { head: t`Last seen`, phone: 'status', cell: (row) => <Time at={row.lastSeenAt} /> },
          ]}
        />
      </section>
      {data && data.places.length > 0 && (
        <section className="sheet">
          <header>
            <h2>{t`Sign-ins by network and device`}</h2>
          </header>
          <Table
            caption={t`Sign-ins by network and device`}
            rows={data.places}
            rowKey={(row) => `${row.network} ${row.device}`}
            columns={[
              { head: t`Device`, phone: 'title', cell: (row) => device(row.device) },
              { head: t`Network`, phone: 'figure', cell: (row) => <span className="numbers">{row.network}</span> },
              { head: t`Sign-ins`, align: 'right', cell: (row) => row.signIns },
              { head: t`First`, phone: 'time', cell: (row) => <Time at={row.firstAt} /> },
              { head: t`Last`, phone: 'status', cell: (row) => <Time at={row.lastAt} /> },
            ]}
          />
        </section>
      )}
      <section className="sheet">
        <header>
          <h2>{t`Sign-ins and access changes`}</h2>
        </header>
        <Table
          caption={t`Sign-ins and access changes`}
          rows={data?.rows ?? []}
          rowKey={(row) => `${row.at.getTime()}-${row.what}-${row.address}`}
          busy={isFetching}
          instead={data?.rows.length === 0 ? <EmptyState title={<Trans>No sign-ins yet</Trans>} /> : undefined}
          columns={[
            { head: t`Time`, phone: 'time', cell: (row) => <Time at={row.at} form="exact" /> },
            {
              head: t`Event`,
              phone: 'title',
              cell: (row) => (row.count > 1 ? t`${said(row.what)}, ${row.count} times in one hour` : said(row.what)),
            },
            {
              head: t({ message: 'Address', context: 'network' }),
              phone: 'figure',
              cell: (row) => <span className="numbers">{row.address ?? '–'}</span>,
            },
            { head: t`Device`, cell: (row) => (row.device ? device(row.device) : '–') },
          ]}
        />
      </section>
      <Pagination {...pages.shown(data?.next)} />
    </div>
  )
}

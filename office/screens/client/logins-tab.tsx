import { Trans, useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '#contract/endpoint.ts'
import { getClientLogins } from '#contract/office/client-tabs.ts'
import { useDeviceLabels } from '#ui/text/device-labels.ts'
import { EmptyState, ErrorPanel } from '#ui/feedback/content-states.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { Pagination } from '#ui/data/pagination.tsx'
import { Table, type Column } from '#ui/data/table.tsx'
import { Time } from '#ui/text/time.tsx'
import { countryName } from '../../decision/country-name.ts'
import { useActionLabel } from '../../records/event-labels.ts'
import { useListPages } from '../../records/pages.ts'

type Logins = ResponseOf<typeof getClientLogins>
type Place = Logins['places'][number]

/** Shows open sessions and login attempts. */
export function LoginsTab({ clientId }: { clientId: string }) {
  const { t } = useLingui()
  const actionLabel = useActionLabel()
  const device = useDeviceLabels()
  const pages = useListPages(clientId)
  const { data, error, isFetching, refetch } = useEndpoint(
    getClientLogins,
    { id: clientId, cursor: pages.cursor, size: pages.size },
    { keepLast: true },
  )
  if (error && !data) return <ErrorPanel failure={error} onRetry={() => void refetch()} />
  const capitalizedAction = (what: string) => {
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
              head: t`IP address`,
              phone: 'figure',
              cell: (row) => <Address {...row} />,
            },
            { head: t`Since`, phone: 'time', cell: (row) => <Time at={row.createdAt} /> },
            { head: t`Last seen`, phone: 'status', cell: (row) => <Time at={row.lastSeenAt} /> },
          ]}
        />
      </section>
      {data && data.places.length > 0 && <Places of={data} />}
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
              cell: (row) =>
                row.count > 1
                  ? t`${capitalizedAction(row.what)}, ${row.count} times in one hour`
                  : capitalizedAction(row.what),
            },
            {
              head: t`IP address`,
              phone: 'figure',
              cell: (row) => <Address {...row} />,
            },
            { head: t`Device`, phone: 'status', cell: (row) => (row.device ? device(row.device) : '–') },
          ]}
        />
      </section>
      <Pagination {...pages.shown(data?.next)} />
    </div>
  )
}

/** The newest sign-ins by place and device: the network, and its country if the firm has a table of them. */
function Places({ of: { places, locationTable } }: { of: Pick<Logins, 'places' | 'locationTable'> }) {
  const { t, i18n } = useLingui()
  const device = useDeviceLabels()
  const network = (row: Place) => <span className="numbers">{row.network}</span>
  const count: Column<Place> = { head: t`Sign-ins`, align: 'right', cell: (row) => row.signIns }
  const columns: Column<Place>[] = locationTable
    ? [
        {
          head: t`Country`,
          phone: 'title',
          cell: ({ country }) => (country ? countryName(country, i18n.locale) : t`Country unknown`),
        },
        { head: t`Network`, phone: 'figure', cell: network },
        {
          head: t`Device`,
          phone: 'status',
          cell: (row) => (
            <>
              {device(row.device)}
              <PhoneCount count={row.signIns} />
            </>
          ),
        },
        count,
        { head: t`First`, cell: (row) => <Time at={row.firstAt} /> },
        { head: t`Last`, phone: 'time', cell: (row) => <Time at={row.lastAt} /> },
      ]
    : [
        {
          head: t`Device`,
          phone: 'title',
          cell: (row) => (
            <>
              {device(row.device)}
              <PhoneCount count={row.signIns} />
            </>
          ),
        },
        { head: t`Network`, phone: 'figure', cell: network },
        count,
        { head: t`First`, phone: 'time', cell: (row) => <Time at={row.firstAt} /> },
        { head: t`Last`, phone: 'status', cell: (row) => <Time at={row.lastAt} /> },
      ]
  return (
    <section className="sheet">
      <header>
        <h2>{t`Sign-ins by place and device`}</h2>
        <span className="muted size-13">
          {locationTable ? (
            <Trans>
              countries as of <Time at={locationTable.builtAt} form="day" />
            </Trans>
          ) : (
            <Trans>no table of countries is set up</Trans>
          )}
        </span>
      </header>
      <Table
        caption={t`Sign-ins by place and device`}
        rows={places}
        rowKey={(row) => `${row.country} ${row.network} ${row.device}`}
        columns={columns}
      />
    </section>
  )
}

/** The number of sign-ins after the device, on a phone, which has no column for it. */
function PhoneCount({ count }: { count: number }) {
  return <span className="client-count numbers"> · {count}×</span>
}

/** An IP address with its country, if that is known. */
function Address({ address, country }: { address: string | null; country: string | null }) {
  const { i18n } = useLingui()
  return (
    <>
      <span className="numbers">{address ?? '–'}</span>
      {country && <span className="muted size-13"> {countryName(country, i18n.locale)}</span>}
    </>
  )
}

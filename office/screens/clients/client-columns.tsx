import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { searchClients } from '#contract/office/clients.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { StatusBadge } from '#ui/data/status-badge.tsx'
import type { Column } from '#ui/data/table.tsx'
import { Time } from '#ui/text/time.tsx'
import { countryName } from '../../decision/country-name.ts'

type Row = ResponseOf<typeof searchClients>['rows'][number]

/** Returns the columns of the list of clients. */
export function useClientColumns(): Column<Row>[] {
  const { t, i18n } = useLingui()
  return [
    { key: 'name', head: t`Name`, sort: 'name', phone: 'title', cell: (row) => <Name row={row} /> },
    {
      key: 'number',
      head: t`Number`,
      sort: 'number',
      phone: 'figure',
      cell: (row) => <span className="numbers">{row.client.number}</span>,
    },
    {
      key: 'email',
      head: t`Email`,
      phone: 'time',
      cell: (row) => <span className="muted">{breakableAtSign(row.client.email)}</span>,
    },
    {
      key: 'country',
      head: t`Country`,
      cell: (row) => `${countryName(row.client.country, i18n.locale)} · ${row.client.riskLevel}`,
    },
    {
      key: 'kind',
      head: t`Client status`,
      wideOnly: true,
      cell: (row) => (row.client.clientStatus === 'professional' ? t`Professional` : t`Retail`),
    },
    {
      key: 'registered',
      head: t`Registered`,
      sort: 'registeredAt',
      cell: (row) => <Time at={row.registeredAt} form="day" />,
    },
    {
      key: 'waiting',
      head: t`Pending`,
      align: 'right',
      cell: (row) =>
        row.waiting > 0 ? <span className="tone-wait strong">{row.waiting}</span> : <span className="faint">–</span>,
    },
    {
      key: 'state',
      head: t`Status`,
      phone: 'status',
      cell: (row) => <StatusBadge record="client" state={row.client.status} />,
    },
  ]
}

function Name({ row }: { row: Row }) {
  const { t } = useLingui()
  const { flags } = row.client
  return (
    <b className="strong">
      {row.client.name}{' '}
      {flags.length > 0 && (
        <span className="tag bad">
          {flags.includes('sanction') ? t`Sanction` : flags.includes('pep') ? t`PEP` : t`Enhanced monitoring`}
        </span>
      )}
    </b>
  )
}

/** An address that breaks before its @ where it has to. */
function breakableAtSign(email: string): ReactNode {
  const at = email.lastIndexOf('@')
  return (
    <>
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </>
  )
}

import { useLingui } from '@lingui/react/macro'
import { funnelLabels, type FunnelStep, type Period } from '#contract/office/reports.ts'
import { officePaths } from '#contract/office-paths.ts'
import { Table } from '#ui/data/table.tsx'
import { useLabels } from '#ui/i18n/labels.ts'
import { Link } from '#ui/navigation/link.tsx'
import { numberFormat } from '#ui/text/formats.ts'
import { useCanRead } from '../session.ts'
import './figures.css'

interface FunnelRow {
  step: FunnelStep
  clients: number
  /** The number of the previous period. */
  before?: number
}

interface FunnelTableProps {
  caption: string
  rows: readonly FunnelRow[]
  period: Period | undefined
  /** The previous period. */
  before?: Period | undefined
  busy?: boolean
}

/**
 * Shows how many clients who began in a period reached each step, compared with the step before; each number opens the
 * list of these clients.
 */
export function FunnelTable({ caption, rows, period, before: periodBefore, busy }: FunnelTableProps) {
  const { t, i18n } = useLingui()
  const percent = numberFormat(i18n.locale, { style: 'percent' })
  const label = useLabels(funnelLabels)
  const readsClients = useCanRead('clients')
  const count = (clients: number | undefined, step: FunnelStep, within: Period | undefined) =>
    // A client who has only begun has no record that could be listed.
    step === 'began' || !within || !readsClients || clients === undefined ? (
      clients
    ) : (
      <Link href={`${officePaths.clients}?reached=${step}&from=${within.from}&to=${within.to}`}>{clients}</Link>
    )
  const first = rows[0]?.clients ?? 0
  const share = (row: FunnelRow, of: 'clients' | 'before') => {
    const last = rows[rows.indexOf(row) - 1]?.[of] ?? 0
    return last > 0 ? percent.format((row[of] ?? 0) / last) : '–'
  }
  const before = [
    {
      head: t`Previous period`,
      align: 'right',
      cell: (row: FunnelRow) => count(row.before, row.step, periodBefore),
    },
    {
      head: t`Conversion, previous period`,
      align: 'right',
      wideOnly: true,
      cell: (row: FunnelRow) => share(row, 'before'),
    },
  ] as const
  return (
    <Table
      caption={caption}
      rows={rows}
      rowKey={({ step }) => step}
      {...(busy === undefined ? {} : { busy })}
      columns={[
        { head: t`Step`, cell: ({ step }) => label(step) },
        {
          head: t`Clients`,
          align: 'right',
          cell: ({ step, clients }) => <b className="strong">{count(clients, step, period)}</b>,
        },
        {
          head: <span className="unseen">{t`Share`}</span>,
          cell: ({ clients }) => (
            <span className="funnel-bar" aria-hidden="true">
              <i style={{ inlineSize: `${first > 0 ? (clients / first) * 100 : 0}%` }} />
            </span>
          ),
        },
        { head: t`Conversion`, align: 'right', cell: (row) => share(row, 'clients') },
        ...(rows.some((row) => row.before !== undefined) ? before : []),
      ]}
    />
  )
}

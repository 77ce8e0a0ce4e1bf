import { useLingui } from '@lingui/react/macro'
import { funnelLabels, type FunnelStep } from '#contract/office/reports.ts'
import { Table } from '#ui/data/table.tsx'
import { useLabels } from '#ui/i18n/labels.ts'
import { numberFormat } from '#ui/text/formats.ts'
import './figures.css'

interface FunnelRow {
  step: FunnelStep
  clients: number
  /** The number of the previous period. */
  before?: number
}

/** Shows how many clients who began in a period reached each step, compared with the step before. */
export function FunnelTable({ caption, rows, busy }: { caption: string; rows: readonly FunnelRow[]; busy?: boolean }) {
  const { t, i18n } = useLingui()
  const percent = numberFormat(i18n.locale, { style: 'percent' })
  const label = useLabels(funnelLabels)
  const first = rows[0]?.clients ?? 0
  const share = (row: FunnelRow, of: 'clients' | 'before') => {
    const last = rows[rows.indexOf(row) - 1]?.[of] ?? 0
    return last > 0 ? percent.format((row[of] ?? 0) / last) : '–'
  }
  const before = [
    { head: t`Previous period`, align: 'right', cell: (row: FunnelRow) => row.before },
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
        { head: t`Clients`, align: 'right', cell: ({ clients }) => <b className="strong">{clients}</b> },
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

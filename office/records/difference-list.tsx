import { useLingui } from '@lingui/react/macro'
import type { listDifferences } from '#contract/office/accounting.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { officePaths } from '#contract/office-paths.ts'
import { groupedByFour } from '#ui/text/code-format.ts'
import { Money } from '#ui/money/money.tsx'
import { Table } from '#ui/data/table.tsx'
import { StatusWithMark } from '#ui/data/status-badge.tsx'
import { Time } from '#ui/text/time.tsx'
import type { ListColumn } from './record-list.tsx'
import { markOfState } from './state-marks.ts'
import { useStateLabel } from './value-names.ts'
import { useDifferenceLabels } from './work-item-labels.ts'

type DifferenceRow = ResponseOf<typeof listDifferences>['rows'][number]

interface DifferenceListProps {
  rows: readonly DifferenceRow[]
}

/** Open discrepancies: one row each, with both sides and the age. */
export function DifferenceList({ rows }: DifferenceListProps) {
  const { t } = useLingui()
  return (
    <Table
      caption={t`Discrepancies`}
      rows={rows}
      rowKey={(row) => row.id}
      rowHref={(row) => `${officePaths.reconciliation}?record=${row.id}`}
      columns={useDifferenceColumns()}
    />
  )
}

/** Returns the columns of a list of discrepancies. */
export function useDifferenceColumns(): ListColumn<DifferenceRow>[] {
  const { t } = useLingui()
  const word = useDifferenceLabels()
  const amount = (minor: bigint | null, { currency }: DifferenceRow) =>
    minor === null || currency === null ? <span className="muted">–</span> : <Money amount={{ minor, currency }} />
  return [
    { key: 'found', head: t`Found`, sort: 'foundAt', cell: (row) => <Time at={row.foundAt} /> },
    {
      key: 'account',
      head: t`Account`,
      phone: 'time',
      cell: (row) => (
        <>
          <b className="strong unbroken">{accountOf(row)}</b>
          {row.client && <div className="muted">{row.client.name}</div>}
        </>
      ),
    },
    { key: 'type', head: t`Type`, phone: 'title', cell: (row) => word(row.kind) },
    { key: 'ledger', head: t`Ledger`, align: 'right', cell: (row) => amount(row.ours, row) },
    { key: 'other', head: t`Other party`, align: 'right', cell: (row) => amount(row.theirs, row) },
    {
      key: 'discrepancy',
      head: t`Discrepancy`,
      align: 'right',
      phone: 'figure',
      cell: (row) => amount(row.difference, row),
    },
    { key: 'state', head: t`Status`, phone: 'status', cell: (row) => <DifferenceState state={row.state} /> },
  ]
}

/** Returns the trading account, or the firm's bank account. */
function accountOf({ platform, accountNumber, facts }: DifferenceRow): string {
  if (accountNumber !== null) return [platform, groupedByFour(accountNumber)].filter(Boolean).join(' ')
  return typeof facts['account'] === 'string' ? groupedByFour(facts['account']) : '–'
}

function DifferenceState({ state }: { state: DifferenceRow['state'] }) {
  const label = useStateLabel()
  return <StatusWithMark mark={markOfState(state)}>{label('difference', state)}</StatusWithMark>
}

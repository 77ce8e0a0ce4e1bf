import { useLingui } from '@lingui/react/macro'
import type { listDifferences } from '#contract/office/accounting.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { officePaths } from '#contract/office-paths.ts'
import { groupedByFour } from '#ui/text/code-format.ts'
import { Money } from '#ui/money/money.tsx'
import { type Sort, Table } from '#ui/data/table.tsx'
import { StatusLike } from '#ui/data/status-badge.tsx'
import { Time } from '#ui/text/time.tsx'
import { markOfState } from './state-marks.ts'
import { useStateLabel } from './value-names.ts'
import { useDifferenceLabels } from './work-item-labels.ts'

type DifferenceRow = ResponseOf<typeof listDifferences>['rows'][number]

interface DifferenceListProps {
  rows: readonly DifferenceRow[]
  /** Returns the link of a row; by default the open ones under Reconciliation. */
  hrefOf?: (id: string) => string
  selectedKey?: string | null
  sort?: Sort
  onSort?: (sort: Sort) => void
}

/** The list of discrepancies: one row each, with both sides and the age. */
export function DifferenceList({
  rows,
  hrefOf = (id) => `${officePaths.reconciliation}?record=${id}`,
  selectedKey,
  ...sorting
}: DifferenceListProps) {
  const { t } = useLingui()
  const word = useDifferenceLabels()
  const amount = (minor: bigint | null, { currency }: DifferenceRow) =>
    minor === null || currency === null ? <span className="muted">–</span> : <Money amount={{ minor, currency }} />
  return (
    <Table
      caption={t`Discrepancies`}
      rows={rows}
      rowKey={(row) => row.id}
      rowHref={(row) => hrefOf(row.id)}
      {...(selectedKey === undefined ? {} : { selectedKey })}
      {...sorting}
      columns={[
        { head: t`Found`, sort: 'foundAt', cell: (row) => <Time at={row.foundAt} /> },
        {
          head: t`Account`,
          phone: 'time',
          cell: (row) => (
            <>
              <b className="strong unbroken">{accountOf(row)}</b>
              {row.client && <div className="muted">{row.client.name}</div>}
            </>
          ),
        },
        { head: t`Type`, phone: 'title', cell: (row) => word(row.kind) },
        { head: t`Ledger`, align: 'right', cell: (row) => amount(row.ours, row) },
        { head: t`Other party`, align: 'right', cell: (row) => amount(row.theirs, row) },
        { head: t`Discrepancy`, align: 'right', phone: 'figure', cell: (row) => amount(row.difference, row) },
        { head: t`Status`, phone: 'status', cell: (row) => <DifferenceState state={row.state} /> },
      ]}
    />
  )
}

/** Returns the trading account, or the firm's bank account. */
function accountOf({ platform, accountNumber, facts }: DifferenceRow): string {
  if (accountNumber !== null) return [platform, groupedByFour(accountNumber)].filter(Boolean).join(' ')
  return typeof facts['account'] === 'string' ? groupedByFour(facts['account']) : '–'
}

function DifferenceState({ state }: { state: DifferenceRow['state'] }) {
  const label = useStateLabel()
  return <StatusLike mark={markOfState(state)}>{label('difference', state)}</StatusLike>
}

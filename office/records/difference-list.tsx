import { Trans, useLingui } from '@lingui/react/macro'
import type { listDifferences } from '#contract/office/accounting.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { officePaths } from '#contract/office-paths.ts'
import { groupedByFour } from '#ui/text/code-format.ts'
import { Money } from '#ui/money/money.tsx'
import { type Sort, Table } from '#ui/data/table.tsx'
import { Time } from '#ui/text/time.tsx'
import { plainWords } from './work-item-labels.ts'

export type DifferenceRow = ResponseOf<typeof listDifferences>['rows'][number]

/** What a difference is about: who says what. */
export function useDifferenceLabels(): (kind: string) => string {
  const { t } = useLingui()
  const words: Readonly<Record<string, string>> = {
    'balance-differs': t`The balances differ`,
    'amount-differs': t`The amounts differ`,
    'ledger-only': t`In the ledger, not on the platform`,
    'platform-only': t`On the platform, not in the ledger`,
    'second-deal': t`Second operation with the same reference`,
    'trading-result': t`Trading P&L`,
    'bank-outgoing': t`Unknown outgoing payment at the bank`,
    'bank-balance': t`Bank balance does not match the ledger`,
    'bank-line-differs': t`The bank reports a known transaction with different details`,
    refunded: t`Refunded by the card provider`,
    charged_back: t`Chargeback at the card provider`,
    'credit-refused': t`The platform rejected a paid deposit`,
    'payout-not-paid': t`Paid by the bank, not marked as paid`,
    'paid-late': t`Paid after the request had ended`,
    'payment-denied': t`The card provider no longer confirms a payment`,
    'provider-silent': t`No response from the card provider about a payment`,
    invariant: t`Ledger rule violated`,
  }
  return (kind) => words[kind] ?? plainWords(kind)
}

interface DifferenceListProps {
  rows: readonly DifferenceRow[]
  /** Where a row leads; without it to the open ones under Reconciliation. */
  hrefOf?: (id: string) => string
  selectedKey?: string | null
  sort?: Sort
  onSort?: (sort: Sort) => void
}

/** One row a difference, both sides, and how old it is. */
export function DifferenceList({ rows, hrefOf = openHref, selectedKey, ...sorting }: DifferenceListProps) {
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
        { key: 'what', head: t`Event`, phone: 'title', cell: (row) => word(row.kind) },
        { key: 'ours', head: t`Ledger`, align: 'right', cell: (row) => amount(row.ours, row) },
        { key: 'theirs', head: t`Other party`, align: 'right', cell: (row) => amount(row.theirs, row) },
        {
          key: 'difference',
          head: t`Discrepancy`,
          align: 'right',
          phone: 'figure',
          cell: (row) => amount(row.difference, row),
        },
        { key: 'state', head: t`Status`, phone: 'status', cell: (row) => <DifferenceState state={row.state} /> },
      ]}
    />
  )
}

/** The trading account, or the firm's account at the bank. */
function accountOf({ platform, accountNumber, facts }: DifferenceRow): string {
  if (accountNumber !== null) return [platform, groupedByFour(accountNumber)].filter(Boolean).join(' ')
  return typeof facts['account'] === 'string' ? groupedByFour(facts['account']) : '–'
}

function openHref(id: string): string {
  return `${officePaths.reconciliation}?record=${id}`
}

function DifferenceState({ state }: { state: DifferenceRow['state'] }) {
  if (state === 'open')
    return (
      <span className="tone-wait strong">
        <Trans>Open</Trans>
      </span>
    )
  if (state === 'proposed' || state === 'processing')
    return (
      <span className="tone-wait strong">
        {state === 'proposed' ? <Trans>Awaiting confirmation</Trans> : <Trans>Reversal in progress</Trans>}
      </span>
    )
  return (
    <span className="muted">
      {state === 'settled' ? <Trans>Settled</Trans> : null}
      {state === 'explained' ? <Trans>Explained</Trans> : null}
      {state === 'gone' ? <Trans>Cleared automatically</Trans> : null}
    </span>
  )
}

import { useLingui } from '@lingui/react/macro'
import { useLocation } from 'wouter'
import { officePaths } from '#contract/office-paths.ts'
import { listRecoveryItems } from '#contract/office/recovery.ts'
import { recoveryItemMachine } from '#rules/recovery-items.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { ErrorPanel } from '#ui/feedback/content-states.tsx'
import { groupedByFour } from '#ui/text/code-format.ts'
import { Money } from '#ui/money/money.tsx'
import { Table } from '#ui/data/table.tsx'
import { Time } from '#ui/text/time.tsx'
import { useListFilters } from '../../records/list-filters.ts'
import { PagesOf } from '../../records/list-tools.tsx'
import { DealDrawer } from './deal-drawer.tsx'
import { platformName, useDealLabels } from './deal-labels.ts'
import './recovery.css'

/** Deals, payments and other findings of platforms, provider and bank that two people of finance decide. */
export function RecoveredDeals({ openId }: { openId: string | undefined }) {
  const { t } = useLingui()
  const [, navigate] = useLocation()
  const asked = useListFilters({ states: recoveryItemMachine.states, sorts: ['foundAt'], direction: 'asc' })
  const { data, error, isFetching, refetch } = useEndpoint(listRecoveryItems, asked.query, { keepLast: true })
  const word = useDealLabels()
  return (
    <section className="stack">
      <h2>{t`Findings awaiting a decision`}</h2>
      {data?.rows.length === 0 ? (
        <p className="muted">{t`No findings to review. Findings that need two people will appear here.`}</p>
      ) : (
        <div className="sheet">
          <Table
            caption={t`Findings awaiting a decision`}
            rows={data?.rows ?? []}
            rowKey={(row) => row.id}
            rowHref={(row) => officePaths.recoveryItem(row.id)}
            selectedKey={openId ?? null}
            busy={isFetching}
            instead={error ? <ErrorPanel failure={error} onRetry={() => void refetch()} /> : undefined}
            sort={asked.sort}
            onSort={({ by, direction }) => asked.set({ sort: by, direction })}
            columns={[
              {
                head: t`Time`,
                sort: 'foundAt',
                phone: 'time',
                cell: (row) => (
                  <>
                    <span className="muted">{word.moment(row.kind)}</span> <Time at={row.dealAt} />
                  </>
                ),
              },
              {
                head: t`Client`,
                phone: 'title',
                cell: (row) => (
                  <>
                    {row.client?.name ?? t`Unknown`}
                    <span className="finding-kind muted">{word.kind(row.kind)}</span>
                  </>
                ),
              },
              {
                head: t`Account`,
                cell: (row) => (
                  <span className="numbers">
                    {platformName(row.platform)} {groupedByFour(row.accountNumber)}
                  </span>
                ),
              },
              { head: t`Reference`, cell: (row) => <span className="numbers unbroken">{row.reference}</span> },
              { head: t`Finding`, cell: (row) => word.kind(row.kind) },
              {
                head: t`Amount`,
                align: 'right',
                phone: 'figure',
                cell: (row) => (
                  <Money amount={{ minor: row.amount, currency: row.currency }} signed={row.kind !== 'account-found'} />
                ),
              },
              { head: t`Status`, phone: 'status', cell: (row) => word.state(row.state) },
            ]}
          />
        </div>
      )}
      <PagesOf pages={asked.pages} next={data?.next} />
      {openId && <DealDrawer key={openId} id={openId} onClose={() => navigate(officePaths.recovery)} />}
    </section>
  )
}

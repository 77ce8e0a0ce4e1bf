import { useLingui } from '@lingui/react/macro'
import { useLocation, useSearch } from 'wouter'
import { officePaths } from '#contract/office-paths.ts'
import { listRecoveryItems } from '#contract/office/recovery.ts'
import { recoveryItemMachine } from '#rules/recovery-items.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { groupedByFour } from '#ui/text/code-format.ts'
import { Money } from '#ui/money/money.tsx'
import { Time } from '#ui/text/time.tsx'
import { useListFilters } from '../../records/list-filters.ts'
import { StatusFilter } from '../../records/list-tools.tsx'
import { RecordList } from '../../records/record-list.tsx'
import { DealDrawer } from './deal-drawer.tsx'
import { platformName, useDealLabels } from './deal-labels.ts'
import './recovery.css'

/** Deals, payments and other findings of platforms, provider and bank that two people in finance decide. */
export function RecoveredDeals({ openId }: { openId: string | undefined }) {
  const { t } = useLingui()
  const [, navigate] = useLocation()
  const asked = useListFilters({
    states: recoveryItemMachine.states,
    sorts: ['foundAt'],
    direction: 'asc',
    amounts: 'signed',
  })
  const read = useEndpoint(listRecoveryItems, asked.query, { keepLast: true })
  const word = useDealLabels()
  const none = t`No findings to review. Findings that need two people will appear here.`
  const written = useSearch()
  const search = written && `?${written}`
  return (
    <section className="stack">
      <h2>{t`Findings awaiting a decision`}</h2>
      {read.data?.rows.length === 0 && !asked.filtered ? (
        <p className="muted">{none}</p>
      ) : (
        <RecordList
          list="recovery"
          path={officePaths.recovery}
          caption={t`Findings awaiting a decision`}
          filters={asked}
          search={t`Account, reference, comment or deal`}
          own={
            <StatusFilter
              filters={asked}
              states={recoveryItemMachine.states}
              word={word.state}
              standard={t`Any status`}
            />
          }
          rowKey={(row) => row.id}
          rowHref={(row) => officePaths.recoveryItem(row.id) + search}
          selectedKey={openId ?? null}
          busy={read.isFetching}
          read={read}
          empty={none}
          columns={[
            {
              key: 'time',
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
              key: 'client',
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
              key: 'account',
              head: t`Account`,
              cell: (row) => (
                <span className="numbers">
                  {platformName(row.platform)} {groupedByFour(row.accountNumber)}
                </span>
              ),
            },
            {
              key: 'reference',
              head: t`Reference`,
              cell: (row) => <span className="numbers unbroken">{row.reference}</span>,
            },
            { key: 'finding', head: t`Finding`, cell: (row) => word.kind(row.kind) },
            {
              key: 'amount',
              head: t`Amount`,
              align: 'right',
              phone: 'figure',
              cell: (row) => (
                <Money amount={{ minor: row.amount, currency: row.currency }} signed={row.kind !== 'account-found'} />
              ),
            },
            { key: 'state', head: t`Status`, phone: 'status', cell: (row) => word.state(row.state) },
          ]}
        />
      )}
      {openId && <DealDrawer key={openId} id={openId} onClose={() => navigate(officePaths.recovery + search)} />}
    </section>
  )
}

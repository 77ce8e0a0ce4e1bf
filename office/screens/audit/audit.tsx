import { IconDownload } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import * as z from 'zod/mini'
import { auditCsv, searchAudit } from '#contract/office/records.ts'
import { officePaths } from '#contract/office-paths.ts'
import { dateInUrl, useUrlState } from '#ui/navigation/url-state.ts'
import { Button } from '#ui/forms/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { ErrorPanel } from '#ui/feedback/error-panel.tsx'
import { Link } from '#ui/navigation/link.tsx'
import { OfficePage } from '#ui/layout/office-page.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Pagination } from '#ui/data/pagination.tsx'
import { BareSelect } from '#ui/forms/select.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { EventTable } from '../../records/event-table.tsx'
import { DaysFilter, ListSearch } from '../../records/list-tools.tsx'
import { usePages } from '../../records/pages.ts'
import { useCsv } from '../../records/save-csv.ts'
import { useRecordLabel } from '../../records/work-item-labels.ts'
import { useMayDo } from '../../session.ts'
import { VerifyButton } from './verify-button.tsx'
import './audit.css'

const address = z.object({
  q: z.optional(z.string()),
  kind: z.optional(z.string()),
  reference: z.optional(z.string()),
  client: z.optional(z.string()),
  actor: z.optional(z.string()),
  record: z.optional(z.string()),
  from: z.optional(dateInUrl),
  to: z.optional(dateInUrl),
  direction: z.optional(z.enum(['asc', 'desc'])),
})

const kinds = [
  'client',
  'document',
  'file',
  'account',
  'leverage_request',
  'bank_details',
  'professional',
  'profile_change',
  'deposit',
  'bank_line',
  'statement',
  'withdrawal',
  'payout_batch',
  'payout_stop',
  'payout_file',
  'transfer',
  'correction',
  'firm_money',
  'difference',
  'reconciliation',
  'setting_change',
  'settings',
  'staff',
  'staff_change',
  'factor_reset',
  'erasure',
  'recovery',
  'retention',
  'key',
  'operation',
  'job',
  'list',
  'audit',
]

/** Shows who did what, when, from where, what before, what after, and why; nothing in it can be changed. */
export default function Audit() {
  const { t } = useLingui()
  const [filters, setFilters] = useUrlState(address)
  const word = useRecordLabel()
  const name = new URLSearchParams(
    Object.entries(filters).filter((one): one is [string, string] => Boolean(one[1])),
  ).toString()
  const filtered = Object.entries(filters).some(([key, value]) => key !== 'direction' && Boolean(value))
  const pages = usePages(name, 50, filters.direction === 'asc')
  const { data, error, isFetching, refetch } = useEndpoint(
    searchAudit,
    { ...filters, cursor: pages.cursor, size: pages.size },
    { keepLast: true },
  )
  // Cleared fields are new ones: they forget a half-typed day too.
  const [cleared, setCleared] = useState(0)
  const clear = () => {
    setFilters({ q: '', kind: '', reference: '', client: '', actor: '', record: '', from: '', to: '' })
    setCleared(cleared + 1)
  }
  const csv = useCsv(auditCsv.path + (name ? `?${name}` : ''), 'audit.csv')
  const exports = useMayDo('exportAudit')
  const instead = error ? (
    <ErrorPanel failure={error} onRetry={() => void refetch()} />
  ) : data?.rows.length === 0 ? (
    <EmptyState level="h2" title={<Trans>No results for these filters.</Trans>} />
  ) : undefined
  return (
    <OfficePage>
      <PageHeader
        title={t`Audit log`}
        action={
          <div className="row wrap">
            {exports && (
              <Button
                icon={<IconDownload className="small" aria-hidden="true" />}
                pending={csv.isPending}
                onClick={csv.save}
              >
                CSV
              </Button>
            )}
            <VerifyButton />
          </div>
        }
      >
        <Trans>
          <Chained count={data?.sealed} /> entries in the audit log. Viewing and exporting entries is also logged.
        </Trans>
      </PageHeader>
      <div key={cleared} className="audit-filters">
        <ListSearch
          words={filters.q ?? ''}
          onWords={(q) => setFilters({ q })}
          label={t`Client, staff, reason or reference`}
        />
        <BareSelect
          aria-label={t`Record type`}
          value={filters.kind ?? ''}
          options={[{ value: '', label: t`All records` }, ...kinds.map((kind) => ({ value: kind, label: word(kind) }))]}
          onChange={(event) => setFilters({ kind: event.target.value })}
        />
        <DaysFilter from={filters.from ?? ''} to={filters.to ?? ''} onDays={setFilters} />
        {filtered && (
          <Button kind="quiet" onClick={clear}>
            <Trans>Clear filters</Trans>
          </Button>
        )}
      </div>
      <section className="sheet">
        <EventTable
          events={data?.rows ?? []}
          busy={isFetching}
          instead={instead}
          sort={{ by: 'at', direction: filters.direction ?? 'desc' }}
          onSort={({ direction }) => setFilters({ direction: direction === 'desc' ? '' : direction })}
          first={[
            {
              key: 'number',
              head: t`No.`,
              align: 'right',
              cell: (row) => row.number ?? <span className="faint">–</span>,
            },
          ]}
          more={[
            {
              key: 'client',
              head: t`Client`,
              cell: (row) =>
                row.client ? (
                  <Link href={officePaths.client(row.client.id)}>{row.client.name}</Link>
                ) : (
                  <span className="faint">–</span>
                ),
            },
          ]}
        />
      </section>
      <Pagination {...pages.shown(data?.next)} />
    </OfficePage>
  )
}

/** Shows how many the chain holds; while it is asked, its place. */
function Chained({ count }: { count: number | undefined }) {
  const { i18n } = useLingui()
  return count === undefined ? <Skeleton width={28} /> : <>{i18n.number(count)}</>
}

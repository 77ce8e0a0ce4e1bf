import { IconDownload } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import * as z from 'zod/mini'
import { auditCsv, searchAudit } from '#contract/office/records.ts'
import { officePaths } from '#contract/office-paths.ts'
import { useUrlState } from '#ui/navigation/url-state.ts'
import { Button } from '#ui/forms/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { Link } from '#ui/navigation/link.tsx'
import { OfficePage } from '#ui/layout/office-page.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { BareSelect } from '#ui/forms/select.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { EventTable } from '../../records/event-table.tsx'
import { useListFilters } from '../../records/list-filters.ts'
import { ClearFilters, insteadOfRows, PagesOf } from '../../records/list-tools.tsx'
import { ListTools } from '../../records/record-list.tsx'
import { useCsv } from '../../records/save-csv.ts'
import { useRecordLabel } from '../../records/work-item-labels.ts'
import { useMayDo } from '../../session.ts'
import { VerifyButton } from './verify-button.tsx'

const text = z.optional(z.string())
const address = z.object({ kind: text, reference: text, client: text, actor: text, record: text })

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
  'bank_directory',
  'withdrawal',
  'payout_batch',
  'payout_stop',
  'payout_file',
  'transfer',
  'enquiry',
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

/** The audit log: who did what, when, from where, with values before and after and the reason. Read-only. */
export default function Audit() {
  const { t } = useLingui()
  const [own] = useUrlState(address)
  const word = useRecordLabel()
  const filters = useListFilters({ states: [], sorts: ['at'], direction: 'desc', own })
  const { data, error, isFetching, refetch } = useEndpoint(
    searchAudit,
    { ...filters.query, ...own },
    { keepLast: true },
  )
  const name = new URLSearchParams(filters.asked as Record<string, string>).toString()
  const csv = useCsv(auditCsv.path + (name ? `?${name}` : ''), 'audit.csv')
  const exports = useMayDo('exportAudit')
  const instead = insteadOfRows(
    { data, error, refetch },
    <EmptyState level="h2" title={t`No results for these filters.`} />,
  )
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
      <ListTools
        list="audit"
        path={officePaths.audit}
        filters={filters}
        search={t`Client, staff, reason or reference`}
        own={
          <BareSelect
            className="small"
            aria-label={t`Record type`}
            value={own.kind ?? ''}
            options={[
              { value: '', label: t`All records` },
              ...kinds.map((kind) => ({ value: kind, label: word(kind) })),
            ]}
            onChange={(event) => filters.set({ kind: event.target.value })}
          />
        }
      >
        {filters.filtered && <ClearFilters filters={filters} />}
      </ListTools>
      <section className="sheet">
        <EventTable
          events={data?.rows ?? []}
          busy={isFetching}
          instead={instead}
          sort={filters.sort}
          onSort={({ direction }) => filters.set({ direction: direction === 'desc' ? '' : direction })}
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
      <PagesOf pages={filters.pages} next={data?.next} />
    </OfficePage>
  )
}

/** The number of entries in the chain; a placeholder while loading. */
function Chained({ count }: { count: number | undefined }) {
  const { i18n } = useLingui()
  return count === undefined ? <Skeleton width={28} /> : <>{i18n.number(count)}</>
}

import { IconShieldCheck } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import * as z from 'zod/mini'
import { auditCsv, searchAudit, verifyAudit } from '#contract/office/records.ts'
import { officePaths } from '#contract/office-paths.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { useUrlState } from '#ui/navigation/url-state.ts'
import { Button } from '#ui/forms/button.tsx'
import { EmptyState, ErrorPanel, Skeleton } from '#ui/feedback/content-states.tsx'
import { useEndpoint, useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { Link } from '#ui/navigation/link.tsx'
import { OfficePage } from '#ui/layout/office-page.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { FilterSelect } from '#ui/forms/select.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { DescriptionList } from '#ui/data/description-list.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { Time } from '#ui/text/time.tsx'
import { EventTable } from '../../records/event-table.tsx'
import { useListFilters } from '../../records/list-filters.ts'
import { ClearFilters, rowsPlaceholder, ListPagination } from '../../records/list-rows.tsx'
import { ListTools } from '../../records/record-list.tsx'
import { CsvButton } from '../../records/csv-button.tsx'
import { useRecordLabel } from '../../records/work-item-labels.ts'
import { useCanDo } from '../../session.ts'

const text = z.optional(z.string())
const flag = z.catch(z.optional(z.enum(['true', 'false'])), undefined)
const address = z.object({ kind: text, reference: text, client: text, actor: text, record: text, decisions: flag })

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
  const exports = useCanDo('exportAudit')
  const instead = rowsPlaceholder(
    { data, error, refetch },
    <EmptyState level="h2" title={t`No results for these filters.`} />,
  )
  return (
    <OfficePage>
      <PageHeader
        title={t`Audit log`}
        action={
          <div className="row wrap">
            {exports && <CsvButton path={auditCsv.path + (name ? `?${name}` : '')} name="audit.csv" />}
            <VerifyButton />
          </div>
        }
      >
        <Trans>
          Entries in the audit log: <Chained count={data?.sealed} />. Viewing and exporting entries is also logged.
        </Trans>
      </PageHeader>
      <ListTools
        list="audit"
        path={officePaths.audit}
        filters={filters}
        search={t`Client, staff, reason or reference`}
        own={
          <FilterSelect
            label={t`Record type`}
            all={t`All records`}
            value={own.kind}
            options={kinds.map((kind) => ({ value: kind, label: word(kind) }))}
            onValue={(kind) => filters.set({ kind })}
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
          first={[{ head: t`No.`, align: 'right', cell: (row) => row.number ?? <span className="faint">–</span> }]}
          more={{
            head: t`Client`,
            cell: (row) =>
              row.client ? (
                <Link href={officePaths.client(row.client.id)}>{row.client.name}</Link>
              ) : (
                <span className="faint">–</span>
              ),
          }}
        />
      </section>
      <ListPagination pages={filters.pages} next={data?.next} />
    </OfficePage>
  )
}

/** The number of entries in the chain; a placeholder while loading. */
function Chained({ count }: { count: number | undefined }) {
  const { i18n } = useLingui()
  return count === undefined ? <Skeleton width={28} /> : <>{i18n.number(count)}</>
}

/** Verifies the chain and shows the first altered entry. */
function VerifyButton() {
  const { t } = useLingui()
  const may = useCanDo('verifyAudit')
  const mutation = useEndpointMutation(verifyAudit)
  if (!may) return null
  return (
    <>
      <Button
        kind="primary"
        icon={<IconShieldCheck className="small" aria-hidden="true" />}
        pending={mutation.isPending}
        onClick={() => mutation.mutate({})}
      >
        <Trans>Verify</Trans>
      </Button>
      {(mutation.data || mutation.error) && (
        <Dialog
          title={t`Audit log verification`}
          onClose={mutation.reset}
          actions={<Button kind="primary" onClick={mutation.reset}>{t`Done`}</Button>}
        >
          {mutation.error ? (
            <ErrorPanel failure={mutation.error} onRetry={() => mutation.mutate({})} />
          ) : (
            mutation.data && <Outcome outcome={mutation.data} />
          )}
        </Dialog>
      )}
    </>
  )
}

function Outcome({ outcome }: { outcome: ResponseOf<typeof verifyAudit> }) {
  const { t } = useLingui()
  const { whole, checked, lastNumber, lastHash, at, first, epochs } = outcome
  const words = { altered: t`has been changed`, missing: t`is missing`, added: t`has been added` }
  return (
    <div className="stack">
      <Alert
        kind={whole ? 'ok' : 'bad'}
        title={whole ? t`Audit log verified. No changes found.` : t`Audit log verification failed.`}
      >
        {first && (
          <p>
            <Trans>
              First affected entry: {first.number} ({words[first.what]}). Later entries cannot be verified.
            </Trans>
          </p>
        )}
      </Alert>
      {epochs.map(({ epoch, afterNumber, at: began }) => (
        <Alert
          key={epoch}
          kind="wait"
          title={
            <Trans>
              The log continues after entry {afterNumber} with the recovery of <Time at={began} />
            </Trans>
          }
        >
          <Trans>Entries between this entry and the data loss are missing from this log.</Trans>
        </Alert>
      ))}
      <DescriptionList
        rows={[
          { key: <Trans>Verified entries</Trans>, value: checked },
          { key: <Trans>Last number</Trans>, value: lastNumber },
          { key: <Trans>Last hash</Trans>, value: <code>{lastHash ?? '–'}</code> },
          ...epochs.map(({ afterNumber, afterHash }) => ({
            key: <Trans>Hash of entry {afterNumber}</Trans>,
            value: <code>{afterHash}</code>,
          })),
          { key: <Trans>Computed</Trans>, value: <Time at={at} form="exact" /> },
        ]}
      />
    </div>
  )
}

import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useMemo } from 'react'
import { useSearch } from 'wouter'
import * as z from 'zod/mini'
import { sourceLabels } from '#contract/office/operation-labels.ts'
import { failedSources, listFailedJobs, type FailedSource } from '#contract/office/records.ts'
import { officePaths } from '#contract/office-paths.ts'
import { useLabels } from '#ui/i18n/labels.ts'
import { useUrlState, changeQuery } from '#ui/navigation/url-state.ts'
import { EmptyState } from '#ui/feedback/content-states.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { OfficePage } from '#ui/layout/office-page.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { StatusDisplay } from '#ui/data/status-badge.tsx'
import { Tabs } from '#ui/data/tabs.tsx'
import { Time } from '#ui/text/time.tsx'
import { useListFilters } from '../../records/list-filters.ts'
import { ClearFilters, rowsPlaceholder } from '../../records/list-rows.tsx'
import { RecordList } from '../../records/record-list.tsx'
import { FailedOperationDrawer } from './failed-operation-drawer.tsx'
import { useOperationLabels } from './operation-labels.ts'
import { listMissingRights, platformRightEffects, platformRightLabels } from '#contract/office/platform-rights.ts'
import { Alert } from '#ui/feedback/alert.tsx'

const address = z.object({
  source: z.optional(z.enum(failedSources)),
  job: z.optional(z.string()),
  /** A link from a work item contains only the operation. */
  record: z.optional(z.string()),
})

/** Failed operations: the attempts, the effect on the client, and the retry. */
export default function FailedOperations() {
  const { t } = useLingui()
  const [{ source, job, record }, setAddress] = useUrlState(address)
  const words = useOperationLabels()
  const sourceLabel = useLabels(sourceLabels)
  const filters = useListFilters({ states: [], sorts: ['firstAt'], direction: 'desc', part: { source } })
  const read = useEndpoint(listFailedJobs, { ...filters.query, source }, { keepLast: true, pollMs: 60_000 })
  const open = useMemo(() => parseOperationKey(job ?? (record && `operation.${record}`)), [job, record])
  const search = useSearch()
  const tab = (one: FailedSource | undefined, label: string) => ({
    href: officePaths.failedJobs + (one ? `?source=${one}` : ''),
    label,
    current: source === one,
  })
  const instead = rowsPlaceholder(
    read,
    <EmptyState
      level="h2"
      icon={<IconCircleCheck aria-hidden="true" />}
      title={filters.filtered ? <Trans>No results for these filters.</Trans> : <Trans>No failed operations</Trans>}
      action={filters.filtered && <ClearFilters filters={filters} />}
    >
      <Trans>
        Operations that a platform, the card provider or the mail server rejects or does not answer will appear here.
        Account statements that cannot be created and accounts or deals that cannot be read are also listed.
      </Trans>
    </EmptyState>,
  )
  return (
    <OfficePage>
      <PageHeader title={t`Failed operations`}>
        <Trans>Operations that failed or are retrying. No data is lost. Some need your action.</Trans>
      </PageHeader>
      <div className="stack">
        <MissingRights />
        <Tabs
          label={t`Cause`}
          tabs={[tab(undefined, t`All`), ...failedSources.map((one) => tab(one, sourceLabel(one)))]}
        />
        <RecordList
          list="failed-jobs"
          path={officePaths.failedJobs}
          caption={t`Failed operations`}
          filters={filters}
          search={t`Client, reference or error`}
          rowKey={(row) => `${row.source}.${row.id}`}
          rowHref={(row) => officePaths.failedJobs + changeQuery(search, { job: `${row.source}.${row.id}` })}
          selectedKey={open ? `${open.source}.${open.id}` : null}
          read={read}
          busy={read.isFetching}
          instead={instead}
          columns={[
            {
              key: 'kind',
              head: t`Operation`,
              phone: 'title',
              cell: (row) => (
                <>
                  {words.kind(row.kind)}
                  <span className="phone-line muted">{words.meaning(row.meaning)}</span>
                </>
              ),
            },
            { key: 'client', head: t`Client`, phone: 'time', cell: (row) => row.client?.name ?? '–' },
            { key: 'meaning', head: t`Effect`, cell: (row) => words.meaning(row.meaning) },
            { key: 'tries', head: t`Attempts`, align: 'right', cell: (row) => <Plural value={row.tries} other="#" /> },
            {
              key: 'state',
              head: t`Status`,
              phone: 'status',
              cell: (row) => (
                <StatusDisplay icon={IconAlertTriangle} tone="tone-wait">
                  {words.state(row.state)}
                </StatusDisplay>
              ),
            },
            { key: 'first', head: t`Since`, sort: 'firstAt', cell: (row) => <Time at={row.firstAt} /> },
            {
              key: 'next',
              head: t`Next attempt`,
              cell: (row) => (row.nextTryAt ? <Time at={row.nextTryAt} /> : <Trans>manually</Trans>),
            },
          ]}
        />
      </div>
      {open && (
        <FailedOperationDrawer
          source={open.source}
          id={open.id}
          onClose={() => setAddress({ job: undefined, record: undefined })}
        />
      )}
    </OfficePage>
  )
}

/** Parses "operation.0191…" of the URL. */
function parseOperationKey(text: string | undefined): { source: FailedSource; id: string } | null {
  const [, named, id] = /^(\w+)\.([\w-]{1,64})$/.exec(text ?? '') ?? []
  const source = failedSources.find((one) => one === named)
  return source && id ? { source, id } : null
}

function MissingRights() {
  const { t } = useLingui()
  const label = useLabels(platformRightLabels)
  const effect = useLabels(platformRightEffects)
  const { data } = useEndpoint(listMissingRights, {}, { keepLast: true, pollMs: 60_000 })
  return (data?.platforms ?? []).map(({ platform, readAt, rights }) => {
    const names = rights.map(label).join(', ')
    return (
      <Alert key={platform} kind="wait" title={t`${platform}: our login lacks these permissions: ${names}`}>
        <p>{rights.map(effect).join(' ')}</p>
        <p>
          <Trans>
            Ask an administrator of {platform} to grant them to our login in the manager configuration. Last checked{' '}
            <Time at={readAt} />.
          </Trans>
        </p>
      </Alert>
    )
  })
}

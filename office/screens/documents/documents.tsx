import { useLingui } from '@lingui/react/macro'
import { listDocumentCases } from '#contract/office/documents.ts'
import { officePaths } from '#contract/office-paths.ts'
import { documentMachine } from '#rules/documents.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { OfficePage } from '#ui/layout/office-page.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { StatusBadge, useStatusLabel } from '#ui/data/status-badge.tsx'
import { Time } from '#ui/text/time.tsx'
import type { ResponseOf } from '#contract/endpoint.ts'
import { useDocumentList } from '../../decision/document-labels.ts'
import { Due } from '../../decision/due-labels.tsx'
import { Assignee, ClientCell } from '../../decision/queue.tsx'
import { useListFilters } from '../../records/list-filters.ts'
import { StatusFilter } from '../../records/list-tools.tsx'
import { type ListColumn, RecordList } from '../../records/record-list.tsx'

type Row = ResponseOf<typeof listDocumentCases>['rows'][number]

/** Clients with pending documents, those due first first. */
export default function Documents() {
  const { t } = useLingui()
  const listed = useDocumentList()
  const statusWord = useStatusLabel('document')
  const states = documentMachine.states.filter((one) => one !== 'pending_approval')
  const asked = useListFilters({ states, sorts: ['sentAt'] })
  const read = useEndpoint(listDocumentCases, asked.query, { keepLast: true })
  const columns: ListColumn<Row>[] = [
    { key: 'client', head: t`Client`, phone: 'title', cell: ({ client }) => <ClientCell client={client} /> },
    {
      key: 'documents',
      head: t`Documents`,
      phone: 'time',
      cell: ({ documents }) => listed(documents.map(({ kind }) => kind)),
    },
    { key: 'sent', head: t`Sent`, sort: 'sentAt', cell: ({ sentAt }) => <Time at={sentAt} /> },
    { key: 'due', head: t`Due`, phone: 'figure', cell: ({ dueAt }) => <Due at={dueAt} /> },
    { key: 'held', head: t`Assigned to`, cell: ({ assignee }) => <Assignee assignee={assignee} /> },
    {
      key: 'state',
      head: t`Status`,
      phone: 'status',
      cell: ({ documents }) => <StatusBadge record="document" state={stateOf(documents)} />,
    },
  ]
  return (
    <OfficePage>
      <PageHeader title={t`Documents`} />
      <RecordList
        list="documents"
        path={officePaths.documents}
        caption={t`Documents`}
        filters={asked}
        search={t`Client`}
        own={<StatusFilter filters={asked} states={states} word={statusWord} standard={t`Pending items`} />}
        columns={columns}
        rowKey={({ client }) => client.id}
        rowHref={({ client }) => officePaths.document(client.id)}
        read={read}
        empty={t`No documents to review. New documents will appear here.`}
      />
    </OfficePage>
  )
}

/** Returns the status of the case: a pending document takes precedence. */
function stateOf(documents: Row['documents']): string {
  return documents.find(({ state }) => state === 'pending_approval')?.state ?? documents[0]?.state ?? 'uploaded'
}

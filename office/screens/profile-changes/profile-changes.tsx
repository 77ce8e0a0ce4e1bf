import { useLingui } from '@lingui/react/macro'
import { profileLabels } from '#contract/profile-labels.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { listProfileChanges } from '#contract/office/profile-changes.ts'
import { officePaths } from '#contract/office-paths.ts'
import { profileChangeMachine } from '#rules/profile-changes.ts'
import { useLabels } from '#ui/i18n/labels.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import type { ListColumn } from '../../records/record-list.tsx'
import { Queue, useQueueFilters } from '../../decision/queue.tsx'
import { useChangedValue } from '../../records/changed-fields.ts'

type Row = ResponseOf<typeof listProfileChanges>['rows'][number]

/** Changes of verified identity data and of email addresses. */
export default function ProfileChanges() {
  const { t } = useLingui()
  const field = useLabels(profileLabels)
  const value = useChangedValue()
  const asked = useQueueFilters(profileChangeMachine.states)
  const read = useEndpoint(listProfileChanges, asked.query, { keepLast: true })
  const columns: ListColumn<Row>[] = [
    { key: 'field', head: t`Field`, cell: (row) => field(row.field) },
    {
      key: 'from',
      head: t`Current value`,
      wideOnly: true,
      cell: (row) => <span className="long-value">{value(row.field, row.from)}</span>,
    },
    {
      key: 'to',
      head: t`Requested value`,
      phone: 'figure',
      cell: (row) => (
        <>
          <span className="phone-only">{field(row.field)}: </span>
          <b className="strong long-value">{value(row.field, row.to)}</b>
        </>
      ),
    },
  ]
  return (
    <Queue
      record="profile_change"
      list="profile-changes"
      path={officePaths.profileChanges}
      title={t`Profile changes`}
      filters={asked}
      read={read}
      href={({ id }) => officePaths.profileChange(id)}
      columns={columns}
      empty={t`No profile changes to review. Changes of a verified client’s name, birth date, nationality, country or email will appear here.`}
    />
  )
}

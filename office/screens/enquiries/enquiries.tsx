import { useLingui } from '@lingui/react/macro'
import * as z from 'zod/mini'
import { outcomeLabels, topicLabels } from '#contract/enquiry-labels.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { listOfficeEnquiries } from '#contract/office/enquiries.ts'
import { officePaths } from '#contract/office-paths.ts'
import { complaintOutcomes, enquiryMachine } from '#rules/enquiries.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import type { ListColumn } from '../../records/record-list.tsx'
import { ButtonLink } from '#ui/forms/button.tsx'
import { FilterSelect } from '#ui/forms/select.tsx'
import { useLabels } from '#ui/i18n/labels.ts'
import { useUrlState } from '#ui/navigation/url-state.ts'
import { Time } from '#ui/text/time.tsx'
import { Queue, useQueueFilters } from '../../decision/queue.tsx'
import type { ListFilters } from '../../records/list-filters.ts'

type Row = ResponseOf<typeof listOfficeEnquiries>['rows'][number]

const address = z.object({
  type: z.catch(z.enum(['complaint', 'question', '']), ''),
  outcome: z.catch(z.enum([...complaintOutcomes, '']), ''),
  overdue: z.catch(z.enum(['true', '']), ''),
})

/** Enquiries and complaints. */
export default function Enquiries() {
  const { t } = useLingui()
  const topic = useLabels(topicLabels)
  const outcome = useLabels(outcomeLabels)
  const [own] = useUrlState(address)
  const filters = useQueueFilters(enquiryMachine.states, own)
  const read = useEndpoint(listOfficeEnquiries, filters.query, { keepLast: true })
  const columns: ListColumn<Row>[] = [
    {
      key: 'reference',
      head: t`Reference`,
      wideOnly: true,
      cell: ({ reference }) => <span className="numbers unbroken">{reference}</span>,
    },
    {
      key: 'subject',
      head: t({ message: 'Subject', context: 'enquiry' }),
      phone: 'figure',
      cell: (row) =>
        row.complaint && own.type !== 'complaint' ? (
          <b className="strong">{t`Complaint`}</b>
        ) : row.client ? (
          topic(row.topic)
        ) : (
          t`Contact form`
        ),
    },
    ...(own.type === 'complaint'
      ? [
          { key: 'outcome', head: t`Outcome`, cell: (row: Row) => (row.outcome ? outcome(row.outcome) : '–') },
          {
            key: 'concluded',
            head: t`Concluded`,
            cell: (row: Row) => (row.concludedAt ? <Time at={row.concludedAt} /> : '–'),
          },
        ]
      : []),
  ]
  return (
    <Queue
      record="enquiry"
      list="enquiries"
      path={officePaths.enquiries}
      title={own.type === 'complaint' ? t`Register of complaints` : t`Enquiries`}
      action={
        own.type === 'complaint' ? (
          <ButtonLink href={officePaths.enquiries}>{t`All enquiries`}</ButtonLink>
        ) : (
          <ButtonLink href={officePaths.complaints}>{t`Register of complaints`}</ButtonLink>
        )
      }
      filters={filters}
      own={<OwnFilters filters={filters} own={own} />}
      read={read}
      href={({ id }) => officePaths.enquiry(id)}
      columns={columns}
      empty={t`No enquiries to answer. New messages will appear here.`}
    />
  )
}

function OwnFilters({ filters, own }: { filters: ListFilters; own: z.output<typeof address> }) {
  const { t } = useLingui()
  const outcome = useLabels(outcomeLabels)
  return (
    <>
      <FilterSelect
        label={t`Type`}
        all={t`All types`}
        value={own.type}
        options={[
          { value: 'complaint', label: t`Complaints` },
          { value: 'question', label: t`Questions` },
        ]}
        onValue={(type) => filters.set({ type, outcome: '' })}
      />
      {own.type === 'complaint' && (
        <FilterSelect
          label={t`Outcome`}
          all={t`All outcomes`}
          value={own.outcome}
          options={complaintOutcomes.map((value) => ({ value, label: outcome(value) }))}
          onValue={(outcome) => filters.set({ outcome })}
        />
      )}
      <FilterSelect
        label={t`Due`}
        all={t`Any due date`}
        value={own.overdue}
        options={[{ value: 'true', label: t`Overdue` }]}
        onValue={(overdue) => filters.set({ overdue })}
      />
    </>
  )
}

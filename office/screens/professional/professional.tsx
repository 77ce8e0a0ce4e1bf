import { Trans, useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '#contract/endpoint.ts'
import { listProfessional } from '#contract/office/professional.ts'
import { officePaths } from '#contract/office-paths.ts'
import { professionalMachine } from '#rules/professional-status.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import type { ListColumn } from '../../records/record-list.tsx'
import { Queue, useQueueFilters } from '../../decision/queue.tsx'

type Row = ResponseOf<typeof listProfessional>['rows'][number]

/** Professional client applications. */
export default function Professional() {
  const { t } = useLingui()
  const asked = useQueueFilters(professionalMachine.states)
  const read = useEndpoint(listProfessional, asked.query, { keepLast: true })
  const columns: ListColumn<Row>[] = [
    {
      key: 'passed',
      head: t`Criteria met`,
      phone: 'figure',
      cell: ({ passed }) => (
        <span className={passed >= 2 ? 'numbers unbroken' : 'numbers unbroken strong tone-bad'}>
          <Trans>{passed} of 3</Trans>
        </span>
      ),
    },
  ]
  return (
    <Queue
      record="professional"
      list="professional"
      path={officePaths.professional}
      title={t`Client categorisation`}
      filters={asked}
      read={read}
      href={({ id }) => officePaths.professionalApplication(id)}
      columns={columns}
      empty={t`No applications to review. New applications will appear here.`}
    />
  )
}

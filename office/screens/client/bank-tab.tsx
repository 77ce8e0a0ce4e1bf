import { useLingui } from '@lingui/react/macro'
import { getClientBank } from '#contract/office/client-tabs.ts'
import { officePaths } from '#contract/office-paths.ts'
import { EmptyState } from '#ui/feedback/content-states.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { groupedByFour, sortCodeText } from '#ui/text/code-format.ts'
import { StatusBadge } from '#ui/data/status-badge.tsx'
import { Table } from '#ui/data/table.tsx'
import { Time } from '#ui/text/time.tsx'
import { rowsPlaceholder } from '../../records/list-rows.tsx'
import { useValueText } from './field-labels.ts'

export function BankTab({ clientId }: { clientId: string }) {
  const { t } = useLingui()
  const text = useValueText()
  const { data, error, refetch } = useEndpoint(getClientBank, { id: clientId })
  const instead = rowsPlaceholder({ data, error, refetch }, <EmptyState level="h2" title={t`No bank details yet`} />)
  return (
    <section className="sheet">
      <Table
        caption={t`Bank details`}
        rows={data?.rows ?? []}
        rowKey={(row) => row.id}
        rowHref={(row) => officePaths.bankRecord(row.id)}
        instead={instead}
        columns={[
          { head: t`Bank`, phone: 'title', cell: (row) => <b className="strong">{row.bankName}</b> },
          { head: t`Country`, cell: (row) => text('country', row.bankCountry) },
          {
            head: t`Number`,
            phone: 'time',
            cell: (row) => <span className="numbers unbroken">{numberText(row.number)}</span>,
          },
          { head: t`Currency`, phone: 'figure', cell: (row) => row.currency },
          { head: t`Added`, cell: (row) => <Time at={row.addedAt} form="day" /> },
          { head: t`Payouts`, align: 'right', cell: (row) => row.usedForPayouts },
          { head: t`Status`, phone: 'status', cell: (row) => <StatusBadge record="bank_details" state={row.state} /> },
        ]}
      />
    </section>
  )
}

/** Returns a sort code before its account number, or an IBAN; a masked number is returned unchanged. */
export function numberText(number: string): string {
  if (number.includes('•')) return number
  const [first = '', second] = number.split(' ')
  return second === undefined ? groupedByFour(first) : `${sortCodeText(first)} · ${groupedByFour(second)}`
}

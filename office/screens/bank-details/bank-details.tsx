import { useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '#contract/endpoint.ts'
import { listOfficeBankDetails } from '#contract/office/bank-details.ts'
import { officePaths } from '#contract/office-paths.ts'
import { bankDetailsMachine } from '#rules/bank-details.ts'
import { canSeeNumbers } from '#rules/permissions.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import type { ListColumn } from '../../records/record-list.tsx'
import { countryName } from '../../decision/country-name.ts'
import { Queue, useQueueFilters } from '../../decision/queue.tsx'
import { useStaff } from '../../session.ts'
import { BankDirectory } from './bank-directory.tsx'

type Row = ResponseOf<typeof listOfficeBankDetails>['rows'][number]

/** Bank details. */
export default function BankDetails() {
  const { t, i18n } = useLingui()
  const { staff } = useStaff()
  const asked = useQueueFilters(bankDetailsMachine.states)
  const read = useEndpoint(listOfficeBankDetails, asked.query, { keepLast: true })
  const columns: ListColumn<Row>[] = [
    { key: 'bank', head: t`Bank`, cell: ({ bankName }) => bankName },
    {
      key: 'country',
      head: t`Country`,
      wideOnly: true,
      cell: ({ bankCountry }) => countryName(bankCountry, i18n.locale),
    },
    {
      key: 'number',
      head: t`Number`,
      phone: 'figure',
      cell: ({ number }) => <span className="numbers unbroken">{number}</span>,
    },
    { key: 'currency', head: t`Currency`, cell: ({ currency }) => currency },
  ]
  return (
    <Queue
      record="bank_details"
      list="bank-details"
      path={officePaths.bankDetails}
      title={t`Bank details`}
      action={<BankDirectory />}
      filters={asked}
      search={canSeeNumbers(staff.roles) ? t`Client, bank, IBAN or account number` : t`Client or bank`}
      read={read}
      href={({ id }) => officePaths.bankRecord(id)}
      columns={columns}
      empty={t`No bank details to review. New bank accounts will appear here.`}
    />
  )
}

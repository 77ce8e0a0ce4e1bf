import { useLingui, Trans } from '@lingui/react/macro'
import type { ResponseOf } from '#contract/endpoint.ts'
import { listOfficeBankDetails } from '#contract/office/bank-details.ts'
import { officePaths } from '#contract/office-paths.ts'
import { bankDetailsMachine } from '#rules/bank-details.ts'
import { canSeeNumbers } from '#rules/permissions.ts'
import { useEndpoint, useEndpointMutation } from '#ui/api/endpoint-query.ts'
import type { ListColumn } from '../../records/record-list.tsx'
import { countryName } from '../../decision/country-name.ts'
import { Queue, useQueueFilters } from '../../decision/queue.tsx'
import { useStaff, useCanDo } from '../../session.ts'
import { useState } from 'react'
import { importBankDirectory, showBankDirectory } from '#contract/office/bank-directory.ts'
import { Button } from '#ui/forms/button.tsx'
import { DatePicker } from '#ui/forms/date-picker.tsx'
import { FieldError } from '#ui/forms/field.tsx'
import { FileInput } from '#ui/forms/file-input.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { fieldErrors } from '#ui/api/api-error.ts'
import { DescriptionList } from '#ui/data/description-list.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { ErrorPanel } from '#ui/feedback/content-states.tsx'
import { showToast } from '#ui/feedback/toasts.tsx'
import { calendarDayText } from '#ui/text/time.tsx'
import { useErrorFocus } from '#ui/forms/form-state.ts'
import { readFileText } from '../../records/file-text.ts'
import './bank-details.css'

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

/**
 * The directory that fills in the bank for an IBAN in clients' forms: its current state, and the import of a new table.
 */
function BankDirectory() {
  const { t } = useLingui()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t`Bank directory`}</Button>
      {isOpen && <DirectoryDialog onClose={() => setOpen(false)} />}
    </>
  )
}

function DirectoryDialog({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useLingui()
  const mayImport = useCanDo('importBankDirectory')
  const [file, setFile] = useState<{ name: string; csv: string } | null>(null)
  const [asOf, setAsOf] = useState<string | null>('')
  const [missing, setMissing] = useState<Record<string, string>>({})
  const read = useEndpoint(showBankDirectory, {})
  const send = useEndpointMutation(importBankDirectory, {
    refreshes: [showBankDirectory],
    onDone: ({ banks }) => showToast(() => t`Banks imported: ${i18n.number(banks)}.`),
  })
  const place = useErrorFocus<HTMLDivElement>(send.error)
  const errors = { ...fieldErrors(send.error), ...missing }
  const change = () => {
    setMissing({})
    send.reset()
  }
  const submit = () => {
    const found: Record<string, string> = {
      ...(file ? {} : { csv: t`Choose a file.` }),
      ...(asOf ? {} : { asOf: t`Enter the date of the table.` }),
    }
    setMissing(found)
    if (file && asOf) send.mutate({ filename: file.name, csv: file.csv, asOf })
  }
  return (
    <Dialog
      title={t`Bank directory`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t`Close`}</Button>
          {mayImport && <Button kind="primary" pending={send.isPending} onClick={submit}>{t`Import table`}</Button>}
        </>
      }
    >
      <div className="stack" ref={place}>
        <p className="muted">{t`When a client enters an IBAN, the form fills in bank and BIC from this directory.`}</p>
        {read.error && <ErrorPanel failure={read.error} onRetry={() => void read.refetch()} />}
        {read.data?.countries.length === 0 && (
          <Alert>{t`No table has been imported. Clients enter bank and BIC themselves.`}</Alert>
        )}
        {read.data && read.data.countries.length > 0 && (
          <DescriptionList
            rows={read.data.countries.map(({ country, asOf: on, banks, importedBy }) => ({
              key: countryName(country, i18n.locale),
              value: t`Banks: ${i18n.number(banks)}. As of ${calendarDayText(on, i18n.locale)}, imported by ${importedBy.name}.`,
            }))}
          />
        )}
        {mayImport && (
          <>
            <div>
              <label className="bank-directory-file">
                <span className="strong">{t`Table as CSV`}</span>
                <FileInput
                  accept=".csv,text/csv"
                  aria-invalid={errors['csv'] ? true : undefined}
                  onFile={(chosen) => {
                    change()
                    if (chosen) void readFileText(chosen).then((csv) => setFile({ name: chosen.name, csv }))
                    else setFile(null)
                  }}
                />
                <span className="muted size-13">
                  <Trans>
                    Columns: country, bank_code, bic, name. The table replaces the banks of the countries it contains.
                  </Trans>
                </span>
              </label>
              <FieldError>{errors['csv'] ?? errors['filename']}</FieldError>
            </div>
            <DatePicker
              label={t`Date of the table`}
              value={asOf}
              onDay={(day) => {
                change()
                setAsOf(day)
              }}
              error={errors['asOf']}
            />
          </>
        )}
      </div>
    </Dialog>
  )
}

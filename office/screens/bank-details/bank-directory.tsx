import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { importBankDirectory, showBankDirectory } from '#contract/office/bank-directory.ts'
import { Button } from '#ui/forms/button.tsx'
import { DatePicker } from '#ui/forms/date-picker.tsx'
import { FieldError } from '#ui/forms/field.tsx'
import { FileInput } from '#ui/forms/file-input.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { fieldErrors } from '#ui/api/api-error.ts'
import { useEndpoint, useEndpointMutation } from '#ui/api/endpoint-query.ts'
import { DescriptionList } from '#ui/data/description-list.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { ErrorPanel } from '#ui/feedback/content-states.tsx'
import { showToast } from '#ui/feedback/toasts.tsx'
import { calendarDayText } from '#ui/text/time.tsx'
import { useErrorFocus } from '#ui/forms/form-state.ts'
import { countryName } from '../../decision/country-name.ts'
import { readFileText } from '../../records/file-text.ts'
import { useCanDo } from '../../session.ts'
import './bank-details.css'

/**
 * The directory that fills in the bank for an IBAN in clients' forms: its current state, and the import of a new table.
 */
export function BankDirectory() {
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

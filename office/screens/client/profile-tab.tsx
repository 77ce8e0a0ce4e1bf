import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { isActionAllowed, type OfficeClient, getOfficeClient } from '#contract/office/clients.ts'
import { Table } from '#ui/data/table.tsx'
import { FormerValue } from './changed.tsx'
import { EmailChange } from './email-change.tsx'
import { useFieldLabel, useValueText } from './field-labels.ts'
import { listCountries } from '#contract/countries.ts'
import { correctField } from '#contract/office/client-decisions.ts'
import { getClientEvents } from '#contract/office/client-tabs.ts'
import { titles } from '#rules/choices.ts'
import { useChoiceOptions } from '#ui/text/choice-labels.ts'
import { ComboBox } from '#ui/forms/combo-box.tsx'
import { DatePicker } from '#ui/forms/date-picker.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { Select } from '#ui/forms/select.tsx'
import { TextField } from '#ui/forms/text-field.tsx'
import { ActionDialog } from '../../records/action-dialog.tsx'

/** All fields with former values and pending changes, and the action to correct one. */
export function ProfileTab({ client }: { client: OfficeClient }) {
  const { t } = useLingui()
  const word = useFieldLabel()
  const text = useValueText()
  const [field, setField] = useState<string | null>(null)
  const corrects = isActionAllowed(client, 'correctField')
  return (
    <section className="sheet">
      <Table
        caption={t`Profile`}
        rows={client.profile}
        rowKey={(row) => row.field}
        columns={[
          { head: t`Field`, phone: 'title', cell: (row) => word(row.field) },
          {
            head: t`Value`,
            phone: 'time',
            cell: (row) => (
              <span className="strong">
                {text(row.field, row.value)}
                <FormerValue field={row} />
              </span>
            ),
          },
          {
            head: t({ message: 'Correction', context: 'of a field' }),
            align: 'right',
            phone: 'figure',
            cell: (row) =>
              row.field === 'email' ? (
                <EmailChange client={client} />
              ) : corrects && row.correctable ? (
                <button type="button" className="text-button" onClick={() => setField(row.field)}>
                  <Trans>Correct…</Trans>
                  <span className="unseen"> {word(row.field)}</span>
                </button>
              ) : null,
          },
        ]}
      />
      {field && <CorrectFieldDialog client={client} field={field} onClose={() => setField(null)} />}
    </section>
  )
}

interface CorrectFieldDialogProps {
  client: OfficeClient
  field: string
  onClose: () => void
}

/** Corrects one field with a reason; the audit log stores the values before and after. */
function CorrectFieldDialog({ client, field, onClose }: CorrectFieldDialogProps) {
  const { t } = useLingui()
  const word = useFieldLabel()
  const text = useValueText()
  const now = client.profile.find((one) => one.field === field)?.value ?? ''
  const [value, setValue] = useState(now)
  return (
    <ActionDialog
      endpoint={correctField}
      input={(reason) => ({ id: client.id, version: client.version, field, value, reason })}
      refreshes={[getOfficeClient, getClientEvents]}
      done={t`${word(field)} has been corrected.`}
      fields={['value', field]}
      title={<Trans>Correct: {word(field)}</Trans>}
      command={<Trans>Correct</Trans>}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <p className="muted">
            <Trans>Currently: {text(field, now)}</Trans>
          </p>
          <ValueField field={field} value={value} onValue={setValue} error={errors['value'] ?? errors[field]} />
        </>
      )}
    </ActionDialog>
  )
}

interface ValueFieldProps {
  field: string
  value: string
  onValue: (value: string) => void
  error: string | undefined
}

function ValueField({ field, value, onValue, error }: ValueFieldProps) {
  const { t } = useLingui()
  const options = useChoiceOptions()
  const isCountry = field === 'country' || field === 'nationality'
  const { data } = useEndpoint(listCountries, {}, { enabled: isCountry, staleMs: Number.POSITIVE_INFINITY })
  const label = t`Correct value`
  if (field === 'title')
    return (
      <Select
        label={label}
        error={error}
        value={value}
        options={options(titles)}
        onChange={(event) => onValue(event.target.value)}
      />
    )
  if (isCountry)
    return (
      <ComboBox
        label={label}
        error={error}
        items={(data?.countries ?? []).map(({ code, name }) => ({ id: code, label: name }))}
        value={value}
        onValue={onValue}
      />
    )
  if (field === 'birthDate')
    return (
      <DatePicker
        label={label}
        error={error}
        required
        value={value === '' ? null : value}
        onDay={(day) => onValue(day ?? '')}
      />
    )
  return (
    <TextField
      label={label}
      error={error}
      value={value}
      maxLength={200}
      onChange={(event) => onValue(event.target.value)}
    />
  )
}

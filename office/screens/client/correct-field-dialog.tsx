import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { listCountries } from '#contract/countries.ts'
import { correctField } from '#contract/office/client-decisions.ts'
import { getOfficeClient, type OfficeClient } from '#contract/office/clients.ts'
import { getClientEvents } from '#contract/office/client-tabs.ts'
import { titles } from '#rules/choices.ts'
import { useChoiceOptions } from '#ui/text/choice-labels.ts'
import { ComboBox } from '#ui/forms/combo-box.tsx'
import { DatePicker } from '#ui/forms/date-picker.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { Select } from '#ui/forms/select.tsx'
import { TextField } from '#ui/forms/text-field.tsx'
import { ActionDialog } from '../../records/action-dialog.tsx'
import { useFieldLabel, useValueText } from './field-labels.ts'

interface CorrectFieldDialogProps {
  client: OfficeClient
  field: string
  onClose: () => void
}

/** Corrects one field with a reason; the audit log stores the values before and after. */
export function CorrectFieldDialog({ client, field, onClose }: CorrectFieldDialogProps) {
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

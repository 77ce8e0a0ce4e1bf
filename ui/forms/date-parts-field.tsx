import { useLingui } from '@lingui/react/macro'
import './date-parts-field.css'
import { FieldGroup, type FieldFrame } from './field.tsx'
import { BareSelect } from './select.tsx'
import { dateFormat } from '../text/formats.ts'

export interface DateParts {
  day: string
  month: string
  year: string
}

interface DatePartsFieldProps extends Omit<FieldFrame, 'labelEnd'> {
  /** "1" to "31", "1" to "12", "1990"; '' while not selected. */
  value: DateParts
  onValue: (value: DateParts) => void
  /** First and last year of the list; descending if the first is later, as for birth years. */
  years: readonly [first: number, last: number]
  /** `birth` lets the browser fill in the birthday. */
  kind?: 'birth' | 'other'
}

/** A date as three lists: day, month, year (requirements 5.11). */
export function DatePartsField({
  label,
  hint,
  error,
  optional,
  value,
  onValue,
  years,
  kind = 'other',
}: DatePartsFieldProps) {
  const { t, i18n } = useLingui()
  const monthName = dateFormat(i18n.locale, { month: 'long', timeZone: 'UTC' })
  const days = numbers(1, 31).map((day) => ({ value: String(day), label: String(day) }))
  const months = numbers(1, 12).map((month) => ({
    value: String(month),
    label: monthName.format(Date.UTC(2024, month - 1, 15)),
  }))
  const yearOptions = numbers(...years).map((year) => ({ value: String(year), label: String(year) }))
  // A missing part is marked alone; in a complete date the wrong part is unknown.
  const isComplete = Boolean(value.day && value.month && value.year)
  const part = (name: keyof DateParts, options: { value: string; label: string }[], placeholder: string) => (
    <BareSelect
      options={options}
      placeholder={placeholder}
      aria-label={placeholder}
      aria-invalid={error && (isComplete || !value[name]) ? true : undefined}
      autoComplete={kind === 'birth' ? `bday-${name}` : 'off'}
      required
      value={value[name]}
      onChange={(event) => onValue({ ...value, [name]: event.target.value })}
    />
  )
  return (
    <FieldGroup label={label} hint={hint} error={error} optional={optional}>
      {() => (
        <div className="date-fields">
          {part('day', days, t`Day`)}
          {part('month', months, t`Month`)}
          {part('year', yearOptions, t`Year`)}
        </div>
      )}
    </FieldGroup>
  )
}

function numbers(first: number, last: number): number[] {
  const step = first <= last ? 1 : -1
  return Array.from({ length: Math.abs(last - first) + 1 }, (_, index) => first + index * step)
}

import { useLingui } from '@lingui/react/macro'
import { type ClipboardEvent, type FocusEvent, Fragment, type KeyboardEvent, useRef, useState } from 'react'
import { dayOf, daysIn } from '#rules/dates.ts'
import { dateFormat } from '../text/formats.ts'
import './date-picker.css'
import { FieldError, FieldGroup, type FieldFrame } from './field.tsx'

interface DateInputProps {
  /** "2026-11-21", '' for no date; null keeps the typed text while it is invalid. */
  value: string | null
  /** Called with each complete date, with '' when cleared, and with null while the text is invalid. */
  onDay: (day: string | null) => void
  /** An empty field is invalid too. */
  required?: boolean
}

interface DatePickerProps extends DateInputProps, Omit<FieldFrame, 'labelEnd'> {}

/** A date as three fields in one frame, in the order and with the separators of the reader's language. */
export function DatePicker({ label, hint, error, optional, ...input }: DatePickerProps) {
  const day = useDateInput(input, error)
  return (
    <FieldGroup label={label} hint={hint} optional={optional} error={day.fault}>
      {(described) => <DateInputs day={day} described={described} />}
    </FieldGroup>
  )
}

/** The same in a row of filters: with an accessible name instead of a label. */
export function BareDatePicker({
  label,
  error,
  ...input
}: DateInputProps & { label: string; error?: string | undefined }) {
  const day = useDateInput(input, error)
  return (
    <div role="group" aria-label={label} className="bare-day">
      <DateInputs day={day} />
      <FieldError>{day.fault}</FieldError>
    </div>
  )
}

const partNames = ['day', 'month', 'year'] as const
type PartName = (typeof partNames)[number]
type Parts = Readonly<Record<PartName, string>>

const emptyParts: Parts = { day: '', month: '', year: '' }
const digitsOf: Readonly<Record<PartName, number>> = { day: 2, month: 2, year: 4 }

/** Returns the typed text, kept while it is invalid; its error is shown once the field is left. */
function useDateInput({ value, onDay, required = false }: DateInputProps, error: FieldFrame['error']) {
  const [parts, setParts] = useState(() => partsOf(value ?? ''))
  const [known, setKnown] = useState(value)
  const [left, setLeft] = useState(false)
  const fault = useDateError(parts, required)
  if (known !== value) {
    setKnown(value)
    if (value !== null && value !== dateFromParts(parts)) setParts(partsOf(value))
  }
  return {
    parts,
    fault: (left || error ? fault : null) ?? error,
    leave: () => setLeft(true),
    write: (change: Partial<Parts>) => {
      const next = { ...parts, ...change }
      setLeft(false)
      setParts(next)
      const day = dateFromParts(next)
      onDay(day === '' && required ? null : day)
    },
  }
}

function DateInputs({ day, described }: { day: ReturnType<typeof useDateInput>; described?: string | undefined }) {
  const { t, i18n } = useLingui()
  const frame = useRef<HTMLSpanElement>(null)
  const names = { day: t`Day`, month: t`Month`, year: t`Year` }
  const shapes = { day: t`DD`, month: t`MM`, year: t`YYYY` }
  const order = partOrder(i18n.locale)
  const go = (from: PartName, by: 1 | -1) => {
    const fields = frame.current?.querySelectorAll('input')
    const field = fields?.[order.findIndex(({ part }) => part === from) + by]
    field?.focus()
    field?.select()
  }
  const type = (part: PartName, text: string) => {
    const digits = text.replace(/\D/g, '').slice(0, digitsOf[part])
    day.write({ [part]: digits })
    // A complete part, or a separator, moves to the next part.
    if (digits.length === digitsOf[part] || (digits !== '' && digits !== text)) go(part, 1)
  }
  const press = (part: PartName, event: KeyboardEvent) => {
    if (event.key !== 'Backspace' || day.parts[part] !== '') return
    event.preventDefault()
    go(part, -1)
  }
  const paste = (event: ClipboardEvent) => {
    const pasted = partsOf(event.clipboardData.getData('text').trim())
    if (pasted === emptyParts) return
    event.preventDefault()
    day.write(pasted)
  }
  const blur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) day.leave()
  }
  return (
    <span ref={frame} className="input-frame day-field" onBlur={blur}>
      {order.map(({ part, before }) => (
        <Fragment key={part}>
          {before && <span aria-hidden="true">{before}</span>}
          <input
            inputMode="numeric"
            autoComplete="off"
            maxLength={digitsOf[part]}
            aria-label={names[part]}
            aria-describedby={described}
            aria-invalid={day.fault ? true : undefined}
            placeholder={shapes[part]}
            value={day.parts[part]}
            onChange={(event) => type(part, event.target.value)}
            onKeyDown={(event) => press(part, event)}
            onPaste={paste}
            onFocus={(event) => event.target.select()}
          />
        </Fragment>
      ))}
    </span>
  )
}

/** Returns why the typed text is no date, as a message, or null. */
function useDateError(parts: Parts, required: boolean): string | null {
  const { t, i18n } = useLingui()
  const day = dateFromParts(parts)
  if (day !== null && (day !== '' || !required)) return null
  if (partNames.some((part) => parts[part] === '')) return t`Enter day, month and year.`
  if (parts.year.length < digitsOf.year) return t`Enter the year with 4 digits.`
  const [month, year] = [Number(parts.month), Number(parts.year)]
  if (Number(parts.day) === 0 || month < 1 || month > 12) return t`Enter a valid date.`
  const format = dateFormat(i18n.locale, { month: 'long', year: 'numeric', timeZone: 'UTC' })
  const monthWords = format.format(new Date(`${parts.year}-${parts.month.padStart(2, '0')}-01`))
  return t`${monthWords} has ${daysIn(year, month)} days.`
}

/** Returns the date of the parts, '' without any, null if it is invalid. */
function dateFromParts(parts: Parts): string | null {
  if (partNames.every((part) => parts[part] === '')) return ''
  const text = `${parts.year}-${parts.month.padStart(2, '0')}-${parts.day.padStart(2, '0')}`
  return dayOf(text) === null ? null : text
}

/** Parses "2026-11-21", "21/11/2026" and "21.11.2026"; returns empty parts for other text. */
function partsOf(text: string): Parts {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []
  if (year && month && day) return { day, month, year }
  const [, first, second, last] = /^(\d{1,2})[./](\d{1,2})[./](\d{4})$/.exec(text) ?? []
  return first && second && last ? { day: first, month: second, year: last } : emptyParts
}

/** Returns the parts in the language's order, each with the separator before it: 21/11/2026, 21.11.2026. */
function partOrder(locale: string): readonly { part: PartName; before: string }[] {
  const written = dateFormat(locale).formatToParts(0)
  return written.flatMap(({ type }, place) => {
    const part = partNames.find((name) => name === type)
    return part ? [{ part, before: written[place - 1]?.value ?? '' }] : []
  })
}

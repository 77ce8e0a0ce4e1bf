import { IconChevronDown } from '@tabler/icons-react'
import type { ComponentPropsWithRef } from 'react'
import { Field, type FieldFrame } from './field.tsx'
import './select.css'

interface Option {
  value: string
  label: string
  disabled?: boolean
}

interface SelectProps extends FieldFrame, Omit<ComponentPropsWithRef<'select'>, 'size' | 'children'> {
  options: readonly Option[]
  /** Shown while nothing is selected; cannot be selected again. */
  placeholder?: string
}

/** The native list in our frame; for fewer than 6 options use RadioCards. */
export function Select({ label, hint, error, optional, labelEnd, ...select }: SelectProps) {
  return (
    <Field label={label} hint={hint} error={error} optional={optional} labelEnd={labelEnd}>
      {(control) => <BareSelect {...select} {...control} />}
    </Field>
  )
}

/** The same without a label: in filters pass `aria-label`. */
export function BareSelect({ options, placeholder, className, ...select }: Omit<SelectProps, keyof FieldFrame>) {
  return (
    <span className={`select ${className ?? ''}`}>
      <select {...select} className="input">
        {placeholder !== undefined && (
          <option value="" disabled={select.required} hidden={select.required}>
            {placeholder}
          </option>
        )}
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
      <IconChevronDown aria-hidden="true" />
    </span>
  )
}

interface FilterSelectProps {
  label: string
  /** The option that filters nothing. */
  all: string
  /** The chosen option; empty or absent for all. */
  value: string | null | undefined
  options: readonly Option[]
  onValue: (value: string) => void
}

/** A filter above a list, labelled for screen readers only. */
export function FilterSelect({ label, all, value, options, onValue }: FilterSelectProps) {
  return (
    <BareSelect
      className="small"
      aria-label={label}
      value={value ?? ''}
      onChange={(event) => onValue(event.target.value)}
      options={[{ value: '', label: all }, ...options]}
    />
  )
}

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

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
  /** The line shown while nothing is chosen; it cannot be chosen again. */
  placeholder?: string
}

/** The device's own list in our frame; under 6 choices take RadioCards. */
export function Select({ label, hint, error, optional, labelEnd, ...select }: SelectProps) {
  return (
    <Field label={label} hint={hint} error={error} optional={optional} labelEnd={labelEnd}>
      {(control) => <BareSelect {...select} {...control} />}
    </Field>
  )
}

/** The same without a label of its own: in filters give `aria-label`. */
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

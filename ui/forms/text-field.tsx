import { IconLock } from '@tabler/icons-react'
import type { ComponentPropsWithRef, ReactNode } from 'react'
import { Field, type FieldFrame } from './field.tsx'

export interface TextFieldProps extends FieldFrame, Omit<ComponentPropsWithRef<'input'>, 'size' | 'prefix'> {
  /** A unit or icon at the right end of the frame. */
  end?: ReactNode
}

/** A single-line text field; accepts every attribute of an input. */
export function TextField({ label, hint, error, optional, labelEnd, end, className, ...input }: TextFieldProps) {
  const mark = end ?? (input.readOnly ? <IconLock aria-hidden="true" /> : null)
  return (
    <Field label={label} hint={hint} error={error} optional={optional} labelEnd={labelEnd}>
      {(control) =>
        mark ? (
          <span className="input-frame">
            <input type="text" {...input} {...control} />
            {mark}
          </span>
        ) : (
          <input type="text" {...input} {...control} className={`input ${className ?? ''}`} />
        )
      }
    </Field>
  )
}

/** A field for an email address. */
export function EmailField(props: TextFieldProps) {
  return <TextField type="email" inputMode="email" spellCheck={false} autoCapitalize="none" {...props} />
}

interface TextAreaProps extends FieldFrame, ComponentPropsWithRef<'textarea'> {}

/** A multi-line text field. */
export function TextArea({ label, hint, error, optional, labelEnd, className, ...area }: TextAreaProps) {
  return (
    <Field label={label} hint={hint} error={error} optional={optional} labelEnd={labelEnd}>
      {(control) => <textarea rows={4} {...area} {...control} className={`input ${className ?? ''}`} />}
    </Field>
  )
}

/** The field of a one-time code. */
export function CodeField(props: TextFieldProps) {
  return <TextField className="numbers" autoComplete="one-time-code" {...props} />
}

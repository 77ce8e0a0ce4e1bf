import { type ComponentPropsWithRef, type ReactNode, useId } from 'react'
import './choice.css'
import { FieldError } from './field.tsx'

interface CheckboxProps extends Omit<ComponentPropsWithRef<'input'>, 'type' | 'children'> {
  children: ReactNode
  error?: ReactNode
  /** `tile` draws a frame around it, for consents. */
  look?: 'line' | 'tile'
}

/** A checkbox with its sentence. */
export function Checkbox({ children, error, look = 'line', ...input }: CheckboxProps) {
  const errorId = useId()
  return (
    <div>
      <label className={look === 'tile' ? 'choice' : 'tick'} data-wrong={error ? '' : undefined}>
        <input
          {...input}
          type="checkbox"
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? errorId : input['aria-describedby']}
        />
        <span className="choice-words">{children}</span>
      </label>
      <FieldError id={errorId}>{error}</FieldError>
    </div>
  )
}

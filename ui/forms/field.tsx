import { IconAlertCircleFilled } from '@tabler/icons-react'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useId } from 'react'
import './field.css'

/** Common properties of all fields. Errors are texts, shown below the control with an icon. */
export interface FieldFrame {
  label: ReactNode
  hint?: ReactNode
  error?: ReactNode
  /** Adds "optional" to the label, or the given text ("optional, at most 30 characters"). */
  optional?: boolean | ReactNode
  /** At the right end of the label's line, such as the link "Forgot password". */
  labelEnd?: ReactNode
}

/** Properties that name and describe the control and mark it as invalid. */
interface ControlProps {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

/** Label above, hint between label and control, error below. The control receives the given properties. */
export function Field({
  label,
  hint,
  error,
  optional,
  labelEnd,
  children,
}: FieldFrame & { children: (control: ControlProps) => ReactNode }) {
  const id = useId()
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined
  return (
    <div className="field">
      <div className="field-label">
        <label htmlFor={id}>
          {label}
          <Optional optional={optional} />
        </label>
        {labelEnd}
      </div>
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {children({ id, 'aria-describedby': described, 'aria-invalid': error ? true : undefined })}
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </div>
  )
}

/** The same frame around several controls (tiles, date): a fieldset with its legend. */
export function FieldGroup({
  label,
  hint,
  error,
  optional,
  children,
}: Omit<FieldFrame, 'labelEnd'> & { children: (described: string | undefined) => ReactNode }) {
  const id = useId()
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined
  return (
    <fieldset className="field" aria-describedby={described} aria-invalid={error ? true : undefined}>
      <legend className="field-label">
        {label}
        <Optional optional={optional} />
      </legend>
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {children(described)}
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </fieldset>
  )
}

function Optional({ optional }: Pick<FieldFrame, 'optional'>) {
  if (!optional) return null
  return <span className="field-optional"> {optional === true ? <Trans>optional</Trans> : optional}</span>
}

/** The error's element always exists; its content is an alert (requirements 2.16), announced immediately. */
export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <div className="field-error" id={id}>
      {children && (
        <>
          <IconAlertCircleFilled className="small" aria-hidden="true" />
          <span role="alert">{children}</span>
        </>
      )}
    </div>
  )
}

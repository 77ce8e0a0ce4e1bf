import { IconAlertCircleFilled } from '@tabler/icons-react'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useId } from 'react'
import './field.css'

/** What every field has around its control. Errors are texts, shown under the control with an icon. */
export interface FieldFrame {
  label: ReactNode
  hint?: ReactNode
  error?: ReactNode
  /** Says "optional" after the label, or the given words ("optional, at most 30 characters"). */
  optional?: boolean | ReactNode
  /** At the right end of the label's line: a link such as "Forgot password". */
  labelEnd?: ReactNode
}

/** What the control carries so that it is named, described and marked wrong. */
interface ControlProps {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

/** Label above, hint between label and control, error under it. The control takes the props that it is handed. */
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

/** The place of an error is always there; what comes into it is an alert (requirements 2.16), read out at once. */
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

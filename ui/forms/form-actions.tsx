import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'

interface FormActionsProps {
  onCancel: () => void
  pending: boolean
  kind?: 'primary' | 'danger'
  /** The label of the submit button. */
  children: ReactNode
}

/** The buttons of a short inline form: cancel and submit. */
export function FormActions({ onCancel, pending, kind = 'primary', children }: FormActionsProps) {
  const { t } = useLingui()
  return (
    <div className="row">
      <Button onClick={onCancel}>{t`Cancel`}</Button>
      <Button kind={kind} type="submit" pending={pending}>
        {children}
      </Button>
    </div>
  )
}

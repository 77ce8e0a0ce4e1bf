import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'

interface FormActionsProps {
  onCancel: () => void
  pending: boolean
  kind?: 'primary' | 'danger'
  /** What sending the form does. */
  children: ReactNode
}

/** The commands of a short form that opens in its place: out of it, and on. */
export function FormActions({ onCancel, pending, kind = 'primary', children }: FormActionsProps) {
  return (
    <div className="row">
      <Button onClick={onCancel}>
        <Trans>Cancel</Trans>
      </Button>
      <Button kind={kind} type="submit" pending={pending}>
        {children}
      </Button>
    </div>
  )
}

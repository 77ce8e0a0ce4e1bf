import { Trans, useLingui } from '@lingui/react/macro'
import { Alert } from '#ui/feedback/alert.tsx'

interface Operation {
  state: string
  ref: string
  lastError: string | null
  tries: number
}

/**
 * Shows the platform operation of this record while there is no response; an unknown outcome is not shown as failed.
 */
export function OperationNotice({ operation, state }: { operation: Operation | null; state: string }) {
  const { t } = useLingui()
  if (!operation || state !== 'processing') return null
  const { ref, tries, lastError } = operation
  return (
    <Alert kind="run" title={<Trans>Sent to the platform. Awaiting confirmation.</Trans>}>
      {t`Reference ${ref}. Attempts: ${tries}. We retry automatically. It will be carried out only once.`}
      {lastError && <p className="muted">{lastError}</p>}
    </Alert>
  )
}

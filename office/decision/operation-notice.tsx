import { Trans } from '@lingui/react/macro'
import { Alert } from '#ui/feedback/alert.tsx'

interface Operation {
  state: string
  ref: string
  lastError: string | null
  tries: number
}

/** Shows what the platform was asked for this record, while it has not answered; unknown is never failed. */
export function OperationNotice({ operation, state }: { operation: Operation | null; state: string }) {
  if (!operation || state !== 'processing') return null
  const { ref, tries, lastError } = operation
  return (
    <Alert kind="run" title={<Trans>Sent to the platform. Awaiting confirmation.</Trans>}>
      <Trans>
        Reference {ref}. Attempts: {tries}. We retry automatically. It will be carried out only once.
      </Trans>
      {lastError && <p className="muted">{lastError}</p>}
    </Alert>
  )
}

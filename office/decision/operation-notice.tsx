import { Trans } from '@lingui/react/macro'
import { Alert } from '#ui/feedback/alert.tsx'

interface Operation {
  state: string
  ref: string
  lastError: string | null
  tries: number
}

/** What the platform was asked for this record, while it has not answered; unknown is never failed. */
export function OperationNotice({ operation, state }: { operation: Operation | null; state: string }) {
  if (!operation || state !== 'processing') return null
  const { ref, tries, lastError } = operation
  return (
    <Alert kind="run" title={<Trans>The platform has been asked and has not confirmed yet.</Trans>}>
      <Trans>
        Reference {ref}, tries: {tries}. We keep asking; nothing is done twice.
      </Trans>
      {lastError && <p className="muted">{lastError}</p>}
    </Alert>
  )
}

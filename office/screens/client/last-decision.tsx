import { Trans } from '@lingui/react/macro'
import type { OfficeClient } from '#contract/office/clients.ts'
import { Alert } from '#ui/feedback/alert.tsx'
import { Time } from '#ui/text/time.tsx'
import { UserText } from '#ui/text/user-text.tsx'
import { useStateLabel } from '../../records/value-names.ts'

const shutOut: readonly OfficeClient['state'][] = ['rejected', 'suspended', 'closed']

/** Of a client who is shut out: who decided so, when, the internal reason and the text that the client read. */
export function LastDecision({
  client: { state, decidedBy, decidedAt, reason, internalReason },
}: {
  client: OfficeClient
}) {
  const word = useStateLabel()
  if (!shutOut.includes(state) || !decidedBy) return null
  return (
    <Alert
      kind="wait"
      title={
        <Trans>
          {word(state)} by {decidedBy.name}, <Time at={decidedAt} />
        </Trans>
      }
    >
      {internalReason !== null && (
        <p>
          <Trans>
            Internal reason: <UserText>{internalReason}</UserText>
          </Trans>
        </p>
      )}
      <p>
        {reason === null || reason === '' ? (
          <Trans>No text was sent to the client.</Trans>
        ) : (
          <Trans>
            Text for the client: <UserText>{reason}</UserText>
          </Trans>
        )}
      </p>
    </Alert>
  )
}

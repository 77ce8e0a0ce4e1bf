import { Trans } from '@lingui/react/macro'
import { Alert } from '#ui/feedback/alert.tsx'
import { Time } from '#ui/text/time.tsx'

/** Says from when a delayed withdrawal can continue; nothing for one that is not delayed (requirements 9.10). */
export function ContinuesFrom({ at }: { at: Date | null }) {
  if (at === null) return null
  return (
    <Alert kind="wait">
      <Trans>
        We can continue with this withdrawal from <Time at={at} />.
      </Trans>
    </Alert>
  )
}

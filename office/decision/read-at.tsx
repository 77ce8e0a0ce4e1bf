import { Trans } from '@lingui/react/macro'
import { Time } from '#ui/text/time.tsx'

/** Beneath figures of a platform: as of when it told them. */
export function ReadAt({ at }: { at: Date | null }) {
  if (!at) return null
  return (
    <p className="muted size-12 read-at">
      <Trans>
        Platform balances as of <Time at={at} />
      </Trans>
    </p>
  )
}

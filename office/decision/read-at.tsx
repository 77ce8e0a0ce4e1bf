import { Trans } from '@lingui/react/macro'
import { Time } from '#ui/text/time.tsx'

/** Shown below balances of a platform: the time of their reading. */
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

/** The head of a table of balances: their sources, and the time of their reading. */
export function BalancesFrom({ at }: { at: Date | null }) {
  return (
    <>
      <Trans>From the ledger and the platform</Trans>
      {at && (
        <>
          , <Time at={at} />
        </>
      )}
    </>
  )
}

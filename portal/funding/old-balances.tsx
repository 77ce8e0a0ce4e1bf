import type { ReactNode } from 'react'
import { Trans } from '@lingui/react/macro'
import type { ShownAccount } from '#ui/account/late-figures.ts'
import { Time } from '#ui/text/time.tsx'

/** Returns since when the platform of an account has given no balance (requirements 24.188); null if it is current. */
export function oldBalances(account: ShownAccount): ReactNode {
  const { balance, connected, figuresAt, figuresHeld, figuresOld, late, missing, platform } = account
  if (balance === null)
    return connected ? <Trans>We do not have balances from {platform} yet. We will keep trying.</Trans> : null
  if (!figuresOld || missing) return null
  if (!connected)
    return (
      <Trans>
        Balances as of <Time at={figuresAt} />.
      </Trans>
    )
  if (late)
    return (
      <Trans>
        Balances as of <Time at={figuresAt} />. No newer ones have reached this page. We will keep trying.
      </Trans>
    )
  if (figuresHeld === 'booking')
    return (
      <Trans>
        Balances as of <Time at={figuresAt} />. A payment or transfer is being processed.
      </Trans>
    )
  if (figuresHeld === 'checking')
    return (
      <Trans>
        Balances as of <Time at={figuresAt} />. We are checking newer ones against our records.
      </Trans>
    )
  return (
    <Trans>
      Balances as of <Time at={figuresAt} />. {platform} is not responding. We will keep trying.
    </Trans>
  )
}

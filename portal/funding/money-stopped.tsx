import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { portalPaths } from '#contract/portal-paths.ts'
import { Link } from '#ui/navigation/link.tsx'
import { Alert } from '#ui/feedback/alert.tsx'

/** Shown instead of a money form while recovery has stopped payments; the banner above says why. */
export function MoneyStopped({ title }: { title: ReactNode }) {
  return (
    <Alert kind="wait" title={title}>
      <Trans>
        This page will open again as soon as our check is complete.{' '}
        <Link href={portalPaths.tradingAccounts}>Trading Accounts</Link>
      </Trans>
    </Alert>
  )
}

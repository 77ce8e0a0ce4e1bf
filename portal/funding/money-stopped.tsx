import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { portalPaths } from '#contract/portal-paths.ts'
import { Link } from '#ui/navigation/link.tsx'
import { Alert } from '#ui/feedback/alert.tsx'

/** Shown instead of a money form while recovery has stopped payments. */
export function MoneyStopped({ title }: { title: ReactNode }) {
  return (
    <Alert kind="wait" title={title}>
      <Trans>
        We are checking our records with the trading platforms and the bank. This page will open again as soon as the
        check is complete. <Link href={portalPaths.tradingAccounts}>Trading Accounts</Link>
      </Trans>
    </Alert>
  )
}

import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { portalPaths } from '#contract/portal-paths.ts'
import { EmptyState } from '#ui/feedback/content-states.tsx'
import { ButtonLink } from '#ui/forms/button.tsx'

interface MissingAccountProps {
  title?: ReactNode
  /** Why an account is needed, and how to get one. */
  children: ReactNode
}

/** Shown instead of a money flow for which the client has no account. */
export function MissingAccount({
  title = <Trans>You have no open trading account</Trans>,
  children,
}: MissingAccountProps) {
  const { t } = useLingui()
  return (
    <div className="sheet">
      <EmptyState
        level="h2"
        title={title}
        action={<ButtonLink kind="primary" href={portalPaths.tradingAccounts}>{t`Trading Accounts`}</ButtonLink>}
      >
        {children}
      </EmptyState>
    </div>
  )
}

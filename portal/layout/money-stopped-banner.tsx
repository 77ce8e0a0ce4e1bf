import { useLingui } from '@lingui/react/macro'
import { settings } from '#contract/settings.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { Alert } from '#ui/feedback/alert.tsx'
import type { PortalSettings } from '../portal-settings.ts'

/** How often an open page queries whether the check is complete, in ms. */
const pollMs = 20_000

/** Shown on every page while recovery has stopped payments (requirements 20.11). */
export function MoneyStoppedBanner({ stopped }: { stopped: NonNullable<PortalSettings['moneyStopped']> }) {
  const { t } = useLingui()
  useEndpoint(settings, {}, { pollMs })
  if (!stopped.accounts && !stopped.payouts) return null
  return (
    <div className="portal-banner">
      <Alert kind="wait">
        {stopped.accounts
          ? t`We are checking our records. Deposits, withdrawals and transfers are not available. Trading works as usual. Your money is safe.`
          : t`We are checking our records with the bank. Payouts take longer than usual. Everything else works as usual. Your money is safe.`}
      </Alert>
    </div>
  )
}

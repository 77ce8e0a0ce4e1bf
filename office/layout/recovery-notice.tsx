import { Trans, useLingui } from '@lingui/react/macro'
import type { useStaff } from '../session.ts'
import { officePaths } from '#contract/office-paths.ts'
import { Link } from '#ui/navigation/link.tsx'
import { Alert } from '#ui/feedback/alert.tsx'

/** Shows what recovery has stopped, and who completes it. */
export function RecoveryNotice({ stopped }: { stopped: NonNullable<ReturnType<typeof useStaff>['moneyStopped']> }) {
  const { t } = useLingui()
  return (
    <div className="office-banner">
      <Alert
        kind="wait"
        title={
          stopped.accounts
            ? t`Recovery is in progress. Payments, credits and decisions about money are stopped.`
            : stopped.payouts
              ? t`Recovery is in progress. Payouts are stopped.`
              : t`Recovery is in progress. All services are available again.`
        }
      >
        <Trans>
          Finance decides on the deals. Compliance and an administrator confirm access.{' '}
          <Link href={officePaths.recovery}>Open Recovery</Link>
        </Trans>
      </Alert>
    </div>
  )
}

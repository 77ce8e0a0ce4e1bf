import { useLingui } from '@lingui/react/macro'
import { portalPaths } from '#contract/portal-paths.ts'
import { FailedResult } from '../../funding/failed-result.tsx'

/** FAILED: the stored reason, and TRY AGAIN. */
export function DepositFailed() {
  const { t } = useLingui()
  return (
    <FailedResult
      at="deposit"
      page={t`Deposit funds`}
      title={t`PAYMENT FAILED!`}
      again={portalPaths.depositFunds}
      means={t`You have not been charged.`}
    />
  )
}

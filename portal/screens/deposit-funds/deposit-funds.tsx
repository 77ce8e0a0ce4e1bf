import { useLocation } from 'wouter'
import { portalPaths } from '#contract/portal-paths.ts'
import type { ScreenProps } from '#ui/navigation/screens.tsx'
import { DepositSuccess } from './deposit-success.tsx'
import { DepositWizard } from './deposit-wizard.tsx'
import { useLingui } from '@lingui/react/macro'
import { FailedResult } from '../../funding/failed-result.tsx'

/** Deposit Funds and the result of a deposit (requirements 8.1). */
export default function DepositFunds({ params }: ScreenProps) {
  const [path] = useLocation()
  if (path === portalPaths.depositResult('success')) return <DepositSuccess />
  if (path === portalPaths.depositResult('failed')) return <DepositFailed />
  return <DepositWizard preselected={params['account'] ?? null} />
}

/** FAILED: the stored reason, and TRY AGAIN. */
function DepositFailed() {
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

import { useLocation } from 'wouter'
import { portalPaths } from '#contract/portal-paths.ts'
import type { ScreenProps } from '#ui/navigation/screens.tsx'
import { DepositFailed } from './deposit-failed.tsx'
import { DepositSuccess } from './deposit-success.tsx'
import { DepositWizard } from './deposit-wizard.tsx'

/** Deposit Funds and what became of a deposit (requirements 8.1). */
export default function DepositFunds({ params }: ScreenProps) {
  const [path] = useLocation()
  if (path === portalPaths.depositResult('success')) return <DepositSuccess />
  if (path === portalPaths.depositResult('failed')) return <DepositFailed />
  return <DepositWizard preselected={params['account'] ?? null} />
}

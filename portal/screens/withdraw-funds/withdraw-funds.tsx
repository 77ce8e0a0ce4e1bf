import { useLingui } from '@lingui/react/macro'
import { useLocation, useSearchParams } from 'wouter'
import { portalPaths } from '#contract/portal-paths.ts'
import { FailedResult } from '../../funding/failed-result.tsx'
import { WithdrawSuccess } from './withdraw-success.tsx'
import { WithdrawWizard } from './withdraw-wizard.tsx'

/** Withdraw Funds and the result of a withdrawal (requirements 9.1). */
export default function WithdrawFunds() {
  const { t } = useLingui()
  const [path] = useLocation()
  const [search] = useSearchParams()
  if (path === portalPaths.withdrawalResult('success')) return <WithdrawSuccess />
  if (path === portalPaths.withdrawalResult('failed'))
    return (
      <FailedResult
        at="withdrawal"
        page={t`Withdraw funds`}
        title={t`WITHDRAWAL FAILED!`}
        again={portalPaths.withdrawFunds}
        means={t`No money was set aside or sent.`}
      />
    )
  return <WithdrawWizard preselected={search.get('account')} />
}

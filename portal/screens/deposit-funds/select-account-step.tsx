import { Trans, useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import { focusFirstError } from '#ui/forms/form-focus.ts'
import { submitting } from '#ui/forms/form-values.ts'
import { StepHeader, WizardFooter } from '#ui/layout/wizard.tsx'
import { AccountTiles } from '../../funding/account-tiles.tsx'
import type { OpenAccount } from '../../funding/accounts.ts'
import { DepositSummary } from './deposit-summary.tsx'

export function SelectAccountStep({
  accounts,
  initial,
  onNext,
}: {
  accounts: readonly OpenAccount[]
  initial: string | null
  onNext: (account: string) => void
}) {
  const { t } = useLingui()
  const form = useRef<HTMLFormElement>(null)
  const [account, setAccount] = useState(initial)
  const [wrong, setWrong] = useState(false)
  const next = () => {
    if (account !== null) return onNext(account)
    setWrong(true)
    focusFirstError(form.current)
  }
  return (
    <div className="with-slip">
      <form ref={form} noValidate className="money-decisions" onSubmit={submitting(next)}>
        <StepHeader level={2} title={<Trans>Choose an account for the deposit</Trans>} />
        <AccountTiles
          label={<span className="unseen">{t`Account`}</span>}
          accounts={accounts}
          value={account}
          onValue={setAccount}
          error={wrong && account === null && t`Choose an account.`}
        />
        <WizardFooter />
      </form>
      <DepositSummary account={accounts.find(({ _id }) => _id === account) ?? null} method={null} amount={null} />
    </div>
  )
}

import { Trans, useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import { focusFirstError } from '#ui/forms/form-focus.ts'
import { submitting } from '#ui/forms/form-values.ts'
import { StepHeader, WizardFooter } from '#ui/layout/wizard.tsx'
import { AccountTiles } from '../../funding/account-tiles.tsx'
import type { OpenAccount } from '../../funding/accounts.ts'
import { useNoMoneyReason } from '../../funding/no-money-reason.ts'
import { WithdrawSummary } from './withdraw-summary.tsx'

export function SelectSourceStep({
  accounts,
  initial,
  onNext,
}: {
  accounts: readonly OpenAccount[]
  initial: string | null
  onNext: (account: string) => void
}) {
  const { t } = useLingui()
  const noMoney = useNoMoneyReason(accounts)
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
        <StepHeader level={2} title={<Trans>Choose the account to withdraw from</Trans>} />
        <AccountTiles
          label={<span className="unseen">{t`Account`}</span>}
          accounts={accounts}
          asSource
          value={account}
          onValue={setAccount}
          error={wrong && account === null && t`Choose an account.`}
        />
        <WizardFooter disabledReason={noMoney} />
      </form>
      <WithdrawSummary
        account={accounts.find(({ _id }) => _id === account) ?? null}
        method={null}
        amount={null}
        bank={null}
      />
    </div>
  )
}

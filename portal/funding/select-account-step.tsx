import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useRef, useState } from 'react'
import { focusFirstError, submitHandler } from '#ui/forms/form-state.ts'
import { StepHeader, WizardFooter } from '#ui/layout/wizard.tsx'
import { AccountTiles } from './account-tiles.tsx'
import { canPayOut, hasMoney, type OpenAccount } from './accounts.ts'

interface SelectAccountStepProps {
  question: ReactNode
  accounts: readonly OpenAccount[]
  /** An account's id. */
  chosen: string | null
  onChoose: (account: string) => void
  /** The money leaves the account, so only accounts with a balance can be chosen. */
  asSource?: boolean
  /** Above the question: earlier choices. */
  decided?: ReactNode
  /** Below the accounts. */
  note?: ReactNode
  onBack?: () => void
  /** Called with the account's id. */
  onNext: (account: string) => void
  slip: (account: OpenAccount | null) => ReactNode
}

/** The choice of an account for a deposit, a withdrawal or either side of a transfer. */
export function SelectAccountStep(props: SelectAccountStepProps) {
  const { question, accounts, chosen, asSource = false, decided, note, onBack, onNext, slip } = props
  const { t } = useLingui()
  const noMoney = useNoSourceReason(accounts)
  const form = useRef<HTMLFormElement>(null)
  const [wrong, setWrong] = useState(false)
  const account = accounts.find(({ _id, connected }) => _id === chosen && (connected || !asSource)) ?? null
  const next = () => {
    if (account) return onNext(account._id)
    setWrong(true)
    focusFirstError(form.current)
  }
  return (
    <div className="with-slip">
      <form ref={form} noValidate className="money-decisions" onSubmit={submitHandler(next)}>
        {decided && <div className="decided-lines">{decided}</div>}
        <StepHeader level={2} title={question} />
        <AccountTiles
          label={<span className="unseen">{t`Account`}</span>}
          accounts={accounts}
          asSource={asSource}
          value={account?._id ?? null}
          onValue={props.onChoose}
          error={wrong && !account && t`Choose an account.`}
        />
        {note && <p className="muted size-14">{note}</p>}
        <WizardFooter {...(onBack ? { onBack } : {})} disabledReason={asSource && noMoney} />
      </form>
      {slip(account)}
    </div>
  )
}

/** Returns why no account can be chosen as a source; undefined if one can. */
function useNoSourceReason(accounts: readonly OpenAccount[]): string | undefined {
  const { t } = useLingui()
  if (accounts.some(canPayOut)) return undefined
  if (accounts.some((account) => hasMoney(account) && !account.connected))
    return t`The platform of your account is not connected. Contact support.`
  if (accounts.some(hasMoney)) return t`Your account is no longer on the trading platform. Contact support.`
  return accounts.some(({ balance }) => balance === null)
    ? t`The balances of your accounts are not available yet. We will keep trying.`
    : t`Your accounts have no funds yet.`
}

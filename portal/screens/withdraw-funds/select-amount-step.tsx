import { Trans, useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import { decimalOf, less, minorOf, money, type Money as Amount } from '#rules/money.ts'
import { AmountField } from '#ui/amount-field.tsx'
import { focusFirstError } from '#ui/form-focus.ts'
import { submitting } from '#ui/form-values.ts'
import { Money, moneyText } from '#ui/money.tsx'
import { DecidedLine, StepHeader, WizardFooter } from '#ui/wizard.tsx'
import { accountText, kindText, type OpenAccount } from '../../funding/accounts.ts'
import { AvailableSum, availableOf } from '../../funding/available-sum.tsx'
import { arriving, MethodTiles, methodFee } from '../../funding/method-tiles.tsx'
import type { PortalSettings } from '../../portal-settings.ts'
import type { Known, WithdrawStep } from './withdraw-draft.ts'
import { WithdrawSlip } from './withdraw-slip.tsx'

type Chosen = Extract<WithdrawStep, { step: 'select_payment_method' | 'select_amount' }>

export interface SelectAmountStepProps {
  account: OpenAccount
  known: Known
  settings: PortalSettings
  chosen: Chosen
  onChosen: (step: WithdrawStep) => void
  onChangeAccount: () => void
  onNext: (step: WithdrawStep) => void
}

/** How and how much: the amount is asked as soon as the method is chosen, with what is available as a sum. */
export function SelectAmountStep(props: SelectAmountStepProps) {
  const { account, known, settings, chosen, onChosen, onChangeAccount, onNext } = props
  const { t } = useLingui()
  const form = useRef<HTMLFormElement>(null)
  const [wrong, setWrong] = useState<{ method?: string; amount?: string }>({})
  const amountProblem = useAmountProblem(account, settings)
  const currency = account.baseCurrency
  const method = known.methods.find(({ id }) => id === chosen.method) ?? null
  const minor = minorOf(chosen.amount)
  const amount = minor === null || minor === 0n ? null : money(minor, currency)
  const available = availableOf(account)
  const next = () => {
    const tooLow = method && amountProblem(amount, methodFee(method, amount ?? money(0n, currency)))
    const found = {
      ...(method === null && { method: t`Choose how the money should reach you.` }),
      ...(tooLow && { amount: tooLow }),
    }
    setWrong(found)
    if (Object.keys(found).length > 0 || !method) return focusFirstError(form.current)
    onNext({ step: 'wire', account: account.number, method: method.id, amount: chosen.amount, bank: null })
  }
  return (
    <div className="with-slip">
      <form ref={form} noValidate className="money-decisions" onSubmit={submitting(next)}>
        <div className="decided-lines">
          <DecidedLine label={t`From account`} onChange={onChangeAccount}>
            {accountText(account)} · {kindText(account)}
          </DecidedLine>
        </div>
        <StepHeader level={2} title={<Trans>How should the money reach you?</Trans>} />
        <MethodTiles
          label={<span className="unseen">{t`Method`}</span>}
          methods={known.methods}
          value={chosen.method}
          error={wrong.method}
          onValue={(id) => {
            setWrong({})
            onChosen({ ...chosen, step: 'select_amount', method: id })
          }}
        />
        {chosen.step === 'select_amount' && (
          <div className="money-question">
            <AmountField
              label={t`How much?`}
              currency={currency}
              value={chosen.amount}
              error={wrong.amount}
              onValue={(value) => {
                setWrong({})
                onChosen({ ...chosen, amount: value })
              }}
            />
            <AvailableSum account={account} />
            {available && available.minor > 0n && (
              <button
                type="button"
                className="text-button size-14"
                onClick={() => onChosen({ ...chosen, amount: decimalOf(available.minor) })}
              >
                <Trans>Withdraw all that is available</Trans>
              </button>
            )}
          </div>
        )}
        <WizardFooter
          onBack={onChangeAccount}
          phoneLine={
            method &&
            amount && (
              <>
                <Trans>You receive</Trans>
                <b>
                  <Money amount={arriving(method, amount)} />
                </b>
              </>
            )
          }
        />
      </form>
      <WithdrawSlip account={account} method={method} amount={amount} bank={null} />
    </div>
  )
}

/** Why an amount cannot be withdrawn, or null (specification section 5, product-decisions section 11). */
function useAmountProblem(account: OpenAccount, settings: PortalSettings) {
  const { t, i18n } = useLingui()
  const currency = account.baseCurrency
  const text = (amount: Amount) => moneyText(amount, i18n.locale)
  return (amount: Amount | null, fee: Amount): string | null => {
    const minimum = money(settings.limits.withdrawalMin[currency], currency)
    const available = availableOf(account)
    if (!amount) return t`Type the amount.`
    if (less(amount, minimum)) return t`Amount too low. The smallest withdrawal is ${text(minimum)}.`
    if (account.balance !== null && amount.minor > account.balance)
      return t`You cannot withdraw more than your account balance!`
    if (available && less(available, amount)) {
      const reserved = money(account.reserved, currency)
      return t`You cannot withdraw more than is available: ${text(available)}. ${text(reserved)} is set aside for other requests.`
    }
    return less(fee, amount) ? null : t`The fee of ${text(fee)} is not less than the amount.`
  }
}

import { Trans, useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import { decimalOf, isLessThan, minorOf, money, type Money } from '#rules/money.ts'
import { AmountField } from '#ui/forms/amount-field.tsx'
import { focusFirstError, submitHandler } from '#ui/forms/form-state.ts'
import { moneyText } from '#ui/money/money.tsx'
import { Alert } from '#ui/feedback/alert.tsx'
import { ApiErrorText } from '#ui/feedback/content-states.tsx'
import { CompletedStep, StepHeader, WizardFooter } from '#ui/layout/wizard.tsx'
import { accountMoney, type OpenAccount } from '../../funding/accounts.ts'
import type { PortalSettings } from '../../portal-settings.ts'
import { AccountWithBalance } from './account-with-balance.tsx'
import { RateLine } from './rate-line.tsx'
import { useShownRate } from './shown-rate.ts'
import type { TransferDraft, TransferStep } from './transfer-draft.ts'
import { TransferSummary } from './transfer-summary.tsx'

interface SelectAmountStepProps {
  settings: PortalSettings
  source: OpenAccount
  destination: OpenAccount
  /** A decimal; '' while empty. */
  amount: string
  onAmount: (amount: string) => void
  onChange: (step: TransferStep) => void
  onNext: (draft: TransferDraft) => void
}

/** The amount; between currencies with the rate and the amount received. */
export function SelectAmountStep(props: SelectAmountStepProps) {
  const { settings, source, destination, amount: typed, onAmount, onChange, onNext } = props
  const { t, i18n } = useLingui()
  const form = useRef<HTMLFormElement>(null)
  const [isRejected, setRejected] = useState(false)
  const currency = source.baseCurrency
  const minor = minorOf(typed)
  const entered = minor === null ? null : money(minor, currency)
  const amount = entered?.minor === 0n ? null : entered
  const minimum = money(settings.limits.transferMin[currency], currency)
  const available = accountMoney(source, source.available ?? source.balance)
  const { shown, error } = useShownRate(source, destination, amount)
  const fault = useAmountError(source, minimum)(entered)
  const wrong = isRejected ? fault : null
  // An invalid amount is not converted.
  const counted = wrong === null ? amount : null
  const backToDestination: TransferStep = {
    step: 'select_account_to',
    source: source._id,
    destination: destination._id,
  }
  const setAmount = (decimal: string) => {
    setRejected(false)
    onAmount(decimal)
  }
  const next = () => {
    setRejected(fault !== null)
    if (fault !== null) return focusFirstError(form.current)
    onNext({ source: source._id, destination: destination._id, amount: typed, rate: null })
  }
  return (
    <div className="with-slip">
      <form ref={form} noValidate className="money-decisions" onSubmit={submitHandler(next)}>
        <div className="decided-lines">
          <CompletedStep label={t`From`} onChange={() => onChange({ step: 'select_account_from', source: source._id })}>
            <AccountWithBalance account={source} />
          </CompletedStep>
          <CompletedStep label={t`To`} onChange={() => onChange(backToDestination)}>
            <AccountWithBalance account={destination} />
          </CompletedStep>
        </div>
        <StepHeader level={2} title={<Trans>Enter an amount</Trans>} />
        <div className="stack">
          <AmountField
            label={<span className="unseen">{t`Amount`}</span>}
            currency={currency}
            value={typed}
            error={wrong}
            onValue={setAmount}
          />
          <p className="amount-note">
            {available ? (
              <Trans>
                {moneyText(available, i18n.locale)} available. Minimum {moneyText(minimum, i18n.locale)}.
              </Trans>
            ) : (
              <Trans>Minimum {moneyText(minimum, i18n.locale)}.</Trans>
            )}
          </p>
          {available && available.minor > 0n && (
            <button type="button" className="text-button size-14" onClick={() => setAmount(decimalOf(available.minor))}>
              <Trans>Transfer full available balance</Trans>
            </button>
          )}
          {counted && <RateLine amount={counted} shown={shown} />}
          {error && (
            <Alert kind="bad">
              <ApiErrorText failure={error} />
            </Alert>
          )}
        </div>
        <WizardFooter onBack={() => onChange(backToDestination)} />
      </form>
      <TransferSummary source={source} destination={destination} amount={counted} shown={shown} />
    </div>
  )
}

/** Returns the alerts of requirements 10.2, in the server's words. */
function useAmountError(source: OpenAccount, minimum: Money) {
  const { t, i18n } = useLingui()
  const words = (amount: Money) => moneyText(amount, i18n.locale)
  return (amount: Money | null): string | null => {
    const balance = accountMoney(source, source.balance)
    const available = accountMoney(source, source.available)
    if (!amount) return t`Enter an amount.`
    if (isLessThan(amount, minimum)) return t`Amount too low. The minimum transfer is ${words(minimum)}.`
    if (balance && isLessThan(balance, amount)) return t`You cannot transfer more than your account balance!`
    if (available && isLessThan(available, amount)) {
      const reserved = words(money(source.reserved, source.baseCurrency))
      return t`You cannot transfer more than is available: ${words(available)}. ${reserved} is set aside for other requests.`
    }
    return null
  }
}

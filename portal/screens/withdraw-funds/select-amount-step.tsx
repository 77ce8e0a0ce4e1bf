import { Trans, useLingui } from '@lingui/react/macro'
import type { MethodRecord } from '#contract/settings.ts'
import { decimalOf, isLessThan, money, type Money as Amount } from '#rules/money.ts'
import { moneyText, Money, Totals } from '#ui/money/money.tsx'
import { type OpenAccount, accountMoney } from '../../funding/accounts.ts'
import { type MethodAndAmount, MethodAndAmountStep } from '../../funding/method-and-amount-step.tsx'
import { methodFee } from '../../funding/method-tiles.tsx'
import type { PortalSettings } from '../../portal-settings.ts'
import type { WithdrawalRecords, WithdrawStep } from './withdraw-draft.ts'
import { WithdrawSummary } from './withdraw-summary.tsx'

interface SelectAmountStepProps {
  account: OpenAccount
  known: WithdrawalRecords
  settings: PortalSettings
  chosen: MethodAndAmount
  onChosen: (step: MethodAndAmount) => void
  onChangeAccount: () => void
  onNext: (step: WithdrawStep) => void
}

/** Method and amount of a withdrawal, with the calculation of the available amount. */
export function SelectAmountStep({ known, settings, onNext, ...step }: SelectAmountStepProps) {
  const { t } = useLingui()
  const { account } = step
  const amountProblem = useAmountProblem(account, settings)
  const available = availableOf(account)
  return (
    <MethodAndAmountStep
      {...step}
      methods={known.methods}
      words={{
        account: t`From account`,
        question: t`Choose a withdrawal method`,
        methods: t`Method`,
        methodMissing: t`Choose a withdrawal method.`,
        arrives: () => t`You receive`,
      }}
      amountProblem={amountProblem}
      possible={(setAmount) => (
        <>
          <AvailableSum account={account} />
          {available && available.minor > 0n && (
            <button type="button" className="text-button size-14" onClick={() => setAmount(decimalOf(available.minor))}>
              <Trans>Withdraw full available balance</Trans>
            </button>
          )}
        </>
      )}
      slip={(method, amount) => <WithdrawSummary account={account} method={method} amount={amount} bank={null} />}
      onNext={(chosen) => onNext({ step: 'wire', ...chosen, bank: null })}
    />
  )
}

/** Returns why an amount cannot be withdrawn, or null (requirements 9.2). */
function useAmountProblem(account: OpenAccount, settings: PortalSettings) {
  const { t, i18n } = useLingui()
  const currency = account.baseCurrency
  const text = (amount: Amount) => moneyText(amount, i18n.locale)
  return (amount: Amount | null, method: MethodRecord): string | null => {
    const minimum = money(settings.limits.withdrawalMin[currency], currency)
    const available = availableOf(account)
    if (!amount) return t`Enter an amount.`
    if (isLessThan(amount, minimum)) return t`Amount too low. The minimum withdrawal is ${text(minimum)}.`
    if (account.balance !== null && amount.minor > account.balance)
      return t`You cannot withdraw more than your account balance!`
    if (available && isLessThan(available, amount)) {
      const reserved = money(account.reserved, currency)
      return t`You cannot withdraw more than is available: ${text(available)}. ${text(reserved)} is set aside for other requests.`
    }
    const fee = methodFee(method, amount)
    return isLessThan(fee, amount) ? null : t`The amount must be higher than the fee of ${text(fee)}.`
  }
}

/** Returns the amount available now: min(balance, free margin) less the amount set aside (requirements 18.5). */
function availableOf(account: OpenAccount): Amount | null {
  return accountMoney(account, account.available)
}

/** The calculation of the available amount: balance, margin of open positions, amount set aside. */
function AvailableSum({ account }: { account: OpenAccount }) {
  const { t } = useLingui()
  const { balance, freeMargin, reserved, baseCurrency: currency } = account
  if (balance === null) return null
  const held = freeMargin !== null && freeMargin < balance ? balance - freeMargin : 0n
  // Nothing is available if floating losses exceed the rest; the calculation shows the missing amount.
  const missing = reserved + held - balance
  return (
    <div className="available-sum">
      <Totals
        rows={[
          { label: t`Balance`, value: <Money amount={money(balance, currency)} /> },
          ...(held > 0n
            ? [{ label: t`Used by open positions`, value: <Money amount={money(-held, currency)} /> }]
            : []),
          { label: t`Set aside for other requests`, value: <Money amount={money(-reserved, currency)} /> },
          ...(missing > 0n ? [{ label: t`Not covered`, value: <Money amount={money(missing, currency)} /> }] : []),
        ]}
        total={{ label: t`Available`, value: <Money amount={availableOf(account)} /> }}
      />
    </div>
  )
}

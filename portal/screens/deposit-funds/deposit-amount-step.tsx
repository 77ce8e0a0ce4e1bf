import { Trans, useLingui } from '@lingui/react/macro'
import { largestMinor, isLessThan, money } from '#rules/money.ts'
import { moneyText } from '#ui/money/money.tsx'
import type { OpenAccount } from '../../funding/accounts.ts'
import { type MethodAndAmount, MethodAndAmountStep } from '../../funding/method-and-amount-step.tsx'
import type { PortalSettings } from '../../portal-settings.ts'
import type { DepositDraft } from './deposit-draft.ts'
import { DepositSummary } from './deposit-summary.tsx'

export interface DepositAmountStepProps {
  account: OpenAccount
  settings: PortalSettings
  chosen: MethodAndAmount
  onChosen: (step: MethodAndAmount) => void
  onChangeAccount: () => void
  onNext: (draft: DepositDraft) => void
}

/** How the client pays and how much: at least the minimum of settings. */
export function DepositAmountStep({ settings, onNext, ...step }: DepositAmountStepProps) {
  const { t, i18n } = useLingui()
  const { account } = step
  const minimum = money(settings.limits.depositMin[account.baseCurrency], account.baseCurrency)
  const smallest = moneyText(minimum, i18n.locale)
  return (
    <MethodAndAmountStep
      {...step}
      methods={settings.depositMethods}
      words={{
        account: t`To account`,
        question: t`Choose a payment method`,
        methods: t`Payment method`,
        methodMissing: t`Choose a payment method.`,
        arrives: ({ time }) => t`Arrival: ${time}`,
      }}
      amountProblem={(amount) => {
        if (amount === null) return t`Enter an amount.`
        if (isLessThan(amount, minimum)) return t`Amount too low`
        return amount.minor > largestMinor ? t`This amount is too large. Enter a smaller amount.` : null
      }}
      possible={() => (
        <p className="amount-note">
          <Trans>Minimum {smallest}. Your bank may charge its own fees.</Trans>
        </p>
      )}
      slip={(method, amount) => <DepositSummary account={account} method={method} amount={amount} />}
      onNext={(chosen) => onNext({ ...chosen, cardType: null })}
    />
  )
}

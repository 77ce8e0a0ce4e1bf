import { Trans, useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import { less, minorOf, money } from '#rules/money.ts'
import { AmountField } from '#ui/amount-field.tsx'
import { focusFirstError } from '#ui/form-focus.ts'
import { submitting } from '#ui/form-values.ts'
import { Money, moneyText } from '#ui/money.tsx'
import { DecidedLine, StepHeader, WizardFooter } from '#ui/wizard.tsx'
import { accountText, kindText, type OpenAccount } from '../../funding/accounts.ts'
import { arriving, MethodTiles } from '../../funding/method-tiles.tsx'
import type { PortalSettings } from '../../portal-settings.ts'
import type { DepositDraft, DepositStep } from './deposit-draft.ts'
import { DepositSlip } from './deposit-slip.tsx'

type Chosen = Extract<DepositStep, { step: 'select_payment_method' | 'select_amount' }>

export interface MethodAndAmountStepProps {
  accounts: readonly OpenAccount[]
  settings: PortalSettings
  chosen: Chosen
  onChosen: (step: DepositStep) => void
  onChangeAccount: () => void
  onNext: (draft: DepositDraft) => void
}

/** How and how much: the amount is asked as soon as the method is chosen. */
export function MethodAndAmountStep(props: MethodAndAmountStepProps) {
  const { accounts, settings, chosen, onChosen, onChangeAccount, onNext } = props
  const { t, i18n } = useLingui()
  const form = useRef<HTMLFormElement>(null)
  const [wrong, setWrong] = useState<{ method?: string; amount?: string }>({})
  const account = accounts.find(({ number }) => number === chosen.account)
  const method = settings.depositMethods.find(({ id }) => id === chosen.method) ?? null
  if (!account) return null
  const currency = account.baseCurrency
  const minimum = money(settings.limits.depositMin[currency], currency)
  const minor = minorOf(chosen.amount)
  const amount = minor === null || minor === 0n ? null : money(minor, currency)
  const next = () => {
    const found = {
      ...(method === null && { method: t`Choose how you want to pay.` }),
      ...(method !== null && amount === null && { amount: t`Type the amount.` }),
      ...(amount !== null &&
        less(amount, minimum) && {
          amount: t`Amount too low. The smallest deposit is ${moneyText(minimum, i18n.locale)}.`,
        }),
    }
    setWrong(found)
    if (Object.keys(found).length > 0) return focusFirstError(form.current)
    if (method) onNext({ account: account.number, method: method.id, amount: chosen.amount, cardType: null })
  }
  return (
    <div className="with-slip">
      <form ref={form} noValidate className="money-decisions" onSubmit={submitting(next)}>
        <div className="decided-lines">
          <DecidedLine label={t`To account`} onChange={onChangeAccount}>
            {accountText(account)} · {kindText(account)}
          </DecidedLine>
        </div>
        <StepHeader level={2} title={<Trans>How do you want to pay?</Trans>} />
        <MethodTiles
          label={<span className="unseen">{t`Payment method`}</span>}
          methods={settings.depositMethods}
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
            <p className="amount-note">
              <Trans>At least {moneyText(minimum, i18n.locale)}. Fees of your own bank are not included.</Trans>
            </p>
          </div>
        )}
        <WizardFooter
          onBack={onChangeAccount}
          phoneLine={
            method &&
            amount && (
              <>
                <Trans>Arrives: {method.time}</Trans>
                <b>
                  <Money amount={arriving(method, amount)} />
                </b>
              </>
            )
          }
        />
      </form>
      <DepositSlip account={account} method={method} amount={amount} />
    </div>
  )
}

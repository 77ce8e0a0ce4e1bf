import { Trans, useLingui } from '@lingui/react/macro'
import { accountTypes, platforms, retailLeverage } from '#rules/constants.ts'
import { currencies } from '#rules/money.ts'
import { leverageText } from '#ui/text/code-format.ts'
import { DescriptionList } from '#ui/data/description-list.tsx'
import { RadioCards } from '#ui/forms/radio-cards.tsx'
import { choiceProps } from '../profile/income-fields.tsx'
import { useRegistration, useStepValues } from './registration-state.ts'
import { StepForm } from './step-form.tsx'

/** 4.1 */
export function BaseCurrencyStep() {
  const { t } = useLingui()
  const { answersOf } = useRegistration()
  const form = useStepValues({ baseCurrency: String(answersOf('4.1')['baseCurrency'] ?? '') })
  const names = { EUR: t`Euro`, GBP: t`Pound sterling`, USD: t`US dollar` }
  return (
    <StepForm
      title={<Trans>Which currency do you want for your account?</Trans>}
      lead={
        <Trans>
          Deposits, profits and losses are recorded in this currency. You cannot change it later, but you can open more
          accounts.
        </Trans>
      }
      form={form}
      why={
        <Trans>We will open your first trading account with these details after your application is approved.</Trans>
      }
    >
      <RadioCards
        {...choiceProps(form, 'baseCurrency')}
        label={t`Base currency`}
        tiles={currencies.map((value) => ({ value, label: value, note: names[value] }))}
      />
    </StepForm>
  )
}

/** 4.2 */
export function PlatformStep() {
  const { t } = useLingui()
  const { answersOf } = useRegistration()
  const form = useStepValues({ platform: String(answersOf('4.2')['platform'] ?? '') })
  const notes = {
    MT4: t`MetaTrader 4: the classic platform with the largest choice of trading robots.`,
    MT5: t`MetaTrader 5: the newer platform with more order types and time frames.`,
  }
  return (
    <StepForm
      title={<Trans>Which platform do you want to trade on?</Trans>}
      form={form}
      why={<Trans>Each account uses one platform. You can open an account on the other platform at any time.</Trans>}
    >
      <RadioCards
        {...choiceProps(form, 'platform')}
        label={t`Platform`}
        tiles={platforms.map((value) => ({ value, label: value, note: notes[value] }))}
      />
    </StepForm>
  )
}

/** 4.3: the leverage is that of retail clients. */
export function AccountTypeStep() {
  const { t } = useLingui()
  const { answersOf } = useRegistration()
  const form = useStepValues({ accType: String(answersOf('4.3')['accType'] ?? '') })
  const notes = {
    Standard: t`The cost is included in the spread. No commission.`,
    ECN: t`Raw spreads and a commission on each trade.`,
  }
  return (
    <StepForm
      title={<Trans>Which account type do you want?</Trans>}
      form={form}
      answers={() => ({ ...form.values, leverage: retailLeverage })}
      why={t`Retail clients trade with a leverage of 1:30. Professional clients can request more after approval.`}
    >
      <RadioCards
        {...choiceProps(form, 'accType')}
        label={t`Account type`}
        tiles={accountTypes.map((value) => ({ value, label: value, note: notes[value] }))}
      />
      <DescriptionList rows={[{ key: t`Leverage`, value: leverageText(retailLeverage) }]} />
    </StepForm>
  )
}

/** The form of a filter by amount, loaded with what may open next. */
import { useLingui } from '@lingui/react/macro'
import { type SyntheticEvent, useState } from 'react'
import { currencies } from '#rules/money.ts'
import { Button } from '#ui/forms/button.tsx'
import { Select } from '#ui/forms/select.tsx'
import { TextField } from '#ui/forms/text-field.tsx'
import { formatSignedAmount, parseSignedAmount } from '#ui/money/amount-format.ts'
import { type AmountRange, isAmount, noAmountRange } from './amounts.ts'

export interface AmountFormProps {
  asked: AmountRange
  onAmount: (asked: AmountRange) => void
  /** Whether amounts can be negative. */
  signed?: boolean
  /** Whether a range may be one of all currencies. */
  anyCurrency?: boolean
}

export function AmountForm({ asked, onAmount, signed = false, anyCurrency = false }: AmountFormProps) {
  const { t, i18n } = useLingui()
  const [currency, setCurrency] = useState(asked.currency)
  const [from, setFrom] = useState(() => formatSignedAmount(asked.amountFrom, i18n.locale))
  const [to, setTo] = useState(() => formatSignedAmount(asked.amountTo, i18n.locale))
  const [tried, setTried] = useState(false)
  const [amountFrom, amountTo] = [parseSignedAmount(from, i18n.locale), parseSignedAmount(to, i18n.locale)]
  const example = formatSignedAmount('10000', i18n.locale)
  const isNegative = (decimal: string) => !signed && decimal.startsWith('-')
  const wrong = (decimal: string | null) =>
    !tried
      ? undefined
      : decimal === null || !isAmount(decimal)
        ? t`Enter an amount, for example ${example}.`
        : isNegative(decimal)
          ? t`Enter an amount of 0 or more.`
          : undefined
  const hasCurrency = anyCurrency || currency !== '' || (from.trim() === '' && to.trim() === '')
  const inOrder = amountFrom === '' || amountTo === '' || Number(amountFrom) <= Number(amountTo)
  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    setTried(true)
    if (amountFrom === null || amountTo === null || !hasCurrency || !inOrder) return
    if ([amountFrom, amountTo].every((decimal) => isAmount(decimal) && !isNegative(decimal)))
      onAmount({ currency, amountFrom, amountTo })
  }
  return (
    <form className="stack" noValidate onSubmit={send}>
      <Select
        label={t`Currency`}
        value={currency}
        error={
          tried && !hasCurrency
            ? t`Choose a currency too: amounts in different currencies cannot be compared.`
            : undefined
        }
        onChange={({ target }) => setCurrency(target.value)}
        options={[{ value: '', label: t`All currencies` }, ...currencies.map((one) => ({ value: one, label: one }))]}
      />
      <TextField
        label={t`From`}
        inputMode="decimal"
        autoComplete="off"
        value={from}
        error={wrong(amountFrom)}
        onChange={({ target }) => setFrom(target.value)}
      />
      <TextField
        label={t`To`}
        inputMode="decimal"
        autoComplete="off"
        value={to}
        error={wrong(amountTo) ?? (tried && !inOrder ? t`Enter an amount that is not less than the first.` : undefined)}
        onChange={({ target }) => setTo(target.value)}
      />
      <div className="row">
        <Button size="small" kind="primary" type="submit">{t`Apply`}</Button>
        <Button size="small" onClick={() => onAmount(noAmountRange)}>{t`Clear`}</Button>
      </div>
    </form>
  )
}

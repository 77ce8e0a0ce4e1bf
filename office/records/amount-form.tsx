/** The form of a filter by amount, loaded with what may open next. */
import { useLingui } from '@lingui/react/macro'
import { type SyntheticEvent, useState } from 'react'
import { currencies } from '#rules/money.ts'
import { Button } from '#ui/forms/button.tsx'
import { Select } from '#ui/forms/select.tsx'
import { TextField } from '#ui/forms/text-field.tsx'
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
  const { t } = useLingui()
  const [{ currency, amountFrom, amountTo }, setAmount] = useState(asked)
  const [tried, setTried] = useState(false)
  const isNegative = (text: string) => !signed && text.startsWith('-')
  const wrong = (text: string) =>
    !tried
      ? undefined
      : !isAmount(text)
        ? t`Enter an amount, for example 10000.`
        : isNegative(text)
          ? t`Enter an amount of 0 or more.`
          : undefined
  const hasCurrency = anyCurrency || currency !== '' || (amountFrom === '' && amountTo === '')
  const inOrder = amountFrom === '' || amountTo === '' || Number(amountFrom) <= Number(amountTo)
  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    setTried(true)
    const isRight = [amountFrom, amountTo].every((text) => isAmount(text) && !isNegative(text))
    if (isRight && inOrder && hasCurrency) onAmount({ currency, amountFrom, amountTo })
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
        onChange={({ target }) => setAmount({ currency: target.value, amountFrom, amountTo })}
        options={[{ value: '', label: t`All currencies` }, ...currencies.map((one) => ({ value: one, label: one }))]}
      />
      <TextField
        label={t`From`}
        inputMode="decimal"
        autoComplete="off"
        value={amountFrom}
        error={wrong(amountFrom)}
        onChange={({ target }) => setAmount({ currency, amountFrom: withoutSpaces(target.value), amountTo })}
      />
      <TextField
        label={t`To`}
        inputMode="decimal"
        autoComplete="off"
        value={amountTo}
        error={wrong(amountTo) ?? (tried && !inOrder ? t`Enter an amount that is not less than the first.` : undefined)}
        onChange={({ target }) => setAmount({ currency, amountFrom, amountTo: withoutSpaces(target.value) })}
      />
      <div className="row">
        <Button size="small" kind="primary" type="submit">{t`Apply`}</Button>
        <Button size="small" onClick={() => onAmount(noAmountRange)}>{t`Clear`}</Button>
      </div>
    </form>
  )
}

/** Removes the spaces of a pasted amount. */
function withoutSpaces(text: string): string {
  return text.replaceAll(/\s/g, '')
}

import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { type Currency, decimalOf, minorOf } from '#rules/money.ts'
import './amount-field.css'
import { parseAmount, formatAmount, translateAmount } from '../money/amount-format.ts'
import { Field, type FieldFrame } from './field.tsx'

interface AmountFieldProps extends Omit<FieldFrame, 'labelEnd'> {
  currency: Currency
  /** A decimal such as "1200.50"; '' while empty or invalid. */
  value: string
  onValue: (decimal: string) => void
  /** The main amount of a money step has 40 px; that of a filter or demo balance the text size. */
  size?: 'step' | 'line'
}

/** An amount in the notation of the reader's language; the value is a decimal with a full stop. */
export function AmountField({
  label,
  hint,
  error,
  optional,
  currency,
  value,
  onValue,
  size = 'step',
}: AmountFieldProps) {
  const { t, i18n } = useLingui()
  const [text, setText] = useState(() => formatAmount(value, i18n.locale))
  const [shown, setShown] = useState(value)
  const [locale, setLocale] = useState(i18n.locale)
  if (i18n.locale !== locale) {
    setLocale(i18n.locale)
    setText(translateAmount(text, locale, i18n.locale))
  }
  // The value was set by another control ("All that is available"): update the text.
  if (value !== shown) {
    setShown(value)
    if (value !== parseAmount(text, i18n.locale)) setText(formatAmount(value, i18n.locale))
  }
  const unreadable = parseAmount(text, i18n.locale) === null
  const type = (written: string) => {
    setText(written)
    const decimal = parseAmount(written, i18n.locale) ?? ''
    setShown(decimal)
    onValue(decimal)
  }
  const leave = () => {
    const minor = minorOf(parseAmount(text, i18n.locale) ?? '')
    if (minor !== null) setText(formatAmount(decimalOf(minor), i18n.locale))
  }
  const wrong = unreadable
    ? t`Enter an amount with up to two decimals, for example ${formatAmount('1200.5', i18n.locale)}.`
    : error
  return (
    <Field label={label} hint={hint} error={wrong} optional={optional}>
      {(control) => (
        <span className={size === 'step' ? 'input-frame amount-field' : 'input-frame'}>
          <input
            {...control}
            className="numbers"
            inputMode="decimal"
            autoComplete="off"
            value={text}
            onChange={(event) => type(event.target.value)}
            onBlur={leave}
          />
          <span className="amount-unit">{currency}</span>
        </span>
      )}
    </Field>
  )
}

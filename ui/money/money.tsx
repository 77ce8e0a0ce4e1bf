import { useLingui } from '@lingui/react'
import { type Currency, decimalOf, type Money as Amount } from '#rules/money.ts'
import { isolated, numberFormat } from '../text/formats.ts'
import './money.css'

interface MoneyProps {
  /** Money, or null for "not known yet". */
  amount: Amount | null
  /** `figure` 28 px (balance), `step` 40 px (the main amount of a step), `total` 22 px. */
  size?: 'text' | 'figure' | 'step' | 'total'
  /** Omits the code if it is in the column head. */
  bare?: boolean
  /** Adds a + before incoming amounts. */
  signed?: boolean
}

/** An amount: decimals and code are muted, read out as a whole, never broken across lines (requirements 36.4). */
export function Money({ amount, size = 'text', bare, signed }: MoneyProps) {
  const { i18n } = useLingui()
  if (!amount) return <span className="money muted">–</span>
  const { lead, minor } = amountParts(amount.minor, i18n.locale, signed)
  return (
    <span className={`money money-${size}`} role="img" aria-label={moneyText(amount, i18n.locale)}>
      <span aria-hidden="true">
        {lead}
        <i>{minor}</i>
        {!bare && <abbr>{`\u00a0${amount.currency}`}</abbr>}
      </span>
    </span>
  )
}

/** Returns "12,480.50 EUR" with a non-breaking space, for sentences and names; German with its own separators. */
export function moneyText(amount: Amount, locale: string): string {
  const { lead, minor } = amountParts(amount.minor, locale)
  return isolated(`${lead}${minor}\u00a0${amount.currency}`, locale)
}

/** Returns the same for amounts that arrive as decimals, such as limits of settings. */
export function decimalMoneyText(decimal: string, currency: Currency, locale: string): string {
  const { lead, minor } = amountParts(decimal, locale)
  return isolated(`${lead}${minor}\u00a0${currency}`, locale)
}

function amountParts(value: bigint | string, locale: string, signed = false): { lead: string; minor: string } {
  const decimal = typeof value === 'bigint' ? decimalOf(value) : value
  const format = numberFormat(locale, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    signDisplay: signed ? 'exceptZero' : 'auto',
  })
  const parts = format.formatToParts(decimal as Intl.StringNumericLiteral)
  const words = (from: number, to?: number) =>
    parts
      .slice(from, to)
      .map((part) => (part.type === 'minusSign' ? '−' : part.value))
      .join('')
  const split = parts.findIndex((part) => part.type === 'decimal')
  return { lead: words(0, split), minor: words(split) }
}

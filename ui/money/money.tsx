import { useLingui } from '@lingui/react'
import type { ReactNode } from 'react'
import { type Currency, decimalOf, type Money as Amount } from '#rules/money.ts'
import { isolateFigure, numberFormat } from '../text/formats.ts'
import './money.css'
import './money-summary.css'

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
  return isolateFigure(`${lead}${minor}\u00a0${amount.currency}`, locale)
}

/** Returns the same for amounts that arrive as decimals, such as limits of settings. */
export function decimalMoneyText(decimal: string, currency: Currency, locale: string): string {
  const { lead, minor } = amountParts(decimal, locale)
  return isolateFigure(`${lead}${minor}\u00a0${currency}`, locale)
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

interface MoneySummaryLine {
  label: ReactNode
  /** null while not chosen. */
  value: ReactNode
}

export interface MoneySummaryProps {
  title?: ReactNode
  lines: readonly MoneySummaryLine[]
  total?: MoneySummaryLine | undefined
  /** `wide` is the summary of the confirm step: ruled lines and the amount at 40 px. */
  look?: 'side' | 'wide'
}

/** The choices of a money flow so far, with a double rule at the end. */
export function MoneySummary({ title, lines, total, look = 'side' }: MoneySummaryProps) {
  return (
    <section className={`slip ${look}`}>
      {title && <h2 className="title-3">{title}</h2>}
      <dl>
        {lines.map((line, index) => (
          <div key={index} className={line.value === null ? 'slip-line open' : 'slip-line'}>
            <dt>{line.label}</dt>
            <dd>{line.value ?? '–'}</dd>
          </div>
        ))}
        {total && <TotalLine label={total.label}>{total.value ?? '–'}</TotalLine>}
      </dl>
    </section>
  )
}

/** A single rule above, a double rule below: a total. Used inside a `dl`. */
function TotalLine({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div className="total-line">
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** A sum as rows and a total: available = balance less the amount set aside. */
export function Totals({ rows, total }: { rows: readonly MoneySummaryLine[]; total: MoneySummaryLine }) {
  return (
    <dl className="totals">
      {rows.map((row, index) => (
        <div key={index} className="slip-line">
          <dt>{row.label}</dt>
          <dd>{row.value ?? '–'}</dd>
        </div>
      ))}
      <TotalLine label={total.label}>{total.value ?? '–'}</TotalLine>
    </dl>
  )
}

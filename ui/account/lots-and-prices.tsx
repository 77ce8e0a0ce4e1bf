import { useLingui } from '@lingui/react'
import { numberFormat } from '#ui/text/formats.ts'

/** A price or volume with the platform's decimal places, grouped as in the reader's language. */
export function Decimal({ text }: { text: string }) {
  const { i18n } = useLingui()
  return <span className="numbers">{decimalText(text, i18n.locale)}</span>
}

export function decimalText(text: string, locale: string): string {
  const places = text.split('.')[1]?.length ?? 0
  return numberFormat(locale, { minimumFractionDigits: places, maximumFractionDigits: places }).format(
    text as Intl.StringNumericLiteral,
  )
}

/** On a phone volume and both prices follow the side. */
export function PhonePrices({ lots, from, to }: { lots: string; from: string; to: string }) {
  const { i18n } = useLingui()
  const text = (decimal: string) => decimalText(decimal, i18n.locale)
  return (
    <span className="phone-only">
      {' '}
      {text(lots)} · {text(from)} → {text(to)}
    </span>
  )
}

import { useLingui } from '@lingui/react/macro'
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

interface Traded {
  side: 'buy' | 'sell'
  lots: string
}

/** The symbol; on a phone side and volume follow it, so that the prices have room for a line of their own. */
export function TradedSymbol({ symbol, side, lots }: Traded & { symbol: string }) {
  const { i18n } = useLingui()
  const label = useSideLabel()
  return (
    <>
      <b className="strong">{symbol}</b>
      <span className="phone-only account-side">
        {' '}
        {label(side)} {decimalText(lots, i18n.locale)}
      </span>
    </>
  )
}

/** The side; on a phone both prices in its place. */
export function SideOrPrices({ side, from, to }: Pick<Traded, 'side'> & { from: string; to: string }) {
  const { i18n } = useLingui()
  const label = useSideLabel()
  const text = (decimal: string) => decimalText(decimal, i18n.locale)
  return (
    <>
      <span className="no-phone">{label(side)}</span>
      <span className="phone-only">
        {text(from)} → {text(to)}
      </span>
    </>
  )
}

function useSideLabel(): (side: Traded['side']) => string {
  const { t } = useLingui()
  return (side) => (side === 'buy' ? t`Buy` : t`Sell`)
}

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

/** The side; on a phone both prices instead, one below the other if they are too long for the line. */
export function SideOrPrices({ side, from, to }: Pick<Traded, 'side'> & { from: string; to: string }) {
  const { i18n } = useLingui()
  const label = useSideLabel()
  const [open, now] = [decimalText(from, i18n.locale), decimalText(to, i18n.locale)]
  return (
    <>
      <span className="no-phone">{label(side)}</span>
      <span className="phone-only account-prices" data-length={lengthOf(open.length + now.length)}>
        <span>{open}</span> <span>→</span> <span>{now}</span>
      </span>
    </>
  )
}

/** Two prices of up to 26 characters share a line beside the time on 390 px, of up to 16 on 320 px. */
function lengthOf(characters: number): 'long' | 'medium' | undefined {
  if (characters > 26) return 'long'
  return characters > 16 ? 'medium' : undefined
}

function useSideLabel(): (side: Traded['side']) => string {
  const { t } = useLingui()
  return (side) => (side === 'buy' ? t`Buy` : t`Sell`)
}

import { numberFormat } from '../text/formats.ts'

/** "0.854" of "0.85400000", in the reader's marks; rates have at most 8 decimals. */
export function rateText(rate: string, locale: string): string {
  return numberFormat(locale, { maximumFractionDigits: 8 }).format(rate as Intl.StringNumericLiteral)
}

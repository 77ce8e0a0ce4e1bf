import { numberFormat } from '../text/formats.ts'

/** Returns "0.854" for "0.85400000", in the reader's notation; rates have at most 8 decimals. */
export function rateText(rate: string, locale: string): string {
  return numberFormat(locale, { maximumFractionDigits: 8 }).format(rate as Intl.StringNumericLiteral)
}

/** Amounts in the notation of the reader's language, parsed only by amount fields. */
import { numberFormat } from '../text/formats.ts'

/**
 * Returns the decimal ("1200.5") of an amount entered in a language: "1.200,50" in German, "1,200.50" in English. ''
 * for an empty text, null for text that is not an amount with at most two decimals. A single separator that can only be a
 * decimal one is accepted as such. A grouped number must not begin with zero: "0,500" may mean a half, not five
 * hundred.
 */
export function parseAmount(text: string, locale: string): string | null {
  const written = text.replace(/[\s\u00a0\u202f'’]/g, '')
  if (written === '') return ''
  const decimalMark = decimalMarkOf(locale)
  const groupMark = decimalMark === ',' ? '.' : ','
  const marked = parseForeignDecimal(written, decimalMark, groupMark) ?? written
  const grouped = new RegExp(`^[1-9]\\d{0,2}(\\${groupMark}\\d{3})+(\\${decimalMark}\\d{0,2})?$`)
  const plain = new RegExp(`^\\d{0,15}(\\${decimalMark}\\d{0,2})?$`)
  if (!grouped.test(marked) && !plain.test(marked)) return null
  const decimal = marked.replaceAll(groupMark, '').replace(decimalMark, '.').replace(/\.$/, '')
  return decimal.startsWith('.') ? `0${decimal}` : decimal
}

/** Returns the decimal separator, a comma or a full stop. */
export function decimalMarkOf(locale: string): string {
  return numberFormat(locale).format(0.5).includes(',') ? ',' : '.'
}

/** Returns the same for amounts that may be negative: "-12,50" in German is "-12.50". */
export function parseSignedAmount(text: string, locale: string): string | null {
  const [, minus = '', rest = ''] = /^\s*([-−–]?)(.*)$/s.exec(text) ?? []
  const decimal = parseAmount(rest, locale)
  if (minus === '' || decimal === null) return decimal
  return decimal === '' ? null : `-${decimal}`
}

/**
 * Accepts "12.5" in German and "12,50" in English: one separator of the other language, followed by one or two digits.
 */
function parseForeignDecimal(written: string, decimalMark: string, groupMark: string): string | null {
  const foreign = new RegExp(`^(\\d{1,15})\\${groupMark}(\\d{1,2})$`).exec(written)
  return foreign ? `${foreign[1]}${decimalMark}${foreign[2]}` : null
}

/** Returns an amount entered in one language in the notation of another; text that is no amount stays. */
export function translateAmount(text: string, from: string, to: string): string {
  const decimal = parseAmount(text, from)
  return decimal === null ? text : formatAmount(decimal, to)
}

/** Returns a decimal as shown when the field loses the focus: grouped, two decimals. */
export function formatAmount(decimal: string, locale: string): string {
  if (decimal === '') return ''
  const [units = '0', fraction = ''] = decimal.split('.')
  const mark = decimalMarkOf(locale)
  const group = mark === '.' ? ',' : '.'
  return `${groupThousands(units.replace(/^0+(?=\d)/, ''), group)}${mark}${fraction.padEnd(2, '0')}`
}

/** Returns the same for an amount that may be negative, with a true minus sign. */
export function formatSignedAmount(decimal: string, locale: string): string {
  return decimal.startsWith('-') ? `−${formatAmount(decimal.slice(1), locale)}` : formatAmount(decimal, locale)
}

/** Returns "1,234,567" for "1234567". */
function groupThousands(digits: string, mark: string): string {
  const groups = [digits.slice(0, digits.length % 3 || 3)]
  for (let place = groups[0]?.length ?? 0; place < digits.length; place += 3)
    groups.push(digits.slice(place, place + 3))
  return groups.join(mark)
}

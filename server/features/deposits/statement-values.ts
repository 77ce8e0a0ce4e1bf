/**
 * Amounts and days of a statement. What can be read in only one way is read, thousands marks and two-digit years
 * included; everything in doubt is refused with its line.
 */
import { compareDays, dayOf, type PlainDate } from '#rules/dates.ts'
import { minorOf } from '#rules/money.ts'

const plainAmount = /^[+-]?\d{1,12}(?:([.,])\d{1,2})?$/
/** "1,234.56", "1.234,56", "1 234,56", "1'234": equal marks before each three digits. */
const groupedAmount = /^[+-]?\d{1,3}([.,'’ \u00a0\u202f])\d{3}(?:\1\d{3}){0,3}(?:([.,])\d{1,2})?$/

/** Returns the decimal mark that all amounts of a file show; null where none or both do. */
export function decimalMarkOf(amounts: readonly string[]): '.' | ',' | null {
  const marks = new Set(amounts.flatMap((text) => plainAmount.exec(text)?.[1] ?? groupedAmount.exec(text)?.[2] ?? []))
  if (marks.size !== 1) return null
  return marks.has('.') ? '.' : ','
}

/**
 * Returns minor units, null for what is no amount, or `doubt` where "1.234" may be a thousand or a decimal: only the
 * other amounts of the file tell.
 */
export function minorInStatement(text: string, decimalMark: '.' | ',' | null): bigint | 'doubt' | null {
  const plain = plainAmount.exec(text)
  if (plain) return minorOf(text.replace(',', '.').replace('+', ''))
  const [, group = '', decimal] = groupedAmount.exec(text) ?? []
  if (group === '' || group === decimal) return null
  const isMark = group === '.' || group === ','
  if (isMark && decimal === undefined && text.split(group).length === 2 && (decimalMark ?? group) === group)
    return 'doubt'
  return minorOf(text.replaceAll(group, '').replace(',', '.').replace('+', ''))
}

type Order = 'dmy' | 'mdy' | 'ymd'
const yearsBackMax = 2
const shortDay = /^(\d{2})([./-])(\d{2})\2(\d{2})$/

/** Returns the only order in which every two-digit year of a file gives a day that is not ahead; null where several do. */
export function orderOfShortDays(texts: readonly string[], today: PlainDate): Order | null {
  const short = texts.filter((text) => shortDay.test(text))
  // With full stops the day comes first wherever that is written.
  if (short.every((text) => text.includes('.'))) return 'dmy'
  const fitting = (['dmy', 'mdy', 'ymd'] as const).filter((order) =>
    short.every((text) => {
      const day = dayOf(ordered(text, order))
      // No statement is of years ago: "05/06/26" is not the 26th of June 2005.
      return day !== null && compareDays(day, today) <= 0 && day.year >= today.year - yearsBackMax
    }),
  )
  return fitting.length === 1 ? (fitting[0] ?? null) : null
}

function ordered(text: string, order: Order): string {
  const [, first, , second, third] = shortDay.exec(text) ?? []
  const [year, month, day] =
    order === 'dmy' ? [third, second, first] : order === 'mdy' ? [third, first, second] : [first, second, third]
  return `20${year}-${month}-${day}`
}

/** "21.11.2026", "21/11/2026" and "21.11.26" as "2026-11-21"; what is no day stays as it is, `doubt` is a year of two digits whose order is open. */
export function isoInStatement(text: string, order: Order | null): string {
  const long = /^(\d{2})[./](\d{2})[./](\d{4})$/.exec(text)
  if (long) return `${long[3]}-${long[2]}-${long[1]}`
  if (!shortDay.test(text)) return text
  return order === null ? 'doubt' : ordered(text, order)
}

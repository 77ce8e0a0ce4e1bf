/**
 * Parses PostgreSQL's text of a timestamptz; a list has some sixty of them, and the driver's own parser takes ten times
 * as long.
 */
import pg from 'pg'

const timestamptz = 1184
const slowly: (text: string) => unknown = pg.types.getTypeParser(timestamptz)

const zero = 48

/**
 * Parses "2026-11-21 10:00:00.123456+00" into a Date, to the millisecond; other forms (infinity, years of five digits)
 * are parsed by pg.
 */
export function readTimestamp(text: string): unknown {
  const isPlain =
    text.charCodeAt(4) === 45 &&
    text.charCodeAt(10) === 32 &&
    text.endsWith('+00') &&
    text.length >= 22 &&
    text.length <= 29
  if (!isPlain) return slowly(text)
  const year = digits(text, 0) * 100 + digits(text, 2)
  // Date.UTC treats the years 0 to 99 as 1900 to 1999.
  if (year < 100) return slowly(text)
  return new Date(
    Date.UTC(
      year,
      digits(text, 5) - 1,
      digits(text, 8),
      digits(text, 11),
      digits(text, 14),
      digits(text, 17),
      decimalDigit(text, 20) * 100 + decimalDigit(text, 21) * 10 + decimalDigit(text, 22),
    ),
  )
}

/** Returns a decimal digit of the seconds; a missing one is 0. */
function decimalDigit(text: string, at: number): number {
  return at < text.length - 3 ? text.charCodeAt(at) - zero : 0
}

function digits(text: string, at: number): number {
  return (text.charCodeAt(at) - zero) * 10 + text.charCodeAt(at + 1) - zero
}

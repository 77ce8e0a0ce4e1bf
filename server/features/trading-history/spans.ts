/** Splits a period into whole years, whole months and single days, so that stored sums serve for the whole ones. */

export const dayMs = 86_400_000

/** A whole year, a whole month or consecutive days. */
interface Span {
  readonly span: 'day' | 'month' | 'year'
  /** The first day, and the first day after the span. */
  readonly from: string | null
  readonly to: string | null
}

/** Returns the whole years, whole months and days of a period; an open side is covered by years. */
export function spansOf({ from, to }: Pick<Span, 'from' | 'to'>): Span[] {
  if (from === null && to === null) return [{ span: 'year', from: null, to: null }]
  const end = to === null ? null : dayAfter(to)
  const years = {
    from: from === null ? null : firstFrom(from, 'year'),
    to: end === null ? null : lastUntil(end, 'year'),
  }
  if (years.from !== null && years.to !== null && years.from >= years.to) return monthsOf(from, end)
  return [
    ...(from === null ? [] : monthsOf(from, years.from)),
    { span: 'year' as const, ...years },
    ...(end === null ? [] : monthsOf(years.to, end)),
  ].filter(isSome)
}

function monthsOf(from: string | null, end: string | null): Span[] {
  if (from === null || end === null || from >= end) return []
  const months = { from: firstFrom(from, 'month'), to: lastUntil(end, 'month') }
  if (months.from >= months.to) return [{ span: 'day', from, to: end }]
  const spans: Span[] = [
    { span: 'day', from, to: months.from },
    { span: 'month', ...months },
    { span: 'day', from: months.to, to: end },
  ]
  return spans.filter(isSome)
}

function isSome({ from, to }: Span): boolean {
  return from === null || to === null || from < to
}

const firstOf = { month: (day: string) => `${day.slice(0, 7)}-01`, year: (day: string) => `${day.slice(0, 4)}-01-01` }

/** Returns the first day of the first month or year that begins on or after a day. */
function firstFrom(day: string, span: 'month' | 'year'): string {
  const first = firstOf[span](day)
  if (first === day) return day
  return firstOf[span](new Date(Date.parse(first) + (span === 'month' ? 32 : 367) * dayMs).toISOString())
}

function lastUntil(day: string, span: 'month' | 'year'): string {
  return firstOf[span](day)
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10)
}

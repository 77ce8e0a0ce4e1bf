import { expect, test } from 'vitest'
import { dayOf, isoDay, type PlainDate } from './dates.ts'
import { mailedAt, periodEnd, periodStart } from './report-periods.ts'

const day = (text: string): PlainDate => dayOf(text) ?? { year: 0, month: 0, day: 0 }

test.each([
  ['weekly', '2026-11-16', '2026-11-16', '2026-11-23'],
  ['weekly', '2026-11-22', '2026-11-16', '2026-11-23'],
  ['weekly', '2027-01-01', '2026-12-28', '2027-01-04'],
  ['monthly', '2026-11-30', '2026-11-01', '2026-12-01'],
  ['monthly', '2028-02-29', '2028-02-01', '2028-03-01'],
  ['monthly', '2026-12-31', '2026-12-01', '2027-01-01'],
] as const)('the %s period that contains %s runs from %s to before %s', (frequency, of, from, until) => {
  const start = periodStart(frequency, day(of))
  expect([isoDay(start), isoDay(periodEnd(frequency, start))]).toEqual([from, until])
})

test.each([
  ['2026-10-19', 'Europe/London', '2026-10-26T06:00:00.000Z'],
  ['2026-10-12', 'Europe/London', '2026-10-19T05:00:00.000Z'],
  ['2026-10-12', 'Asia/Tokyo', '2026-10-18T21:00:00.000Z'],
])('the report for the week from %s is mailed on Monday morning in %s, at %s', (from, zone, at) => {
  expect(mailedAt('weekly', day(from), zone).toISOString()).toBe(at)
})

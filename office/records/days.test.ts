import { expect, test } from 'vitest'
import { daysOf, type PeriodName } from './days.ts'

const cases: readonly [PeriodName, string, string, string][] = [
  ['today', '2026-03-01T22:59:00Z', '2026-03-01', '2026-03-01'],
  ['today', '2026-03-01T23:00:00Z', '2026-03-02', '2026-03-02'],
  ['yesterday', '2026-03-01T12:00:00Z', '2026-02-28', '2026-02-28'],
  ['7-days', '2026-03-01T12:00:00Z', '2026-02-23', '2026-03-01'],
  ['30-days', '2026-03-01T12:00:00Z', '2026-01-31', '2026-03-01'],
  ['month', '2026-03-31T22:30:00Z', '2026-04-01', '2026-04-01'],
  ['last-month', '2026-01-15T12:00:00Z', '2025-12-01', '2025-12-31'],
  ['last-month', '2028-03-15T12:00:00Z', '2028-02-01', '2028-02-29'],
  ['year', '2026-01-01T12:00:00Z', '2026-01-01', '2026-01-01'],
]

test.each(cases)('the period %s at %s runs from %s to %s in the firm’s time zone', (period, at, from, to) => {
  expect(daysOf(period, new Date(at), 'Europe/Berlin')).toEqual({ from, to })
})

import { expect, test } from 'vitest'
import { nextCutOff } from './payout-batches.ts'

const next = (now: string, time = '14:30') =>
  nextCutOff(new Date(now), time, { timeZone: 'Europe/London', holidays: ['2026-12-25'] })?.toISOString() ?? null

test('the next cut-off is today’s until it has passed, and then that of the next working day, in the firm’s time zone', () => {
  expect(next('2026-11-25T14:29:59Z')).toBe('2026-11-25T14:30:00.000Z')
  expect(next('2026-11-25T14:30:00Z')).toBe('2026-11-26T14:30:00.000Z')
  // A Friday; a Saturday.
  expect(next('2026-11-27T15:00:00Z')).toBe('2026-11-30T14:30:00.000Z')
  expect(next('2026-11-28T09:00:00Z')).toBe('2026-11-30T14:30:00.000Z')
  // The firm's holiday.
  expect(next('2026-12-24T15:00:00Z')).toBe('2026-12-28T14:30:00.000Z')
  // Summer time.
  expect(next('2026-06-24T09:00:00Z')).toBe('2026-06-24T13:30:00.000Z')
  expect(next('2026-11-25T09:00:00Z', '')).toBeNull()
})

import { expect, test } from 'vitest'
import { firstOfLastDays } from './payment-list-url.ts'

test('the last 30 days are 30 calendar days of the time zone, even across a clock change', () => {
  // 23:30 local time; 29 × 24 hours earlier it was 00:30 on 13 October.
  expect(firstOfLastDays(new Date('2026-11-10T23:30Z'), 30, 'Europe/London')).toEqual({
    year: 2026,
    month: 10,
    day: 12,
  })
  // 00:30 local time on 8 April; 29 × 24 hours earlier it was 23:30 on 9 March.
  expect(firstOfLastDays(new Date('2026-04-07T23:30Z'), 30, 'Europe/London')).toEqual({ year: 2026, month: 3, day: 10 })
})

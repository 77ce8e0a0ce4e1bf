import { expect, test } from 'vitest'
import { firstOfLastDays } from './moved-list.ts'

test('the last 30 days of a zone are 30 of its days, also after the clocks went back and forward', () => {
  // Half past eleven in the evening; 29 times 24 hours before was half past midnight of the 13th.
  expect(firstOfLastDays(new Date('2026-11-10T23:30Z'), 30, 'Europe/London')).toEqual({
    year: 2026,
    month: 10,
    day: 12,
  })
  // Half past midnight; 29 times 24 hours before was half past eleven in the evening of the 9th.
  expect(firstOfLastDays(new Date('2026-04-07T23:30Z'), 30, 'Europe/London')).toEqual({ year: 2026, month: 3, day: 10 })
})

import { describe, expect, test } from 'vitest'
import {
  checkErasure,
  defaultRetentionTimes,
  keptUntil,
  retentionClasses,
  retentionPeriods,
  findInvalidPeriod,
} from './retention.ts'

const endedAt = new Date('2024-02-29T12:00:00Z')

test.each([
  ['closed', '2029-03-01T12:00:00.000Z'],
  ['rejected', '2029-03-01T12:00:00.000Z'],
  ['registering', undefined],
] as const)('the record of a client who is %s is kept until %s', (state, until) => {
  expect(keptUntil({ state, endedAt }, defaultRetentionTimes)?.toISOString()).toBe(until)
})

test('a firm may keep it for ten years, and not for less than five', () => {
  const times = { ...defaultRetentionTimes, closedClientYears: 10 }
  expect(findInvalidPeriod(times)).toBeNull()
  expect(keptUntil({ state: 'closed', endedAt }, times)?.getUTCFullYear()).toBe(2034)
  expect(findInvalidPeriod({ ...times, closedClientYears: 4 })).toBe('closedClientYears')
  expect(findInvalidPeriod({ ...times, closedClientYears: 11 })).toBe('closedClientYears')
})

test.each(retentionClasses)('%s has a usual period within its bounds', (name) => {
  const { usual, least, most } = retentionPeriods[name]
  expect(least).toBeLessThanOrEqual(usual)
  expect(usual).toBeLessThanOrEqual(most)
  expect(least).toBeGreaterThan(0)
})

describe('an erasure', () => {
  const client = { state: 'closed', isErased: false, isAsked: false, owed: 0n, openRequests: 0 } as const

  test.each([
    ['of a closed client', {}, null],
    ['of somebody rejected', { state: 'rejected' }, null],
    ['of somebody who never finished', { state: 'registering' }, null],
    ['of a client of today', { state: 'approved' }, 'client-lives'],
    ['of a suspended client', { state: 'suspended' }, 'client-lives'],
    ['while it waits already', { isAsked: true }, 'erasure-waits'],
    ['a second time', { isErased: true }, 'erased-already'],
    ['with money left', { owed: 1n }, 'money-left'],
    ['with requests open', { openRequests: 1 }, 'requests-open'],
  ] as const)('%s', (_name, change, refusal) => {
    expect(checkErasure({ ...client, ...change })).toBe(refusal)
  })
})

import { describe, expect, test } from 'vitest'
import { checkErasure, defaultRetentionTimes, retentionEnd, retentionClasses, retentionPeriods } from './retention.ts'

const endedAt = new Date('2024-02-29T12:00:00Z')

test.each([
  ['closed', '2029-03-01T12:00:00.000Z'],
  ['rejected', '2029-03-01T12:00:00.000Z'],
  ['registering', undefined],
] as const)('the record of a client who is %s is kept until %s', (state, until) => {
  expect(retentionEnd({ state, endedAt }, defaultRetentionTimes)?.toISOString()).toBe(until)
})

test('a firm may keep the records of closed clients for five to ten years', () => {
  const times = { ...defaultRetentionTimes, closedClientYears: 10 }
  expect(retentionEnd({ state: 'closed', endedAt }, times)?.getUTCFullYear()).toBe(2034)
})

test.each(retentionClasses)('%s has a default period within its limits', (name) => {
  const { usual, least, most } = retentionPeriods[name]
  expect(least).toBeLessThanOrEqual(usual)
  expect(usual).toBeLessThanOrEqual(most)
  expect(least).toBeGreaterThan(0)
})

describe('an erasure', () => {
  const client = { state: 'closed', isErased: false, isAsked: false, owed: 0n, openRequests: 0 } as const

  test.each([
    ['of a closed client is allowed', {}, null],
    ['of a rejected client is allowed', { state: 'rejected' }, null],
    ['of a client who never finished registration is allowed', { state: 'registering' }, null],
    ['of an approved client is rejected', { state: 'approved' }, 'client-lives'],
    ['of a suspended client is rejected', { state: 'suspended' }, 'client-lives'],
    ['is rejected while another one is pending', { isAsked: true }, 'erasure-waits'],
    ['is rejected if the client is already erased', { isErased: true }, 'erased-already'],
    ['is rejected while the client is owed money', { owed: 1n }, 'money-left'],
    ['is rejected while requests are open', { openRequests: 1 }, 'requests-open'],
  ] as const)('%s', (_name, change, refusal) => {
    expect(checkErasure({ ...client, ...change })).toBe(refusal)
  })
})

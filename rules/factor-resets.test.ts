import { describe, expect, test } from 'vitest'
import { checkFactorReset, checkFactorResetDecider } from './factor-resets.ts'

const now = new Date('2026-06-19T09:44:00Z')
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
const lost = { secondFactor: true, isAsked: false, hasQuestion: true, answeredAt: ago(1), now }

describe('a reset of a client’s second factor is asked for', () => {
  test.each([
    ['after the right answer', {}, null],
    ['up to a quarter of an hour after it', { answeredAt: ago(14) }, null],
    ['no later', { answeredAt: ago(15) }, 'answer-first'],
    ['not by one of a time to come: the clock was set back', { answeredAt: ago(-24 * 60) }, 'answer-first'],
    ['not without it', { answeredAt: null }, 'answer-first'],
    ['without it where no question was chosen', { answeredAt: null, hasQuestion: false }, null],
    ['once at a time', { isAsked: true }, 'factor-reset-waits'],
    ['where there is a factor', { secondFactor: false }, 'factor-off'],
  ] as const)('%s', (_, changes, expected) => {
    expect(checkFactorReset({ ...lost, ...changes })).toBe(expected)
  })
})

test('anyone who asked takes it back, and another person decides', () => {
  const asker = (['approve', 'reject', 'cancel'] as const).map((verb) => checkFactorResetDecider(verb, true))
  const other = (['approve', 'reject', 'cancel'] as const).map((verb) => checkFactorResetDecider(verb, false))
  expect(asker).toEqual(['own-act', 'own-act', null])
  expect(other).toEqual([null, null, 'not-your-act'])
})

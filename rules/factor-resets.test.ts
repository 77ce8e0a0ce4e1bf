import { describe, expect, test } from 'vitest'
import { checkProposalDecider, proposalActions } from './actors.ts'
import { checkFactorReset } from './factor-resets.ts'

const now = new Date('2026-06-19T09:44:00Z')
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
const lostFactor = { secondFactor: true, isAsked: false, hasQuestion: true, answeredAt: ago(1), now }

describe('a request to reset a client’s second factor', () => {
  test.each([
    ['is accepted after the correct security answer', {}, null],
    ['is accepted 14 minutes after the answer', { answeredAt: ago(14) }, null],
    ['is rejected 15 minutes after the answer', { answeredAt: ago(15) }, 'answer-first'],
    [
      'is rejected if the answer is in the future because the clock was set back',
      { answeredAt: ago(-24 * 60) },
      'answer-first',
    ],
    ['is rejected without an answer', { answeredAt: null }, 'answer-first'],
    [
      'is accepted without an answer if the client has no security question',
      { answeredAt: null, hasQuestion: false },
      null,
    ],
    ['is rejected while another request is pending', { isAsked: true }, 'factor-reset-waits'],
    ['is rejected if the client has no second factor', { secondFactor: false }, 'factor-off'],
  ] as const)('%s', (_, changes, expected) => {
    expect(checkFactorReset({ ...lostFactor, ...changes })).toBe(expected)
  })
})

test('the requester can only cancel the reset, and only another person can approve or reject it', () => {
  const asker = proposalActions.map((action) => checkProposalDecider(action, true))
  const other = proposalActions.map((action) => checkProposalDecider(action, false))
  expect(asker).toEqual(['own-act', 'own-act', null])
  expect(other).toEqual([null, null, 'not-your-act'])
})

/** The row of an account's summary to which each deal belongs (requirements 24.18). */
import { describe, expect, test } from 'vitest'
import { rowOfDeal } from './closed-trades.ts'
import type { BalanceLeg } from './references.ts'

const rowsByOwnLeg = {
  'deposit-credit': 'deposits',
  'demo-balance': 'deposits',
  'withdrawal-debit': 'withdrawals',
  'withdrawal-return': 'returned',
  'withdrawal-reversal': 'returned',
  'transfer-withdraw': 'transfers',
  'transfer-deposit': 'transfers',
  'transfer-compensate': 'transfers',
  correction: 'other',
  'deal-reversal': 'other',
  'negative-balance': 'other',
  'account-closing': 'other',
} as const satisfies Record<BalanceLeg, string>

describe('a balance operation', () => {
  test.each(Object.entries(rowsByOwnLeg))('with our leg %s belongs to the row %s', (leg, expected) => {
    expect(rowOfDeal(2, { leg, returnsDeposit: false })).toBe(expected)
  })

  test.each([
    ['a correction that returns a deposit', { leg: 'correction', returnsDeposit: true }, 'returned'],
    ['one of our operations without a leg', { leg: null, returnsDeposit: false }, 'other'],
    [
      'one of our operations with a leg that only a later version knows',
      { leg: 'later', returnsDeposit: false },
      'other',
    ],
    ['not one of our operations', null, 'other'],
  ])('that is %s belongs to its row', (_, own, expected) => {
    expect(rowOfDeal(2, own)).toBe(expected)
  })
})

describe('the action of a deal', () => {
  const rowsByAction = [
    [0, null],
    [1, null],
    [2, 'other'],
    [3, 'credit'],
    [4, 'other'],
    [5, 'other'],
    [6, 'credit'],
    [7, 'commission'],
    [8, 'commission'],
    [9, 'commission'],
    [10, 'commission'],
    [11, 'commission'],
    [12, 'other'],
    [13, null],
    [14, null],
    [15, 'other'],
    [16, 'other'],
    [17, 'other'],
    [18, 'commission'],
    [19, 'other'],
    [20, 'credit'],
    [21, 'unknown'],
    [77, 'unknown'],
  ] as const

  test.each(rowsByAction)('%i assigns it to the row %s', (action, expected) => {
    expect(rowOfDeal(action, null)).toBe(expected)
  })

  test.each(rowsByAction.filter(([action]) => action !== 2))(
    '%i assigns it to the row %s even if its comment contains our reference',
    (action, expected) => {
      expect(rowOfDeal(action, { leg: 'withdrawal-debit', returnsDeposit: true })).toBe(expected)
    },
  )
})

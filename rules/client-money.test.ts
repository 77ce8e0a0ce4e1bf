import { expect, test } from 'vitest'
import { clientMoneyStatus, surplusOf, unexplainedOf } from './client-money.ts'

test.each([
  ['nothing owed, nothing held', 0n, 0n, 0n, 0, 'agrees'],
  ['as much held as owed', 500n, 500n, 0n, 0, 'agrees'],
  ['postings of the firm that cancel each other out', 500n, 500n, 0n, 0, 'agrees'],
  ['a surplus that is entirely the firm’s own money', 500n, 620n, 120n, 0, 'explained'],
  ['a shortfall after clients exchanged money into this currency', 500n, 380n, -120n, 0, 'explained'],
  ['a difference that the reconciliation found', 500n, 500n, 0n, 1, 'open'],
  ['an explained surplus and an open difference', 500n, 620n, 120n, 2, 'open'],
  ['a surplus with one cent too many', 500n, 621n, 120n, 0, 'unexplained'],
  ['equal sums although part of the money held is the firm’s own', 500n, 500n, 1n, 0, 'unexplained'],
  ['an unexplained cent and an open difference', 500n, 501n, 0n, 1, 'unexplained'],
])(
  '%s: %d owed, %d held, %d of the firm’s own and %d open differences give the status "%s"',
  (_case, owed, held, own, openDifferences, status) => {
    expect(clientMoneyStatus({ owed, held, own, openDifferences })).toBe(status)
  },
)

test('the unexplained amount is the surplus minus the firm’s own part', () => {
  const sums = { owed: 500n, held: 380n, own: -100n }
  expect([surplusOf(sums), unexplainedOf(sums)]).toEqual([-120n, -20n])
})

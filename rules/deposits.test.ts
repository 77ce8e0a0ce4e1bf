import { expect, test } from 'vitest'
import {
  namesMatch,
  announcementExpiry,
  checkDeposit,
  enteredLinesSince,
  isOverdueLine,
  depositToMatch,
  lineToMatch,
  matchReasons,
  initialLineState,
  type DepositRequest,
} from './deposits.ts'
import { money } from './money.ts'

const eur = (minor: bigint) => money(minor, 'EUR')
const good: DepositRequest = {
  amount: eur(100_000n),
  minimum: eur(1_000n),
  accountState: 'approved',
  accountClosed: false,
  accountType: 'live',
  accountCurrency: 'EUR',
  declarationAccepted: true,
  windDown: false,
  method: 'wire',
  offered: ['wire', 'cc_gcen'],
  cardType: null,
}

test.each<[string, Partial<DepositRequest>, string | null]>([
  ['everything right', {}, null],
  ['exactly the minimum', { amount: eur(1_000n) }, null],
  ['a cent under the minimum', { amount: eur(999n) }, 'deposit-too-low'],
  ['deposits closed by wind-down', { windDown: true }, 'deposits-closed'],
  ['no accepted declaration', { declarationAccepted: false }, 'declaration-first'],
  ['a demo account', { accountType: 'demo' }, 'demo-account'],
  ['a rejected account', { accountState: 'rejected' }, 'account-not-approved'],
  ['an account that its platform has closed', { accountClosed: true }, 'account-not-approved'],
  ['another currency', { amount: money(100_000n, 'USD') }, 'currency-not-account'],
  ['a method that is not offered', { method: 'ideal' }, 'method-not-offered'],
  ['a card without its type', { method: 'cc_gcen' }, 'card-type-required'],
  ['a card with its type', { method: 'cc_gcen', cardType: 114 }, null],
])('a deposit with %s', (_, change, problem) => {
  expect(checkDeposit({ ...good, ...change })).toBe(problem)
})

test('a bank transaction requires a second approval at or above the threshold, alone or with those before it', () => {
  expect(initialLineState(eur(19_999n), 0n, eur(20_000n))).toBe('unmatched')
  expect(initialLineState(eur(20_000n), 0n, eur(20_000n))).toBe('second_approval')
  expect(initialLineState(eur(5_000n), 14_999n, eur(20_000n))).toBe('unmatched')
  expect(initialLineState(eur(5_000n), 15_000n, eur(20_000n))).toBe('second_approval')
  expect(initialLineState(eur(-5_000n), 90_000n, eur(20_000n))).toBe('unmatched')
})

test('bank transactions entered by one person count together for 24 hours', () => {
  expect(enteredLinesSince(new Date('2026-01-02T09:30:00Z')).toISOString()).toBe('2026-01-01T09:30:00.000Z')
})

test('an announced bank transfer expires after 30 days, and an unmatched bank transaction is overdue after 5', () => {
  const now = new Date('2026-01-01T00:00:00Z')
  expect(announcementExpiry(now).toISOString()).toBe('2026-01-31T00:00:00.000Z')
  expect(isOverdueLine(now, new Date('2026-01-05T23:59:59Z'))).toBe(false)
  expect(isOverdueLine(now, new Date('2026-01-06T00:00:00Z'))).toBe(true)
})

test.each([
  ['Clara Weidmann', 'WEIDMANN CLARA', true],
  ['Clara Elisabeth Weidmann', 'Mrs. Clara Weidmann', true],
  ['Piotr Zieliński', 'PIOTR ZIELINSKI', true],
  ['Thomas O’Rourke', 'THOMAS O ROURKE', true],
  ['Clara Weidmann', 'Carla Weidmann', false],
  ['Weidmann', 'Clara Weidmann', false],
  ['Ali Reza Hosseini', 'Ali Ali', false],
  ['', '', false],
])('the names “%s” and “%s” match: %s', (one, other, expected) => {
  expect(namesMatch(one, other)).toBe(expected)
})

test('a suggested match lists its reasons', () => {
  const line = { amount: eur(100_000n), payer: 'WEIDMANN CLARA', remittance: 'ref cr 7f2k91qx thanks' }
  const deposit = depositToMatch({
    amount: eur(100_000n),
    reference: 'CR-7F2K91QX',
    clientName: 'Clara Weidmann',
  })
  expect(matchReasons(lineToMatch(line), deposit, false)).toEqual(['reference', 'amount', 'name'])
  const other = lineToMatch({ amount: money(100_000n, 'GBP'), remittance: '', payer: 'X Ltd' })
  expect(matchReasons(other, deposit, true)).toEqual(['account-before'])
  expect(matchReasons(other, deposit, false)).toEqual([])
})

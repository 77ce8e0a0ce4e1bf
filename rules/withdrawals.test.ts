import { expect, test } from 'vitest'
import { money } from './money.ts'
import {
  stateAfterApproval,
  checkWithdrawal,
  checkDifferentApprover,
  checkNotOwnRequest,
  sameBankSince,
  withdrawalStatusForClient,
  type WithdrawalRequest,
} from './withdrawals.ts'

const eur = (minor: bigint) => money(minor, 'EUR')
const good: WithdrawalRequest = {
  amount: eur(25_000n),
  minimum: eur(100n),
  balance: eur(100_000n),
  available: eur(100_000n),
  accountState: 'approved',
  bankState: 'approved',
  bankCurrency: 'EUR',
}

test.each<[string, Partial<WithdrawalRequest>, string | null]>([
  ['everything right', {}, null],
  ['exactly the minimum', { amount: eur(100n) }, null],
  ['a cent under the minimum', { amount: eur(99n) }, 'withdrawal-too-low'],
  ['exactly what is available', { amount: eur(100_000n) }, null],
  ['a cent over the balance', { amount: eur(100_001n) }, 'more-than-balance'],
  ['more than is available but less than the balance', { available: eur(20_000n) }, 'more-than-available'],
  ['an empty account', { balance: eur(0n), available: eur(0n) }, 'no-balance'],
  ['another currency than the account', { amount: money(25_000n, 'GBP') }, 'currency-not-account'],
  ['a pending account', { accountState: 'pending' }, 'account-not-approved'],
  ['bank details in another currency', { bankCurrency: 'USD' }, 'bank-currency'],
  ['bank details that are not approved', { bankState: 'pending' }, 'bank-not-approved'],
])('a withdrawal with %s', (_, change, problem) => {
  expect(checkWithdrawal({ ...good, ...change })).toBe(problem)
})

test('a withdrawal at or above the threshold requires a second approval', () => {
  expect(stateAfterApproval(eur(19_999n), eur(20_000n))).toBe('processing')
  expect(stateAfterApproval(eur(20_000n), eur(20_000n))).toBe('second_approval')
})

test('withdrawals to the same bank details are added up over 24 hours', () => {
  expect(sameBankSince(new Date('2026-03-29T12:00:00Z')).toISOString()).toBe('2026-03-28T12:00:00.000Z')
})

test('the first approver cannot give the second approval, and staff cannot decide a request from their own email address', () => {
  expect(checkDifferentApprover('tom', 'tom')).toBe('own-approval')
  expect(checkDifferentApprover('tom', 'johanna')).toBeNull()
  expect(checkNotOwnRequest('Tom@Firm.example', 'tom@firm.example')).toBe('own-request')
  expect(checkNotOwnRequest('tom@firm.example', 'clara@example.com')).toBeNull()
})

test('a withdrawal that needs a second approval is shown to the client as pending', () => {
  expect(withdrawalStatusForClient('second_approval')).toBe('pending')
  expect(withdrawalStatusForClient('paid')).toBe('paid')
})

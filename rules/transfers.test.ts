import { expect, test } from 'vitest'
import { money } from './money.ts'
import { arrivingAmount, checkTransfer, quotedUntil, rateBetween, type TransferRequest } from './transfers.ts'

const eur = (minor: bigint) => money(minor, 'EUR')
const account = (id: string) => ({ id, state: 'approved', closed: false, requestType: 'live' as const })
const good: TransferRequest = {
  source: account('a'),
  destination: account('b'),
  amount: eur(10_000n),
  minimum: eur(500n),
  balance: eur(50_000n),
  available: eur(50_000n),
  arrives: eur(10_000n),
}

test.each<[string, Partial<TransferRequest>, string | null]>([
  ['everything right', {}, null],
  ['exactly the minimum', { amount: eur(500n) }, null],
  ['a cent under the minimum', { amount: eur(499n) }, 'transfer-too-low'],
  ['a cent over the balance', { amount: eur(50_001n) }, 'transfer-more-than-balance'],
  ['more than is available', { available: eur(9_999n) }, 'transfer-more-than-available'],
  ['source and destination the same', { destination: account('a') }, 'same-account'],
  ['a demo destination', { destination: { ...account('b'), requestType: 'demo' } }, 'demo-account'],
  ['a rejected destination', { destination: { ...account('b'), state: 'rejected' } }, 'account-not-approved'],
  [
    'a destination that its platform has closed',
    { destination: { ...account('b'), closed: true } },
    'account-not-approved',
  ],
  ['a source that its platform has closed', { source: { ...account('a'), closed: true } }, null],
  ['the currency of the destination', { amount: money(10_000n, 'GBP') }, 'currency-not-account'],
  ['an empty source', { balance: eur(0n), available: eur(0n) }, 'no-balance'],
  ['no exchange rate', { arrives: null }, 'no-rate'],
])('a transfer with %s', (_, change, problem) => {
  expect(checkTransfer({ ...good, ...change })).toBe(problem)
})

test('the rate is 1 within a currency, otherwise the configured rate or its inverse, rounded down', () => {
  const rates = { 'EUR/USD': '1.0850' }
  expect(rateBetween('EUR', 'EUR', rates)).toBe('1')
  expect(rateBetween('EUR', 'USD', rates)).toBe('1.0850')
  expect(rateBetween('USD', 'EUR', rates)).toBe('0.92165898')
  expect(rateBetween('GBP', 'EUR', rates)).toBeNull()
  expect(arrivingAmount(eur(10_001n), 'USD', rates)).toEqual(money(10_851n, 'USD'))
})

test('a quote is valid for five minutes', () => {
  expect(quotedUntil(new Date(0)).getTime()).toBe(300_000)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  add,
  atLeastZero,
  convert,
  currencies,
  decimalOf,
  feeOn,
  inverseRate,
  isLessThan,
  subtractFee,
  minorOf,
  money,
  negate,
  minMoney,
  subtract,
  zero,
} from './money.ts'

const minors = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n })

test('an amount that is formatted and parsed again is the same to the minor unit', () => {
  fc.assert(
    fc.property(minors, (minor) => {
      expect(minorOf(decimalOf(minor))).toBe(minor)
    }),
  )
})

test.each([
  ['10', 1000n],
  ['10.1', 1010n],
  ['10.10', 1010n],
  ['-3.05', -305n],
  ['0', 0n],
  ['-0', 0n],
  ['4.35', 435n],
  ['90071992547409.93', 9007199254740993n],
  ['010', 1000n],
  ['0000.10', 10n],
])('"%s" is %s minor units', (text, minor) => {
  expect(minorOf(text)).toBe(minor)
})

test.each([
  '',
  ' 10',
  '10 ',
  '1e2',
  '0x10',
  '10,00',
  '１０',
  '∞',
  'NaN',
  '10.001',
  '.5',
  '5.',
  '+5',
  '1e-9',
  '--1',
  '1 000',
])('"%s" is not an amount', (text) => {
  expect(minorOf(text)).toBeNull()
})

test('400 digits are not an amount', () => {
  expect(minorOf('9'.repeat(400))).toBeNull()
})

test('addition and subtraction cancel each other out exactly', () => {
  fc.assert(
    fc.property(minors, minors, fc.constantFrom(...currencies), (a, b, currency) => {
      const sum = add(money(a, currency), money(b, currency))
      expect(subtract(sum, money(b, currency))).toEqual(money(a, currency))
      expect(add(sum, negate(sum))).toEqual(zero(currency))
    }),
  )
})

test('a negative amount is shown as zero', () => {
  expect(atLeastZero(money(-4000n, 'EUR'))).toEqual(zero('EUR'))
  expect(atLeastZero(money(4000n, 'EUR'))).toEqual(money(4000n, 'EUR'))
})

test('adding 0.01 ten thousand times gives exactly 100.00', () => {
  let sum = zero('EUR')
  for (let time = 0; time < 10_000; time += 1) sum = add(sum, money(1n, 'EUR'))
  expect(decimalOf(sum.minor)).toBe('100.00')
})

test('amounts in different currencies cannot be added or compared', () => {
  expect(() => add(money(1n, 'EUR'), money(1n, 'GBP'))).toThrow()
  expect(() => isLessThan(money(1n, 'EUR'), money(1n, 'USD'))).toThrow()
  expect(minMoney(money(1n, 'EUR'), money(2n, 'EUR')).minor).toBe(1n)
})

test.each([
  [1000n, '0', 0n, 0n],
  [1000n, '1.5', 0n, 15n],
  [333n, '1.5', 0n, 5n],
  [1n, '50', 0n, 1n],
  [1000n, '0.05', 25n, 26n],
  [10_000n, '2.5', 100n, 350n],
  [1_000_000n, '0.12345678', 0n, 1235n],
])('a fee on %s minor units at %s per cent and %s flat is %s, rounded half up', (amount, percent, flatMinor, fee) => {
  expect(feeOn(money(amount, 'EUR'), { percent, flatMinor }).minor).toBe(fee)
})

test('an amount minus its fee is never negative', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 10n ** 12n }),
      fc.nat(200),
      fc.bigInt({ min: 0n, max: 10n ** 12n }),
      (minor, percent, flatMinor) => {
        const amount = money(minor, 'EUR')
        const left = subtractFee(amount, feeOn(amount, { percent: String(percent), flatMinor })).minor
        expect(left).toBeGreaterThanOrEqual(0n)
      },
    ),
  )
})

test('a conversion to another currency and back never increases an amount', () => {
  const rates = fc
    .integer({ min: 1, max: 1_000_000 })
    .map((scaled) => (scaled / 10_000).toFixed(4))
    .filter((rate) => Number(rate) > 0)
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 12n }), rates, (minor, rate) => {
      const back = inverseRate(rate)
      if (back === null) return
      const there = convert(money(minor, 'EUR'), rate, 'USD')
      expect(convert(there, back, 'EUR').minor).toBeLessThanOrEqual(minor)
    }),
  )
})

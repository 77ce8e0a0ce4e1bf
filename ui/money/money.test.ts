import { expect, test } from 'vitest'
import { money } from '#rules/money.ts'
import { decimalMoneyText, moneyText } from './money.tsx'

test('an amount is formatted in the reader’s language, with two decimals, a true minus sign and its currency code', () => {
  expect(moneyText(money(1_248_050n, 'EUR'), 'en')).toBe('12,480.50\u00a0EUR')
  expect(moneyText(money(1_248_050n, 'EUR'), 'de')).toBe('12.480,50\u00a0EUR')
  expect(moneyText(money(-120_000n, 'GBP'), 'en')).toBe('−1,200.00\u00a0GBP')
  expect(moneyText(money(99_999_999_999_999_999n, 'USD'), 'en')).toBe('999,999,999,999,999.99\u00a0USD')
  expect(decimalMoneyText('10', 'EUR', 'de')).toBe('10,00\u00a0EUR')
})

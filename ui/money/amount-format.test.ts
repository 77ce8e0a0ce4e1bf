import { expect, test } from 'vitest'
import { parseAmount, parseSignedAmount, formatAmount, translateAmount, formatSignedAmount } from './amount-format.ts'

test.each([
  ['1200', 'en', '1200'],
  ['1,200.50', 'en', '1200.50'],
  ['1.200,50', 'de', '1200.50'],
  ['12,5', 'de', '12.5'],
  ['12.5', 'de', '12.5'],
  ['12,50', 'en', '12.50'],
  ['1.200', 'de', '1200'],
  ['1,200', 'en', '1200'],
  [' 1 200,5 ', 'de', '1200.5'],
  ['.5', 'en', '0.5'],
  ['10.', 'en', '10'],
  ['', 'en', ''],
  ['1.234', 'en', null],
  ['1e3', 'en', null],
  ['-5', 'en', null],
  ['1,20,000', 'en', null],
  ['0,500', 'en', null],
  ['0.500', 'de', null],
  ['010', 'en', '010'],
])('"%s" in %s is read as %s', (text, locale, decimal) => {
  expect(parseAmount(text, locale)).toBe(decimal)
})

test('an amount is formatted in its language with two decimals', () => {
  expect(formatAmount('1234567.5', 'en')).toBe('1,234,567.50')
  expect(formatAmount('1234567.5', 'de')).toBe('1.234.567,50')
  expect(formatAmount('010', 'en')).toBe('10.00')
  expect(formatAmount('', 'de')).toBe('')
})

test.each([
  ['-25.00', 'en', '-25.00'],
  ['−1.200,50', 'de', '-1200.50'],
  [' - 3', 'de', '-3'],
  ['3,50', 'de', '3.50'],
  ['', 'de', ''],
  ['-', 'de', null],
  ['--3', 'en', null],
  ['3-', 'en', null],
])('the signed amount "%s" in %s is read as %s', (text, locale, decimal) => {
  expect(parseSignedAmount(text, locale)).toBe(decimal)
})

test('a negative amount is formatted with a true minus sign and can be parsed again', () => {
  expect(formatSignedAmount('-1200.5', 'de')).toBe('−1.200,50')
  expect(formatSignedAmount('7', 'en')).toBe('7.00')
  expect(parseSignedAmount(formatSignedAmount('-1200.5', 'de'), 'de')).toBe('-1200.50')
})

test('an entered amount follows the reader into another language; text that is no amount stays', () => {
  expect(translateAmount('1.200,50', 'de', 'en')).toBe('1,200.50')
  expect(translateAmount('1,200.50', 'en', 'de')).toBe('1.200,50')
  expect(translateAmount('', 'de', 'en')).toBe('')
  expect(translateAmount('1e3', 'de', 'en')).toBe('1e3')
})

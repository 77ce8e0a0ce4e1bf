import { expect, test } from 'vitest'
import { countryOf } from './countries.ts'
import { internationalNumber, splitNumber, parseInternational } from './phone-numbers.ts'

test.each([
  ['DE', '0170 1234567', '+491701234567'],
  ['DE', '170-123 45 67', '+491701234567'],
  ['GB', '(0)20 7946 0018', '+442079460018'],
  ['IT', '06 698 12345', '+390669812345'],
  ['CI', '07 08 12 34 56', '+2250708123456'],
  ['BJ', '01 95 12 34 56', '+2290195123456'],
  ['HU', '06 30 123 4567', '+36301234567'],
  ['HU', '30 123 4567', '+36301234567'],
  ['RU', '8 (912) 345-67-89', '+79123456789'],
  ['RU', '800 555 35 35', '+78005553535'],
  ['KZ', '8 701 123 4567', '+77011234567'],
  ['BY', '8 029 491-19-11', '+375294911911'],
  ['TM', '8 66 123456', '+99366123456'],
  ['LT', '8 612 34567', '+37061234567'],
  ['LT', '0 612 34567', '+37061234567'],
  ['US', '1 (202) 555-0100', '+12025550100'],
  ['CA', '506 234 5678', '+15062345678'],
  ['DE', '', ''],
  ['DE', '0', ''],
])('in %s the number "%s" is read as "%s"', (code, written, number) => {
  const country = countryOf(code)
  expect(country && internationalNumber(country, written)).toBe(number)
})

test('without a country a number is read as empty', () => {
  expect(internationalNumber({ code: '', prefix: '' }, '170 1234567')).toBe('')
})

test.each([
  ['+49 170 1234567', '+491701234567'],
  ['0049 170 1234567', '+491701234567'],
  ['0049 170', null],
  ['0170 1234567', null],
  ['', null],
])('the number "%s" is read with its own country prefix as %s', (written, number) => {
  expect(parseInternational(written)).toBe(number)
})

const prefixed = [
  { code: 'CA', prefix: '+1' },
  { code: 'US', prefix: '+1' },
  { code: 'GG', prefix: '+44' },
  { code: 'GB', prefix: '+44' },
  { code: 'IE', prefix: '+353' },
  { code: 'XX', prefix: '+3531' },
]
test.each([
  ['+44 7700 900123', '', { code: 'GB', rest: '7700900123' }],
  ['+12025550100', 'GB', { code: 'US', rest: '2025550100' }],
  ['+12025550100', 'CA', { code: 'CA', rest: '2025550100' }],
  ['+35312345678', 'IE', { code: 'XX', rest: '2345678' }],
  ['+', '', null],
  ['+4', 'GB', null],
  ['7700900123', 'GB', null],
])('"%s" with the country hint "%s" is split into %o', (number, hinted, split) => {
  expect(splitNumber(number, prefixed, hinted)).toEqual(split)
})

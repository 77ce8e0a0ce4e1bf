import { expect, test } from 'vitest'
import {
  checkBankNumbers,
  isIban,
  isSortCode,
  isSwift,
  maskBankNumber,
  maskDistinctly,
  normalizeBankNumber,
  type BankNumbers,
} from './bank-details.ts'

const empty = { bankAccountNumber: '', bankSortCode: '', bankIBAN: '', bankSwift: '' }

test.each<[string, BankNumbers, object]>([
  [
    'GB with account number and sort code',
    { ...empty, bankCountry: 'GB', bankAccountNumber: '3192\u00a06819', bankSortCode: '60-16-13' },
    {},
  ],
  [
    'GB with neither',
    { ...empty, bankCountry: 'GB' },
    { bankAccountNumber: 'bank-fields-required', bankSortCode: 'bank-fields-required' },
  ],
  [
    'GB with an additional IBAN',
    {
      ...empty,
      bankCountry: 'GB',
      bankAccountNumber: '3192\u00a06819',
      bankSortCode: '601613',
      bankIBAN: 'GB29NWBK60161331926819',
    },
    { bankIBAN: 'not-for-country' },
  ],
  [
    'GB with too few digits',
    { ...empty, bankCountry: 'GB', bankAccountNumber: '3192681', bankSortCode: '6016' },
    { bankAccountNumber: 'account-number-invalid', bankSortCode: 'sort-code-invalid' },
  ],
  [
    'DE with IBAN and BIC',
    { ...empty, bankCountry: 'DE', bankIBAN: 'DE89 3704 0044 0532 0130 00', bankSwift: 'COBADEFFXXX' },
    {},
  ],
  [
    'DE with neither',
    { ...empty, bankCountry: 'DE' },
    { bankIBAN: 'bank-fields-required', bankSwift: 'bank-fields-required' },
  ],
  [
    'DE with a wrong digit in the IBAN',
    { ...empty, bankCountry: 'DE', bankIBAN: 'DE89370400440532013001', bankSwift: 'COBADEFF' },
    { bankIBAN: 'iban-invalid' },
  ],
  [
    'DE with an additional sort code',
    { ...empty, bankCountry: 'DE', bankIBAN: 'DE89370400440532013000', bankSwift: 'COBADEFF', bankSortCode: '601613' },
    { bankSortCode: 'not-for-country' },
  ],
])('the bank numbers of %s are checked field by field', (_, numbers, expected) => {
  expect(checkBankNumbers(numbers)).toEqual(expected)
})

test('IBANs are validated by their check digits, with or without spaces', () => {
  for (const iban of [
    'GB29NWBK60161331926819',
    'SE4550000000058398257466',
    'AT61 1904 3002 3457 3201',
    'NO9386011117947',
  ])
    expect(isIban(iban)).toBe(true)
  for (const iban of ['', 'DE', 'XX00', 'SE4550000000058398257467', 'DE8937040044053201300０'])
    expect(isIban(iban)).toBe(false)
})

test('sort codes and BICs may contain spaces and dashes, and numbers are masked up to the last four characters', () => {
  expect(isSortCode('60 16 13')).toBe(true)
  expect(isSortCode('60–16–13 ')).toBe(true)
  expect(isSortCode('60161')).toBe(false)
  expect(isSortCode('60.16.13')).toBe(false)
  expect(isSwift('deutdeff')).toBe(true)
  expect(isSwift('DEUT\u00a0DE\u00a0FF')).toBe(true)
  expect(isSwift('DEUTDE')).toBe(false)
  expect(normalizeBankNumber('de89 3704-0044')).toBe('DE8937040044')
  expect(maskBankNumber('SE45 5000 0000 0583 9825 7466')).toBe('•••• 7466')
  expect(maskBankNumber('123')).toBe('••••')
})

test.each([
  [
    ['DE89370400440532013000', 'DE48500105170532013000', 'SE4550000000058398257466', '99'],
    ['DE89 •••• 3000', 'DE48 •••• 3000', '•••• 7466', '••••'],
  ],
  [
    ['40055373000', '40055473000'],
    ['•••• 373000', '•••• 473000'],
  ],
])('numbers that share their last digits are masked so that each can be told apart: %j', (numbers, shown) =>
  expect(numbers.map((number) => maskDistinctly(numbers).get(number))).toEqual(shown),
)

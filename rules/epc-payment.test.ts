import { describe, expect, test } from 'vitest'
import { epcPayment, type CreditTransfer } from './epc-payment.ts'
import { money } from './money.ts'

const transfer: CreditTransfer = {
  name: 'Calder Row Markets Ltd, client money',
  iban: 'DE91 1000 0000 0123 4567 89',
  bic: 'MARKDEF1100',
  amount: money(2500_00n, 'EUR'),
  reference: 'CR-7Q2M4X8K',
}

test('the lines follow the order of EPC069-12: version 002, BIC, name, IBAN, amount, unstructured reference', () => {
  expect(epcPayment(transfer)?.split('\n')).toEqual([
    'BCD',
    '002',
    '1',
    'SCT',
    'MARKDEF1100',
    'Calder Row Markets Ltd, client money',
    'DE91100000000123456789',
    'EUR2500.00',
    '',
    '',
    'CR-7Q2M4X8K',
  ])
})

describe('no payment code is created', () => {
  test.each<[string, Partial<CreditTransfer>]>([
    ['for another currency', { amount: money(2500_00n, 'GBP') }],
    ['for an amount of zero', { amount: money(0n, 'EUR') }],
    ['for more than the maximum of the scheme', { amount: money(999_999_999_99n + 1n, 'EUR') }],
    ['without a BIC', { bic: '' }],
    ['for an IBAN that is not in SEPA', { iban: 'AE070331234567890123456' }],
    ['for an IBAN with wrong check digits', { iban: 'DE90100000000123456789' }],
    ['for a name that would have to be truncated', { name: 'N'.repeat(71) }],
    ['for a name that contains a line break', { name: 'Firm\nEUR9999.00' }],
    ['for a reference that contains a line break', { reference: 'CR-1\nmore' }],
    ['beyond 331 bytes', { name: '社'.repeat(70), reference: 'é'.repeat(70) }],
  ])('%s', (_name, change) => {
    expect(epcPayment({ ...transfer, ...change })).toBeNull()
  })
})

test('a payment code is created for a name of 70 characters and the largest amount', () => {
  expect(epcPayment({ ...transfer, name: 'é'.repeat(70), amount: money(999_999_999_99n, 'EUR') })?.split('\n')[7]).toBe(
    'EUR999999999.99',
  )
})

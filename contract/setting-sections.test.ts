import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { settingSections } from './setting-sections.ts'

const method = {
  id: 'wire',
  type: 'wire',
  image: '',
  time: { en: '2-5 days', de: '2–5 Tage' },
  text: { en: 'You send the money.', de: 'Sie überweisen.' },
  fee: { percent: '0', flat: '0' },
  paymentGateway: 'bank',
  countries: [],
}

test.each([
  ['stored before there were two languages', 'Bank Transfer', { en: 'Bank Transfer', de: 'Bank Transfer' }],
  [
    'stored in both languages',
    { en: 'Bank Transfer', de: 'Banküberweisung' },
    { en: 'Bank Transfer', de: 'Banküberweisung' },
  ],
])('the name of a payment method %s is read in both languages', (_case, name, read) => {
  const value = { deposit: [{ ...method, method: name }], withdrawal: [] } as never
  expect(z.decode(settingSections.methods, value).deposit[0]?.method).toEqual(read)
})

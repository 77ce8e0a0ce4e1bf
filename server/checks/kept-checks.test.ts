import { expect, test } from 'vitest'
import { settingDefault } from '#server/settings/defaults.ts'
import { storedCheckSentence } from './stored-checks.ts'

const reader = { language: 'de', timeZone: 'Europe/London', methods: settingDefault('methods', new Date()) } as const

test('origins of money that were stored as one text are shown in the reader’s language', () => {
  const kept = (origin: unknown) =>
    storedCheckSentence(
      {
        name: 'closed-loop',
        result: 'warn',
        sentence: 'loop-open',
        values: { share: { amount: { minor: '700', currency: 'EUR' } }, origin },
      },
      reader,
    )
  const now = kept({ list: [{ method: 'Credit/Debit Card' }, { text: 'NL…4300' }] })
  expect(now).toContain('Kredit-/Debitkarte, NL…4300')
  expect(kept({ text: 'Credit/Debit Card, NL…4300' })).toBe(now)
})

test('a name entered by a person is never translated as a payment method', () => {
  const values = { holder: { text: 'Credit/Debit Card' }, client: { text: 'Hannah Brandt' } }
  const kept = storedCheckSentence({ name: 'account-holder', result: 'block', sentence: 'holder-far', values }, reader)
  expect(kept).toContain('Credit/Debit Card')
})

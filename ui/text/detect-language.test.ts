import { expect, test } from 'vitest'
import { detectLanguage } from './detect-language.ts'

test.each([
  ['The name differs from that on your passport.', 'en'],
  ['Please call us.', 'en'],
  ['Der Name weicht vom Reisepass ab.', 'de'],
  ['Bitte rufen Sie uns an.', 'de'],
  ['Unterschrift fehlt auf Seite 2', 'de'],
  ['Adresse ungültig', 'de'],
])('the text "%s" is detected as %s', (text, language) => expect(detectLanguage(text)).toBe(language))

test.each(['', 'CR-4K7Q9ZPX', 'Hannah Brandt', '12,480.50 EUR', 'IBAN'])('no language is detected in %j', (text) =>
  expect(detectLanguage(text)).toBeNull(),
)

import { expect, test } from 'vitest'
import { languageFor } from './language.ts'

test.each([
  ['what was chosen before', ['en', 'de'], 'de', ['en-GB'], 'de'],
  ['else the first of the browser’s languages that is spoken', ['en', 'de'], null, ['pt-PT', 'de-AT', 'en'], 'de'],
  ['else English', ['en', 'de'], null, ['pt-PT'], 'en'],
  ['what was chosen before the firm gave it up is no choice', ['en'], 'de', ['de-DE'], 'en'],
  ['the one that the firm speaks, where English is none', ['de'], 'en', ['en-GB'], 'de'],
] as const)('the language is %s', (_, among, chosen, wanted, expected) => {
  expect(languageFor(among, chosen, wanted)).toBe(expected)
})

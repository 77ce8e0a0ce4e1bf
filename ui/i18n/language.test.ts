import { expect, test } from 'vitest'
import { languageFor } from './language.ts'

test.each([
  ['the one chosen before', ['en', 'de'], 'de', ['en-GB'], 'de'],
  [
    'otherwise the first language of the browser that the firm offers',
    ['en', 'de'],
    null,
    ['pt-PT', 'de-AT', 'en'],
    'de',
  ],
  ['otherwise English', ['en', 'de'], null, ['pt-PT'], 'en'],
  ['English if the firm no longer offers the one chosen before', ['en'], 'de', ['de-DE'], 'en'],
  ['the one that the firm offers if it does not offer English', ['de'], 'en', ['en-GB'], 'de'],
] as const)('the language is %s', (_, among, chosen, wanted, expected) => {
  expect(languageFor(among, chosen, wanted)).toBe(expected)
})

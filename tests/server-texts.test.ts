/**
 * All texts that leave the server as email or PDF are in its catalogue: in a pseudo-language no English word is left.
 */
import { expect, test } from 'vitest'
import { mailKinds } from '#contract/office/mail-kinds.ts'
import { serverTexts, untranslatedWords } from './pseudo-language.ts'

/** Names, and parts of dates, which the pseudo-language takes from English. */
const months = Array.from({ length: 12 }, (_, at) => new Date(0, at).toLocaleString('en', { month: 'long' }))
const names = new Set(['IBAN', 'BIC', 'EUR', 'USD', 'ECN', 'UTC', ...months, 'at'])

test('every text of an email and of a PDF document is in a catalogue', async () => {
  const texts = await serverTexts()
  const mails = new Set(Object.keys(texts).flatMap((name) => (name.startsWith('mail ') ? [name.split(' ')[1]] : [])))
  expect([...mails].toSorted()).toEqual(Object.keys(mailKinds).toSorted())
  expect(Object.keys(texts).filter((name) => name.startsWith('PDF '))).toHaveLength(8)
  const left = Object.entries(texts).map(([name, text]) => [
    name,
    untranslatedWords(text).filter((word) => !names.has(word)),
  ])
  expect(Object.fromEntries(left.filter(([, words]) => words?.length !== 0))).toEqual({})
})

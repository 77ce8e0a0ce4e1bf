import { readFileSync } from 'node:fs'
import { parsePo } from 'pofile-ts'
import { expect, test } from 'vitest'
import { msg } from '#contract/message.ts'
import { languages } from '#rules/choices.ts'
import { translate } from './translate.ts'

const validity = msg`The link is valid for {hours, plural, one {# hour} other {# hours}} and works once.`

test.each([
  ['en', 1, 'The link is valid for 1 hour and works once.'],
  ['en', '1', 'The link is valid for 1 hour and works once.'],
  ['en', 24, 'The link is valid for 24 hours and works once.'],
  ['de', 1, 'Der Link gilt 1 Stunde und funktioniert einmal.'],
  ['de', 24, 'Der Link gilt 24 Stunden und funktioniert einmal.'],
] as const)('a text in %s has the form of the number %s', (language, hours, text) =>
  expect(translate(validity, language, { hours })).toBe(text),
)

test.each(['server', 'contract'])('every plural form of the texts of %s is filled', (directory) => {
  const { items } = parsePo(readFileSync(`${directory}/locales/de.po`, 'utf8'))
  const plurals = items.filter(({ msgid }) => msgid.includes(', plural,'))
  expect(plurals.length).toBeGreaterThan(2)
  for (const { msgid } of plurals)
    for (const language of languages) {
      const [, name = ''] = /\{(\w+), plural,/.exec(msgid) ?? []
      expect(translate({ id: msgid, message: msgid }, language, { [name]: 1 })).not.toMatch(/plural|#/)
    }
})

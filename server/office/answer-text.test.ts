import { expect, test } from 'vitest'
import { refusals as gatewayRefusals } from '../integrations/trading-platform/mt4/answers.ts'
import { refusals } from '../integrations/trading-platform/mt5/caller.ts'
import { answerLabels } from '../integrations/trading-platform/answer-labels.ts'
import { answerText } from './answer-text.ts'

test.each([
  [
    'The platform answered 10019 Not enough money',
    'Das Konto hat nicht genug Guthaben. Antwort der Plattform: „10019 Not enough money“.',
  ],
  [
    'The gateway answered no_money not enough money',
    'Das Konto hat nicht genug Guthaben. Antwort der Plattform: „no_money not enough money“.',
  ],
  ['The gateway answered busy', 'Die Plattform ist ausgelastet. Antwort der Plattform: „busy“.'],
  [
    'mt5:3008 The platform answered 3008 User has open trades',
    'Das Konto hat offene Positionen. Antwort der Plattform: „3008 User has open trades“.',
  ],
  ['The platform answered 9999 Something new', 'Antwort der Plattform: „9999 Something new“.'],
])('of a platform (“%s”) is read in German, with its own words as the source', (error, text) => {
  expect(answerText(error, 'de')).toBe(text)
})

test('in English too, and other texts stay as they are', () => {
  expect(answerText('The platform answered 10019 Not enough money', 'en')).toBe(
    'The account does not have enough money. The platform answered “10019 Not enough money”.',
  )
  for (const other of ['no answer', 'The platform answered no record', 'Please send it again.', null])
    expect(answerText(other, 'de')).toBe(other)
})

test('every code that an adapter knows has a text', () => {
  const codes = [...[...refusals.keys()].map(String), ...Object.keys(gatewayRefusals), 'busy', 'timeout']
  expect(codes.length).toBeGreaterThan(20)
  expect(codes.filter((code) => !Object.hasOwn(answerLabels, code))).toEqual([])
})

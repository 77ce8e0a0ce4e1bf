import { expect, test } from 'vitest'
import { isOfferedIn } from './payment-methods.ts'

test.each([
  ['ideal', [], 'NL', true],
  ['ideal', [], 'DE', false],
  ['ideal', ['DE', 'BE'], 'DE', false],
  ['ideal', ['DE', 'BE'], 'NL', true],
  ['astropay', [], 'BR', false],
  ['astropay', [], 'NL', false],
  ['astropay', ['BR', 'MX'], 'BR', true],
  ['astropay', ['BR', 'MX'], 'DE', false],
  ['cc_gcen', [], 'DE', true],
  ['cc_gcen', ['DE'], 'DE', true],
  ['cc_gcen', ['DE'], 'NL', false],
  ['wire', [], 'DE', true],
  ['wire', ['NL'], 'DE', false],
] as const)(
  'the method %s with the list of countries %j is offered in %s: %s',
  (type, countries, country, isOffered) => {
    expect(isOfferedIn(type, countries, country)).toBe(isOffered)
  },
)

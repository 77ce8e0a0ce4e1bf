import { expect, test } from 'vitest'
import { checkPostcode } from './postcodes.ts'

test.each([
  ['DE', '10437', null],
  ['DE', ' 10437 ', null],
  ['DE', '1043', 'postcode-digits'],
  ['DE', '104377', 'postcode-digits'],
  ['DE', '1043O', 'postcode-digits'],
  ['DE', '１０４３７', 'postcode-digits'],
  ['AT', '1070', null],
  ['AT', '10700', 'postcode-digits'],
  ['GB', 'BS1 4SA', null],
  ['DE', '', null],
])('a postcode in %s written "%s": %s', (country, postcode, problem) => {
  expect(checkPostcode(country, postcode)).toBe(problem)
})

import { expect, test } from 'vitest'
import { hasNoPostcodes, unusualPostcode } from './postcodes.ts'

test.each([
  ['DE', '10437', null],
  ['DE', ' 10437 ', null],
  ['DE', '1043', 5],
  ['DE', '104377', 5],
  ['DE', '1043O', 5],
  ['DE', '１０４３７', 5],
  ['AT', '1070', null],
  ['AT', '10700', 4],
  ['GB', 'BS1 4SA', null],
  ['DE', '', null],
])('in %s the postcode "%s" is unusual, with the usual number of digits: %s', (country, postcode, digits) => {
  expect(unusualPostcode(country, postcode)).toBe(digits)
})

test('Hong Kong and the Emirates have no postcodes, Germany and Ireland do', () => {
  expect(['HK', 'AE', 'DE', 'IE'].map(hasNoPostcodes)).toEqual([true, true, false, false])
})

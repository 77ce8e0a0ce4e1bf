import { expect, test } from 'vitest'
import { mergeEdits } from './form-state.ts'

test('a save sends what the form changed, and otherwise the values of now', () => {
  const opened = { city: 'Berlin', phone: '1' }
  expect(mergeEdits(opened, { city: 'Bonn', phone: '1' }, { city: 'Berlin', phone: '2' })).toEqual({
    city: 'Bonn',
    phone: '2',
  })
  expect(mergeEdits(opened, opened, { city: 'Köln', phone: '1' })).toEqual({ city: 'Köln', phone: '1' })
})

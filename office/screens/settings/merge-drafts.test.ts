import { expect, test } from 'vitest'
import { mergeDrafts } from './merge-drafts.ts'

const before = {
  name: 'Calder & Row',
  limits: { EUR: '10.00', GBP: '10.00' },
  lines: ['one', 'two'],
  countries: { FR: { level: 3 } },
}

test('what was written here stands on what a colleague saved elsewhere in the section', () => {
  const here = { ...before, name: 'Calder', limits: { EUR: '20.00', GBP: '10.00' } }
  const there = { ...before, limits: { EUR: '10.00', GBP: '30.00' }, lines: ['one', 'three'] }
  expect(mergeDrafts(before, here, there)).toEqual({
    ...before,
    name: 'Calder',
    limits: { EUR: '20.00', GBP: '30.00' },
    lines: ['one', 'three'],
  })
})

test('what both changed is as it was written here', () => {
  expect(mergeDrafts(before, { ...before, name: 'Here' }, { ...before, name: 'There' })).toEqual({
    ...before,
    name: 'Here',
  })
})

test.each([
  [
    'a name added here',
    { FR: { level: 3 }, DE: { level: 1 } },
    { FR: { level: 4 } },
    { FR: { level: 4 }, DE: { level: 1 } },
  ],
  ['a name taken away here', {}, { FR: { level: 3 }, DE: { level: 1 } }, { DE: { level: 1 } }],
  [
    'a name added there',
    { FR: { level: 5 } },
    { FR: { level: 3 }, DE: { level: 1 } },
    { FR: { level: 5 }, DE: { level: 1 } },
  ],
  ['a name taken away there', { FR: { level: 3 } }, {}, {}],
  ['a name taken away there that was changed here', { FR: { level: 5 } }, {}, { FR: { level: 5 } }],
])('%s counts', (_case, here, there, expected) => {
  const written = mergeDrafts(before, { ...before, name: 'Here', countries: here }, { ...before, countries: there })
  expect(written).toEqual({ ...before, name: 'Here', countries: expected })
})

test('a list is written line by line while it keeps its length, and whole where it does not', () => {
  const listed = (lines: string[]) => ({ ...before, lines })
  expect(mergeDrafts(before, listed(['ONE', 'two']), listed(['one', 'TWO']))).toEqual(listed(['ONE', 'TWO']))
  expect(mergeDrafts(before, listed(['one']), listed(['one', 'TWO']))).toEqual(listed(['one']))
  expect(mergeDrafts(before, listed(['one', 'TWO']), listed(['one', 'two', 'three']))).toEqual(listed(['one', 'TWO']))
})

test('nothing written here is what is in force', () => {
  const there = { ...before, name: 'There' }
  expect(mergeDrafts(before, before, there)).toBe(there)
  expect(mergeDrafts(before, there, before)).toBe(there)
})

import { expect, test } from 'vitest'
import { mergeDrafts } from './merge-drafts.ts'

const before = {
  name: 'Calder & Row',
  limits: { EUR: '10.00', GBP: '10.00' },
  lines: ['one', 'two'],
  countries: { FR: { level: 3 } },
}

test('local edits are applied to what a colleague has saved elsewhere in the section', () => {
  const here = { ...before, name: 'Calder', limits: { EUR: '20.00', GBP: '10.00' } }
  const there = { ...before, limits: { EUR: '10.00', GBP: '30.00' }, lines: ['one', 'three'] }
  expect(mergeDrafts(before, here, there)).toEqual({
    ...before,
    name: 'Calder',
    limits: { EUR: '20.00', GBP: '30.00' },
    lines: ['one', 'three'],
  })
})

test('a field that both have changed keeps the local edit', () => {
  expect(mergeDrafts(before, { ...before, name: 'Here' }, { ...before, name: 'There' })).toEqual({
    ...before,
    name: 'Here',
  })
})

test.each([
  [
    'an entry added locally',
    { FR: { level: 3 }, DE: { level: 1 } },
    { FR: { level: 4 } },
    { FR: { level: 4 }, DE: { level: 1 } },
  ],
  ['an entry removed locally', {}, { FR: { level: 3 }, DE: { level: 1 } }, { DE: { level: 1 } }],
  [
    'an entry added by a colleague',
    { FR: { level: 5 } },
    { FR: { level: 3 }, DE: { level: 1 } },
    { FR: { level: 5 }, DE: { level: 1 } },
  ],
  ['an entry removed by a colleague', { FR: { level: 3 } }, {}, {}],
  ['a local change to an entry that a colleague has removed', { FR: { level: 5 } }, {}, { FR: { level: 5 } }],
])('the merged draft respects %s', (_case, here, there, expected) => {
  const written = mergeDrafts(before, { ...before, name: 'Here', countries: here }, { ...before, countries: there })
  expect(written).toEqual({ ...before, name: 'Here', countries: expected })
})

test('a list is merged item by item if its length is unchanged, and otherwise replaced as a whole', () => {
  const listed = (lines: string[]) => ({ ...before, lines })
  expect(mergeDrafts(before, listed(['ONE', 'two']), listed(['one', 'TWO']))).toEqual(listed(['ONE', 'TWO']))
  expect(mergeDrafts(before, listed(['one']), listed(['one', 'TWO']))).toEqual(listed(['one']))
  expect(mergeDrafts(before, listed(['one', 'TWO']), listed(['one', 'two', 'three']))).toEqual(listed(['one', 'TWO']))
})

test('without local edits the result is the saved section, and without other changes it is the local draft', () => {
  const there = { ...before, name: 'There' }
  expect(mergeDrafts(before, before, there)).toBe(there)
  expect(mergeDrafts(before, there, before)).toBe(there)
})

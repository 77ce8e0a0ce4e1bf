import { expect, test } from 'vitest'
import { withGoalSizeNotes, resultWithMaximum, outcomeOf, type Result } from '../bench/results.ts'

const held = resultWithMaximum('a page', 9, 10, 'buffers', 'the median')
const missed = resultWithMaximum('a page', 11, 10, 'buffers')
const measuredOnly: Result = { what: 'a count', measured: '3', goal: '', held: null }

test('the bench exits with code 1 only if a goal is missed', () => {
  expect(outcomeOf([held, measuredOnly], 5)).toEqual({ line: '1 goals held, 0 missed, in 5 s.', status: 0 })
  expect(outcomeOf([held, missed], 5)).toEqual({ line: '1 goals held, 1 missed, in 5 s.', status: 1 })
})

test('a goal that applies to a larger size is marked as such beside the measured value', () => {
  const all = [held, missed, measuredOnly]
  expect(withGoalSizeNotes(all, 300_000, 'rows').map(({ note }) => note)).toEqual([
    'goal for 10,000,000 rows; the median',
    'goal for 10,000,000 rows',
    undefined,
  ])
  expect(withGoalSizeNotes(all, 10_000_000, 'rows')).toEqual(all)
  expect(withGoalSizeNotes([missed], 30_000, 'clients')[0]?.note).toBe('goal for 1,000,000 clients')
})

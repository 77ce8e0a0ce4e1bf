/** Sensitive topics in texts of staff, and the check that each text is marked exactly once. */
import { expect, test } from 'vitest'
import { isEachTextMarkedOnce, topicsIn } from './access-requests.ts'

test.each([
  ['Called back, passport follows on Monday.', []],
  ['Sanctions list: a false positive.', ['screening']],
  ['Treffer beim Screening geprüft', ['screening']],
  ['Put on hold until Friday', ['hold']],
  ['Konto gesperrt', ['hold']],
  ['SAR sent to the NCA', ['report']],
  ['Verdachtsmeldung abgegeben', ['report']],
  ['@Greta Lund please look', ['person']],
  ['Same flat as client 100 and Kundin Nummer 20417', ['person']],
  ['PEP on hold, reported, see a@example.com', ['screening', 'hold', 'report', 'person']],
  ['The threshold is upheld', []],
] as const)('the text "%s" mentions the topics %j', (text, topics) => {
  expect(topicsIn(text)).toEqual(topics)
})

test('every text must be marked exactly once as handed out or withheld, and no other text may be marked', () => {
  const marks = (handedOut: string[], withheld: string[]) => isEachTextMarkedOnce(['a', 'b'], { handedOut, withheld })
  expect(marks(['a'], ['b'])).toBe(true)
  expect(marks([], ['b', 'a'])).toBe(true)
  expect(marks(['a'], [])).toBe(false)
  expect(marks(['a', 'a'], [])).toBe(false)
  expect(marks(['a', 'b'], ['b'])).toBe(false)
  expect(marks(['a'], ['c'])).toBe(false)
})

import { expect, test } from 'vitest'
import { checkAbsence, isDueBeforeReturn } from './absences.ts'

const today = '2026-11-26'

test.each([
  ['2026-11-26', '2026-11-26', null],
  ['2026-11-27', '2027-11-26', null],
  ['2026-11-27', '2027-11-27', 'until absence-far'],
  ['2027-11-27', '2027-11-27', 'until absence-far'],
  ['2026-11-25', '2026-11-27', 'from absence-past'],
  ['2026-11-28', '2026-11-27', 'until absence-order'],
  ['2026-02-30', '2026-11-27', 'from date-invalid'],
  ['2026-11-27', '2027-02-29', 'until date-invalid'],
])('an absence from %s until %s yields the error %s', (from, until, refusal) => {
  const found = checkAbsence({ from, until }, { today, current: null })
  expect(found && `${found.field} ${found.code}`).toBe(refusal)
})

test('on 29 February an absence may end up to 28 February of the following year', () => {
  const asked = { today: '2028-02-29', current: null }
  expect(checkAbsence({ from: '2028-02-29', until: '2029-02-28' }, asked)).toBeNull()
  expect(checkAbsence({ from: '2028-02-29', until: '2029-03-01' }, asked)?.code).toBe('absence-far')
})

test('an absence that has begun keeps its first day and may end today or later', () => {
  const asked = { today, current: { from: '2026-11-20', until: '2026-11-30' } }
  expect(checkAbsence({ from: '2026-11-20', until: today }, asked)).toBeNull()
  expect(checkAbsence({ from: '2026-11-20', until: '2026-11-25' }, asked)).toEqual({
    field: 'until',
    code: 'absence-past',
  })
  expect(checkAbsence({ from: '2026-11-19', until: today }, asked)?.field).toBe('from')
})

test.each([
  ['2026-11-20', '2026-11-30', '2026-11-25', true],
  ['2026-11-20', '2026-11-30', '2026-11-10', true],
  ['2026-11-20', '2026-11-30', '2026-11-30', true],
  ['2026-11-20', '2026-11-30', '2026-12-01', false],
  ['2026-12-01', '2026-12-05', '2026-12-01', true],
  ['2026-12-01', '2026-12-05', '2026-11-30', false],
  ['2026-12-01', '2026-12-05', '2026-11-20', false],
])(
  'during an absence from %s until %s, an item due on %s is due before the return: %s',
  (from, until, due, isBefore) => {
    expect(isDueBeforeReturn({ from, until }, { due, today })).toBe(isBefore)
  },
)

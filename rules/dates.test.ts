import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  ageOn,
  checkBirthDate,
  compareDays,
  dayIn,
  dayOf,
  daysAfter,
  instantIn,
  isoDay,
  isPast,
  isWorkingDay,
  monthsBefore,
  isValidDate,
  workingDaysAfter,
  type PlainDate,
} from './dates.ts'

const day = (text: string): PlainDate => dayOf(text) ?? { year: 0, month: 0, day: 0 }
const london = 'Europe/London'

test.each([
  ['2024-02-29', true],
  ['2025-02-29', false],
  ['2026-04-31', false],
  ['2026-13-01', false],
  ['2026-00-10', false],
])('the date %s exists: %s', (text, exists) => {
  const [year = 0, month = 0, date = 0] = text.split('-').map(Number)
  expect(isValidDate({ year, month, day: date })).toBe(exists)
})

test.each([
  ['2026-05-31', '2026-02-28'],
  ['2024-05-31', '2024-02-29'],
  ['2026-02-10', '2025-11-10'],
  ['2026-11-21', '2026-08-21'],
])('three months before %s is %s', (from, to) => {
  expect(isoDay(monthsBefore(day(from), 3))).toBe(to)
})

test('a document is still valid on its last day', () => {
  expect(isPast(day('2026-11-21'), day('2026-11-21'))).toBe(false)
  expect(isPast(day('2026-11-20'), day('2026-11-21'))).toBe(true)
})

test.each([
  ['2008-11-21', '2026-11-21', null],
  ['2008-11-22', '2026-11-21', 'under-age'],
  ['2008-02-29', '2026-02-28', 'under-age'],
  ['2008-02-29', '2026-03-01', null],
  ['1926-01-01', '2026-11-21', null],
  ['1925-12-31', '2026-11-21', 'date-invalid'],
  ['2027-01-01', '2026-11-21', 'date-invalid'],
])('a person born on %s who registers on %s gets the error %s', (birth, today, problem) => {
  expect(checkBirthDate(day(birth), day(today))).toBe(problem)
})

test('the age increases on the birthday itself', () => {
  expect(ageOn(day('1986-03-14'), day('2026-03-13'))).toBe(39)
  expect(ageOn(day('1986-03-14'), day('2026-03-14'))).toBe(40)
})

test('an instant belongs to the calendar day of the given time zone', () => {
  expect(isoDay(dayIn(new Date('2026-07-04T23:30:00Z'), london))).toBe('2026-07-05')
  expect(isoDay(dayIn(new Date('2026-01-04T23:30:00Z'), london))).toBe('2026-01-04')
  expect(isoDay(dayIn(new Date('2026-01-01T03:00:00Z'), 'America/New_York'))).toBe('2025-12-31')
})

test('15:00 in London is 14:00 UTC in July and 15:00 UTC in January', () => {
  expect(instantIn(day('2026-07-05'), 15, london).toISOString()).toBe('2026-07-05T14:00:00.000Z')
  expect(instantIn(day('2026-01-05'), 15, london).toISOString()).toBe('2026-01-05T15:00:00.000Z')
})

test.each([
  ['2026-03-29', 0, london, '2026-03-29T00:00:00.000Z', 'midnight before the clocks go forward'],
  ['2026-03-29', 1, london, '2026-03-29T01:00:00.000Z', 'the hour that is skipped when the clocks go forward'],
  ['2026-03-30', 0, london, '2026-03-29T23:00:00.000Z', 'the day after the clocks go forward'],
  ['2026-10-25', 1, london, '2026-10-25T00:00:00.000Z', 'the first of the two equal hours when the clocks go back'],
  ['2026-10-26', 0, london, '2026-10-26T00:00:00.000Z', 'the day after a day of 25 hours'],
  ['2026-03-08', 2, 'America/New_York', '2026-03-08T07:00:00.000Z', 'west of Greenwich'],
  ['2026-09-06', 0, 'America/Santiago', '2026-09-06T04:00:00.000Z', 'a day that begins at one o’clock'],
  ['2026-12-31', 0, 'Asia/Kolkata', '2026-12-30T18:30:00.000Z', 'a zone with an offset of half an hour'],
])('%s, hour %i in %s begins at %s: %s', (text, hour, zone, instant) => {
  expect(instantIn(day(text), hour, zone).toISOString()).toBe(instant)
})

test('each day begins when the previous day ends, in every time zone', () => {
  const zones = [london, 'America/Santiago', 'Africa/Cairo', 'Asia/Beirut', 'Australia/Lord_Howe', 'Pacific/Chatham']
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 3_650 }), fc.constantFrom(...zones), (offset, zone) => {
      const today = daysAfter(day('2024-02-28'), offset)
      const begins = instantIn(today, 0, zone)
      expect(dayIn(begins, zone)).toEqual(today)
      expect(dayIn(new Date(begins.getTime() - 1), zone)).toEqual(daysAfter(today, -1))
    }),
  )
})

test.each([
  ['2008-11-21', '2026-11-20T23:59:59Z', 'under-age'],
  ['2008-11-21', '2026-11-21T00:00:00Z', null],
  ['2008-06-19', '2026-06-18T22:59:59Z', 'under-age'],
  ['2008-06-19', '2026-06-18T23:00:00Z', null],
  ['2008-12-31', '2026-12-31T00:00:00Z', null],
  ['2008-02-29', '2026-03-01T00:00:00Z', null],
  ['2008-02-29', '2026-02-28T23:59:59Z', 'under-age'],
])('a person born on %s who registers at %s gets the error %s by London’s calendar', (birth, at, problem) => {
  expect(checkBirthDate(day(birth), dayIn(new Date(at), london))).toBe(problem)
})

test('one working day after Friday is Monday at the same local time', () => {
  expect(workingDaysAfter(new Date('2026-11-20T16:00:00Z'), 1, london, []).toISOString()).toBe(
    '2026-11-23T16:00:00.000Z',
  )
  expect(workingDaysAfter(new Date('2026-03-27T16:00:00Z'), 1, london, []).toISOString()).toBe(
    '2026-03-30T15:00:00.000Z',
  )
  expect(workingDaysAfter(new Date('2026-10-22T23:30:00Z'), 1, london, []).toISOString()).toBe(
    '2026-10-26T00:30:00.000Z',
  )
  expect(workingDaysAfter(new Date('2026-03-30T15:00:00Z'), -2, london, ['2026-03-27']).toISOString()).toBe(
    '2026-03-25T16:00:00.000Z',
  )
  expect(isWorkingDay(day('2026-11-21'), [])).toBe(false)
  expect(isWorkingDay(day('2026-11-23'), [])).toBe(true)
})

test('adding and subtracting days cancel each other out, and dates compare in calendar order', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 40_000 }), fc.integer({ min: -2000, max: 2000 }), (offset, days) => {
      const from = daysAfter(day('1950-01-01'), offset)
      const to = daysAfter(from, days)
      expect(daysAfter(to, -days)).toEqual(from)
      expect(Math.sign(compareDays(to, from))).toBe(Math.sign(days))
      expect(isValidDate(to)).toBe(true)
    }),
  )
})

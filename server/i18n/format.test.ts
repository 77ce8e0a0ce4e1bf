import { expect, test } from 'vitest'
import { money } from '#rules/money.ts'
import { amountText, dayText, momentText, safeCell, timeText } from './format.ts'

test.each([
  '=HYPERLINK("http://x")',
  '+1',
  '-1',
  '-1.5+cmd',
  '-5.00\n=1',
  '@x',
  '\t=1',
  '\r=1',
  '＝1',
  '＋1',
  '－1',
  '＠x',
])('a cell with %j is escaped as text for every spreadsheet (requirements 30.3)', (text) =>
  expect(safeCell(text)).toBe(`'${text}`),
)

test.each(['Brandt', 'a=1', '1-2', ' x', '-5.00', '-37.630'])('a cell with %j is left unchanged', (text) =>
  expect(safeCell(text)).toBe(text),
)

const at = new Date('2026-11-12T10:44:00Z')

test.each([
  ['en', '12\u00a0November\u00a02026', '12\u00a0November\u00a02026 at 10:44\u00a0GMT'],
  ['de', '12.\u00a0November\u00a02026', '12.\u00a0November\u00a02026 um 10:44\u00a0GMT'],
] as const)(
  'a date in %s cannot be broken across lines, and a date with a time only before the time',
  (language, day, time) => {
    expect(dayText(at, language, 'Europe/London')).toBe(day)
    expect(timeText(at, language, 'Europe/London')).toBe(time)
  },
)

test('cached formats depend on the language, the time zone and the parts requested, not on which was used first', () => {
  const ofAll = () => [
    amountText(money(1_248_050n, 'EUR'), 'en'),
    amountText(money(1_248_050n, 'EUR'), 'de'),
    dayText(at, 'en', 'Europe/London'),
    dayText(at, 'en', 'Pacific/Kiritimati'),
    dayText(at, 'de', 'Europe/London'),
    momentText(at, 'Europe/London'),
    momentText(at, 'Pacific/Kiritimati'),
  ]
  const expected = [
    '12,480.50\u00a0EUR',
    '12.480,50\u00a0EUR',
    '12\u00a0November\u00a02026',
    '13\u00a0November\u00a02026',
    '12.\u00a0November\u00a02026',
    '2026/11/12 10:44:00',
    '2026/11/13 00:44:00',
  ]
  expect(ofAll()).toEqual(expected)
  expect(ofAll()).toEqual(expected)
})

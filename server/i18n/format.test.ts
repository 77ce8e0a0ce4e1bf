import { expect, test } from 'vitest'
import { safeCell } from './format.ts'

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
])('a cell with %j is text for every spreadsheet (requirements 30.3)', (text) =>
  expect(safeCell(text)).toBe(`'${text}`),
)

test.each(['Brandt', 'a=1', '1-2', ' x', '-5.00', '-37.630'])('a cell with %j stays as it is', (text) =>
  expect(safeCell(text)).toBe(text),
)

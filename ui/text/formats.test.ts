import { expect, test } from 'vitest'
import { scaleFigure } from './formats.ts'

test.each([
  [-20_000, 'en', 'short', '−20k'],
  [-20_000, 'de', 'short', '−20.000'],
  [-1234.5, 'en', 'whole', '−1,234.5'],
  [0, 'de', 'whole', '0'],
] as const)('a scale shows %d in %s, %s, as %s', (value, language, length, text) => {
  expect(scaleFigure(value, language, length)).toBe(text)
})

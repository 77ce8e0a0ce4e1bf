import { expect, test } from 'vitest'
import { brandStylesheet, brandTokens, type ColourToken, contrast } from './brand.ts'

const wordsOnGrounds: [words: ColourToken[], grounds: ColourToken[], ratio: number][] = [
  [['text', 'text-2', 'text-3', 'brand-text'], ['page', 'surface', 'sunken', 'brand-tint'], 4.5],
  [['ok', 'wait', 'bad', 'run'], ['page', 'surface', 'sunken', 'brand-tint'], 4.5],
  [['on-brand'], ['brand', 'brand-hover'], 4.5],
  [['on-ink', 'on-ink-2'], ['ink'], 4.5],
  [['control', 'focus'], ['page', 'surface'], 3],
]

test.each(['#0b5563', '#ffd400', '#c8102e', '#111111', '#f5f5f5', '#00ff66', '#3b2dff'])(
  'text and borders have sufficient contrast with the brand colour %s, in the light and the dark scheme',
  (brand) => {
    for (const colours of Object.values(brandTokens(brand)))
      for (const [words, grounds, ratio] of wordsOnGrounds)
        for (const word of words)
          for (const ground of grounds)
            expect(contrast(colours[word], colours[ground]), `${word} on ${ground}`).toBeGreaterThanOrEqual(ratio)
  },
)

test('a status keeps its own colour for any brand', () => {
  expect(brandTokens('#0b5563').light.ok).toBe('#1b7948')
  expect(brandTokens('#0b5563').dark.bad).toBe('#ff8a82')
})

test('the stylesheet contains both colour schemes, and a brand colour cannot inject CSS', () => {
  const sheet = brandStylesheet('#0b5563')
  expect(sheet).toContain('--brand:#0b5563;')
  expect(sheet).toContain('prefers-color-scheme:dark')
  expect(() => brandStylesheet('#0b5563}body{display:none')).toThrow()
})

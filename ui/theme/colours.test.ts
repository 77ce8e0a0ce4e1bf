import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { brandStylesheet } from '#rules/brand.ts'

test('the default colours of the apps equal the palette generated from the default brand colour', () => {
  const written = readFileSync(new URL('./colours.css', import.meta.url), 'utf8')
  // The firm's own stylesheet, which follows this one, applies the reader's choice.
  const device = brandStylesheet('#0b5563').replace(/:root\[data-appearance=dark\].*\n/, '')
  expect(written.slice(written.indexOf('\n') + 1)).toBe(device.replaceAll(/:root[^{]*/g, ':where(:root)'))
})

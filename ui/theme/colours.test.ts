import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { brandStylesheet } from '#rules/brand.ts'

test('the default colours of the apps are what the ramp makes of the default brand', () => {
  const written = readFileSync(new URL('./colours.css', import.meta.url), 'utf8')
  expect(written.slice(written.indexOf('\n') + 1)).toBe(
    brandStylesheet('#0b5563').replaceAll(':root{', ':where(:root){'),
  )
})

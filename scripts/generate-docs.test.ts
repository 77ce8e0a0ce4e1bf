import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { generated } from './generate-docs.ts'

test.each(Object.keys(generated))(
  '%s says what rules, contract and environment say: node scripts/generate-docs.ts',
  (path) => {
    expect(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')).toBe(generated[path]?.())
  },
)

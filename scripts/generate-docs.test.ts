import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { generated } from './generate-docs.ts'

test.each(Object.keys(generated))(
  '%s matches the rules, the contract and the environment; if not, run node scripts/generate-docs.ts',
  (path) => {
    expect(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')).toBe(generated[path]?.())
  },
)

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { drawn } from './generate-docs.ts'

test.each(Object.keys(drawn))(
  '%s says what rules, contract and environment say: node scripts/generate-docs.ts',
  (path) => {
    expect(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')).toBe(drawn[path]?.())
  },
)

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { shortIdsOf } from './catalogue-build.ts'

test.each(['portal', 'office'])(
  'the short message ids of the %s are unique prefixes of the ids, under 3 characters on average',
  async (app) => {
    const short = await shortIdsOf(join(import.meta.dirname, '..', '..'), app)
    const names = [...short.values()]
    expect(short.size).toBeGreaterThan(500)
    expect(new Set(names).size).toBe(short.size)
    for (const [id, name] of short) expect(id.startsWith(name)).toBe(true)
    const length = names.reduce((sum, name) => sum + name.length, 0) / names.length
    expect(length).toBeLessThan(3)
  },
)

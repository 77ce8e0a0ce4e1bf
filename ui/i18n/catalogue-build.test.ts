import { join } from 'node:path'
import { expect, test } from 'vitest'
import { shortIdsOf } from './catalogue-build.ts'

test.each(['portal', 'office'])('short ids of %s are beginnings of the ids, each of one message', async (app) => {
  const short = await shortIdsOf(join(import.meta.dirname, '..', '..'), app)
  const names = [...short.values()]
  expect(short.size).toBeGreaterThan(500)
  expect(new Set(names).size).toBe(short.size)
  for (const [id, name] of short) expect(id.startsWith(name)).toBe(true)
  const length = names.reduce((sum, name) => sum + name.length, 0) / names.length
  expect(length).toBeLessThan(3)
})

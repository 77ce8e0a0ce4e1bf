import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { threadPool } from './thread-pool.ts'

const folder = mkdtempSync(join(tmpdir(), 'threads-'))
const tasks = join(folder, 'tasks.mjs')
writeFileSync(
  tasks,
  `export const twice = (number) => 2 * number
export const fail = (text) => { throw new Error(text) }
export const hang = () => new Promise(() => setInterval(() => undefined, 1000))
export const grow = () => { for (const all = []; ; ) all.push(new Array(1e5).fill(all.length)) }`,
)
const file = pathToFileURL(tasks)
afterAll(() => rmSync(folder, { recursive: true }))

const bounds = {
  threadsMax: 1,
  waitingMax: 3,
  busyRetrySeconds: 7,
  resourceLimits: { maxOldGenerationSizeMb: 32 },
  idleMs: 60_000,
}
const unavailable = { code: 'unavailable', facts: { retryAfterSeconds: 7 } }

test('a task gets its value, or the error that it threw', async () => {
  const run = threadPool(bounds)
  expect(await run(file, 'twice', 21)).toBe(42)
  await expect(run(file, 'fail', 'for a reason')).rejects.toThrow('for a reason')
  await expect(run(file, 'absent', null)).rejects.toThrow('No handler function')
})

test('who would wait behind too many is refused at once, the others get their turn', async () => {
  const run = threadPool(bounds)
  expect(await run(file, 'twice', 1)).toBe(2)
  const one = [1, 2, 3, 4].map((number) => run(file, 'twice', number))
  await expect(run(file, 'twice', 5)).rejects.toMatchObject(unavailable)
  expect(await Promise.all(one)).toEqual([2, 4, 6, 8])
  expect(await run(file, 'twice', 6)).toBe(12)
})

test('a thread that takes too much memory ends, and those behind it get another one', async () => {
  const run = threadPool(bounds)
  const [first, ...others] = await Promise.allSettled([
    run(file, 'grow', null),
    run(file, 'twice', 2),
    run(file, 'twice', 3),
  ])
  expect(first).toMatchObject({ status: 'rejected', reason: { code: 'ERR_WORKER_OUT_OF_MEMORY' } })
  expect(others).toEqual([
    { status: 'fulfilled', value: 4 },
    { status: 'fulfilled', value: 6 },
  ])
})

test('a task that takes too long ends with its thread, and the next one gets another', async () => {
  const run = threadPool({ ...bounds, clockMsMax: 500 })
  await expect(run(file, 'hang', null)).rejects.toMatchObject(unavailable)
  // On a busy machine the next thread may also start too late for it.
  let answer: unknown = null
  while (answer === null) answer = await run(file, 'twice', 4).catch(() => null)
  expect(answer).toBe(8)
})

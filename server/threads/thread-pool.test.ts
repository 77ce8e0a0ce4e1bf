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

test('a task returns its value or the error that it threw', async () => {
  const run = threadPool(bounds)
  expect(await run(file, 'twice', 21)).toBe(42)
  await expect(run(file, 'fail', 'for a reason')).rejects.toThrow('for a reason')
  await expect(run(file, 'absent', null)).rejects.toThrow('No handler function')
})

test('a task is rejected immediately if the queue is full, and the queued tasks are run', async () => {
  const run = threadPool(bounds)
  expect(await run(file, 'twice', 1)).toBe(2)
  const one = [1, 2, 3, 4].map((number) => run(file, 'twice', number))
  await expect(run(file, 'twice', 5)).rejects.toMatchObject(unavailable)
  expect(await Promise.all(one)).toEqual([2, 4, 6, 8])
  expect(await run(file, 'twice', 6)).toBe(12)
})

test('a thread that exceeds its memory limit is ended, and the queued tasks run in another one', async () => {
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

test('a task that exceeds its time limit is ended with its thread, and the next one runs in another', async () => {
  const run = threadPool({ ...bounds, clockMsMax: 500 })
  await expect(run(file, 'hang', null)).rejects.toMatchObject(unavailable)
  // On a busy machine the next thread may also start too late for it.
  let answer: unknown = null
  while (answer === null) answer = await run(file, 'twice', 4).catch(() => null)
  expect(answer).toBe(8)
})

import { expect, test } from 'vitest'
import { literal, literals, run, sql, transaction } from './sql.ts'
import { serverForFile } from '#tests/for-file.ts'

const server = serverForFile()

test('only plain constants become part of a statement’s text, nothing that could terminate it', () => {
  expect(literals(['second_approval', '60 ms']).sql).toBe("array['second_approval','60 ms']::text[]")
  for (const word of ["o'clock", '\\', ';', '$1', '', 'a\nb']) expect(() => literal(word)).toThrow('cannot be part')
})

test('two transactions in a deadlock both succeed, one of them on its second attempt (requirements 33.8)', async () => {
  let met = () => {}
  const bothHoldOne = new Promise<void>((resolve) => (met = resolve))
  const tries = [0, 0]
  let holding = 0
  const cross = async (place: 0 | 1) =>
    transaction(server.dependencies.pool, async (tx) => {
      tries[place] = (tries[place] ?? 0) + 1
      await run(tx, sql`select pg_advisory_xact_lock(${place}::int, 1)`)
      holding += 1
      if (holding === 2) met()
      await bothHoldOne
      await run(tx, sql`select pg_advisory_xact_lock(${1 - place}::int, 1)`)
      return place
    })
  expect(await Promise.all([cross(0), cross(1)])).toEqual([0, 1])
  expect(tries.toSorted()).toEqual([1, 2])
})

test('a transaction that fails to serialize three times is abandoned without any effect', async () => {
  let tries = 0
  const failing = transaction(server.dependencies.pool, async (tx) => {
    tries += 1
    await run(tx, sql`insert into rate_limits (bucket, count, window_ends_at) values ('given-up', 1, now())`)
    await run(tx, sql`do $$ begin raise sqlstate '40001'; end $$`)
  })
  await expect(failing).rejects.toMatchObject({ code: '40001' })
  expect(tries).toBe(3)
  expect(await run(server.dependencies.pool, sql`delete from rate_limits where bucket = 'given-up'`)).toBe(0)
})

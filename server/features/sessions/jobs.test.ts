import { expect, test } from 'vitest'
import { row, run, sql } from '#server/db/sql.ts'
import { login } from '#contract/users-session.ts'
import { call, goodPassword, makeClient } from '#tests/factories.ts'
import { serverForFile } from '#tests/for-file.ts'
import { encryptedPassword } from '#tests/passwords.ts'
import { deleteExpiredAccess } from './jobs.ts'

const server = serverForFile()

const remainingRows = async (table: 'used_ciphertexts' | 'rate_limits') => {
  const counted = {
    used_ciphertexts: sql`select count(*)::int as n from used_ciphertexts`,
    rate_limits: sql`select count(*)::int as n from rate_limits`,
  }[table]
  return (await row<{ n: number }>(server.dependencies.pool, counted))?.n
}

test('expired entries are deleted; entries that still count are kept', async () => {
  const client = await makeClient(server)
  await call(server, login, { body: { email: client.email, password: await encryptedPassword(server, goodPassword) } })
  await deleteExpiredAccess(server.dependencies, server.clock.now())
  expect(await remainingRows('used_ciphertexts')).toBe(1)
  expect(await remainingRows('rate_limits')).toBeGreaterThan(0)
  server.clock.turn(24 * 3600)
  await deleteExpiredAccess(server.dependencies, server.clock.now())
  expect([await remainingRows('used_ciphertexts'), await remainingRows('rate_limits')]).toEqual([0, 0])
})

test('an idempotency key is kept for a day, even if the clock jumps ahead by a day (requirements 33.10)', async () => {
  const now = server.clock.now()
  const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000)
  const insert = (key: string, at: Date) =>
    run(
      server.dependencies.pool,
      sql`insert into idempotency_keys (scope, key, call, body_hash, created_at) values (${crypto.randomUUID()}, ${key}, 'x', ${Buffer.alloc(32)}, ${at})`,
    )
  await insert('of a day and the jump', hoursAgo(48))
  await insert('old', hoursAgo(73))
  await deleteExpiredAccess(server.dependencies, now)
  expect(await row(server.dependencies.pool, sql`select key from idempotency_keys`)).toEqual({
    key: 'of a day and the jump',
  })
})

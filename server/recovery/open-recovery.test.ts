import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { listInbox } from '#contract/office/inbox.ts'
import { profile } from '#contract/profile.ts'
import { row, rows, run, sql, transaction } from '#server/db/sql.ts'
import { endRecovery } from '#tests/end-recovery.ts'
import { call, makeClient, makeStaff } from '#tests/factories.ts'
import { serverForFile } from '#tests/for-file.ts'
import { openRecovery } from './open-recovery.ts'
import { recoveryOf, type RecoverySign } from './stopped-money.ts'

const server = serverForFile()
afterEach(() => endRecovery(server, []))

const before = (minutes: number) => new Date(server.clock.now().getTime() - minutes * 60_000)
const open = (sign: RecoverySign, since: Date) =>
  transaction(server.dependencies.pool, (tx) => openRecovery(tx, { sign, since, now: server.clock.now() }))
const current = () => recoveryOf(server.dependencies.pool)

test('recovery is one row with one event and one work item, however many signs and servers there are', async () => {
  expect(await current()).toBeNull()
  const opened = await Promise.all([1, 2, 3].map(() => open('lost-event', before(10))))
  expect(new Set(opened.map(({ id }) => id)).size).toBe(1)
  expect(await current()).toMatchObject({ sign: 'lost-event', since: before(10), accountsOpenAt: null })
  const finance = await makeStaff(server, ['finance'])
  const { items } = (await call(server, listInbox, { as: finance, query: { kind: 'recovery' } })).answer
  expect(items.map(({ summary }) => summary)).toEqual([{ sign: 'lost-event' }])
  await open('unknown-reference', before(5))
  expect(await current()).toMatchObject({ since: before(10) })
  await open('unknown-reference', before(20))
  expect(await current()).toMatchObject({ sign: 'lost-event', since: before(20) })
  const events = await rows(
    server.dependencies.pool,
    sql`select verb, reason from events where kind = 'recovery' and record = ${opened[0]?.id} order by id`,
  )
  expect(events).toEqual([
    { verb: 'openRecovery', reason: 'lost-event' },
    { verb: 'widenRecovery', reason: 'unknown-reference' },
  ])
})

test('a sign that is found after a channel was opened stops the channel again', async () => {
  const { id } = await open('lost-event', before(10))
  await run(
    server.dependencies.pool,
    sql`update recovery set accounts_open_at = ${server.clock.now()} where id = ${id}`,
  )
  await open('waiting-reference', before(1))
  expect(await current()).toMatchObject({ id, accountsOpenAt: null })
})

test('a restored copy ends its sessions and one-time links, and client numbers are not assigned twice', async () => {
  const { pool } = server.dependencies
  const now = server.clock.now()
  const client = await makeClient(server)
  const number = async () =>
    Number((await row<{ n: bigint }>(pool, sql`select last_value as n from client_numbers`))?.n ?? 0)
  const given = await number()
  const link = randomUUID()
  await run(
    pool,
    sql`insert into one_time_links (id, purpose, hash, client_id, expires_at, created_at)
        values (${link}, 'reset', ${Buffer.from(link)}, ${client.id}, ${now}, ${now})`,
  )
  expect((await call(server, profile, { as: client })).status).toBe(200)
  await open('restored', before(10))
  await open('restored', before(10))
  expect((await call(server, profile, { as: client })).status).toBe(401)
  expect(await row(pool, sql`select replaced_at from one_time_links where id = ${link}`)).toEqual({ replaced_at: now })
  expect(await number()).toBe(given + 100_000)
})

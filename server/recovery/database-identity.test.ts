import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { profile } from '#contract/profile.ts'
import { readConfig } from '#server/config/config.ts'
import { recordEvent } from '#server/db/events.ts'
import { row, rows, run, sql, transaction } from '#server/db/sql.ts'
import { startServer } from '#server/main.ts'
import { call, makeClient } from '#tests/factories.ts'
import { serverForFile } from '#tests/for-file.ts'
import { recordPlannedMove } from './database-identity.ts'
import { recoveryOf } from './stopped-money.ts'

const server = serverForFile()

const auditContext = () => ({ identity: { kind: 'external' }, now: server.clock.now(), reference: 'operator' }) as const

beforeEach(async () => {
  const { pool } = server.dependencies
  const now = server.clock.now()
  await run(
    pool,
    sql`update recovery set accounts_open_at = ${now}, payouts_open_at = ${now}, closed_at = ${now}
        where closed_at is null`,
  )
  await run(pool, sql`delete from operations`)
})

/** Starts a server on the same database, and stops it. */
async function start(role: 'all' | 'web' = 'all'): Promise<void> {
  const config = { ...readConfig({ ...server.env, ROLE: role }), port: 0 }
  const other = await startServer(config, { now: server.clock.now, workers: false, migrate: false })
  await other.stop()
}

async function insertWaitingOperation(): Promise<string> {
  const now = server.clock.now()
  const made = await row<{ id: string }>(
    server.dependencies.pool,
    sql`insert into operations (kind, ref, target, payload, next_try_at, created_at)
        values ('balance', ${randomUUID()}, 'MT5:1', '{}', ${now}, ${now}) returning id`,
  )
  return made?.id ?? ''
}
const queryPolicyOf = (id: string) =>
  row(
    server.dependencies.pool,
    sql`select ask_first as first, sends_when_absent as sends from operations where id = ${id}`,
  )
const changeIdentity = () =>
  run(server.dependencies.pool, sql`update database_identity set system_identifier = system_identifier + 1`)
const verbs = async () =>
  (
    await rows<{ verb: string }>(
      server.dependencies.pool,
      sql`select verb from events where kind = 'recovery' order by id`,
    )
  ).map(({ verb }) => verb)

test('a start on the same database changes nothing', async () => {
  const id = await insertWaitingOperation()
  await start()
  expect(await recoveryOf(server.dependencies.pool)).toBeNull()
  expect(await queryPolicyOf(id)).toEqual({ first: false, sends: false })
})

test.each(['all', 'web'] as const)(
  'a start on another database opens recovery, with any role: ROLE=%s',
  async (role) => {
    const client = await makeClient(server)
    const id = await insertWaitingOperation()
    await transaction(server.dependencies.pool, (tx) =>
      recordEvent(tx, auditContext(), { kind: 'client', action: 'logIn' }),
    )
    await changeIdentity()
    await start(role)
    const recovery = await recoveryOf(server.dependencies.pool)
    expect(recovery).toMatchObject({
      sign: 'other-database',
      since: new Date(server.clock.now().getTime() - 3_600_000),
    })
    expect(await queryPolicyOf(id)).toEqual({ first: true, sends: false })
    expect((await call(server, profile, { as: client })).status).toBe(401)
    await start(role)
    expect(await recoveryOf(server.dependencies.pool)).toEqual(recovery)
  },
)

test('a planned move counts as a failover if nothing was written after it was announced', async () => {
  const { pool } = server.dependencies
  const id = await insertWaitingOperation()
  await transaction(pool, (tx) => recordPlannedMove(tx, auditContext()))
  await changeIdentity()
  await start()
  expect(await recoveryOf(pool)).toBeNull()
  expect(await queryPolicyOf(id)).toEqual({ first: true, sends: true })
  expect((await verbs()).slice(-2)).toEqual(['moving', 'moved'])

  await transaction(pool, (tx) => recordPlannedMove(tx, auditContext()))
  await transaction(pool, (tx) => recordEvent(tx, auditContext(), { kind: 'client', action: 'logIn' }))
  await changeIdentity()
  await start()
  expect(await recoveryOf(pool)).toMatchObject({ sign: 'other-database' })
})

test('another timeline counts as a failover: unfinished operations are queried first, and recovery does not open', async () => {
  const id = await insertWaitingOperation()
  await run(server.dependencies.pool, sql`update database_identity set timeline = '0000000A'`)
  await start()
  expect(await recoveryOf(server.dependencies.pool)).toBeNull()
  expect(await queryPolicyOf(id)).toEqual({ first: true, sends: true })
  expect((await verbs()).at(-1)).toBe('failover')
})

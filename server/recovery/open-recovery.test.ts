import { randomUUID } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import { listInbox } from '#contract/office/inbox.ts'
import { profile } from '#contract/profile.ts'
import { requestWithdrawal } from '#contract/withdrawals.ts'
import { row, rows, run, sql, transaction } from '#server/db/sql.ts'
import { endRecovery } from '#tests/end-recovery.ts'
import { call, clientTokenFor, makeClient, makeStaff } from '#tests/factories.ts'
import { platformForFile } from '#tests/for-file.ts'
import { makeApprovedBank, makeFundedAccount, withdrawalBody } from '#tests/funded-account.ts'
import { runRecover } from '#tests/recovered.ts'
import { openRecovery } from './open-recovery.ts'
import { recoveryOf, type RecoverySign } from './stopped-money.ts'

const { server } = platformForFile()
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

test('a sign that is found while recover runs is not undone by that run', async () => {
  const client = await makeClient(server)
  const account = await makeFundedAccount(server, client, 10_000n)
  const body = withdrawalBody(account, await makeApprovedBank(server, client), '50')
  expect((await call(server, requestWithdrawal, { as: client, body })).status).toBe(201)
  const { id } = await open('lost-event', before(10))
  const cleared = async () =>
    (await rows(server.dependencies.pool, sql`select from recovery_cleared where recovery = ${id}`)).length
  const { MT5 } = server.dependencies.platforms
  const reads = vi.spyOn(MT5, 'balanceOperationsSince').mockImplementationOnce(async () => {
    server.clock.turn(60)
    await open('lost-event', before(20))
    return { operations: [], next: null }
  })
  const report = await runRecover(server)
  reads.mockRestore()
  expect(report).toMatchObject({ cleared: 0, accountsOpened: false })
  expect(report.holds).toEqual([expect.stringContaining('A further sign of loss was found while recover ran')])
  expect(await cleared()).toBe(0)
  expect(await current()).toMatchObject({ since: before(20), accountsOpenAt: null })
  expect(await runRecover(server)).toMatchObject({ cleared: 1, accountsOpened: true, holds: [] })
})

test('each restored copy ends its sessions and one-time links, and assigns no client or batch number twice', async () => {
  const { pool } = server.dependencies
  const now = server.clock.now()
  const client = await makeClient(server)
  const numbers = async () => {
    const last = await row<{ client: bigint; batch: bigint }>(
      pool,
      sql`select (select last_value from client_numbers) as client,
            (select last_value from payout_batches_number_seq) as batch`,
    )
    return { client: Number(last?.client), batch: Number(last?.batch) }
  }
  const given = await numbers()
  const makeLink = async () => {
    const id = randomUUID()
    await run(
      pool,
      sql`insert into one_time_links (id, purpose, hash, client_id, expires_at, created_at)
          values (${id}, 'reset', ${Buffer.from(id)}, ${client.id}, ${now}, ${now})`,
    )
    return id
  }
  for (const restores of [1, 2]) {
    const link = await makeLink()
    expect((await call(server, profile, { as: client })).status).toBe(200)
    await open('restored', before(10))
    expect((await call(server, profile, { as: client })).status).toBe(401)
    expect(await row(pool, sql`select replaced_at from one_time_links where id = ${link}`)).toEqual({
      replaced_at: now,
    })
    expect(await numbers()).toEqual({
      client: given.client + restores * 100_000,
      batch: given.batch + restores * 1_000,
    })
    Object.assign(client, await clientTokenFor(server, client))
  }
})

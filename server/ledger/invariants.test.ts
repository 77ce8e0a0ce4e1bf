import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { requestWithdrawal } from '#contract/withdrawals.ts'
import { approveWithdrawal, confirmWithdrawal } from '#contract/office/withdrawals.ts'
import { row, run, sql } from '../db/sql.ts'
import { brokenInvariants, invariants } from './invariants.ts'
import { allAcknowledged } from '../../tests/acknowledged.ts'
import { call, makeAccount, makeClient, makeStaff, type TestServer } from '../../tests/factories.ts'
import { chainAllEvents } from '../../tests/chain-all-events.ts'
import {
  makeApprovedBank,
  makeFundedAccount,
  settleOperations,
  startServerWithPlatform,
  type ServerWithPlatform,
  withdrawalBody,
} from '../../tests/funded-account.ts'

let place: ServerWithPlatform
let server: TestServer
/** Each test has its own database, which it breaks on purpose. */
beforeEach(async () => {
  place = await startServerWithPlatform()
  server = place.server
})
afterEach(() => place.stop())

const brokenNames = (name?: string) => brokenInvariants(server.dependencies.pool, server.clock.now(), name)

async function withdrawal(): Promise<string> {
  const client = await makeClient(server)
  const account = await makeFundedAccount(server, client, 500_000_000n)
  const bankId = await makeApprovedBank(server, client)
  const { answer } = await call(server, requestWithdrawal, {
    as: client,
    body: withdrawalBody(account, bankId, '20000'),
  })
  const found = await row<{ id: string }>(
    server.dependencies.pool,
    sql`select id from withdrawals where client_id = ${client.id}`,
  )
  expect(answer).toBeDefined()
  return found?.id ?? ''
}

test('a withdrawal over the threshold satisfies every invariant at each step from the request to the debit', async () => {
  const id = await withdrawal()
  expect(await brokenNames()).toEqual([])
  const operations = await makeStaff(server, ['operations'])
  const finance = await makeStaff(server, ['finance'])
  const first = await call(server, approveWithdrawal, {
    as: operations,
    params: { id },
    body: { version: 1, ...allAcknowledged },
  })
  expect(first.answer.state).toBe('second_approval')
  expect(await brokenNames()).toEqual([])
  await call(server, confirmWithdrawal, {
    as: finance,
    params: { id },
    body: { version: first.answer.version, ...allAcknowledged },
  })
  expect(await brokenNames()).toEqual([])
  await settleOperations(server)
  await chainAllEvents(server)
  expect(await brokenNames()).toEqual([])
})

test('an invariant reports the row that violates it', async () => {
  const client = await makeClient(server)
  const account = await makeAccount(server, client, { balanceMinor: 5_00n })
  const id = await withdrawal()
  await run(
    server.dependencies.pool,
    sql`insert into reservations (account_id, subject, record, amount_minor, created_at)
    values (${account.id}, 'withdrawal', ${randomUUID()}, 100, ${server.clock.now()})`,
  )
  await run(
    server.dependencies.pool,
    sql`update withdrawals set state = 'processing', threshold_minor = 1 where id = ${id}`,
  )
  await run(
    server.dependencies.pool,
    sql`insert into operations (kind, ref, target, payload, state, next_try_at, created_at)
    values ('mail', ${`mail-${randomUUID()}`}, 'mail', '{}', 'waiting', null, ${server.clock.now()})`,
  )
  const names = new Set((await brokenNames()).map(({ invariant }) => invariant))
  expect([...names].toSorted()).toEqual(['I12', 'I4', 'I7', 'I8', 'I9'])
})

test('an altered event breaks the chain and is reported', async () => {
  await withdrawal()
  await chainAllEvents(server)
  const changed = await row<{ id: bigint; number: bigint }>(
    server.dependencies.pool,
    sql`select e.id, s.number from events e join event_seals s on s.event_id = e.id order by s.number limit 1`,
  )
  const owner = new pg.Client({ connectionString: server.database.ownerUrl })
  await owner.connect()
  await owner.query('alter table events disable trigger events_append_only')
  await owner.query('update events set verb = $1 where id = $2', ['forged', String(changed?.id)])
  await owner.end()
  expect(await brokenNames('I2')).toContainEqual({
    invariant: 'I2',
    record: String(changed?.id),
    what: `event ${changed?.number} of the chain: altered`,
  })
})

test('the server’s own role cannot change append-only tables', async () => {
  for (const table of ['events', 'postings', 'entries', 'event_seals', 'seal_epochs', 'settings']) {
    const column = table === 'settings' ? 'reason' : table === 'seal_epochs' ? 'epoch' : 'id'
    await expect(server.dependencies.pool.query(`update ${table} set ${column} = default`)).rejects.toThrow()
    await expect(server.dependencies.pool.query(`delete from ${table}`)).rejects.toThrow(/permission denied/)
  }
})

test('every invariant has a unique name', () => {
  expect(new Set(invariants.map(({ name }) => name)).size).toBe(invariants.length)
})

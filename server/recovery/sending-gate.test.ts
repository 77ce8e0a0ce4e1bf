import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { beforeEach, expect, test, vi } from 'vitest'
import { recordEvent } from '#server/db/events.ts'
import { row, run, sql, transaction } from '#server/db/sql.ts'
import { operationDriver, type OperationKind } from '#server/jobs/operations.ts'
import { UnreadableValue } from '../integrations/trading-platform/unreadable-records.ts'
import { requireStatusCheck } from './open-recovery.ts'
import { openSendingGate, type SendingGate, type SignSearch } from './sending-gate.ts'
import { recoveryOf } from './stopped-money.ts'
import { serverForFile } from '#tests/for-file.ts'

const server = serverForFile()
beforeEach(async () => {
  const now = server.clock.now()
  await run(
    server.dependencies.pool,
    sql`update recovery set accounts_open_at = ${now}, payouts_open_at = ${now}, closed_at = ${now}
        where closed_at is null`,
  )
})

const timeline = '00000001'
function gateWith(searches: readonly SignSearch[] = [], log = server.dependencies.log): SendingGate {
  const { pool, jobs } = server.dependencies
  return openSendingGate({ pools: [pool, jobs], searches, timeline, log, now: server.clock.now })
}

/** Makes an operation of a test kind and its driver, and counts how often it was sent and queried. */
async function operationBehind(
  gate: SendingGate | undefined,
  now = server.clock.now,
  more: Pick<OperationKind, 'held'> = {},
) {
  const calls = { sent: 0, asked: 0 }
  const kind: OperationKind = {
    ...more,
    kind: `test-${randomUUID()}`,
    repeatable: false,
    send: () => Promise.resolve((calls.sent += 1)),
    find: () => Promise.resolve(((calls.asked += 1), null)),
    settled: () => Promise.resolve(),
  }
  const { pool } = server.dependencies
  const made = await row<{ id: string }>(
    pool,
    sql`insert into operations (kind, ref, target, payload, next_try_at, created_at)
        values (${kind.kind}, ${randomUUID()}, 'MT5:1', '{}', ${server.clock.now()}, ${server.clock.now()}) returning id`,
  )
  const id = made?.id ?? ''
  const driver = operationDriver(pool, [kind as OperationKind<never>], 800, now, gate)
  const state = async () =>
    (await row<{ state: string }>(pool, sql`select state from operations where id = ${id}`))?.state
  return { id, calls, state, drive: () => driver.drive(id) }
}

test('nothing is sent before the search at its integration has succeeded, and another integration does not delay it', async () => {
  let answers = false
  const looks: string[] = []
  const search = (integration: string, works: () => boolean): SignSearch => ({
    name: integration,
    integration,
    look() {
      looks.push(integration)
      return works() ? Promise.resolve(null) : Promise.reject(new Error('away'))
    },
  })
  const gate = gateWith([search('MT5', () => answers), search('MT4', () => false)])
  const { calls, drive } = await operationBehind(gate)
  await drive()
  await drive()
  expect([calls.sent, looks]).toEqual([0, ['MT5']])
  answers = true
  server.clock.turn(3)
  await drive()
  expect([calls.sent, looks, gate.isOpen()]).toEqual([1, ['MT5', 'MT5'], false])
})

test('an unreadable value in a search is recorded on the blocked operation, an outage is not', async () => {
  const problem = 'The currency of the group real\\Odd cannot be read'
  const answers = [new Error('away'), new UnreadableValue('Currency', 'value', '', problem)]
  const search = {
    name: 'deals',
    integration: 'MT5',
    look: () => (answers[0] ? Promise.reject(answers[0]) : Promise.resolve(null)),
  }
  const { id, calls, drive } = await operationBehind(gateWith([search]))
  const lastError = async () => {
    server.clock.turn(180)
    await drive()
    return row<{ error: string | null }>(server.dependencies.pool)`
      select last_error as error from operations where id = ${id}`
  }
  expect([await lastError(), calls.sent]).toEqual([{ error: null }, 0])
  answers.shift()
  expect([await lastError(), calls.sent]).toEqual([{ error: problem }, 0])
  answers.shift()
  await lastError()
  expect(calls.sent).toBe(1)
})

test('each cause of a failing search is logged once, and again at growing intervals', async () => {
  const log = { ...server.dependencies.log, warn: vi.fn() }
  const causes = ['away', 'refused']
  let looks = 0
  let answers = false
  const look = async () => {
    if (answers) return null
    looks += 1
    throw new Error(causes[looks % 2])
  }
  const gate = gateWith([{ name: 'deals', integration: 'MT5', look }], log)
  const during = async (seconds: number) => {
    log.warn.mockClear()
    for (let second = 0; second < seconds; second += 2) {
      server.clock.turn(2)
      await gate.maySend('MT5:1')
    }
    return log.warn.mock.calls.length
  }
  expect([await during(50), looks]).toEqual([2, 25])
  // Both causes are logged again after one minute, then after two, then after four.
  expect([await during(60), await during(120), await during(240)]).toEqual([2, 2, 2])
  answers = true
  await during(2)
  answers = false
  gate.connected('00000003')
  await during(2)
  expect(await during(10)).toBe(1)
})

test('a sign found by a search opens recovery, and nothing is sent', async () => {
  const since = new Date(server.clock.now().getTime() - 60_000)
  const search = {
    name: 'deals',
    integration: 'MT5',
    look: () => Promise.resolve({ sign: 'unknown-reference', since } as const),
  }
  const { calls, drive, state } = await operationBehind(gateWith([search]))
  await drive()
  expect(await recoveryOf(server.dependencies.pool)).toMatchObject({ sign: 'unknown-reference', since })
  expect([calls, await state()]).toEqual([{ sent: 0, asked: 0 }, 'waiting'])
})

test('an operation is not sent if recovery begins while it is being claimed', async () => {
  const { pool } = server.dependencies
  const now = server.clock.now()
  const { calls, drive, state } = await operationBehind(undefined, server.clock.now, {
    // Not `openRecovery`, which would wait for the operation: here the operation may be newer than that search.
    async held() {
      await run(pool)`insert into recovery (since, sign, opened_at) values (${now}, 'unknown-reference', ${now})`
      return null
    },
  })
  await drive()
  expect([calls, await state()]).toEqual([{ sent: 0, asked: 0 }, 'waiting'])
})

test('another timeline delays sends until a search shows that nothing was lost, and recovery does not open', async () => {
  const { pool } = server.dependencies
  await transaction(pool, (tx) =>
    recordEvent(tx, { identity: { kind: 'clock' }, now: server.clock.now() }, { kind: 'client', action: 'logIn' }),
  )
  const gate = gateWith()
  const { calls, drive } = await operationBehind(gate)
  gate.connected('00000002')
  expect(gate.isOpen()).toBe(false)
  await drive()
  expect([calls.sent, gate.isOpen()]).toEqual([1, true])
  expect(await recoveryOf(pool)).toBeNull()
  gate.connected(null)
  gate.connected('00000002')
  expect(gate.isOpen()).toBe(true)
})

test('a timeline without an event that this server knows to be committed opens recovery', async () => {
  const { pool } = server.dependencies
  await transaction(pool, (tx) =>
    recordEvent(tx, { identity: { kind: 'clock' }, now: server.clock.now() }, { kind: 'client', action: 'logOut' }),
  )
  const owner = new pg.Client({ connectionString: server.database.ownerUrl })
  await owner.connect()
  await owner.query('alter table events disable trigger user')
  await owner.query(`delete from events where id = (select max(id) from events where verb = 'logOut')`)
  await owner.query('alter table events enable trigger user')
  await owner.end()
  const gate = gateWith()
  const { calls, drive } = await operationBehind(gate)
  gate.connected('00000002')
  await drive()
  expect([calls.sent, (await recoveryOf(pool))?.sign]).toEqual([0, 'lost-event'])
})

test('after a failover without loss, an operation that is twice unknown at its integration is sent automatically', async () => {
  const { calls, drive, state } = await operationBehind(undefined)
  await transaction(server.dependencies.pool, (tx) => requireStatusCheck(tx, 'send'))
  await drive()
  expect([calls, await state()]).toEqual([{ sent: 0, asked: 1 }, 'unknown'])
  server.clock.turn(10)
  await drive()
  expect([calls, await state()]).toEqual([{ sent: 0, asked: 2 }, 'waiting'])
  await drive()
  expect([calls, await state()]).toEqual([{ sent: 1, asked: 2 }, 'done'])
})

test('a lease committed more than five seconds ago sends nothing and is released', async () => {
  let late = 0
  const at = server.clock.now()
  const slow = () => new Date(at.getTime() + (late += 2_600))
  const { calls, drive, state } = await operationBehind(undefined, slow)
  late = -2_600
  await drive()
  expect([calls.sent, await state()]).toEqual([1, 'done'])
  const second = await operationBehind(undefined, () => new Date(at.getTime() + (late += 5_000)))
  late = -5_000
  await second.drive()
  expect([second.calls.sent, await second.state()]).toEqual([0, 'waiting'])
})

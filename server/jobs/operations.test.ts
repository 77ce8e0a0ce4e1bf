import type { AccountId } from '#rules/ids.ts'
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { getOfficeClient } from '#contract/office/clients.ts'
import { getFailedJob, retryJob } from '#contract/office/records.ts'
import { money } from '#rules/money.ts'
import { openDatabase, type Database } from '#server/db/database.ts'
import { appendToChain } from '#server/db/audit-chain.ts'
import { row, sql, transaction } from '#server/db/sql.ts'
import { findStalled } from '#server/operator/stalled.ts'
import { requireStatusCheck } from '#server/recovery/open-recovery.ts'
import { Unavailable } from '#server/integrations/errors.ts'
import type { TradingServer } from '#server/integrations/trading-platform/trading-server.ts'
import { serverForFile } from '#tests/for-file.ts'
import { openLossyDatabase, type LossyDatabase } from '#tests/lossy-database.ts'
import { makeClock } from '#tests/clock.ts'
import { call, makeClient, makeStaff, newReference } from '#tests/factories.ts'
import { balanceOperation, enqueueBalance } from './balance.ts'
import { enqueue, operationDriver, type Driver, type OperationKind } from './operations.ts'
import { reportUnsettled } from './unsettled.ts'
import { registerServer, releaseStaleLocks, type ServerRegistration } from './server-registry.ts'

const server = serverForFile()

/** The numbers of calls that an integration received, by type, and of settled results. */
interface SendLog {
  sent: number
  asked: number
  settled: number
}

interface Place {
  readonly now?: () => Date
  /** The first server's pool; the others have the test's own. */
  readonly pool?: pg.Pool
  readonly number?: number
  /** The effects of the result. */
  readonly settled?: () => void
  readonly repeatable?: boolean
}

/** Makes an operation of a test kind, with as many servers as process it; `send` is the integration's behaviour. */
async function operationFor(
  servers: number,
  send: (calls: SendLog) => Promise<unknown>,
  find: unknown = null,
  {
    now = server.clock.now,
    pool = server.dependencies.pool,
    number: first = 100,
    settled,
    repeatable = false,
  }: Place = {},
) {
  const calls: SendLog = { sent: 0, asked: 0, settled: 0 }
  const kind: OperationKind = {
    kind: `test-${randomUUID()}`,
    repeatable,
    async send() {
      calls.sent += 1
      return send(calls)
    },
    async find() {
      calls.asked += 1
      return find
    },
    async settled() {
      settled?.()
      calls.settled += 1
    },
  }
  const drivers: Driver[] = Array.from({ length: servers }, (_, place) =>
    operationDriver(
      place === 0 ? pool : server.dependencies.pool,
      [kind as OperationKind<never>],
      place === 0 ? first : 100 + place,
      now,
    ),
  )
  const id = await transaction(server.dependencies.pool, (tx) =>
    enqueue(tx, now(), { kind: kind.kind, ref: randomUUID(), target: randomUUID(), payload: {} }),
  )
  const storedState = () =>
    row<{ state: string; result: unknown }>(
      server.dependencies.pool,
      sql`select state, result -> 'done' as result from operations where id = ${id}`,
    )
  return { id, drivers, calls, storedState }
}

test('an operation that twenty servers pick up at the same time is sent by only one of them', async () => {
  const { id, drivers, calls, storedState } = await operationFor(20, () => Promise.resolve('ticket 1'))
  // Connections are opened before, so that all of them read the operation at the same moment.
  const { pool } = server.dependencies
  const open = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
  for (const connection of open) connection.release()
  await Promise.all(drivers.map((driver) => driver.drive(id)))
  expect(calls).toEqual({ sent: 1, asked: 0, settled: 1 })
  expect(await storedState()).toEqual({ state: 'done', result: 'ticket 1' })
})

test('a server whose lease has expired writes nothing, because another has queried the status and settled (requirements 33.31)', async () => {
  const began = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<unknown>()
  const { id, drivers, calls, storedState } = await operationFor(
    2,
    () => {
      began.resolve()
      return answer.promise
    },
    'ticket 2',
  )
  const asleep = drivers[0]?.drive(id)
  await began.promise
  server.clock.turn(60)
  await drivers[1]?.drive(id)
  answer.resolve('the response to the suspended server')
  await asleep
  expect(calls).toEqual({ sent: 1, asked: 1, settled: 1 })
  expect(await storedState()).toEqual({ state: 'done', result: 'ticket 2' })
})

test('a claim committed too late sends nothing, and the next claim sends the operation (requirements 20.19)', async () => {
  const { dependencies, clock } = server
  const sent: Date[] = []
  let lateSeconds = 6
  const kind: OperationKind = {
    kind: `test-${randomUUID()}`,
    repeatable: false,
    async held() {
      clock.turn(lateSeconds)
      return null
    },
    async send() {
      sent.push(clock.now())
    },
    async settled() {},
  }
  const driver = operationDriver(dependencies.pool, [kind as OperationKind<never>], 301, clock.now)
  const id = await transaction(dependencies.pool, (tx) =>
    enqueue(tx, clock.now(), { kind: kind.kind, ref: randomUUID(), target: randomUUID(), payload: {} }),
  )
  const storedState = () =>
    row(dependencies.pool, sql`select state, tries, sent_at as "sentAt" from operations where id = ${id}`)
  await driver.drive(id)
  expect([sent, await storedState()]).toEqual([[], { state: 'waiting', tries: 0, sentAt: null }])
  lateSeconds = 0
  await driver.drive(id)
  expect(sent).toHaveLength(1)
  expect(await storedState()).toMatchObject({ state: 'done', tries: 1 })
})

test('a sweep of a server that stops begins no further operation (requirements 24.298)', async () => {
  const { pool } = server.dependencies
  let isStopping = false
  let sent = 0
  const kind: OperationKind = {
    kind: `test-${randomUUID()}`,
    repeatable: true,
    async send() {
      sent += 1
      isStopping = true
    },
    async settled() {},
  }
  const driver = operationDriver(pool, [kind as OperationKind<never>], 303, server.clock.now)
  const target = randomUUID()
  for (let order = 0; order < 2; order += 1)
    await transaction(pool, (tx) =>
      enqueue(tx, server.clock.now(), { kind: kind.kind, ref: randomUUID(), target, payload: {} }),
    )
  await driver.sweep(() => isStopping)
  expect(sent).toBe(1)
})

test('a claim retried after a deadlock does not occupy its integration, which still receives one call at a time (requirements 33.8, 33.14)', async () => {
  const { dependencies, clock } = server
  const integration = { isAway: true, sent: 0 }
  const kind: OperationKind = {
    kind: `test-${randomUUID()}`,
    repeatable: true,
    async send() {
      integration.sent += 1
      if (integration.isAway) throw new Unavailable('away')
    },
    async settled() {},
  }
  const driver = operationDriver(dependencies.pool, [kind as OperationKind<never>], 300, clock.now)
  const target = randomUUID()
  const order = () =>
    transaction(dependencies.pool, (tx) =>
      enqueue(tx, clock.now(), { kind: kind.kind, ref: randomUUID(), target, payload: {} }),
    )
  const [first, next] = [await order(), await order()]
  await deadlockOnce(server.database.ownerUrl, () => driver.drive(first))
  integration.isAway = false
  await driver.drive(next)
  expect(integration.sent).toBe(2)
})

/**
 * Makes the first claim written by `work` fail with a deadlock; the sequence that counts them survives the rollback.
 */
async function deadlockOnce(ownerUrl: string, work: () => Promise<void>): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  await owner.query(`create sequence claims;
    create function deadlock() returns trigger language plpgsql security definer as $$ begin
      if nextval('claims') = 1 then raise exception 'as in a deadlock' using errcode = '40P01'; end if;
      return new;
    end $$;
    create trigger deadlock before update on operations for each row when (new.state = 'sending') execute function deadlock()`)
  await work().finally(async () => {
    await owner.query('drop trigger deadlock on operations; drop function deadlock; drop sequence claims')
    await owner.end()
  })
}

test.each([
  { answer: 'ticket 3', calls: { sent: 0, asked: 1, settled: 1 }, storedState: { state: 'done', result: 'ticket 3' } },
  { answer: null, calls: { sent: 0, asked: 1, settled: 0 }, storedState: { state: 'unknown', result: null } },
])(
  'a pending operation in a restored database is queried and not sent, when the integration reports $answer (requirements 33.25)',
  async ({ answer, calls: expectedCalls, storedState: expectedState }) => {
    const { id, drivers, calls, storedState } = await operationFor(1, () => Promise.resolve('sent again'), answer)
    await transaction(server.dependencies.jobs, (tx) => requireStatusCheck(tx))
    await drivers[0]?.drive(id)
    expect([calls, await storedState()]).toEqual([expectedCalls, expectedState])
  },
)

test('money is not settled with the ticket of another operation or with a different amount under its reference (requirements 33.15)', async () => {
  const asked = money(-500n, 'EUR')
  const answer = { ticket: '71', amount: asked }
  const platform: Pick<TradingServer, 'applyBalance' | 'findBalanceOperation'> = {
    applyBalance: () => Promise.resolve(answer),
    findBalanceOperation: () => Promise.resolve(answer),
  }
  const { pool, platforms } = server.dependencies
  const parts = { ...server.dependencies, platforms: { ...platforms, MT5: platform as TradingServer } }
  const settled: string[] = []
  const kind = balanceOperation(parts, { correction: async (_tx, { id }) => void settled.push(id) })
  const driver = operationDriver(pool, [kind as OperationKind<never>], 100, server.clock.now)
  const login = randomUUID()
  const ordered = () =>
    transaction(pool, (tx) => {
      const reference = newReference()
      const account = { platform: 'MT5', login, accountId: randomUUID() as string as AccountId } as const
      const request = { ...account, id: randomUUID(), clientId: client.id, reference }
      const order = { request, subject: 'test', leg: 'correction', amount: asked, checkMargin: true } as const
      return enqueueBalance(tx, server.dependencies.keys, server.clock.now(), order)
    })
  const client = await makeClient(server)
  const first = await ordered()
  await driver.drive(first)
  const second = await ordered()
  for (const wrong of [answer, answer, { ticket: '72', amount: money(-499n, 'EUR') }]) {
    Object.assign(answer, wrong)
    await driver.drive(second)
    expect(await row(pool, sql`select state from operations where id = ${second}`)).toEqual({ state: 'unknown' })
    server.clock.turn(10)
  }
  Object.assign(answer, { ticket: '72', amount: asked })
  await driver.drive(second)
  expect(settled).toEqual([first, second])
})

test('the time in which money may be sent counts from the lease, also while earlier attempts are searched for (requirements 24.294)', async () => {
  const { pool, platforms, keys } = server.dependencies
  const monotonic = vi.spyOn(performance, 'now').mockReturnValue(1_000)
  const sendBys: (number | undefined)[] = []
  const platform: Pick<TradingServer, 'applyBalance' | 'balanceOperations'> = {
    async applyBalance({ sendBy }) {
      sendBys.push(sendBy)
      throw new Unavailable('Not sent in time')
    },
    async balanceOperations() {
      monotonic.mockReturnValue(61_000)
      return []
    },
  }
  const parts = { ...server.dependencies, platforms: { ...platforms, MT5: platform as TradingServer } }
  const kind = balanceOperation(parts, { correction: async () => undefined })
  const driver = operationDriver(pool, [kind as OperationKind<never>], 302, server.clock.now)
  const account = { platform: 'MT5', login: randomUUID(), accountId: randomUUID() as string as AccountId } as const
  const client = await makeClient(server)
  const request = { ...account, id: randomUUID(), clientId: client.id, reference: newReference() }
  const order = { request, subject: 'test', leg: 'correction', amount: money(500n, 'EUR') } as const
  const id = await transaction(pool, (tx) => enqueueBalance(tx, keys, server.clock.now(), order))
  for (let send = 0; send < 2; send += 1) {
    monotonic.mockReturnValue(1_000)
    await driver.drive(id)
    server.clock.turn(60)
  }
  expect(sendBys).toEqual([31_000, 31_000])
  expect(monotonic()).toBe(61_000)
  monotonic.mockRestore()
})

describe('a server that is cut off from the database while it sends (requirements 33.29)', () => {
  let way: LossyDatabase
  let cutOff: Database
  let presence: ServerRegistration
  // Each test has its own: a registration whose connection was lost holds no lock until it has reconnected.
  beforeEach(async () => {
    way = await openLossyDatabase(server.database)
    cutOff = openDatabase(way.database.url, () => undefined)
    presence = await registerServer(way.database.url, () => undefined)
  })
  afterEach(async () => {
    await presence.leave()
    await cutOff.close()
    way.stop()
  })

  /** Makes an operation that the server behind the interrupted connection is sending; `answer` is the integration's. */
  async function beingSent(ticket: string) {
    const began = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<unknown>()
    const send = () => {
      began.resolve()
      return answer.promise
    }
    const place = { pool: cutOff.jobs, number: presence.server }
    const { id, drivers, ...rest } = await operationFor(2, send, ticket, place)
    const late = drivers[0]?.drive(id)
    await began.promise
    const takeOver = async () => {
      await releaseStaleLocks(server.dependencies.jobs, server.clock.now())
      await drivers[1]?.drive(id)
    }
    return { ...rest, late, takeOver, answers: () => answer.resolve('the response to the disconnected server') }
  }

  test('keeps its lease until that expires, and its late result is discarded', async () => {
    const { calls, storedState, late, takeOver, answers } = await beingSent('ticket 4')
    way.partition()
    answers()
    await takeOver()
    expect(calls).toEqual({ sent: 1, asked: 0, settled: 0 })
    server.clock.turn(60)
    await takeOver()
    way.heal()
    await late
    expect(calls).toEqual({ sent: 1, asked: 1, settled: 1 })
    expect(await storedState()).toEqual({ state: 'done', result: 'ticket 4' })
  })

  test('loses its lease as soon as the database notices the broken connections', async () => {
    const { calls, storedState, late, takeOver, answers } = await beingSent('ticket 5')
    way.breakAll()
    const asked = async () => {
      await takeOver()
      return calls.asked
    }
    await expect.poll(asked).toBe(1)
    answers()
    await late
    expect(calls).toEqual({ sent: 1, asked: 1, settled: 1 })
    expect(await storedState()).toEqual({ state: 'done', result: 'ticket 5' })
  })
})

test('an operation deferred or leased before the clock was set back by a day is due immediately (requirements 33.10)', async () => {
  const clock = makeClock(new Date(server.clock.now().getTime() + 86_400_000))
  const asleep = Promise.withResolvers<unknown>()
  const send = ({ sent }: SendLog) => (sent === 1 ? Promise.reject(new Unavailable('away')) : asleep.promise)
  const { id, drivers, calls, storedState } = await operationFor(2, send, 'ticket 6', clock)
  await drivers[0]?.drive(id)
  clock.turn(-86_400)
  const late = drivers[0]?.drive(id)
  await expect.poll(() => calls.sent).toBe(2)
  clock.turn(-86_400)
  await drivers[1]?.drive(id)
  asleep.resolve('the response to the suspended server')
  await late
  expect(calls).toEqual({ sent: 2, asked: 1, settled: 1 })
  expect(await storedState()).toEqual({ state: 'done', result: 'ticket 6' })
})

describe('an operation that never settles', () => {
  const itemOf = (id: string) =>
    row<{ state: string; kind: string }>(
      server.dependencies.pool,
      sql`select state, summary ->> 'kind' as kind from work_items where kind = 'operation' and record = ${id} and closed_at is null`,
    )
  const minutes = (count: number) => server.clock.turn(count * 60)

  test('because settling its result fails becomes a work item after the third attempt, and settles once the cause is removed', async () => {
    let isBroken = true
    const { id, drivers, calls, storedState } = await operationFor(1, () => Promise.resolve('ticket 9'), 'ticket 9', {
      settled: () => {
        if (isBroken) throw new TypeError('amount of undefined')
      },
    })
    const known = [(await kindOf(id)) ?? '']
    const drive = () => drivers[0]?.drive(id).catch((error: unknown) => error)
    for (let turn = 0; turn < 3; turn += 1) {
      await reportUnsettled(server.dependencies.pool, known, server.clock.now())
      expect(await itemOf(id)).toBeNull()
      expect(await drive()).toBeInstanceOf(TypeError)
      minutes(5)
    }
    expect(await reportUnsettled(server.dependencies.pool, known, server.clock.now())).toBe(1)
    expect(await itemOf(id)).toMatchObject({ state: 'not-settled' })
    expect(await findStalled(server.dependencies.pool, server.clock.now())).toContainEqual(
      expect.objectContaining({
        cause: 'amount of undefined',
        sick: true,
        action: expect.stringContaining(id) as string,
      }),
    )
    expect(calls).toMatchObject({ sent: 1, asked: 2 })

    const staff = await makeStaff(server, ['operations'])
    const params = { source: 'operation', id }
    const { answer } = await call(server, getFailedJob, { as: staff, params })
    expect(answer.job).toMatchObject({ lastError: 'amount of undefined', refusal: null })
    expect(answer.job.nextTryAt).not.toBeNull()
    isBroken = false
    expect((await call(server, retryJob, { as: staff, params, body: { reason: 'Corrected.' } })).status).toBe(200)
    await drive()
    expect([await storedState(), calls.sent, await itemOf(id)]).toEqual([
      { state: 'done', result: 'ticket 9' },
      1,
      null,
    ])
  })

  test('because settling its result fails is sent again by a person if repeating it is harmless', async () => {
    let isBroken = true
    const { id, drivers, calls, storedState } = await operationFor(1, () => Promise.resolve('refund 1'), null, {
      repeatable: true,
      settled: () => {
        if (isBroken) throw new TypeError('amount of undefined')
      },
    })
    const drive = () => drivers[0]?.drive(id).catch((error: unknown) => error)
    for (let turn = 0; turn < 4; turn += 1) {
      await drive()
      minutes(5)
    }
    expect([calls.sent, await storedState()]).toMatchObject([3, { state: 'unknown' }])
    isBroken = false
    const staff = await makeStaff(server, ['operations'])
    const retried = { as: staff, params: { source: 'operation', id }, body: { reason: 'Corrected.' } }
    expect((await call(server, retryJob, retried)).status).toBe(200)
    await drive()
    expect([calls.sent, await storedState()]).toMatchObject([4, { state: 'done', result: 'refund 1' }])
  })

  test('because its kind is unknown becomes a work item only after half an hour, so that a newer server can start first', async () => {
    const { id, drivers } = await operationFor(1, () => Promise.resolve('ticket 10'))
    await reportUnsettled(server.dependencies.pool, [], server.clock.now())
    expect(await itemOf(id)).toBeNull()
    minutes(31)
    await reportUnsettled(server.dependencies.pool, [], server.clock.now())
    expect(await itemOf(id)).toMatchObject({ state: 'kind-unknown' })
    await drivers[0]?.drive(id)
    await reportUnsettled(server.dependencies.pool, [(await kindOf(id)) ?? ''], server.clock.now())
    expect(await itemOf(id)).toBeNull()
  })

  test('because its outcome stays unknown becomes a work item after half an hour', async () => {
    const { id, drivers } = await operationFor(1, () => Promise.reject(new Error('silence')), null)
    const known = [(await kindOf(id)) ?? '']
    await drivers[0]?.drive(id)
    await reportUnsettled(server.dependencies.pool, known, server.clock.now())
    expect(await itemOf(id)).toBeNull()
    minutes(31)
    await reportUnsettled(server.dependencies.pool, known, server.clock.now())
    expect(await itemOf(id)).toMatchObject({ state: 'unknown-long' })
  })

  async function kindOf(id: string) {
    return (await row<{ kind: string }>(server.dependencies.pool, sql`select kind from operations where id = ${id}`))
      ?.kind
  }
})

describe('during a rolling update (requirements 33.4)', () => {
  test('an operation of a kind that only the newer version knows is left to it', async () => {
    const { id, drivers, calls, storedState } = await operationFor(1, () => Promise.resolve('ticket 7'))
    const older = operationDriver(server.dependencies.pool, [], 200, server.clock.now)
    await older.drive(id)
    expect([await older.sweep(), await storedState()]).toEqual([0, { state: 'waiting', result: null }])
    await drivers[0]?.drive(id)
    expect(calls).toEqual({ sent: 1, asked: 0, settled: 1 })
  })

  test('columns added by the newer version do not affect the older one', async () => {
    const staff = await makeStaff(server, ['compliance'])
    const client = await makeClient(server)
    const works = async () => {
      const { id, drivers, storedState } = await operationFor(1, () => Promise.resolve('ticket 8'))
      await drivers[0]?.drive(id)
      expect((await storedState())?.state).toBe('done')
      await appendToChain(server.dependencies.pool)
      expect((await call(server, getOfficeClient, { as: staff, params: { id: client.id } })).status).toBe(200)
    }
    await works()
    const owner = new pg.Client({ connectionString: server.database.ownerUrl })
    await owner.connect()
    await owner.query(`do $$ declare t text; begin
      for t in select tablename from pg_tables where schemaname = 'public' loop
        execute format('alter table %I add column of_the_newer_version text', t);
      end loop;
    end $$`)
    await owner.end()
    await works()
  })
})

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { row, sql } from '#server/db/sql.ts'
import { transaction } from '#server/db/transaction.ts'
import { askFirst } from '#server/operator/restored.ts'
import { startTestServer, type TestServer } from '#tests/make.ts'
import { enqueue, operationDriver, type Driver, type OperationKind } from './operations.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

/** What an outside was told, by kind of act, and what it answers. */
interface Heard {
  sent: number
  asked: number
  settled: number
}

/** An operation of a kind of its own, and as many servers as drive it; `send` is what the outside does. */
async function operationFor(servers: number, send: (heard: Heard) => Promise<unknown>, find: unknown = null) {
  const heard: Heard = { sent: 0, asked: 0, settled: 0 }
  const kind: OperationKind<unknown> = {
    kind: `test-${randomUUID()}`,
    repeatable: false,
    async send() {
      heard.sent += 1
      return send(heard)
    },
    async find() {
      heard.asked += 1
      return find
    },
    async settled() {
      heard.settled += 1
    },
  }
  const drivers: Driver[] = Array.from({ length: servers }, (_, number) =>
    operationDriver(server.parts.pool, [kind as OperationKind<never>], 100 + number, server.clock.now),
  )
  const id = await transaction(server.parts.pool, (tx) =>
    enqueue(tx, { kind: kind.kind, ref: randomUUID(), target: randomUUID(), payload: {} }, server.clock.now()),
  )
  const stands = () =>
    row<{ state: string; result: unknown }>(
      server.parts.pool,
      sql`select state, result -> 'done' as result from operations where id = ${id}`,
    )
  return { id, drivers, heard, stands }
}

test('of twenty servers that take up one operation at once, one alone sends it', async () => {
  const { id, drivers, heard, stands } = await operationFor(20, () => Promise.resolve('ticket 1'))
  // Connections are opened before, so that all of them look at the operation in the same moment.
  await Promise.all(drivers.map(() => row(server.parts.pool, sql`select 1 from pg_sleep(0.05)`)))
  await Promise.all(drivers.map((driver) => driver.drive(id)))
  expect(heard).toEqual({ sent: 1, asked: 0, settled: 1 })
  expect(await stands()).toEqual({ state: 'done', result: 'ticket 1' })
})

test('a server that slept through its lease writes nothing: the other asked and settled meanwhile (fault K31)', async () => {
  const began = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<unknown>()
  const { id, drivers, heard, stands } = await operationFor(
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
  answer.resolve('what the sleeper heard')
  await asleep
  expect(heard).toEqual({ sent: 1, asked: 1, settled: 1 })
  expect(await stands()).toEqual({ state: 'done', result: 'ticket 2' })
})

test.each([
  { says: 'ticket 3', heard: { sent: 0, asked: 1, settled: 1 }, stands: { state: 'done', result: 'ticket 3' } },
  { says: null, heard: { sent: 0, asked: 1, settled: 0 }, stands: { state: 'unknown', result: null } },
])(
  'what a restored database holds for waiting is asked about and not sent, though the outside says $says (fault K25)',
  async ({ says, heard: told, stands: standing }) => {
    const { id, drivers, heard, stands } = await operationFor(1, () => Promise.resolve('sent again'), says)
    await askFirst({ jobs: server.parts.jobs, now: server.clock.now })
    await drivers[0]?.drive(id)
    expect([heard, await stands()]).toEqual([told, standing])
  },
)

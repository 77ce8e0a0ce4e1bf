/**
 * A standby takes the place of a primary that was killed: where it confirmed every commit, sending pauses and nobody is
 * woken; where commits were lost, recovery is entered and left with the same totals to the cent (mechanics section 13).
 */
import { expect, onTestFinished, test } from 'vitest'
import { profile } from '#contract/profile.ts'
import { rows, sql } from '#server/db/sql.ts'
import { brokenInvariants } from '#server/invariants.ts'
import { recoveryOf } from '#server/recovery/stopped-money.ts'
import { settleOperations } from '../funded-account.ts'
import { call, type TestServer } from '../make.ts'
import { until } from '../until.ts'
import { importLines, linesOfTheBank, stages, startProductInTime, type ProductInTime } from './product-in-time.ts'
import { startReplicatedDatabase, type ReplicatedDatabase } from './replicated-database.ts'
import { endsOf, totalsOf } from './totals.ts'
import { confirmAccess, decideAll, openPayouts, recoverFrom, signInAgain } from './way-out.ts'

async function start(
  how: 'synchronous' | 'asynchronous',
): Promise<{ database: ReplicatedDatabase; product: ProductInTime }> {
  const database = await startReplicatedDatabase(how)
  onTestFinished(() => database.stop())
  const product = await startProductInTime(database)
  onTestFinished(() => product.stop())
  return { database, product }
}

const deals = ({ platform }: ProductInTime) => platform.read<{ comment: string }[]>('deals?action=2')

/** What is under way when the primary dies breaks; what is asked afterwards is answered, at last as before. */
async function failOverUnderLoad(database: ReplicatedDatabase, { server, client }: ProductInTime): Promise<void> {
  const ending = new AbortController()
  const asking = Array.from({ length: 4 }, async () => {
    while (!ending.signal.aborted) {
      const { status } = await call(server, profile, { as: client })
      expect([200, 401, 503]).toContain(status)
    }
  })
  await database.failOver()
  await until(async () => (await fetch(`${server.url}/readyz`)).status === 200)
  ending.abort()
  await Promise.all(asking)
}

/** Asks again, ten seconds apart, about what a failover left unfinished, so many times. */
async function askAgain(server: TestServer, times = 6): Promise<void> {
  for (let round = 0; round < times; round += 1) {
    await settleOperations(server)
    server.clock.turn(11)
  }
}

test('a standby that confirmed every commit takes over: nothing is lost, no alarm is raised, what waited is sent', async () => {
  const { database, product } = await start('synchronous')
  const { server } = product
  await stages.decisions(product)
  const before = await deals(product)
  const waiting = () =>
    rows<{ ref: string }>(
      server.parts.pool,
      sql`select ref from operations where kind = 'balance' and state in ('waiting', 'sending', 'unknown')`,
    )
  const refs = (await waiting()).map(({ ref }) => ref)
  expect(refs.length).toBeGreaterThan(0)

  await failOverUnderLoad(database, product)
  // Each is asked about twice, and an account's legs go one after the other.
  while ((await waiting()).length > 0) await askAgain(server, 1)
  await settleOperations(server)
  expect(await recoveryOf(server.parts.pool)).toBeNull()
  const news = await rows(server.parts.pool, sql`select verb from events where kind = 'recovery'`)
  expect(news).toEqual([{ verb: 'failover' }])
  const sent = (await deals(product)).slice(before.length).map(({ comment }) => comment)
  expect(sent).toEqual(expect.arrayContaining(refs))
  expect(new Set(sent).size).toBe(sent.length)
  const woken = await rows(server.parts.pool, sql`select kind from work_items where kind in ('recovery', 'operation')`)
  expect(woken).toEqual([])
  expect(await brokenInvariants(server.parts.pool, server.clock.now())).toEqual([])
})

test('a standby that had not heard of the last commits takes over: recovery, and the same totals at its end', async () => {
  const { database, product } = await start('asynchronous')
  const { server } = product
  const begun = server.clock.now()
  await database.stopReplication()
  for (const stage of ['decisions', 'debits', 'ends', 'batches', 'payment'] as const) await stages[stage](product)
  await settleOperations(server)
  // Asked for before the rows that they name are lost.
  const lines = await linesOfTheBank(product)
  await importLines(server, product.staff.operations, lines)
  const [truth, ends, before] = [await totalsOf(server), await endsOf(server), await deals(product)]

  await failOverUnderLoad(database, product)
  await until(async () => (await recoveryOf(server.parts.pool)) !== null)
  expect((await recoveryOf(server.parts.pool))?.sign).toBe('lost-event')
  await askAgain(server)
  expect(await deals(product), 'nothing is sent').toEqual(before)
  const staff = await signInAgain(server, product)
  const since = new Date(begun.getTime() - 60_000)
  await recoverFrom(server, since)
  await decideAll(server, product, staff)
  await recoverFrom(server, since)
  await openPayouts(server, product, { staff, lines })
  await confirmAccess(server, product)
  expect(await recoveryOf(server.parts.pool), 'recovery has ended').toBeNull()
  await askAgain(server)
  expect(await totalsOf(server)).toEqual(truth)
  expect(await endsOf(server)).toEqual(ends)
  expect(await deals(product), 'nothing is done twice').toEqual(before)
  expect(await brokenInvariants(server.parts.pool, server.clock.now())).toEqual([])
})

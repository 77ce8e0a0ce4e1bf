/**
 * A standby replaces a primary that was killed: if it confirmed every commit, sending pauses and no person is needed;
 * if commits were lost, recovery is opened and closed with the same totals to the cent (requirements 20.9).
 */
import { expect, onTestFinished, test } from 'vitest'
import { profile } from '#contract/profile.ts'
import { rows, sql } from '#server/db/sql.ts'
import { brokenInvariants } from '#server/ledger/invariants.ts'
import { recoveryOf } from '#server/recovery/stopped-money.ts'
import { settleOperations } from '../funded-account.ts'
import { call, type TestServer } from '../factories.ts'
import { pauseBriefly, until } from '../until.ts'
import {
  approveAndSettle,
  confirmRequestsOfRecovery,
  signCustomersInAgain,
  bankLinesOfDeposits,
  makeCustomers,
  expectMovedOnce,
  requestsOfEachKind,
  sendRequestOnce,
  sendAllRequests,
  referencesOf,
  expectCorrectStatus,
  type MoneyRequest,
} from './money-requests.ts'
import { importBankLines, productBankLines } from './restorable-bank.ts'
import { startRestorableProduct, type RestorableProduct } from './restorable-product.ts'
import { stages } from './restorable-stages.ts'
import { startReplicatedDatabase, type ReplicatedDatabase } from './replicated-database.ts'
import { finalStatesOf, totalsOf } from './totals.ts'
import { confirmAccess, decideAllItems, reopenPayouts, recoverFrom, signInAgain } from './end-of-recovery.ts'

async function start(
  how: 'synchronous' | 'asynchronous',
): Promise<{ database: ReplicatedDatabase; product: RestorableProduct }> {
  const database = await startReplicatedDatabase(how)
  onTestFinished(() => database.stop())
  const product = await startRestorableProduct(database)
  onTestFinished(() => product.stop())
  return { database, product }
}

const deals = ({ platform }: RestorableProduct) => platform.read<{ comment: string }[]>('deals?action=2')

/**
 * Some read, others request payments, each request repeated until there is a response; `patient` false: only until the
 * connection is lost. The primary is killed when there are as many responses as callers, and stays unavailable until
 * each of these has noticed it.
 */
async function failOverUnderLoad(
  database: ReplicatedDatabase,
  { server, client }: RestorableProduct,
  lanes: readonly { readonly requests: readonly MoneyRequest[]; readonly patient: boolean }[],
): Promise<void> {
  const ending = new AbortController()
  const reading = Array.from({ length: 2 }, async () => {
    while (!ending.signal.aborted) {
      const { status } = await call(server, profile, { as: client })
      expect([200, 401, 503]).toContain(status)
    }
  })
  const enough = Promise.withResolvers<void>()
  let answers = 0
  const asking = lanes.map(async ({ requests, patient }) => {
    for (const request of requests) {
      while ((await sendRequestOnce(server, request)) === 'unanswered') {
        if (!patient || (await recoveryIsOpen(server))) return
        await pauseBriefly()
      }
      answers += 1
      if (answers === lanes.length) enough.resolve()
    }
  })
  const asked = Promise.all(asking)
  let failed = false
  asked.catch(() => {
    failed = true
    enough.resolve()
  })
  await enough.promise
  const through = ({ requests }: (typeof lanes)[number]) =>
    requests.every(({ promised }) => promised) || requests.some(({ broken }) => broken > 0)
  try {
    await database.failOver(() => until(() => failed || lanes.every(through)))
    await until(async () => (await fetch(`${server.url}/readyz`)).status === 200)
    await asked
  } finally {
    ending.abort()
    await Promise.all(reading)
  }
}

/** False also if it cannot be determined, because the database is unavailable. */
const recoveryIsOpen = async ({ url }: TestServer) =>
  ((await (await fetch(`${url}/readyz`)).json()) as { state?: string }).state === 'recovery'

/** Queries again, ten seconds apart, the operations that a failover left unfinished, this number of times. */
async function queryUnfinished(server: TestServer, times = 6): Promise<void> {
  for (let round = 0; round < times; round += 1) {
    await settleOperations(server)
    server.clock.turn(11)
  }
}

test('failover to a standby that confirmed every commit loses nothing, raises no work item and sends pending operations', async () => {
  const { database, product } = await start('synchronous')
  const { server } = product
  const customers = await makeCustomers(product, 3)
  const lanes = customers.flatMap((customer) => [
    { requests: [...requestsOfEachKind(customer), ...requestsOfEachKind(customer)], patient: true },
    { requests: requestsOfEachKind(customer), patient: false },
  ])
  await stages.decisions(product)
  const before = await deals(product)
  const waiting = () =>
    rows<{ ref: string }>(
      server.dependencies.pool,
      sql`select ref from operations where kind = 'balance' and state in ('waiting', 'sending', 'unknown')`,
    )
  const refs = (await waiting()).map(({ ref }) => ref)
  expect(refs.length).toBeGreaterThan(0)

  await failOverUnderLoad(database, product, lanes)
  const requests = lanes.flatMap((lane) => lane.requests)
  expect(requests.filter(({ broken }) => broken > 0).length, 'some requests lost their connection').toBeGreaterThan(0)
  for (const request of requests) {
    const isThere = await expectCorrectStatus(server, request)
    if (request.promised !== null) expect(isThere, 'no acknowledged request was lost').toBe(true)
  }
  // Each is queried twice, and an account's legs are sent one after the other.
  while ((await waiting()).length > 0) await queryUnfinished(server, 1)
  await settleOperations(server)
  expect(await recoveryOf(server.dependencies.pool)).toBeNull()
  const news = await rows(server.dependencies.pool, sql`select verb from events where kind = 'recovery'`)
  expect(news).toEqual([{ verb: 'failover' }])
  const sent = (await deals(product)).slice(before.length).map(({ comment }) => comment)
  expect(sent).toEqual(expect.arrayContaining(refs))
  expect(new Set(sent).size).toBe(sent.length)
  const woken = await rows(
    server.dependencies.pool,
    sql`select kind from work_items where kind in ('recovery', 'operation')`,
  )
  expect(woken).toEqual([])
  await sendAllRequests(server, requests)
  await approveAndSettle(product, requests)
  await expectMovedOnce(product, customers, requests)
  expect(await brokenInvariants(server.dependencies.pool, server.clock.now())).toEqual([])
})

test('failover to a standby without the last commits opens recovery, after which the totals are the same', async () => {
  const { database, product } = await start('asynchronous')
  const { server } = product
  const begun = server.clock.now()
  const customers = await makeCustomers(product, 3)
  const ofEach = () => customers.map(requestsOfEachKind)
  const [kept, traced, untraced, underWay] = [ofEach().flat(), ofEach().flat(), ofEach().flat(), ofEach()]
  await sendAllRequests(server, kept)
  await database.stopReplication()
  await sendAllRequests(server, [...traced, ...untraced])
  for (const stage of ['decisions', 'debits', 'ends', 'batches', 'payment'] as const) await stages[stage](product)
  await approveAndSettle(product, traced)
  // Queried before the rows that they name are lost.
  const lines = [...(await productBankLines(product)), ...(await bankLinesOfDeposits(server, traced))]
  await importBankLines(server, product.staff.operations, lines)
  const forgotten = await referencesOf(server, untraced)
  const [truth, ends, before] = [await totalsOf(server), await finalStatesOf(server), await deals(product)]

  await failOverUnderLoad(
    database,
    product,
    underWay.map((requests) => ({ requests, patient: true })),
  )
  await until(async () => (await recoveryOf(server.dependencies.pool)) !== null)
  expect((await recoveryOf(server.dependencies.pool))?.sign).toBe('lost-event')
  await queryUnfinished(server)
  expect(await deals(product), 'nothing was sent to the platform').toEqual(before)
  const staff = await signInAgain(server, product)
  const since = new Date(begun.getTime() - 60_000)
  await recoverFrom(server, since)
  await decideAllItems(server, staff)
  await recoverFrom(server, since)
  await reopenPayouts(server, product, { staff, lines })
  await confirmAccess(server, product)
  expect(await recoveryOf(server.dependencies.pool), 'recovery has ended').toBeNull()
  await queryUnfinished(server)
  expect(await totalsOf(server)).toEqual(truth)
  const free = sql`select remittance from bank_lines where state = 'unmatched' and amount_minor > 0`
  expect(await rows(server.dependencies.pool, free), 'every incoming bank transaction is matched').toEqual([])
  const endsNow = await finalStatesOf(server)
  const stillAsked = await referencesOf(server, underWay.flat())
  const without = (all: typeof ends, left: readonly string[]) =>
    Object.fromEntries(Object.entries(all).filter(([reference]) => !left.includes(reference)))
  expect(without(endsNow, stillAsked)).toEqual(without(ends, forgotten))
  expect(await deals(product), 'no deal was booked twice').toEqual(before)

  await signCustomersInAgain(server, customers)
  for (const request of kept)
    expect(await expectCorrectStatus(server, request), 'a replicated request is stored').toBe(true)
  for (const request of untraced)
    expect(await expectCorrectStatus(server, request), 'a request without a trace is not stored').toBe(false)
  for (const request of underWay.flat()) await expectCorrectStatus(server, request)
  // Their promises were lost with the rows: the same keys get a new response.
  for (const request of [...untraced, ...underWay.flat()]) request.promised = null
  await sendAllRequests(server, [...kept, ...untraced, ...underWay.flat()])
  await confirmRequestsOfRecovery(server, customers)
  const { operations } = await signInAgain(server, product)
  await approveAndSettle(product, [...kept, ...untraced, ...underWay.flat()], operations)
  await expectMovedOnce(product, customers, [...kept, ...traced, ...untraced, ...underWay.flat()])
  expect(await brokenInvariants(server.dependencies.pool, server.clock.now())).toEqual([])
})

/**
 * The platform, the card provider, the mail server and the database each become unavailable for a while under load:
 * they hang, or they refuse connections. Callers get correct responses, everything recovers automatically, nothing is
 * lost or done twice (requirements 33.5, 33.14, 33.18, 33.20). Each outage lasts until all of that has been seen;
 * `OUTAGE_SECONDS=60` makes it at least a minute.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { currentUser } from '#contract/users-session.ts'
import { findStalled } from '#server/operator/stalled.ts'
import type { Stalled } from '#server/operator/stalled-rows.ts'
import { mt5Environment } from '../funded-account.ts'
import { call, startTestServer, type TestServer } from '../factories.ts'
import { pauseBriefly } from '../until.ts'
import {
  waitForEmptyBacklog,
  expectOnlyOwnAccounts,
  expectAllMailsDelivered,
  expectLedgerAgrees,
  expectAcknowledgedStored,
} from './assertions.ts'
import { cardEnv } from '../card-provider.ts'
import { startKillableServer, type KillableServer } from './killable-server.ts'
import { startMoneyLoad, type MoneyLoad } from './money-load.ts'
import { retryUntilSuccess } from './retried-calls.ts'
import { startStoppableDatabase, type StoppableDatabase } from './stoppable-database.ts'
import { startStoppableSimulator, type StoppableSimulator } from './stoppable-simulator.ts'

const outageMs = Number(process.env['OUTAGE_SECONDS'] ?? 0) * 1_000
/** Longer than all outages one after another. */
const patienceMs = 5 * outageMs + 300_000

let database: StoppableDatabase
let platform: StoppableSimulator
let cards: StoppableSimulator
let mailbox: StoppableSimulator
let observer: TestServer
let server: KillableServer
let load: MoneyLoad
/** The number of rejections when the last outage started. */
let refusalsBefore = 0

beforeAll(async () => {
  ;[database, platform, cards, mailbox] = await Promise.all([
    startStoppableDatabase(),
    startStoppableSimulator('mt5'),
    startStoppableSimulator('card-provider'),
    startStoppableSimulator('mailbox'),
  ])
  const env = {
    ...mt5Environment(platform),
    SMTP_URL: `smtp://127.0.0.1:${mailbox.port}`,
    ...cardEnv(cards),
  }
  observer = await startTestServer({ env, now: new Date(), database })
  server = await startKillableServer({ ...observer.env, NODE_ENV: 'test' })
  load = await startMoneyLoad({ observer, server, clients: 4, patienceMs })
})

afterAll(async () => {
  await server.stop()
  await observer.stop()
  await Promise.all([mailbox.stop(), cards.stop(), platform.stop(), database.stop()])
})

async function probe(path: string): Promise<{ status: number; retryAfter: string | null; body: string }> {
  // The server may close a kept-alive connection just as it is used again.
  const response = await fetch(server.url + path, { headers: { connection: 'close' } })
  return { status: response.status, retryAfter: response.headers.get('retry-after'), body: await response.text() }
}

/** Waits until the operator's list of stuck work has a matching item. */
async function waitForStalled(fits: (stuck: Stalled) => boolean): Promise<Stalled> {
  return retryUntilSuccess({ patienceMs }, async () => {
    const all = await findStalled(observer.dependencies.pool, new Date())
    const found = all.find(fits)
    if (!found) throw new Error(`nothing of the kind is stuck: ${JSON.stringify(all)}`)
    return found
  })
}

async function waitForNoStalled(): Promise<void> {
  await retryUntilSuccess({ patienceMs }, async () => {
    expect(await findStalled(observer.dependencies.pool, new Date())).toEqual([])
  })
}

/** Either one mail, or all that are stuck for one cause. */
const ofMail = /^emails?\b/

/**
 * Expects the explanation of an operation that waits for an integration, for staff and operator: cause, effect on the
 * client, next attempt, and remedy.
 */
function expectExplained(stuck: Stalled): void {
  expect(stuck.cause.length, JSON.stringify(stuck)).toBeGreaterThan(10)
  expect(stuck.effect).not.toBe('')
  expect(new Date(stuck.next).getTime()).toBeLessThan(Date.now() + 60_000)
  expect(stuck.action).toMatch(/automatically/)
}

async function expectIntegrationsAway(): Promise<void> {
  const atThePlatform = await waitForStalled(({ what }) => !ofMail.test(what))
  expectExplained(atThePlatform)
  expect(atThePlatform.effect).toMatch(/^(The client|The account)/)
  const mail = await waitForStalled(({ what }) => ofMail.test(what))
  expectExplained(mail)
  expect(mail.effect).toMatch(/^The emails? ha(s|ve) not been delivered/)
  // Callers whose request needs one of them immediately get an error that names it.
  await waitForRejections('provider-unavailable')
  // Their outage makes no server unavailable: clients see their accounts, and the status of their requests.
  expect((await probe('/readyz')).status).toBe(200)
}

/** Waits until a caller of the load was rejected for each of these reasons, since the last outage. */
async function waitForRejections(...codes: string[]): Promise<void> {
  await retryUntilSuccess({ patienceMs }, async () => {
    const refused = load.refusals.slice(refusalsBefore).map(({ code }) => code)
    expect(refused).toEqual(expect.arrayContaining(codes))
  })
}

async function waitForNotReady(): Promise<void> {
  await retryUntilSuccess({ patienceMs }, async () => {
    const ready = await probe('/readyz')
    expect(ready).toMatchObject({ status: 503, retryAfter: '5' })
  })
  expect((await probe('/healthz')).status).toBe(200)
}

async function expectDatabaseAway(): Promise<void> {
  await waitForNotReady()
  const asked = await call(server, currentUser, { as: load.actors[0]?.client ?? '' })
  expect(asked.status).toBe(503)
  expect(asked.headers['retry-after']).toBe('5')
  expect(asked.failure).toMatchObject({
    code: 'unavailable',
    reference: expect.stringMatching(/^[0-9A-Z]{8}$/) as string,
  })
}

async function duringOutage(leave: () => unknown, meanwhile: () => Promise<void>, comeBack: () => unknown) {
  refusalsBefore = load.refusals.length
  await leave()
  try {
    await Promise.all([meanwhile(), pauseBriefly(outageMs)])
  } finally {
    await comeBack()
  }
  // Available again, without intervention: a caller got further than before.
  const before = load.noted.length
  await retryUntilSuccess({ patienceMs }, async () => expect(load.noted.length).toBeGreaterThan(before))
}

test(
  'while integrations are unavailable under load, responses are correct, and nothing is lost or executed twice',
  async () => {
    const ending = new AbortController()
    const pay = (id: string) => cards.turn('act', { id, action: 'pay' })
    const drivers = load.actors.map(async (actor, place) => {
      while (!ending.signal.aborted) {
        if (place % 2 === 0) {
          await load.depositByWire(actor)
          await load.withdraw(actor)
        } else {
          await load.depositByCard(actor, pay)
          await load.openAccount(actor)
        }
      }
    })
    const driven = Promise.all(drivers)
    driven.catch(() => ending.abort())

    // In progress before anything becomes unavailable.
    await retryUntilSuccess({ patienceMs }, async () => {
      expect(load.noted.length).toBeGreaterThan(2 * load.actors.length)
    })
    const integrations = [platform, cards, mailbox]
    // Independent of the other callers: a client whose bank transfer is received is credited when the platform is
    // available again, and one who wants to pay by card gets an error, and pays when the provider is available.
    let paying: Promise<unknown> = Promise.resolve()
    const withoutOutsides = async () => {
      const [first, second] = load.actors
      if (first && second) paying = Promise.all([load.depositByWire(first), load.depositByCard(second, pay)])
      paying.catch(() => ending.abort())
      await expectIntegrationsAway()
    }
    await duringOutage(
      () => integrations.forEach((one) => one.freeze()),
      withoutOutsides,
      () => integrations.forEach((one) => one.thaw()),
    )
    await paying
    await duringOutage(
      () => Promise.all(integrations.map((one) => one.die())),
      withoutOutsides,
      () => Promise.all(integrations.map((one) => one.comeBack())),
    )
    await paying
    await duringOutage(
      () => database.kill(),
      expectDatabaseAway,
      () => database.comeBack(),
    )
    await duringOutage(
      () => database.freeze(),
      // A call that has a connection is abandoned only after 17 s.
      waitForNotReady,
      () => database.thaw(),
    )
    await duringOutage(
      () => database.shutDown(),
      expectDatabaseAway,
      () => database.comeBack(),
    )
    ending.abort()
    await driven
    await waitForEmptyBacklog(observer, load.operations)
    await waitForNoStalled()

    await expectAcknowledgedStored(observer, load.noted)
    await expectLedgerAgrees(observer, platform, load.actors)
    await expectOnlyOwnAccounts(observer, platform)
    await expectAllMailsDelivered(observer, mailbox)
    for (const { status, code, retryAfter, text, endpoint } of load.refusals) {
      expect({ status, retryAfter: Number(retryAfter) > 0 }, `${endpoint}: ${text}`).toEqual({
        status: 503,
        retryAfter: true,
      })
      expect(text, `${endpoint} ${code}`).not.toMatch(/\bat \/|node_modules|select |insert |ECONN|ENOENT/)
    }
    const codes = new Set(load.refusals.map(({ code }) => code))
    expect([...codes]).toEqual(expect.arrayContaining(['unavailable', 'provider-unavailable']))
  },
  patienceMs * 4 + 900_000,
)

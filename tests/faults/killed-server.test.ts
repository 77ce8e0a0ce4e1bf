/**
 * Requirements 33.1, 33.13: the server is killed at random moments while clients deposit and withdraw and staff decide.
 * Acknowledged changes exist afterwards, nothing is applied twice, ledger and platform agree to the cent.
 */
import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSimulator, type RunningSimulator } from '../start-simulator.ts'
import { mt5Environment } from '../funded-account.ts'
import { startTestServer, type TestServer } from '../factories.ts'
import { until } from '../until.ts'
import {
  waitForEmptyBacklog,
  expectLedgerAgrees,
  expectAcknowledgedStored,
  waitForUnlockedQueue,
} from './assertions.ts'
import { startKillableServer, type KillableServer } from './killable-server.ts'
import { startMoneyLoad, type MoneyLoad } from './money-load.ts'

const kills = Number(process.env['KILLS'] ?? 20)

let platform: RunningSimulator
let mailbox: RunningSimulator
/** Reads the database and makes people; the calls of the test go to the server that is killed. */
let observer: TestServer
let server: KillableServer
let load: MoneyLoad

beforeAll(async () => {
  platform = await startSimulator('mt5')
  mailbox = await startSimulator('mailbox')
  const env = { ...mt5Environment(platform), SMTP_URL: `smtp://127.0.0.1:${mailbox.port}` }
  observer = await startTestServer({ env, now: new Date() })
  server = await startKillableServer({ ...observer.env, NODE_ENV: 'test' })
  load = await startMoneyLoad({ observer, server, clients: 5, patienceMs: 300_000 })
})

afterAll(async () => {
  await server.stop()
  await observer.stop()
  await mailbox.stop()
  await platform.stop()
})

test(`a server killed ${kills} times under load loses nothing and executes nothing twice`, async () => {
  const ending = new AbortController()
  const drivers = load.actors.map(async (actor) => {
    while (!ending.signal.aborted) {
      await load.depositByWire(actor)
      await load.withdraw(actor)
    }
  })
  const driven = Promise.all(drivers)
  // A driver that fails early is reported below, not as an unhandled rejection.
  driven.catch(() => ending.abort())
  for (let kill = 0; kill < kills && !ending.signal.aborted; kill += 1) {
    // After several accepted changes, however fast they come. Rejections do not count: if an operation in progress
    // blocks every decision, the server lives until that operation is done.
    const enough = load.accepted() + randomInt(1, 25)
    await until(() => load.accepted() >= enough || ending.signal.aborted)
    await server.kill()
    await server.start()
  }
  ending.abort()
  await driven
  await waitForEmptyBacklog(observer, load.operations)
  await waitForUnlockedQueue(observer)

  expect(load.noted.length, 'the load acknowledged more records than there were kills').toBeGreaterThan(kills)
  await expectAcknowledgedStored(observer, load.noted)
  await expectLedgerAgrees(observer, platform, load.actors)
})

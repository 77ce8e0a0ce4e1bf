/**
 * Trades before the first reading of the platform's clock are dated by the configured time zone, or by that reading.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getSetting, saveSetting } from '#contract/office/settings.ts'
import { getTrades } from '#contract/trading-history.ts'
import { startSimulator, type RunningSimulator } from '#tests/start-simulator.ts'
import { offsetOfDay } from '#server/integrations/trading-platform/server-clock.ts'
import { call, makeClient, makeStaff, startTestServer, clientTokenFor, type TestServer } from '#tests/factories.ts'
import { makeFundedAccount, mt5Environment } from '#tests/funded-account.ts'
import { story } from '#tests/story.ts'
import { readPlatforms } from '../../jobs/platform-days.ts'
import { readTrades } from './jobs.ts'

const newYork = { timeZone: 'America/New_York', hoursAhead: 7 }
const athens = { timeZone: 'Europe/Athens', hoursAhead: 0 }
let platform: RunningSimulator
let server: TestServer
let readings = 0
beforeAll(async () => {
  // Without daily reports, as they contain each day's clock.
  platform = await startSimulator('mt5', {
    GROUPS: JSON.stringify([{ name: 'real\\standard-EUR', currency: 'EUR', reports: false }]),
  })
  server = await startTestServer({ now: new Date('2026-03-16T10:00:00Z'), env: mt5Environment(platform) })
})
afterAll(async () => {
  await server.stop()
  await platform.stop()
})

/** Sets both clocks; the platform's is ahead of UTC by a number of hours. */
async function at(time: string, hours: number): Promise<void> {
  server.clock.set(new Date(time))
  await platform.turn('clock', { at: Date.parse(time) / 1000 + hours * 3600, zoneMinutes: hours * 60 })
}

/** Saves the clock as an administrator; returns the error. */
async function saveClock(clock: object): Promise<unknown> {
  const as = await makeStaff(server, ['administrator'])
  const params = { section: 'platforms' }
  const { value, version } = (await call(server, getSetting, { as, params })).answer
  const { MT4, MT5 } = value as { MT4: object; MT5: object }
  const body = { value: { MT4, MT5: { ...MT5, clock } }, version, reason: 'as the server runs' }
  const saved = await call(server, saveSetting, { as, params, body })
  return saved.status === 200 ? saved.answer : saved.failure
}

/** Returns our time for the close of a trade that was closed at 10:00 UTC on 13 March and read on 1 April. */
async function closedAt(): Promise<string | undefined> {
  const client = await makeClient(server)
  await at('2026-03-13T10:00:00Z', 2)
  const account = await makeFundedAccount(server, client, 100_000n)
  await platform.turn('market/open', { login: account.login, lots: 1, profit: '1.00' })
  await platform.turn('market/close', { login: account.login })
  readings += 1
  await at(`2026-04-01T1${readings}:00:00Z`, 3)
  await readPlatforms(server.dependencies)
  await readTrades(server.dependencies)
  const params = { platform: 'MT5' as const, number: account.login }
  const { trades } = (await call(server, getTrades, { as: await clientTokenFor(server, client), params })).answer
  return trades[0]?.closedAt.toISOString()
}

test('the offset of a day is that of the time zone at noon, plus the hours ahead', () => {
  const hours = (clock: typeof athens, day: string) => offsetOfDay(clock, day) / 3_600_000
  const days = ['2026-03-07', '2026-03-08', '2026-03-28', '2026-03-29', '2026-10-25', '2026-11-01']
  expect(days.map((day) => hours(athens, day))).toEqual([2, 2, 2, 3, 2, 2])
  expect(days.map((day) => hours(newYork, day))).toEqual([2, 3, 3, 3, 3, 2])
  expect(hours({ timeZone: '+02:00', hoursAhead: 0 }, '2026-07-01')).toBe(2)
})

story('the clock before its first reading', (step) => {
  step('is that of the first reading, or of the configured time zone', async () => {
    expect(await closedAt()).toMatch(/^2026-03-13T09:00/)
    await saveClock(athens)
    expect(await closedAt()).toMatch(/^2026-03-13T10:00/)
    await saveClock({ timeZone: '', hoursAhead: 0 })
    expect(await closedAt()).toMatch(/^2026-03-13T09:00/)
  })

  step(
    'rejects an unknown time zone, hours ahead without one or out of range, and a zone that contradicts the first reading',
    async () => {
      for (const clock of [
        { timeZone: 'Europe/Atlantis', hoursAhead: 0 },
        { timeZone: '', hoursAhead: 7 },
        { ...newYork, hoursAhead: 15 },
        { timeZone: '+02:00', hoursAhead: 0 },
      ])
        await expect(saveClock(clock), JSON.stringify(clock)).resolves.toMatchObject({ code: 'setting-invalid' })
      expect(await saveClock({ timeZone: '+02:00', hoursAhead: 0 })).toMatchObject({
        errors: {
          'MT5.clock.timeZone': expect.stringContaining(
            'the server’s clock was at UTC+03:00 on 2026-04-01, the first day it was read, but this time zone gives UTC+02:00',
          ),
        },
      })
      for (const clock of [newYork, athens]) expect(await saveClock(clock)).toMatchObject({ saved: true })
    },
  )
})

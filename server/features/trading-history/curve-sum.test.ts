/**
 * The sum shown with the curve adds up and counts exactly what was booked on the days of its heading, whatever the age
 * of the account and since whenever its equity has been known (requirements 24.18).
 */
import { afterAll, beforeAll, describe, expect } from 'vitest'
import * as contract from '#contract/trading-history.ts'
import { fetchSnapshot } from '#server/ledger/account-snapshot.ts'
import { setBothClocks } from '#tests/both-clocks.ts'
import { call, makeClient, clientTokenFor, type MadeClient } from '#tests/factories.ts'
import { makeFundedAccount, startServerWithPlatform, type ServerWithPlatform } from '#tests/funded-account.ts'
import { story } from '#tests/story.ts'
import { readPlatforms } from '../../jobs/platform-days.ts'
import { readTrades } from './jobs.ts'

const group = { name: 'real\\standard-EUR', currency: 'EUR' }

describe.each([
  { title: 'MetaTrader 4', platform: 'MT4', reports: false },
  { title: 'MetaTrader 5 without daily reports', platform: 'MT5', reports: false },
  { title: 'MetaTrader 5 with daily reports', platform: 'MT5', reports: true },
] as const)('on $title', ({ platform, reports }) => {
  let place: ServerWithPlatform
  let client: MadeClient
  let older: string
  let newer: string

  const turn = (name: string, fields: object) => place.platform.turn(name, fields)

  const at = (time: string) => setBothClocks(place, time)

  async function fund(minor: bigint): Promise<string> {
    const { id, login } = await makeFundedAccount(place.server, client, minor, 'EUR', platform)
    snapshots.push({ accountId: id, platform, login, currency: 'EUR' })
    return login
  }

  /** Reads deals and balances, as the server's tasks do. */
  async function read(): Promise<void> {
    place.server.clock.turn(60)
    const { dependencies, clock } = place.server
    await readTrades(dependencies)
    for (const named of snapshots) await fetchSnapshot(dependencies.pool, dependencies, named, clock.now())
  }
  const snapshots: Parameters<typeof fetchSnapshot>[2][] = []

  /** Returns what the sum of a period begins with, and checks the sum against the platform's own deals. */
  async function beginning(login: string, period: contract.CurvePeriod) {
    const params = { platform, number: login }
    const as = await clientTokenFor(place.server, client)
    const { answer } = await call(place.server, contract.getAccountCurve, { as, params, query: { period } })
    const { sum, beingChecked, from, to, points } = answer
    expect(beingChecked).toBe(false)
    if (sum === null || from === null || to === null) return null
    const movements = sum.rows.filter(({ row }) => row !== 'floating')
    expect(total(sum.rows) + sum.opening).toBe(sum.closing)
    const deals = (await place.server.dependencies.platforms[platform].history?.deals([login], 0, farAhead)) ?? []
    const booked = deals.map(({ time, profit, swap, commission, fee }) => {
      return { day: new Date(time).toISOString().slice(0, 10), amount: profit + swap + commission + fee }
    })
    const counted = booked.filter(({ day }) => day <= to && (sum.openingDay === null ? day >= from : day > from))
    expect(total(movements)).toBe(total(counted))
    if (sum.openingDay === null) expect([sum.opening, total(booked)]).toEqual([0n, total(counted)])
    else expect(points[0]).toMatchObject({ day: sum.openingDay, equity: sum.opening })
    return { from, openingDay: sum.openingDay }
  }

  beforeAll(async () => {
    place = await startServerWithPlatform({ now: new Date('2026-06-20T09:00:00Z') }, platform)
    if (platform === 'MT5') await turn('groups', { groups: [{ ...group, reports }] })
    await at('2026-06-20T09:00:00Z')
    await readPlatforms(place.server.dependencies)
    client = await makeClient(place.server)
    older = await fund(1_000_000n)
    await turn('market/open', { login: older, lots: 0.2, profit: '31.00', commission: '-1.40' })
    await at('2026-07-20T09:00:00Z')
    await turn('market/move', { login: older, profit: '-12.50', storage: '-0.35' })
    await turn('market/close', { login: older, lots: 0.1, commission: '-0.70' })
    await turn('deals/write', { login: older, action: 2, amount: '-250.00' })
    // The first reading of this connection.
    await at('2026-08-10T09:00:00Z')
    await read()
  })
  afterAll(() => place.stop())

  story('the sum', (step) => {
    step(
      'on the first day of a connection covers the time since the opening, and is missing for a period that begins later',
      async () => {
        for (const period of ['3m', '1y', 'all'] as const)
          expect(await beginning(older, period)).toEqual({ from: '2026-06-20', openingDay: null })
        for (const [period, known] of [
          ['1m', '2026-07-09'],
          ['1w', '2026-08-02'],
        ] as const)
          expect(await beginning(older, period)).toEqual(reports ? { from: known, openingDay: known } : null)
      },
    )

    step('of a later day begins with the last known day before the period, or with the first known day', async () => {
      for (const time of ['2026-08-11T09:00:00Z', '2026-08-12T09:00:00Z', '2026-08-13T09:00:00Z']) {
        await at(time)
        await turn('market/move', { login: older, profit: `${new Date(time).getUTCDate()}.11` })
        await turn('deals/write', { login: older, action: 2, amount: '10.00' })
        await read()
      }
      expect(await beginning(older, 'all')).toMatchObject({ openingDay: null })
      expect(await beginning(older, '3m')).toMatchObject({ openingDay: null })
      for (const [period, known] of [
        ['1m', '2026-07-12'],
        ['1w', '2026-08-05'],
      ] as const) {
        const day = reports ? known : '2026-08-10'
        expect(await beginning(older, period)).toEqual({ from: day, openingDay: day })
      }
      await at('2026-08-20T09:00:00Z')
      await read()
      expect(await beginning(older, '1w')).toEqual({ from: '2026-08-12', openingDay: '2026-08-12' })
    })

    step('of an account opened later begins with its first deal, even one that a dealer backdates', async () => {
      newer = await fund(50_000n)
      await turn('market/open', { login: newer, profit: '4.00', commission: '-0.30' })
      await read()
      await at('2026-08-21T09:00:00Z')
      await read()
      for (const period of contract.curvePeriods)
        expect(await beginning(newer, period)).toMatchObject({ openingDay: null })
      const time = Date.parse('2026-08-05T10:00:00Z') / 1000
      await turn('deals/write', { login: newer, action: 2, amount: '70.00', time })
      // The comparison with the platform's own sum reveals it.
      for (const hour of ['09', '10']) {
        await at(`2026-08-22T${hour}:00:00Z`)
        await read()
      }
      for (const period of ['1m', '3m', '1y', 'all'] as const)
        expect(await beginning(newer, period)).toEqual({ from: '2026-08-05', openingDay: null })
      const known = reports ? '2026-08-14' : '2026-08-20'
      expect(await beginning(newer, '1w')).toEqual({ from: known, openingDay: known })
    })
  })
})

const farAhead = Date.parse('2027-01-01')

function total(list: readonly { amount: bigint }[]): bigint {
  return list.reduce((sum, { amount }) => sum + amount, 0n)
}

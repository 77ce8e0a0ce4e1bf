/** The curve and its sum end with the newest balances that are known, on the platform's day that these belong to. */
import { afterAll, beforeAll, describe, expect } from 'vitest'
import * as contract from '#contract/trading-history.ts'
import { fetchSnapshot } from '#server/ledger/account-snapshot.ts'
import { call, makeClient, clientTokenFor, type MadeClient } from '#tests/factories.ts'
import { makeFundedAccount, startServerWithPlatform, type ServerWithPlatform } from '#tests/funded-account.ts'
import { story } from '#tests/story.ts'
import { readPlatforms } from '../../jobs/platform-days.ts'
import { readTrades } from './jobs.ts'

describe.each([
  { platform: 'MT4', zoneMinutes: 0, dayEnd: '23:59:59' },
  { platform: 'MT5', zoneMinutes: 180, dayEnd: '20:59:59' },
] as const)('on $platform', ({ platform, zoneMinutes, dayEnd }) => {
  let place: ServerWithPlatform
  let client: MadeClient
  let account: Awaited<ReturnType<typeof makeFundedAccount>>
  let position: unknown

  async function at(time: string): Promise<void> {
    place.server.clock.set(new Date(time))
    const clock = { at: Date.parse(time) / 1000 + zoneMinutes * 60 }
    await place.platform.turn('clock', platform === 'MT5' ? { ...clock, zoneMinutes } : clock)
  }

  async function readAt(time: string): Promise<void> {
    await at(time)
    await readTrades(place.server.dependencies)
  }

  async function readBalances(): Promise<void> {
    const { dependencies, clock } = place.server
    const named = { accountId: account.id, platform, login: account.login, currency: 'EUR' } as const
    await fetchSnapshot(dependencies.pool, dependencies, named, clock.now())
  }

  const move = (profit: string) => place.platform.turn('market/move', { position, profit })

  const curve = async () => {
    const as = await clientTokenFor(place.server, client)
    const params = { platform, number: account.login }
    return (await call(place.server, contract.getAccountCurve, { as, params, query: { period: 'all' } })).answer
  }

  beforeAll(async () => {
    place = await startServerWithPlatform({ now: new Date('2026-06-02T09:00:00Z') }, platform)
    await at('2026-06-02T09:00:00Z')
    await readPlatforms(place.server.dependencies)
    client = await makeClient(place.server)
    account = await makeFundedAccount(place.server, client, 1_000_000n, 'EUR', platform)
    position = (await place.platform.turn('market/open', { login: account.login, profit: '40.00' })).position
    await readAt('2026-06-02T09:05:00Z')
    await readBalances()
  })
  afterAll(() => place.stop())

  story('the end', (step) => {
    step('is the current day while its balances are of that day', async () => {
      const { to, points } = await curve()
      expect(to).toBe('2026-06-02')
      expect(points).toEqual([{ day: '2026-06-02', balance: 1_000_000n, equity: 1_004_000n }])
    })

    step('is the last day with a known end once the balances are older', async () => {
      for (const [time, profit] of [
        ['2026-06-03T09:00:00Z', '55.00'],
        ['2026-06-04T09:00:00Z', '70.00'],
      ] as const) {
        await at(time)
        await move(profit)
        await readAt(time)
      }
      const { to, points, sum, beingChecked } = await curve()
      expect([to, points.at(-1)?.day]).toEqual(['2026-06-03', '2026-06-03'])
      expect([beingChecked, sum?.closing]).toEqual([false, points.at(-1)?.equity])
    })

    step('contains no trade of the platform’s next day', async () => {
      await at('2026-06-04T22:00:00Z')
      const { position: next } = await place.platform.turn('market/open', { login: account.login, profit: '10.00' })
      await place.platform.turn('market/close', { position: next })
      await readAt('2026-06-05T09:00:00Z')
      // A trade closed since then is in the balances, not yet in the deals.
      await at('2026-06-05T09:00:30Z')
      const { position: newest } = await place.platform.turn('market/open', { login: account.login, profit: '3.00' })
      await place.platform.turn('market/close', { position: newest })
      await readBalances()
      const { to, points, sum, beingChecked } = await curve()
      const profit = platform === 'MT5' ? 0n : 1_000n
      expect([to, beingChecked, points.at(-1)?.balance]).toEqual(['2026-06-04', false, 1_000_000n + profit])
      expect(sum).toMatchObject({ closing: points.at(-1)?.equity, at: new Date(`2026-06-04T${dayEnd}Z`) })
      expect(sum?.rows.find(({ row }) => row === 'profit')?.amount ?? 0n).toBe(profit)
    })
  })
})

/** The platform returns only some of an account's deals: none of the others is treated as deleted. */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import * as contract from '#contract/trading-history.ts'
import { run } from '#server/db/sql.ts'
import { setBothClocks } from '#tests/both-clocks.ts'
import { call, makeClient, clientTokenFor, type MadeClient } from '#tests/factories.ts'
import { makeFundedAccount, startServerWithPlatform, type ServerWithPlatform } from '#tests/funded-account.ts'
import type { PlatformDeal, TradeHistory } from '../../integrations/trading-platform/trade-history.ts'
import { readPlatforms } from '../../jobs/platform-days.ts'
import { findStalled } from '../../operator/stalled.ts'
import { readTrades } from './jobs.ts'

describe.each(['MT4', 'MT5'] as const)('on %s', (platform) => {
  let place: ServerWithPlatform
  beforeAll(async () => {
    place = await startServerWithPlatform({ now: new Date('2026-06-20T09:00:00Z') }, platform)
    await setBothClocks(place, '2026-06-20T09:00:00Z')
    await readPlatforms(place.server.dependencies)
  })
  afterEach(() => vi.restoreAllMocks())
  afterAll(() => place.stop())

  interface Owner {
    readonly client: MadeClient
    readonly id: string
    readonly login: string
  }

  async function makeOwner(): Promise<Owner> {
    const client = await makeClient(place.server)
    return { client, ...(await makeFundedAccount(place.server, client, 1_000_000n, 'EUR', platform)) }
  }

  /** Closes a trade, and returns its ticket: on MetaTrader 4 that of the order. */
  async function trade({ login }: Owner, profit: string): Promise<string> {
    const { position } = await place.platform.turn('market/open', { login, profit })
    await place.platform.turn('market/close', { position })
    const deals = await place.platform.read<{ ticket: string }[]>(`deals?login=${login}`)
    return platform === 'MT4' ? String(position) : (deals.at(-1)?.ticket ?? '')
  }

  const hoursLater = (hours: number) =>
    setBothClocks(place, new Date(place.server.clock.now().getTime() + hours * 3_600_000).toISOString())

  async function read(): Promise<void> {
    await hoursLater(1 / 60)
    await readTrades(place.server.dependencies)
  }

  function historyOf(): TradeHistory {
    const { history } = place.server.dependencies.platforms[platform].bulk
    if (history === null) throw new Error('The platform has trade history')
    return history
  }

  /** Reads while answers about one account lack the deals that a condition names. */
  async function readWithout(lacks: (deal: PlatformDeal) => boolean): Promise<void> {
    const history = historyOf()
    const deals = history.deals.bind(history)
    const lacking = vi
      .spyOn(history, 'deals')
      .mockImplementation(async (...args) => (await deals(...args)).filter((deal) => !lacks(deal)))
    await read()
    expect(lacking).toHaveBeenCalled()
    lacking.mockRestore()
  }

  const shown = async ({ client, login }: Owner) => {
    const as = await clientTokenFor(place.server, client)
    const params = { platform, number: login }
    const { history, trades, totals } = (await call(place.server, contract.getTrades, { as, params, query: {} })).answer
    return { history, tickets: trades.map(({ ticket }) => ticket).toSorted(), profit: totals?.profit }
  }

  const stalledRows = async () =>
    (await findStalled(place.server.dependencies.pool, place.server.clock.now())).filter(({ what }) =>
      what.startsWith('trades not read'),
    )

  test('a new account has no trades until all its deals could be read', async () => {
    const of = await makeOwner()
    const [first, second] = [await trade(of, '50.00'), await trade(of, '30.00')]
    await readWithout(({ ticket }) => ticket === second)
    expect(await shown(of)).toMatchObject({ history: 'reading' })
    expect(await stalledRows()).toMatchObject([{ cause: expect.stringContaining('do not add up') }])
    await hoursLater(1)
    await read()
    expect(await shown(of)).toEqual({ history: 'kept', tickets: [first, second].toSorted(), profit: 8_000n })
    expect(await stalledRows()).toEqual([])
  })

  test('a known account keeps its trades, and is read again later', async () => {
    const of = await makeOwner()
    const [first, second] = [await trade(of, '50.00'), await trade(of, '30.00')]
    await read()
    const before = await shown(of)
    await run(place.server.dependencies.pool)`update account_histories set unread = true where account_id = ${of.id}`
    await readWithout(({ ticket }) => ticket === second)
    expect(await shown(of)).toEqual(before)
    expect(await stalledRows()).toHaveLength(1)
    // Meanwhile the dealer cancels the other one: once the answer is complete, this is found.
    await place.platform.turn(platform === 'MT4' ? 'orders/delete' : 'deals/cancel', { ticket: first })
    vi.spyOn(historyOf(), 'dealsOfGroups').mockImplementation(async function* () {})
    await hoursLater(1)
    await read()
    expect(await shown(of)).toEqual({ history: 'kept', tickets: [second], profit: 3_000n })
    expect(await stalledRows()).toEqual([])
  })

  test('a trade that is closed while an account is read does not delay it', async () => {
    const of = await makeOwner()
    await trade(of, '50.00')
    const history = historyOf()
    const deals = history.deals.bind(history)
    vi.spyOn(history, 'deals').mockImplementationOnce(async (...args) => {
      const found = await deals(...args)
      await trade(of, '30.00')
      return found
    })
    await read()
    expect(await shown(of)).toMatchObject({ history: 'kept', profit: 8_000n })
  })
})

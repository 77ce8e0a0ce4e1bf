/**
 * A single failed call does not affect the rest: daily reports that are refused, and a query that fails within a file.
 */
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { tradesCsv } from '#contract/trading-history.ts'
import { rows } from '#server/db/sql.ts'
import { setBothClocks } from '#tests/both-clocks.ts'
import { call, makeClient, clientTokenFor } from '#tests/factories.ts'
import { platformForFile } from '#tests/for-file.ts'
import { makeFundedAccount } from '#tests/funded-account.ts'
import { Rejected, Unavailable } from '../../integrations/errors.ts'
import { readTrades } from './jobs.ts'

const place = platformForFile({ now: new Date('2026-06-01T08:00:00Z') })

async function readAt(time: string): Promise<void> {
  await setBothClocks(place, time)
  await readTrades(place.server.dependencies)
}

test('the last two days are read again even if the daily reports are refused', async () => {
  await makeFundedAccount(place.server, await makeClient(place.server), 1_000_000n)
  await readAt('2026-06-01T08:00:00Z')
  const { history } = place.server.dependencies.platforms.MT5.bulk
  if (history === null) throw new Error('MetaTrader 5 has trade history')
  const reports = vi
    .spyOn(history, 'dayEnds')
    .mockRejectedValue(new Rejected('no-permission', 'mt5:8', 'No permission'))
  await readAt('2026-06-02T08:00:00Z')
  expect(reports).toHaveBeenCalled()
  reports.mockRestore()
  const read = await rows<{ day: string }>(place.server.dependencies.pool)`
    select reread_day::text as day from deal_cursors where platform = 'MT5'`
  expect(read).toEqual([{ day: '2026-06-02' }])
})

test('a CSV file whose trades cannot be read is an error, not a file without trades', async () => {
  const client = await makeClient(place.server)
  const { login } = await makeFundedAccount(place.server, client, 1_000_000n)
  const owner = new pg.Client({ connectionString: place.server.database.ownerUrl })
  await owner.connect()
  await owner.query('revoke select on closed_trades from portal_app')
  const params = { platform: 'MT5' as const, number: login }
  const file = await call(place.server, tradesCsv, {
    as: await clientTokenFor(place.server, client),
    params,
    query: {},
  })
  await owner.query('grant select on closed_trades to portal_app')
  await owner.end()
  expect(file.status).toBe(500)
})

test('trades and end-of-day values are stored even if our login may not read daily reports', async () => {
  await readAt('2026-06-03T08:00:00Z')
  const { id } = await makeFundedAccount(place.server, await makeClient(place.server), 1_000_000n)
  await place.platform.turn('forbid', { path: '/api/daily/', count: 0 })
  await readAt('2026-06-03T09:00:00Z')
  await readAt('2026-06-04T08:00:00Z')
  await place.platform.turn('reset')
  const { pool } = place.server.dependencies
  expect(
    await rows<{ amount: bigint }>(pool)`
    select profit_minor as amount from kept_deals where account_id = ${id}`,
  ).toEqual([{ amount: 1_000_000n }])
  expect(
    await rows<{ day: string }>(pool)`
    select day::text as day, source from account_days where account_id = ${id}`,
  ).toEqual([{ day: '2026-06-03', source: 'reading' }])
})

test('trades are stored even if our login may not read the platform’s sum', async () => {
  await readAt('2026-06-05T08:00:00Z')
  const { id } = await makeFundedAccount(place.server, await makeClient(place.server), 1_000_000n)
  await place.platform.turn('forbid', { path: '/api/user/check_balance', count: 0 })
  await readAt('2026-06-05T09:00:00Z')
  await place.platform.turn('reset')
  expect(
    await rows<{ unread: boolean; amount: bigint }>(place.server.dependencies.pool)`
    select h.unread, k.profit_minor as amount from kept_deals k join account_histories h using (account_id)
      where account_id = ${id}`,
  ).toEqual([{ unread: false, amount: 1_000_000n }])
})

test('a failure in a later part of a long time does not read the earlier parts again', async () => {
  await readAt('2026-07-01T08:00:00Z')
  const { id, login } = await makeFundedAccount(place.server, await makeClient(place.server), 1_000_000n)
  await readAt('2026-07-01T08:02:00Z')
  const times = ['2026-07-02T10:00:00Z', '2026-07-05T10:00:00Z', '2026-07-06T10:00:00Z'].map((time) => Date.parse(time))
  for (const time of times)
    await place.platform.turn('deals/write', { login, action: 2, amount: '1.00', time: time / 1000 })
  // Together they exceed the size of one response, so the time is read in halves.
  await place.platform.turn('pad-deals', { bytes: 3_000_000 })
  const { history } = place.server.dependencies.platforms.MT5.bulk
  if (history === null) throw new Error('MetaTrader 5 has trade history')
  const read = history.dealsOfGroups.bind(history)
  const failing = vi.spyOn(history, 'dealsOfGroups').mockImplementation(async function* (...args) {
    let parts = 0
    for await (const part of read(...args)) {
      parts += 1
      if (parts === 2) throw new Unavailable('No response')
      yield part
    }
  })
  await readAt('2026-07-10T08:00:00Z')
  failing.mockRestore()
  await place.platform.turn('pad-deals', { bytes: 0 })
  const query = vi.spyOn(history, 'dealsOfGroups')
  expect(await depositedOf(id)).toEqual([times[0]])
  await readAt('2026-07-10T08:02:00Z')
  expect(Math.min(...query.mock.calls.map(([, fromMs]) => fromMs))).toBe((times[0] ?? 0) - overlapMs)
  query.mockRestore()
  expect(await depositedOf(id)).toEqual(times)
})

/** A reading begins this long before the newest deal. */
const overlapMs = 300_000

/** Returns the times of the account's deals of 1.00, each once for every stored version. */
async function depositedOf(accountId: string): Promise<number[]> {
  const found = await rows<{ time: bigint }>(place.server.dependencies.pool)`
    select platform_ms as time from platform_deals where account_id = ${accountId} and profit_minor = 100
      order by platform_ms`
  return found.map(({ time }) => Number(time))
}

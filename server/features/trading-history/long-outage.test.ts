/** Daily reports after years without a reading: all are stored, and only a limited number is in memory at a time. */
import { expect, test, vi } from 'vitest'
import { rows } from '#server/db/sql.ts'
import { setBothClocks } from '#tests/both-clocks.ts'
import { makeClient } from '#tests/factories.ts'
import { platformForFile } from '#tests/for-file.ts'
import { makeFundedAccount } from '#tests/funded-account.ts'
import { readTrades } from './jobs.ts'

const accounts = 22
const heldMax = 15_000

const place = platformForFile({ now: new Date('2026-06-28T09:00:00Z') })

async function readAt(time: string): Promise<void> {
  await setBothClocks(place, time)
  await readTrades(place.server.dependencies)
}

test('after two years without a reading the reports are read and stored in parts, without a gap', async () => {
  const { dependencies } = place.server
  await readAt('2026-06-28T09:00:00Z')
  const client = await makeClient(place.server)
  for (let made = 0; made < accounts; made += 1) await makeFundedAccount(place.server, client, 1_000_000n)
  await readAt('2026-06-28T09:02:00Z')
  await readAt('2026-06-29T09:00:00Z')
  const { history } = dependencies.platforms.MT5.bulk
  if (history === null) throw new Error('MetaTrader 5 has trade history')
  const read = vi.spyOn(history, 'dayEnds')
  await readAt('2028-06-28T09:00:00Z')
  const held = await Promise.all(read.mock.results.map(async ({ value }) => (await value).length))
  expect(Math.max(...held)).toBeGreaterThan(heldMax / 2)
  expect(Math.max(...held)).toBeLessThanOrEqual(heldMax)
  const kept = await rows<{ days: number; first: string; last: string }>(dependencies.pool)`
    select count(*)::int as days, min(day)::text as first, max(day)::text as last from account_days
      where source = 'report' group by account_id`
  expect(kept).toEqual(Array.from({ length: accounts }, () => ({ days: 731, first: '2026-06-28', last: '2028-06-27' })))
})

/**
 * The number of calls per minute on a platform with many accounts, without watched accounts, backfill and comparisons.
 */
import { expect, test } from 'vitest'
import { row, run, sql } from '#server/db/sql.ts'
import { setBothClocks } from '#tests/both-clocks.ts'
import { makeClient } from '#tests/factories.ts'
import { platformForFile } from '#tests/for-file.ts'
import { readPlatforms } from '../../jobs/platform-days.ts'
import { readTrades } from './jobs.ts'

const accounts = 50_000
/** The number of rows that a slow machine inserts within the statement time-out. */
const insertedAtOnce = 5_000
const groups = 40
const callsAMinuteMax = 2 * 60

const place = platformForFile({ now: new Date('2026-06-30T12:00:00Z') })

const at = (time: string) => setBothClocks(place, time)

/** Makes accounts whose history has been read, whose previous day is stored and whose sums have been compared. */
async function makeAccounts(): Promise<void> {
  const { pool } = place.server.dependencies
  const { id } = await makeClient(place.server)
  const now = place.server.clock.now()
  for (let first = 1; first <= accounts; first += insertedAtOnce)
    await run(
      pool,
      sql`with made as (insert into trading_accounts (client_id, request_type, platform, acc_type, currency, leverage,
          client_status, state, login, requested_at, opened_at, group_name)
        select ${id}, 'live', 'MT5', 'Standard', 'EUR', 30, 'retail', 'approved', (9000000 + n)::text, ${now}, ${now},
            'real\\group-' || n % ${groups}::int
          from generate_series(${first}::int, ${first + insertedAtOnce - 1}::int) n returning id, group_name)
      insert into account_histories (account_id, unread, group_name, read_at, compared_at, noted_day)
        select id, false, group_name, ${now}, ${new Date(now.getTime() + 86_400_000)}, '2026-06-30' from made`,
    )
}

/** Runs one turn and returns its platform calls. */
async function turn(): Promise<string[]> {
  await place.platform.turn('reset', {})
  place.server.clock.turn(60)
  await readTrades(place.server.dependencies)
  return (await place.platform.read<{ path: string }[]>('calls')).map(({ path }) => path)
}

test('50,000 accounts need at most two calls a second, by day and in the night after the end of a month', async () => {
  await at('2026-06-30T12:00:00Z')
  await readPlatforms(place.server.dependencies)
  await makeAccounts()
  const byDay = await turn()
  expect(byDay.length).toBeGreaterThan(0)
  expect(byDay.length).toBeLessThanOrEqual(callsAMinuteMax)
  await at('2026-07-01T00:01:00Z')
  const left = async () =>
    (
      await row<{ count: number }>(
        place.server.dependencies.pool,
      )`select count(*)::int as count from account_histories where noted_day < '2026-07-01'`
    )?.count ?? 0
  for (let minute = 0; minute < 3; minute += 1) {
    const before = await left()
    const calls = await turn()
    expect(before - (await left())).toBe(1_000)
    // Groups, reports, states, positions and orders of a thousand accounts, and new deals of all groups.
    expect(calls).toContain('/api/daily/get_light_batch')
    expect(calls).toContain('/api/position/get_batch')
    expect(calls.length).toBeLessThanOrEqual(20)
  }
})

/** Two daily reports for one account and day: neither they nor the reports of other accounts are lost. */
import { expect, test } from 'vitest'
import type { AccountId } from '#rules/ids.ts'
import { rows } from '#server/db/sql.ts'
import { makeAccount, makeClient } from '#tests/factories.ts'
import { serverForFile } from '#tests/for-file.ts'
import { storeReports } from './record-days.ts'

const server = serverForFile()

test('the later report of a day is stored, together with those of other accounts', async () => {
  const client = await makeClient(server)
  const [twice, once] = [await makeAccount(server, client), await makeAccount(server, client)]
  const accounts = [twice, once].map(({ id, login }) => ({ id: id as AccountId, login }))
  const report = (login: string, balance: bigint) => ({
    login,
    day: '2026-06-17',
    offsetMs: 0,
    balance,
    credit: 0n,
    floating: 0n,
    margin: 0n,
  })
  const source = { platform: 'MT5', now: server.clock.now() } as const
  const { pool } = server.dependencies
  await storeReports(pool, source, accounts, [
    report(twice.login, 100n),
    report(once.login, 300n),
    report(twice.login, 200n),
  ])
  const kept = await rows<{ id: string; balance: bigint }>(pool)`
    select account_id as id, balance_minor as balance from account_days where day = '2026-06-17'`
  expect(new Map(kept.map(({ id, balance }) => [id, balance]))).toEqual(
    new Map([
      [twice.id, 200n],
      [once.id, 300n],
    ]),
  )
})

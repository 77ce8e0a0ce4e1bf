import { beforeEach, expect, test } from 'vitest'
import { approveCorrection, requestCorrection } from '#contract/office/accounting.ts'
import { run, sql, transaction } from '#server/db/sql.ts'
import type { TradingServer } from '#server/integrations/trading-platform/trading-server.ts'
import { platformForFile } from '#tests/for-file.ts'
import { makeFundedAccount, settleOperations } from '#tests/funded-account.ts'
import { waitForBlockedConnections } from '#tests/lock-waits.ts'
import { call, makeClient, makeStaff } from '#tests/factories.ts'
import { freshSnapshot, cachedSnapshot, fetchSnapshot, type SnapshotSource } from './account-snapshot.ts'
import type { PlatformLogin } from './account-movements.ts'
import { accountLiability } from './post.ts'

const place = platformForFile()
const { server } = place

let login: PlatformLogin
beforeEach(async () => {
  const account = await makeFundedAccount(server, await makeClient(server), 100_000n)
  login = { accountId: account.id, platform: 'MT5', login: account.login, currency: 'EUR' }
})

/** Starts a correction of 250.00 that is sent to the platform. */
async function beginCorrection(): Promise<void> {
  const [asker, decider] = [await makeStaff(server, ['finance']), await makeStaff(server, ['finance'])]
  const body = { accountId: login.accountId, amount: '250.00', currency: 'EUR', reason: 'booked twice by the bank' }
  const { id } = (await call(server, requestCorrection, { as: asker, body })).answer
  await call(server, approveCorrection, { as: decider, params: { id }, body: { version: 1, note: '' } })
}

/** Returns a platform that runs `happens` between creating its response and our receiving it. */
function platformThatAnswersBefore(happens: () => Promise<void>): SnapshotSource {
  const platform = server.dependencies.platforms.MT5
  const slowServer: Pick<TradingServer, 'getAccount' | 'openPositions' | 'balanceOperations'> = {
    async getAccount(number) {
      const account = await platform.getAccount(number)
      await happens()
      return account
    },
    openPositions: (number) => platform.openPositions(number),
    balanceOperations: (...window) => platform.balanceOperations(...window),
  }
  const { keys, platforms } = server.dependencies
  return { keys, platforms: { ...platforms, MT5: slowServer as TradingServer } }
}

test('the result of trading is posted, so that the ledger and the platform agree as of the reading', async () => {
  await place.platform.turn('market/open', { login: login.login, profit: '40.00', notional: '0' })
  await place.platform.turn('market/close', { login: login.login })
  const read = await fetchSnapshot(server.dependencies.pool, server.dependencies, login, server.clock.now())
  expect([
    read.balance.minor,
    await accountLiability(server.dependencies.pool, { accountId: login.accountId }),
  ]).toEqual([104_000n, 104_000n])
})

test('balances with a time in the future, after the clock was set back, do not count as fresh (requirements 33.10)', async () => {
  const { pool } = server.dependencies
  const tomorrow = new Date(server.clock.now().getTime() + 86_400_000)
  await fetchSnapshot(pool, server.dependencies, login, tomorrow)
  await place.platform.turn('market/open', { login: login.login, profit: '7.00', notional: '0' })
  await place.platform.turn('market/close', { login: login.login })
  const fresh = await freshSnapshot(pool, server.dependencies, login, server.clock.now())
  expect(fresh).toMatchObject({ balance: { minor: 100_700n }, readAt: server.clock.now() })
})

test('a reading from before an operation settled posts nothing and leaves the balances of the operation in place', async () => {
  await beginCorrection()
  const platform = platformThatAnswersBefore(() => settleOperations(server))
  const read = await fetchSnapshot(server.dependencies.pool, platform, login, server.clock.now())
  expect([
    read.balance.minor,
    await accountLiability(server.dependencies.pool, { accountId: login.accountId }),
  ]).toEqual([125_000n, 125_000n])
  expect((await cachedSnapshot(server.dependencies.pool, login.accountId, 'EUR'))?.balance.minor).toBe(125_000n)
})

test('an operation settles either before or after a reading is stored, never in between', async () => {
  await beginCorrection()
  const settled: Promise<void>[] = []
  await transaction(server.dependencies.jobs, async (tx) => {
    // At this point a reading has checked the movements and has not written yet.
    await run(tx, sql`select 1 from trading_accounts where id = ${login.accountId} for update`)
    settled.push(settleOperations(server))
    await waitForBlockedConnections(server.dependencies.pool)
    await run(tx, sql`update platform_figures set balance_minor = 100000 where account_id = ${login.accountId}`)
  })
  await Promise.all(settled)
  expect((await cachedSnapshot(server.dependencies.pool, login.accountId, 'EUR'))?.balance.minor).toBe(125_000n)
  expect(await accountLiability(server.dependencies.pool, { accountId: login.accountId })).toBe(125_000n)
})

test('balances older than 15 minutes are not used for requests, even while an operation blocks newer ones', async () => {
  await beginCorrection()
  const ask = () => freshSnapshot(server.dependencies.pool, server.dependencies, login, server.clock.now())
  server.clock.turn(16 * 60)
  await run(
    server.dependencies.pool,
    sql`update operations set state = 'unknown', parked_at = created_at where target = ${`MT5:${login.login}`} and subject = 'correction'`,
  )
  await expect(ask()).rejects.toMatchObject({ code: 'figures-old', status: 503 })
  await run(
    server.dependencies.pool,
    sql`update operations set state = 'waiting', parked_at = null where target = ${`MT5:${login.login}`} and subject = 'correction'`,
  )
  await settleOperations(server)
  expect((await ask()).balance.minor).toBe(125_000n)
})

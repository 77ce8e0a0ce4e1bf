/** Reconciliation reads accounts in batches, over a session that no page uses. */
import { beforeEach, expect, test, vi } from 'vitest'
import { reconcileNow } from '#contract/office/accounting.ts'
import { money } from '#rules/money.ts'
import { row, run, sql } from '#server/db/sql.ts'
import { accountLiability } from '#server/ledger/post.ts'
import { call, makeClient, makeStaff } from '../../../tests/factories.ts'
import { platformForFile } from '../../../tests/for-file.ts'
import { creditAccount, makeFundedAccount } from '../../../tests/funded-account.ts'

const place = platformForFile()
// Reconciliation reads all approved accounts, so those of other tests are removed.
beforeEach(() => run(place.server.dependencies.pool, sql`update trading_accounts set state = 'rejected', login = null`))

interface SeenCall {
  path: string
  parameters: Record<string, string>
  session: number
}

test('a dozen accounts are compared with calls for many accounts, without a call for a single account', async () => {
  const { server, platform } = place
  const logins: string[] = []
  for (let one = 0; one < 12; one += 1)
    logins.push((await makeFundedAccount(server, await makeClient(server), 50_000n)).login)
  const [watched = ''] = logins
  await server.dependencies.platforms.MT5.getAccount(watched)
  const [shown] = (await platform.read<SeenCall[]>('calls')).filter(({ path }) => path === '/api/user/account/get')
  await platform.turn('reset')
  const { answer } = await call(server, reconcileNow, { as: await makeStaff(server, ['finance']) })
  expect(answer).toMatchObject({ accounts: 12, unread: 0, differences: 0 })
  const calls = await platform.read<SeenCall[]>('calls')
  const paths = calls.map(({ path }) => path)
  for (const path of ['/api/user/get', '/api/user/account/get', '/api/deal/get_page', '/api/position/get_total'])
    expect(paths).not.toContain(path)
  const [users] = calls.filter(({ path }) => path === '/api/user/get_batch')
  expect(users?.parameters.login?.split(',').toSorted()).toEqual(logins.toSorted())
  expect(users?.session).not.toBe(shown?.session)
})

test('a discrepancy is found by a batch reading', async () => {
  const { server, platform } = place
  const account = await makeFundedAccount(server, await makeClient(server), 50_000n)
  await server.dependencies.platforms.MT5.applyBalance({
    ref: 'dealer-1',
    login: account.login,
    amount: { minor: 1_234n, currency: 'EUR' },
    checkMargin: false,
  })
  server.clock.turn(61)
  const { answer } = await call(server, reconcileNow, { as: await makeStaff(server, ['finance']) })
  expect(answer.differences).toBe(1)
  await platform.turn('reset')
})

test('a reading that was overtaken by an operation is not booked as a trading result', async () => {
  const { server } = place
  const account = await makeFundedAccount(server, await makeClient(server), 50_000n)
  const { bulk } = server.dependencies.platforms.MT5
  const read = bulk.readAccounts.bind(bulk)
  const overtaken = vi.spyOn(bulk, 'readAccounts').mockImplementation(async (...asked) => {
    const readings = await read(...asked)
    await creditAccount(server, { ...account, ref: 'OVERTAKING' }, money(1_000n, 'EUR'))
    return readings
  })
  server.clock.turn(61)
  await call(server, reconcileNow, { as: await makeStaff(server, ['finance']) })
  overtaken.mockRestore()
  expect(await accountLiability(server.dependencies.pool, { accountId: account.id })).toBe(51_000n)
})

test('an unreadable account of MetaTrader 5 does not affect the others and is not treated as deleted', async () => {
  const { server, platform } = place
  const [unreadable, other] = [
    await makeFundedAccount(server, await makeClient(server), 50_000n),
    await makeFundedAccount(server, await makeClient(server), 50_000n),
  ]
  const missing = async () =>
    (
      await row<{ since: Date | null }>(server.dependencies.pool)`
        select missing_since as since from trading_accounts where id = ${unreadable.id}`
    )?.since
  for (const [account, ref] of [unreadable, other].map((one, index) => [one, `dealer-${index}`] as const))
    await server.dependencies.platforms.MT5.applyBalance({
      ref,
      login: account.login,
      amount: { minor: 1_234n, currency: 'EUR' },
      checkMargin: false,
    })
  await platform.turn('users/garble', { login: unreadable.login, fields: { Leverage: 'n/a' } })
  server.clock.turn(61)
  const as = await makeStaff(server, ['finance'])
  expect((await call(server, reconcileNow, { as })).answer).toMatchObject({ accounts: 1, unread: 1, differences: 1 })
  expect(await missing()).toBeNull()
  await platform.turn('reset')
  server.clock.turn(61)
  expect((await call(server, reconcileNow, { as })).answer).toMatchObject({ accounts: 2, unread: 0 })
})

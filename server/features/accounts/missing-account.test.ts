/** An account that its platform no longer has is shown as closed until it is found again (requirements 24.68). */
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { getLiveAccounts } from '#contract/accounts.ts'
import { getOfficeTradingAccount } from '#contract/office/trading-accounts.ts'
import { getTradingAccount } from '#contract/trading-history.ts'
import { freshSnapshot } from '#server/ledger/account-snapshot.ts'
import type { Problem } from '#server/http/problem.ts'
import { call, makeClient, makeStaff, clientTokenFor, type MadeClient } from '#tests/factories.ts'
import { platformForFile } from '#tests/for-file.ts'
import { makeFundedAccount } from '#tests/funded-account.ts'
import { liveFigureTasks } from '../live-figures/jobs.ts'
import { watchAccounts } from '../live-figures/queries.ts'

const start = '2026-06-01T08:00:00Z'
const place = platformForFile({ now: new Date(start) })
let client: MadeClient
let account: Awaited<ReturnType<typeof makeFundedAccount>>
beforeAll(async () => {
  client = await makeClient(place.server)
})
beforeEach(async () => {
  await place.platform.turn('reset')
  account = await makeFundedAccount(place.server, client, 500_000n)
})

const deleteAtPlatform = () => place.platform.turn('accounts/delete', { login: account.login })
const restoreAtPlatform = () => place.platform.turn('accounts/restore', { login: account.login })

/** Opens the account's page so late that it reads from the platform first, and the list of all accounts. */
async function shownStatus() {
  place.server.clock.turn(6 * 60)
  const as = await clientTokenFor(place.server, client)
  const params = { platform: 'MT5' as const, number: account.login }
  const page = await call(place.server, getTradingAccount, { as, params })
  const list = await call(place.server, getLiveAccounts, { as, params: { a: 'all', b: 'all' } })
  const office = await call(place.server, getOfficeTradingAccount, {
    as: (await makeStaff(place.server, ['operations'])).token,
    params,
  })
  expect(office.answer.standing).toBe(page.answer.standing)
  const listed = list.answer.accounts.find(({ number }) => number === account.login)
  return {
    standing: page.answer.standing,
    closed: listed?.closed,
    paysOut: listed && !listed.missing,
    balance: page.answer.account.balance,
    missing: office.answer.missingSince !== null,
  }
}

/** Runs the refresh for open pages, which also reads whether accounts are enabled. */
async function runRefresh(): Promise<void> {
  const { clock, dependencies } = place.server
  clock.set(new Date(Math.ceil(clock.now().getTime() / 60_000) * 60_000 + 60_000))
  const now = clock.now()
  await watchAccounts(dependencies.pool, [{ id: account.id, platform: 'MT5' }], new Date(now.getTime() + 60_000))
  for (const task of liveFigureTasks(dependencies)) await task.run(now)
}
/** Returns the status that pages show from stored data, without reading from the platform. */
async function storedStatus() {
  const as = await clientTokenFor(place.server, client)
  const params = { platform: 'MT5' as const, number: account.login }
  return (await call(place.server, getTradingAccount, { as, params })).answer.standing
}

const open = { standing: 'open', closed: false, paysOut: true, balance: 500_000n, missing: false }
const gone = { standing: 'closed', closed: true, paysOut: false, balance: 500_000n, missing: true }

test('opening the page of a missing account shows it as closed with its last balance until the platform has it again', async () => {
  expect(await shownStatus()).toEqual(open)
  await deleteAtPlatform()
  expect(await shownStatus()).toEqual(gone)
  const { dependencies, clock } = place.server
  const login = { accountId: account.id, platform: 'MT5', login: account.login, currency: 'EUR' } as const
  const fresh = () => freshSnapshot(dependencies.pool, dependencies, login, clock.now())
  // Also while the stored balances are still recent.
  await expect(fresh()).rejects.toMatchObject({ code: 'account-closed' } satisfies Partial<Problem>)
  clock.turn(16 * 60)
  await expect(fresh()).rejects.toMatchObject({ code: 'account-closed' } satisfies Partial<Problem>)
  await restoreAtPlatform()
  expect(await shownStatus()).toEqual(open)
})

test('a platform outage does not mark an account as missing', async () => {
  await place.platform.turn('refuse', { retcode: 9, path: '/api/user', count: 5 })
  expect(await shownStatus()).toEqual(open)
})

test('the refresh for open pages detects missing, restored and disabled accounts', async () => {
  await runRefresh()
  expect(await storedStatus()).toBe('open')
  await deleteAtPlatform()
  await runRefresh()
  expect(await storedStatus()).toBe('closed')
  await restoreAtPlatform()
  await runRefresh()
  expect(await storedStatus()).toBe('open')
  await place.server.dependencies.platforms.MT5.setEnabled(account.login, false)
  await runRefresh()
  expect(await storedStatus()).toBe('closed')
  await place.server.dependencies.platforms.MT5.setEnabled(account.login, true)
  await runRefresh()
  expect(await storedStatus()).toBe('open')
})

test('accounts absent from the list response are queried individually, at most 3 per records round and different ones each time', async () => {
  const accounts = [account]
  for (let more = 0; more < 4; more += 1) accounts.push(await makeFundedAccount(place.server, client, 500_000n))
  const { dependencies, clock } = place.server
  const { bulk } = dependencies.platforms.MT5
  const list = vi.spyOn(bulk, 'readFigures').mockResolvedValue(new Map())
  const alone = vi.spyOn(bulk, 'getAccount')
  clock.set(new Date(Math.ceil(clock.now().getTime() / 60_000) * 60_000 + 60_000))
  const asked: string[][] = []
  for (let turns = 0; turns <= 10; turns += 1) {
    const now = clock.now()
    const watched = accounts.map(({ id }) => ({ id, platform: 'MT5' as const }))
    await watchAccounts(dependencies.pool, watched, new Date(now.getTime() + 60_000))
    for (const task of liveFigureTasks(dependencies)) await task.run(now)
    asked.push(alone.mock.calls.map(([login]) => login))
    alone.mockClear()
    clock.turn(12)
  }
  list.mockRestore()
  alone.mockRestore()
  expect(asked.map(({ length }) => length)).toEqual([3, 0, 0, 0, 0, 3, 0, 0, 0, 0, 3])
  expect(new Set([...(asked[0] ?? []), ...(asked[5] ?? [])])).toEqual(new Set(accounts.map(({ login }) => login)))
})

/** An account's trading days on the pages: none yet, a few, enough for a line, a gap (requirements 24.11, 24.18). */
import { groupByFour } from '#rules/digit-groups.ts'
import { readTrades } from '#server/features/trading-history/jobs.ts'
import { fetchSnapshot } from '#server/ledger/account-snapshot.ts'
import { makeAccount, makeClient } from '../factories.ts'
import { makeApprovedBank, makeFundedAccount, type ServerWithPlatform } from '../funded-account.ts'
import { expectAccessible } from './accessible.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { officeTab, portalTab, withOwnProduct } from './own-product.ts'

type Product = Pick<ServerWithPlatform, 'server' | 'platform'>

/** Sets the clocks of the server and of the platform. */
async function setClocks({ server, platform }: Product, at: Date): Promise<void> {
  server.clock.set(at)
  await platform.turn('clock', { at: Math.floor(at.getTime() / 1000), zoneMinutes: 0 })
}

/** Reads all deals, daily reports and these accounts' balances, as the server's tasks do. */
async function readAll({ server }: Product, accounts: readonly Parameters<typeof fetchSnapshot>[2][]): Promise<void> {
  server.clock.turn(60)
  await readTrades(server.dependencies)
  for (const account of accounts)
    await fetchSnapshot(server.dependencies.pool, server.dependencies, account, server.clock.now())
}

/** Returns nine o'clock of the last weekdays before a time, the oldest first. */
function weekdaysBefore(time: Date, count: number): Date[] {
  const days: Date[] = []
  for (const day = new Date(time); days.length < count;) {
    day.setUTCDate(day.getUTCDate() - 1)
    if (day.getUTCDay() % 6 !== 0) days.unshift(new Date(day.toISOString().replace(/T.*/, 'T09:00:00Z')))
  }
  return days
}

test('a card has a line from five trading days on; a gap and a total that is being checked are explained', async ({
  browser,
}) => {
  await withOwnProduct(browser, 'MT5', async (product) => {
    const { server, platform } = product
    const today = server.clock.now()
    const [first, ...days] = weekdaysBefore(today, 8)
    await setClocks(product, first ?? today)
    // Without daily reports, only the days after which the server has read the account are known.
    const groups = ['EUR', 'USD'].map((currency) => ({ name: `real\\standard-${currency}`, currency }))
    await platform.turn('groups', { groups: groups.map((one) => ({ ...one, reports: one.currency === 'EUR' })) })
    const client = await makeClient(server)
    await makeApprovedBank(server, client)
    const named = async (currency: 'EUR' | 'USD') => {
      const { id, login } = await makeFundedAccount(server, client, 100_000n, currency)
      await platform.turn('market/open', { login, lots: 0.1, profit: '1.00' })
      return { accountId: id, platform: 'MT5', login, currency } as const
    }
    const old = await named('EUR')
    const gapped = await named('USD')
    await readAll(product, [old, gapped])
    let fresh = old
    for (const [at, day] of days.entries()) {
      await setClocks(product, day)
      await platform.turn('market/move', { login: old.login, profit: `${at + 2}.50` })
      // Its first day is the fourth before today.
      if (at === days.length - 4) fresh = await named('EUR')
      if (at < 2 || at > 3) await readAll(product, [old, gapped])
    }
    await setClocks(product, today)
    await readAll(product, [old, gapped, fresh])

    const page = await portalTab(product, client)
    await page.goto('/trading-accounts')
    const card = ({ login }: { login: string }) => page.getByRole('article').filter({ hasText: groupByFour(login) })
    const line = card(old).getByRole('img', { name: /^Trading P&L over 30 days, .*: up \d\.\d\d EUR$/ })
    await expect(line).toBeVisible()
    await expect(card(old)).toContainText('Result, 30 days')
    await expect(card(fresh)).toContainText('Balance')
    await expect(card(fresh)).not.toContainText('Result, 30 days')
    await expect(card(fresh).locator('.sparkline')).toHaveCount(0)
    await expectAccessible(page)

    await page.goto(`/trading-accounts/MT5/${gapped.login}`)
    await expect(page.getByRole('img', { name: /^Equity of account/ })).toBeVisible()
    await expect(page.getByText('A gap is a trading day without data.')).toBeVisible()
    await page.goto(`/trading-accounts/MT5/${gapped.login}?table=1`)
    await expect(page.getByRole('table').first().getByText('no data')).not.toHaveCount(0)
    await expectAccessible(page)

    await page.goto(`/trading-accounts/MT5/${fresh.login}`)
    await expect(page.getByRole('img', { name: /^Equity of account/ })).toBeVisible()
    await expect(page.getByText('A gap is a trading day without data.')).toHaveCount(0)
    await page.goto(`/trading-accounts/MT5/${old.login}`)
    await expect(page.locator('.account-curve .slip')).toContainText('Change in unrealised P&L')
    await expect(page.getByText('being checked')).toHaveCount(0)
    // A type of deal that the platform's interface does not describe.
    await platform.turn('deals/write', { login: old.login, action: 77, amount: '1.00' })
    await readAll(product, [old])
    await page.reload()
    await expect(page.locator('.account-curve .slip')).toHaveText(/Total for the period\s*being checked$/)
    await expectAccessible(page)
    const staff = await officeTab(product, 'operations')
    await staff.goto(`/office/accounts/MT5/${old.login}`)
    await expect(staff.locator('.account-curve .slip')).toHaveText(/Total for the period\s*being checked$/)
  })
})

test('an account that has never been read has no balances yet, and the page reports that its history is being loaded', async ({
  browser,
}) => {
  await withOwnProduct(browser, 'MT5', async (product) => {
    const { server, platform } = product
    const client = await makeClient(server)
    await makeApprovedBank(server, client)
    const { login: read } = await makeFundedAccount(server, client, 25_050n)
    await platform.turn('drop-before', { path: '/', count: 0 })
    const { login } = await makeAccount(server, client, { platform: 'MT5' })
    const page = await portalTab(product, client)
    await page.goto('/trading-accounts')
    const card = page.getByRole('article').filter({ hasText: groupByFour(login) })
    await expect(card).toContainText('We do not have balances from MT5 yet. We will keep trying.')
    const totals = page.getByRole('table', { name: 'All live accounts' })
    await expect(totals.getByText(/^excluding /)).toHaveText(`excluding ${groupByFour(login)}: no balances yet`)
    await expect(totals.getByRole('img', { name: '250.50 EUR', exact: true }).first()).toBeVisible()
    await expect(card).not.toContainText(read)
    await expectAccessible(page)
    await page.goto(`/trading-accounts/MT5/${login}`)
    const staff = await officeTab(product, 'operations')
    await staff.goto(`/office/accounts/MT5/${login}`)
    for (const tab of [page, staff]) {
      await expect(tab.getByText('We do not have balances from MetaTrader 5 yet. We will keep trying.')).toBeVisible()
      // Trades load once they are in view.
      await tab.getByRole('heading', { name: 'Closed trades' }).scrollIntoViewIfNeeded()
      await expect(tab.getByText('Closed trades will appear here once the history has been loaded.')).toBeVisible()
      await expect(tab.getByText('We are loading the history of this account for the first time.')).toHaveCount(1)
      await expect(tab.getByText(/^These balances are from/)).toHaveCount(0)
      await expectAccessible(tab)
    }
  })
})

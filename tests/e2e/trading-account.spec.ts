/** The page of an account and the balances that change while it is shown (requirements 24.11, 24.12, 24.68). */
import { readFile } from 'node:fs/promises'
import type { Page, Request } from '@playwright/test'
import pg from 'pg'
import { liveAccountsPath } from '#contract/live-figures.ts'
import { approveWithdrawal, confirmWithdrawal } from '#contract/office/withdrawals.ts'
import { groupByFour } from '#rules/digit-groups.ts'
import { demoPassword, personas } from '#scripts/seed/personas.ts'
import { row, sql } from '#server/db/sql.ts'
import { liveFigureTasks } from '#server/features/live-figures/jobs.ts'
import { readTrades } from '#server/features/trading-history/jobs.ts'
import { allAcknowledged } from '../acknowledged.ts'
import { call, makeAccount, makeClient, makeStaff, type TestServer } from '../factories.ts'
import { makeApprovedBank, makeFundedAccount as creditedAccount, type ServerWithPlatform } from '../funded-account.ts'
import { storeLanguage } from '../page-load.ts'
import { portalUrl } from '../product.ts'
import { disableAccount, createHistory, readHistory, repeatDeposit, setPlatformSwitch } from './account-history.ts'
import { expectAccessible } from './accessible.ts'
import { openPageAsNewClient, openPageAsClient } from './clients.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { storeStatements } from './stored-statements.ts'
import { chooseOption, press, tabTo } from './keyboard.ts'
import { officeTab, portalTab, withOwnProduct } from './own-product.ts'
import {
  createDemoAccount,
  createFundedAccount,
  newClient,
  createOpenAccount,
  createWithdrawalRequest,
  type LiveAccount,
} from './pending-requests.ts'
import { runningProduct } from './running.ts'
import { overrideSettings } from './settings.ts'
import { openPageAsStaff } from './staff.ts'

/** The sentence that explains in which clock the page's days are counted. */
const tradingDays = /^Days are trading days in MetaTrader 5 server time \(currently UTC[+−]\d\d:\d\d\)\./

/** Half an hour off every full hour, so that no time in the firm's zone looks like one in this zone. */
const otherZone = 'Asia/Kolkata'

/** Returns a time given in seconds as "14:05" in that zone. */
function clockTime(seconds: number): string {
  return new Date(seconds * 1000).toLocaleTimeString('en-GB', { timeZone: otherZone, timeStyle: 'short' })
}

test('a market movement is shown on the card and on the account’s page without a reload', async ({ page }) => {
  const client = await openPageAsNewClient(page, '/trading-accounts')
  const account = await createOpenAccount(client)
  await page.reload()
  const card = page.getByRole('article', { name: 'MT5 Standard' })
  await expect(card.getByRole('img', { name: '0.00 EUR' }).first()).toBeVisible()
  await setPlatformSwitch('market/open', { login: account.number, lots: 0.1, profit: '12.34' })
  await expect(card.getByRole('img', { name: '12.34 EUR' }).first()).toBeVisible()
  await press(page, card.getByRole('link', { name: 'MT5 Standard', exact: true }))
  await expect(page.getByRole('heading', { level: 1, name: 'MT5 Standard' })).toBeVisible()
  await expect(page.getByText(groupByFour(account.number))).toBeVisible()
  await expect(page.getByRole('img', { name: '12.34 EUR' }).first()).toBeVisible()
  await setPlatformSwitch('market/move', { login: account.number, profit: '-7.50' })
  await expect(
    page
      .getByRole('img', { name: '-7.50 EUR' })
      .or(page.getByRole('img', { name: '−7.50 EUR' }))
      .first(),
  ).toBeVisible()
  await expect(page.getByText(/^From MetaTrader 5, \d\d:\d\d:\d\d/)).toBeVisible()
  await expectAccessible(page)
})

/** Returns the accessible name of an amount in EUR: "10012.34" becomes "10,012.34 EUR". */
function inEuro(amount: string): string {
  return `${Number(amount).toLocaleString('en-GB', { minimumFractionDigits: 2 })} EUR`
}

test('the market movement started on the demo’s page changes the balances of another open page without a reload', async ({
  browser,
}) => {
  for (const platform of ['MT5', 'MT4'] as const)
    await withOwnProduct(
      browser,
      platform,
      async (product) => {
        const { server, context } = product
        const client = await makeClient(server)
        await makeApprovedBank(server, client)
        const { login } = await creditedAccount(server, client, 1_000_000n, 'EUR', platform)
        await product.platform.turn('market/open', { login, lots: 1, profit: '12.34' })
        server.clock.turn(60)
        const page = await portalTab(product, client)
        await page.goto(`/trading-accounts/${platform}/${login}`)
        await expect(page.getByRole('img', { name: '10,012.34 EUR' })).toBeVisible()
        const equity = async () =>
          (await product.platform.read<{ equity: string }[]>(`accounts?login=${login}`))[0]?.equity ?? ''

        const demo = await context.newPage()
        await demo.goto('/demo')
        const name = platform === 'MT5' ? 'MetaTrader 5' : 'MetaTrader 4 gateway'
        // This demo has no other simulator with switches.
        await expect(demo.locator('#switches .row:visible').getByText(/./).and(demo.locator('strong'))).toHaveText([
          name,
        ])
        const controls = demo.locator('#switches .row').filter({ has: demo.getByText(name, { exact: true }) })
        await press(demo, controls.getByRole('button', { name: 'Start market movement' }))
        await expect.poll(equity).not.toBe('10012.34')
        await press(demo, controls.getByRole('button', { name: 'Stop market movement' }))
        await expect(demo.locator('#switched')).toHaveText(`${name}: Stop market movement.`)
        server.clock.turn(12)
        for (const task of liveFigureTasks(server.dependencies)) await task.run(server.clock.now())
        await expect(page.getByRole('img', { name: inEuro(await equity()) }).first()).toBeVisible()
        await expect(page.getByRole('img', { name: '10,012.34 EUR' })).toHaveCount(0)
      },
      { demo: true },
    )
})

/** Makes the page believe that its tab is hidden or shown. */
async function setTabVisibility(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate((now) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => now })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)
}

test('the stream of balances is closed while the page is hidden, and opened again when it is shown', async ({
  page,
}) => {
  const isStream = (asked: Request) => new URL(asked.url()).pathname === liveAccountsPath
  const client = await openPageAsNewClient(page, '/trading-accounts')
  await createOpenAccount(client)
  const opened = page.waitForRequest(isStream)
  await page.reload()
  const first = await opened
  await first.response()
  const closed = page.waitForEvent('requestfailed', isStream)
  await setTabVisibility(page, 'hidden')
  expect(await closed).toBe(first)
  const again = page.waitForRequest(isStream)
  await setTabVisibility(page, 'visible')
  expect((await (await again).response())?.status()).toBe(200)
})

test('an account at MetaTrader 4 shows its open positions, its closed trades and the details of one trade', async ({
  page,
}) => {
  await openPageAsClient(page, '/trading-accounts', personas.clara, demoPassword)
  await press(
    page,
    page.getByRole('article', { name: 'Sterling' }).getByRole('link', { name: 'Sterling', exact: true }),
  )
  await expect(page.getByText('MT4 · ECN')).toBeVisible()
  await expect(page.getByText(/^From MetaTrader 4, \d\d:\d\d:\d\d/)).toBeVisible()
  await expect(page.getByRole('table', { name: 'Open positions' })).toContainText('EURUSD')
  await page.getByRole('heading', { name: /^Closed trades/ }).scrollIntoViewIfNeeded()
  const closed = page.getByRole('table', { name: 'Closed trades' })
  await expect(closed).toContainText(/Total of \d+ trades/)
  await press(page, closed.getByRole('link').first())
  await expect(page.getByRole('dialog', { name: 'Closed trade' })).toContainText('Opened')
  await expectAccessible(page)
})

/** Signs in a client with an account that was funded by bank transfer and traded since. */
async function accountWithHistory(page: Page): Promise<LiveAccount> {
  const client = await newClient()
  const account = await createFundedAccount(client, '10000.00')
  await makeApprovedBank(await runningProduct(), client)
  await createHistory(account)
  await openPageAsClient(page, `/trading-accounts/MT5/${account.number}`, client)
  return account
}

test('the equity curve is stepped through and shown as a table with the keyboard; its payments link to the history', async ({
  page,
}) => {
  await accountWithHistory(page)
  const plot = page.getByRole('img', { name: /^Equity of account .*: from 1,968\.35 EUR to 12,022\.67 EUR/ })
  await expect(plot).toBeVisible()
  const [, first = ''] = /, (\d+ \w+(?: \d+)?) to /.exec((await plot.getAttribute('aria-label')) ?? '') ?? []
  const readout = page.locator('.chart-readout')
  await expect(readout).toContainText(/today, \d\d:\d\d/)
  await tabTo(page, plot)
  await page.keyboard.press('Home')
  await expect(readout).toContainText(first)
  await page.keyboard.press('ArrowRight')
  await expect(readout).not.toContainText(first)
  await page.keyboard.press('ArrowLeft')
  await expect(readout).toContainText(first)
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowLeft')
  await expect(readout).not.toContainText('today')
  await page.keyboard.press('Escape')
  await expect(readout).toContainText('today')
  await expectAccessible(page)
  await expect(page.getByRole('heading', { name: `${first} to today` })).toBeVisible()
  const sum = page.locator('.account-curve .slip')
  await expect(sum).toContainText(
    /Deposits\+10,000\.00.*Closed trades\+32\.88Swap−2\.64Change in unrealised P&L\+24\.08/,
  )
  await expect(sum).toContainText('12,022.67')
  await press(page, page.getByRole('button', { name: 'Show as table' }))
  await expect(page).toHaveURL(/table=1/)
  await expect(page.getByRole('cell', { name: first, exact: true }).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Show as chart' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(plot).toBeVisible()
  await press(page, page.getByRole('button', { name: '1 year' }))
  await expect(page).toHaveURL(/period=1y/)
  await expect(page.getByRole('link', { name: /, deposit by bank transfer$/ })).toHaveAttribute(
    'href',
    /^\/transactions-history\?list=deposits&record=/,
  )
})

test('a deposit and a withdrawal have different markers on the curve', async ({ page }) => {
  const product = await runningProduct()
  const client = await newClient()
  const account = await createFundedAccount(client, '10000.00')
  const id = await createWithdrawalRequest(client, account, '250.00')
  for (const [version, endpoint, role] of [
    [1, approveWithdrawal, 'operations'],
    [2, confirmWithdrawal, 'finance'],
  ] as const) {
    const as = await makeStaff(product, [role])
    const body = { version, ...allAcknowledged }
    expect((await call(product, endpoint, { as, params: { id }, body })).status).toBe(200)
  }
  const state = sql`select state from withdrawals where id = ${id}`
  await expect
    .poll(async () => (await row<{ state: string }>(product.dependencies.pool, state))?.state)
    .toBe('approved')
  await createHistory(account)
  await openPageAsClient(page, `/trading-accounts/MT5/${account.number}`, client)
  const plot = page.getByRole('img', { name: /^Equity of account/ })
  await expect(plot.locator('.chart-marker.in')).toHaveCount(1)
  await expect(plot.locator('.chart-marker.out')).toHaveCount(1)
  await expect(plot.locator('.chart-marker')).toHaveCount(2)
  await expect(page.locator('.chart-legend')).toContainText('Money inMoney out')
})

test('closed trades are sorted, exported, filtered, paged and opened with the keyboard; the URL keeps the state', async ({
  page,
}) => {
  const account = await accountWithHistory(page)
  const positions = page.getByRole('table', { name: 'Open positions' })
  await expect(positions.getByRole('row', { name: /^1 open position/ })).toContainText('+24.08')
  await expect(positions.getByRole('row').last()).toContainText('+24.08 EUR')
  await expect(page.getByText(/^as of \d\d:\d\d:\d\d, updated every 15\ss$/)).toBeVisible()
  await expect(page.getByRole('table', { name: 'Pending orders' })).toContainText('Sell limit')
  await page.getByRole('heading', { name: /^Closed trades/ }).scrollIntoViewIfNeeded()
  const table = page.getByRole('table', { name: 'Closed trades' })
  await expect(table.getByRole('row')).toHaveCount(12)
  await expect(table).toContainText('Total of 24 trades')
  await expectAccessible(page)
  // The trades were closed one after the other; every other one, including the last, is in gold.
  const topmost = table.locator('tbody').getByRole('row').first()
  const closed = table.getByRole('columnheader', { name: 'Closed', exact: true })
  await expect(closed).toHaveAttribute('aria-sort', 'descending')
  await expect(topmost).toContainText('XAUUSD')
  await press(page, closed.getByRole('button'))
  await expect(closed).toHaveAttribute('aria-sort', 'ascending')
  await expect(page).toHaveURL(/direction=asc/)
  await expect(topmost).toContainText('EURUSD')
  await press(page, closed.getByRole('button'))
  await expect(topmost).toContainText('XAUUSD')
  const saving = page.waitForEvent('download')
  await press(page, page.getByRole('button', { name: 'Download these trades as CSV' }))
  const file = await saving
  expect(file.suggestedFilename()).toBe(`trades-${account.number}.csv`)
  const [head, ...rows] = (await readFile(await file.path(), 'utf8')).trim().split('\n')
  expect(head).toBe(
    'Ticket,Position,Order,Symbol,Side,Lots,Opened (Europe/London),Open price,Closed (Europe/London),Close price,Stop loss,Take profit,Closed by,Profit,Swap,Commission,Fee,Result,Currency',
  )
  expect(rows).toHaveLength(24)
  await press(page, page.getByRole('button', { name: 'Older' }))
  await expect(page.getByText('11–20 of 24')).toBeVisible()
  // Count, totals and symbols also apply to the whole filter on a page that is opened by its URL.
  await page.reload()
  await page.getByRole('heading', { name: /^Closed trades/ }).scrollIntoViewIfNeeded()
  await expect(page.getByText('11–20 of 24')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Closed trades 24' })).toBeVisible()
  await expect(table).toContainText('Total of 24 trades')
  await press(page, page.getByRole('button', { name: 'Days: Any day' }))
  const days = page.getByRole('dialog').getByText(tradingDays)
  await expect(days).toContainText('Times in the list are in your device’s time zone.')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(days).toHaveCount(0)
  await chooseOption(page, page.getByLabel('Symbol', { exact: true }), 'XAUUSD')
  await expect(table).toContainText('Total of 12 trades')
  await expect(page).toHaveURL(/symbol=XAUUSD/)
  await press(page, table.getByRole('link').first())
  const drawer = page.getByRole('dialog', { name: 'Closed trade' })
  await expect(drawer).toContainText('Stop-out (margin too low)')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(drawer).toHaveCount(0)
  await chooseOption(page, page.getByLabel('Side', { exact: true }), 'sell')
  await expect(page.getByText('No closed trades match these filters.')).toBeVisible()
  await press(page, page.getByRole('button', { name: 'Clear filters' }))
  await expect(table).toContainText('Total of 24 trades')
})

test('trades above the counting limit are shown as “more than 1,000” in the number format of the reader’s language', async ({
  page,
}) => {
  const account = await accountWithHistory(page)
  // Above 1,000 the server sends no number.
  await page.route('**/trades?*', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), total: null } })
  })
  for (const [language, words] of [
    ['en', { heading: 'Closed trades more than 1,000', range: '1–10 of more than 1,000' }],
    ['de', { heading: 'Geschlossene Trades mehr als 1.000', range: '1–10 von mehr als 1.000' }],
  ] as const) {
    await storeLanguage(page, language)
    await page.goto(`/trading-accounts/MT5/${account.number}`)
    await page.getByRole('heading', { name: /^(Closed|Geschlossene) / }).scrollIntoViewIfNeeded()
    await expect(page.getByRole('heading', { name: words.heading, exact: true })).toBeVisible()
    await expect(page.getByText(words.range, { exact: true })).toBeVisible()
  }
})

test('while trades are being checked, the readable ones are filtered and paged without a count, for clients and staff', async ({
  page,
  browser,
}) => {
  const account = await accountWithHistory(page)
  const staff = await openPageAsStaff(browser, 'operations', 'Anton Reis')
  for (const [tab, path] of [
    [page, `/trading-accounts/MT5/${account.number}`],
    [staff.page, `/office/accounts/MT5/${account.number}`],
  ] as const) {
    // The response of the server while a deal of the account cannot be read.
    await tab.route('**/trades?*', async (route) => {
      const response = await route.fetch()
      const checked = { beingChecked: true, total: null, totals: null }
      await route.fulfill({ response, json: { ...(await response.json()), ...checked } })
    })
    await tab.goto(path)
    await tab.getByRole('heading', { name: 'Closed trades', exact: true }).scrollIntoViewIfNeeded()
    const table = tab.getByRole('table', { name: 'Closed trades' })
    await expect(table.getByRole('row').last()).toContainText(/^Total.*being checked$/)
    await expectAccessible(tab)
    for (const range of ['1–10', '11–20', '21–24']) {
      await expect(tab.getByText(range, { exact: true })).toBeVisible()
      if (range !== '21–24') await tab.getByRole('button', { name: 'Older' }).click()
    }
    await chooseOption(tab, tab.getByLabel('Symbol', { exact: true }), 'XAUUSD')
    await expect(tab.getByText('1–10', { exact: true })).toBeVisible()
    await chooseOption(tab, tab.getByLabel('Side', { exact: true }), 'sell')
    await expect(tab.getByText('No closed trades match these filters.')).toBeVisible()
    await expect(tab.getByText('Closed trades are being checked.')).toBeVisible()
    await expectAccessible(tab)
    await tab.getByRole('button', { name: 'Clear filters' }).click()
    await expect(tab.getByText('1–10', { exact: true })).toBeVisible()
  }
})

test('on its first day an account shows its balances but no curve with a single point', async ({ page }) => {
  const client = await newClient()
  const account = await createFundedAccount(client, '2500.00')
  await readHistory(account)
  await openPageAsClient(page, `/trading-accounts/MT5/${account.number}`, client)
  await expect(page.getByText('The curve starts on the next trading day.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Today', exact: true })).toBeVisible()
  await expect(page.locator('.chart-readout')).toContainText('Equity 2,500.00 EUR')
  await expect(page.locator('.chart-readout')).toContainText('Balance 2,500.00 EUR')
  await expect(page.getByRole('img', { name: /^Equity of account/ })).toHaveCount(0)
  await expect(page.getByRole('button', { name: '3 months' })).toHaveCount(0)
  await expect(page.getByRole('link', { name: /, deposit by bank transfer$/ })).toBeVisible()
  await expectAccessible(page)
})

test('on a device in another time zone than the firm, all times on the page are in the device’s zone', async ({
  browser,
}) => {
  const client = await newClient()
  const account = await createFundedAccount(client, '2500.00')
  await readHistory(account)
  const context = await browser.newContext({ timezoneId: otherZone })
  const page = await context.newPage()
  await openPageAsClient(page, '/trading-accounts', client)
  const reading = page.waitForResponse(/\/curve\?/)
  await page.goto(`/trading-accounts/MT5/${account.number}`)
  const { sum } = (await (await reading).json()) as { sum: { at: number } }
  await expect(page.locator('.chart-readout')).toContainText(`today, ${clockTime(sum.at)}`)
  const read = await page
    .getByText(/^From MetaTrader 5, \d\d:\d\d:\d\d/)
    .locator('time')
    .getAttribute('datetime')
  await expect(page.getByText(`From MetaTrader 5, ${clockTime(Date.parse(read ?? '') / 1000)}`)).toBeVisible()
  await expect(page.getByText(tradingDays)).toBeVisible()
  await context.close()
})

test('payments that are not listed under the curve can be opened from there, filtered by this account', async ({
  page,
}) => {
  const client = await newClient()
  const account = await createFundedAccount(client, '2500.00')
  await readHistory(account)
  await repeatDeposit(account, 7)
  await makeApprovedBank(await runningProduct(), client)
  await openPageAsClient(page, `/trading-accounts/MT5/${account.number}`, client)
  await expect(page.getByRole('link', { name: /, deposit by bank transfer$/ })).toHaveCount(6)
  await expect(page.getByText(/^The latest 6 of 8 payments are listed\./)).toBeVisible()
  await expectAccessible(page)
  await press(page, page.getByRole('link', { name: 'deposits', exact: true }))
  await expect(page).toHaveURL(`/transactions-history?list=deposits&account=${account.number}`)
  await expect(page.getByRole('table', { name: 'Deposits' })).toContainText('2,500.00')
})

test('on a phone a trade needs two lines, or three if its prices are too long for one, with their digits aligned', async ({
  page,
}) => {
  const client = await newClient()
  const account = await createFundedAccount(client, '9000.00')
  const { number: login } = account
  for (const [symbol, price] of [
    ['BTCUSD', 101_234.56],
    ['EURUSD', 1.0842],
    ['USDIDR', 12_345_678.9],
  ] as const) {
    await setPlatformSwitch('market/open', { login, symbol, lots: 0.1, notional: '100.00', price, profit: '1.37' })
    await setPlatformSwitch('market/close', { login })
  }
  await setPlatformSwitch('market/open', { login, symbol: 'BTCUSD', lots: 0.1, notional: '100.00', price: 101_234.56 })
  await readHistory(account)
  await page.setViewportSize({ width: 390, height: 844 })
  await openPageAsClient(page, `/trading-accounts/MT5/${account.number}`, client)
  const heading = page.getByRole('heading', { name: /^Closed trades/ })
  await heading.scrollIntoViewIfNeeded()
  const rowOf = (table: string, symbol: string) =>
    page.getByRole('table', { name: table }).getByRole('row').filter({ hasText: symbol })
  const heightOf = async (table: string, symbol: string) => {
    await expect(rowOf(table, symbol)).toBeVisible()
    return (await rowOf(table, symbol).boundingBox())?.height ?? 0
  }
  const short = await heightOf('Closed trades', 'EURUSD')
  expect(await heightOf('Closed trades', 'BTCUSD')).toBe(short)
  await expect(rowOf('Closed trades', 'BTCUSD')).toContainText(/BTCUSD Buy 0\.10.*101,234\.56.* → /)
  expect(await heightOf('Open positions', 'BTCUSD')).toBe(short)
  await expectAccessible(page)
  /** Returns whether a row's prices share a line; otherwise expects them below each other and aligned at the right. */
  const shareLine = async (table: string, symbol: string) => {
    const prices = rowOf(table, symbol).locator('.account-prices > span')
    const [open, , close] = await prices.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()))
    if (open.top === close.top) return true
    expect([close.top >= open.bottom, Math.abs(close.right - open.right) < 1]).toEqual([true, true])
    return false
  }
  const lines = async () => [
    await shareLine('Closed trades', 'EURUSD'),
    await shareLine('Closed trades', 'BTCUSD'),
    await shareLine('Open positions', 'BTCUSD'),
    await shareLine('Closed trades', 'USDIDR'),
  ]
  expect(await lines()).toEqual([true, true, true, false])
  for (const width of [360, 320]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await lines()).toEqual([true, false, false, false])
  }
  await expectAccessible(page)
})

test('an unknown account and an unknown platform are shown as not found', async ({ page }) => {
  await openPageAsNewClient(page, '/trading-accounts/MT5/999999999')
  await expect(page.getByRole('heading', { name: 'Account not found' })).toBeVisible()
  await page.goto('/trading-accounts/MT6/1')
  await expect(page.getByRole('heading', { name: 'Account not found' })).toBeVisible()
  await expectAccessible(page)
})

const commands = /^(FUND NOW|WITHDRAW)$/

test('a new account asks for its first deposit; a demo account has no payments and no statements', async ({ page }) => {
  const client = await openPageAsNewClient(page, '/trading-accounts')
  const account = await createOpenAccount(client)
  await readHistory(account)
  await page.goto(`/trading-accounts/MT5/${account.number}`)
  await expect(page.getByText('The curve starts with your first deposit')).toBeVisible()
  await expect(page.getByRole('link', { name: 'FUND NOW' })).toHaveCount(1)
  await expect(page.getByRole('button', { name: '3 months' })).toHaveCount(0)
  await expectAccessible(page)
  await test.step('its first deposit has arrived but is not in the history yet', async () => {
    const figures = `**/api/accounts/MT5/${account.number}`
    const live = /\/api\/accounts\/live/
    await page.route(live, (route) => route.abort())
    await page.route(figures, async (route) => {
      const response = await route.fetch()
      const json = (await response.json()) as { account: object }
      const funded = { ...json.account, balance: '500.00', equity: '500.00' }
      await route.fulfill({ response, json: { ...json, account: funded } })
    })
    await page.reload()
    await expect(page.getByText('The latest transactions will appear here in a few minutes.')).toBeVisible()
    await expect(page.getByText('The curve starts with your first deposit')).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'FUND NOW' })).toHaveCount(1)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })
  await page.goto(`/trading-accounts/MT5/${await createDemoAccount(client)}`)
  await expect(page.locator('.tag', { hasText: 'Demo' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'SETTINGS' })).toBeVisible()
  await expect(page.getByRole('link', { name: commands })).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Statements' })).toHaveCount(0)
  await press(page, page.getByRole('link', { name: 'Trading accounts' }).last())
  await expect(page).toHaveURL('/trading-accounts?kind=demo')
})

test('an account emptied before the period is not shown as new, and can be funded before the curve is loaded', async ({
  page,
}) => {
  const client = await openPageAsNewClient(page, '/trading-accounts')
  const account = await createOpenAccount(client)
  const { number: login } = account
  const daysAgo = (days: number) => Math.floor(Date.now() / 1000) - days * 86_400
  await setPlatformSwitch('deals/write', { login, action: 2, amount: '500.00', time: daysAgo(200) })
  await setPlatformSwitch('deals/write', { login, action: 2, amount: '-500.00', time: daysAgo(150) })
  await readHistory(account)
  const curve = `**/api/accounts/MT5/${login}/curve?*`
  const { promise: held, resolve: letThrough } = Promise.withResolvers<void>()
  await page.route(curve, async (route) => {
    await held
    await route.continue()
  })
  await page.goto(`/trading-accounts/MT5/${login}`)
  await expect(page.getByRole('heading', { name: 'Equity and balance' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'FUND NOW' })).toHaveCount(1)
  letThrough()
  await expect(page.getByText('The balance was 0.00 EUR at the end of every day in this period.')).toBeVisible()
  await expect(page.getByText('The curve starts with your first deposit')).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'FUND NOW' })).toHaveCount(1)
  await expectAccessible(page)
  await press(page, page.getByRole('button', { name: '1 year' }))
  await expect(page.getByRole('img', { name: /^Equity of account/ })).toBeVisible()
  await test.step('neither is an account whose server does not send yet whether it ever had a posting', async () => {
    await page.route(`**/api/accounts/MT5/${login}`, async (route) => {
      const response = await route.fetch()
      const { booked: _later, ...json } = (await response.json()) as Record<string, unknown>
      await route.fulfill({ response, json })
    })
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Equity and balance' })).toBeVisible()
    await expect(page.getByText('The curve starts with your first deposit')).toHaveCount(0)
  })
})

test('while the firm winds down, its notice is above the account, and open positions show until when they can be closed', async ({
  page,
}) => {
  const dates = [
    { when: 'Before 9 May', what: 'Close your positions' },
    { when: '3pm on 9 May', what: 'We close those left open' },
  ]
  const lines = ['We leave.', 'Your funds are returned.', 'x '.repeat(400), 'The last line.']
  const windDown = { deposits: true, newAccounts: true, leverage: true }
  await overrideSettings(page, { windDown, notice: { title: 'We leave the market', lines, dates, updated: null } })
  const client = await openPageAsNewClient(page, '/trading-accounts')
  const account = await createOpenAccount(client)
  const demo = await createDemoAccount(client)
  for (const login of [account.number, demo])
    await setPlatformSwitch('market/open', { login, lots: 0.1, profit: '1.00' })
  await readHistory(account)
  await page.goto(`/trading-accounts/MT5/${account.number}`)
  const notice = page.getByRole('region', { name: 'We leave the market' })
  const positions = page.getByRole('table', { name: 'Open positions' })
  const deadline = page.getByText('Before 9 May: Close your positions', { exact: true })
  await expect(positions).toBeVisible()
  await expect(deadline).toBeVisible()
  await expect(page.getByText('3pm on 9 May: We close those left open')).toHaveCount(0)
  const [above, heading] = [await notice.boundingBox(), await page.getByRole('heading', { level: 1 }).boundingBox()]
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThan(heading?.y ?? 0)
  await expectAccessible(page)
  await press(page, page.getByRole('button', { name: 'Read the notice' }))
  await expect(page.getByRole('dialog')).toContainText('The last line.')
  // The virtual positions of a demo account need not be closed.
  await page.goto(`/trading-accounts/MT5/${demo}`)
  await expect(notice).toBeVisible()
  await expect(positions).toBeVisible()
  await expect(deadline).toHaveCount(0)
})

// Tests German, because its text needs more lines on a phone than the English one.
for (const width of [1440, 390])
  test(`a page is shown before its settings are loaded, and the notice that appears then moves nothing at ${width} px`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 844 })
    const client = await openPageAsNewClient(page, '/trading-accounts')
    const account = await createOpenAccount(client)
    await readHistory(account)
    // The page embeds the settings in the browser's language, not in the chosen one.
    await storeLanguage(page, 'de')
    let letThrough: () => void = () => undefined
    const held = new Promise<void>((resolve) => (letThrough = resolve))
    await page.route('**/api/settings', async (route) => {
      await held
      await route.continue()
    })
    await page.goto(`/trading-accounts/MT5/${account.number}`)
    const button = page.getByRole('button', { name: 'EINSTELLUNGEN' })
    await expect(button).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Offene Positionen' })).toBeVisible()
    const notice = page.locator('.firm-notice')
    await expect(notice).toBeHidden()
    const before = await button.boundingBox()
    letThrough()
    await expect(notice).toBeVisible()
    expect(await button.boundingBox()).toEqual(before)
  })

test('a closed account keeps its last balances; withdrawals are possible, deposits are not', async ({ page }) => {
  const client = await newClient()
  const account = await createFundedAccount(client, '500.00')
  await makeApprovedBank(await runningProduct(), client)
  await disableAccount(account)
  await openPageAsClient(page, `/trading-accounts/MT5/${account.number}`, client)
  await expect(page.getByText('This account is closed.')).toBeVisible()
  await expect(page.getByText('These are the last balances from MetaTrader 5.')).toBeVisible()
  await expect(page.getByText(/^as of \d\d:\d\d:\d\d$/)).toBeVisible()
  await expect(page.getByText(/updated every/)).toHaveCount(0)
  await expect(page.getByRole('img', { name: '500.00 EUR' }).first()).toBeVisible()
  await expect(page.getByRole('link', { name: commands })).toHaveText(['WITHDRAW'])
  await expectAccessible(page)
  await page.goto('/trading-accounts')
  await expect(page.getByText('This account is closed.')).toBeVisible()
  await expect(page.getByRole('link', { name: /^FUND NOW/ })).toHaveCount(0)
  await expect(page.getByRole('link', { name: /^WITHDRAW/ })).toHaveCount(1)
  await expect(page.getByRole('button', { name: /password/i })).toHaveCount(0)
  await expectAccessible(page)
  await press(page, page.getByRole('button', { name: 'SETTINGS' }))
  const settings = page.getByRole('dialog')
  await expect(settings).toContainText('This account is closed. You can no longer change its leverage.')
  await expect(settings).toContainText('You can no longer log in to this account on the platform.')
  await expect(settings.getByRole('button', { name: /Trading password|leverage/ })).toHaveCount(0)
  await expect(settings.getByRole('textbox', { name: 'Nickname' })).toBeVisible()
  await page.goto('/deposit-funds')
  await expect(page.getByRole('heading', { name: 'You have no open trading account' })).toBeVisible()
})

/** The clock of a slow device: the age of balances is the time since their receipt, whatever the clocks show. */
const slowClock = () => ({ time: Date.now() - 3_600_000 })

test('a page that receives no newer balances reports this by its own clock until they arrive', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: portalUrl() })
  await context.clock.install(slowClock())
  const page = await context.newPage()
  const client = await newClient()
  const account = await createFundedAccount(client, '500.00')
  await makeApprovedBank(await runningProduct(), client)
  const { number: second } = await createOpenAccount(client)
  await setPlatformSwitch('market/open', { login: account.number, lots: 0.1, profit: '12.34' })
  await readHistory(account)
  await page.route(`**${liveAccountsPath}?*`, (route) => route.abort())
  await openPageAsClient(page, `/trading-accounts/MT5/${account.number}`, client)
  const moving = page.getByText(/^as of \d\d:\d\d:\d\d, updated every 15\ss$/)
  const old = page.getByText(/^These balances are from \d\d:\d\d:\d\d\.$/)
  await expect(moving).toBeVisible()
  await expect(old).toHaveCount(0)
  await page.route('**/api/accounts/**', (route) => route.abort())
  await page.clock.fastForward(20_000)
  await expect(old).toBeVisible()
  await expect(page.getByText('No newer ones have reached this page. Your money')).toBeVisible()
  await expect(page.getByText(/^as of \d\d:\d\d:\d\d$/)).toBeVisible()
  await expect(moving).toHaveCount(0)
  await expect(page.locator('.account-now.old')).toBeVisible()
  await expectAccessible(page)
  await page.unrouteAll()
  // The longest pause between two connection attempts of the stream.
  await page.clock.fastForward(30_000)
  await expect(old).toHaveCount(0)
  await expect(moving).toBeVisible()

  await page.route(`**${liveAccountsPath}?*`, (route) => route.abort())
  await page.goto('/trading-accounts')
  const totals = page.getByRole('table', { name: 'All live accounts' })
  await expect(totals.getByRole('img', { name: '512.34 EUR' }).first()).toBeVisible()
  await page.route('**/api/accounts/**', (route) => route.abort())
  await page.clock.fastForward(20_000)
  const words = /Balances as of .*\. No newer ones have reached this page\. We will keep trying\./
  await expect(page.getByRole('article').filter({ hasText: words })).toHaveCount(2)
  await expect(totals.getByText(/^excluding /)).toHaveText(
    [account.number, second].map(
      (number) => new RegExp(`^excluding ${groupByFour(number).replaceAll(/\s/g, '\\s')}: balances as of`),
    ),
  )
  await expectAccessible(page)
  await context.close()
})

/** Makes a client with an account that has an open position, and an account at the other platform. */
async function clientWithPosition({ server, platform }: Pick<ServerWithPlatform, 'server' | 'platform'>) {
  const client = await makeClient(server)
  await makeApprovedBank(server, client)
  const { login } = await creditedAccount(server, client, 100_000n, 'EUR', 'MT4')
  await platform.turn('market/open', { login, symbol: 'EURUSD', lots: 0.1, profit: '12.34' })
  await readTrades(server.dependencies)
  const { login: elsewhere } = await makeAccount(server, client, { platform: 'MT5', balanceMinor: 50_000n })
  return { client, login, elsewhere }
}

/** Runs a statement that the server's own role may not run. */
async function asOwner({ database }: TestServer, statement: string): Promise<void> {
  const owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  await owner.query(statement).finally(() => owner.end())
}

test('the account page shows when data is loading, failed, old or not available, to clients and staff', async ({
  browser,
}) => {
  await withOwnProduct(browser, 'MT4', async (product) => {
    const { server, platform } = product
    const { client, login, elsewhere } = await clientWithPosition(product)
    const page = await portalTab(product, client)
    const staff = await officeTab(product, 'operations')
    for (const number of [login, elsewhere]) await storeStatements(server.dependencies.pool, number)

    // The server waits at most 1.5 seconds for a silent platform: the test delays the response but does not change it.
    let release: () => void = () => undefined
    const held = new Promise<void>((done) => (release = done))
    await page.route(`**/api/accounts/MT4/${login}`, (route) => held.then(() => route.continue()))
    await page.goto(`/trading-accounts/MT4/${login}`)
    await expect(page.getByText('Reading from MetaTrader 4…')).toBeVisible()
    release()
    await expect(page.getByText(/^From MetaTrader 4, /)).toBeVisible()
    await expect(page.getByText('Reading from MetaTrader 4…')).toHaveCount(0)
    await expect(page.getByText(/updated every 15\ss$/)).toBeVisible()

    await platform.turn('drop-before', { path: '/', count: 0 })
    server.clock.turn(600)
    await expect(page.getByText(/^These balances are from \d\d:\d\d:\d\d\.$/)).toBeVisible()
    await expect(page.getByText('We try again every 15 seconds.')).toBeVisible()
    await expect(page.getByText(/as of \d\d:\d\d:\d\d$/)).toBeVisible()
    await expect(page.getByText(/updated every/)).toHaveCount(0)
    await expectAccessible(page)
    await page.reload()
    await expect(page.getByText('MetaTrader 4 has not responded. Your positions are not affected.')).toBeVisible()
    await expect(page.getByText(/^These balances are from/)).toBeVisible()
    await staff.goto(`/office/accounts/MT4/${login}`)
    await expect(staff.getByText('MetaTrader 4 has not responded since.')).toBeVisible()
    await expectAccessible(staff)
    // The page also retries automatically, which removes the button.
    for (const tab of [page, staff]) await tabTo(tab, tab.getByRole('button', { name: 'Try now' }))
    await platform.turn('reset')
    server.clock.turn(60)
    for (const tab of [page, staff]) {
      await tab.keyboard.press('Enter')
      await expect(tab.getByText(/^These balances are from/)).toHaveCount(0)
    }

    await asOwner(server, 'revoke select on account_days from portal_app')
    await page.reload()
    await expect(page.getByText('We could not load the history of this account.')).toBeVisible()
    await expect(page.getByText('The rest of this page is up to date')).toBeVisible()
    await expect(page.getByRole('table', { name: 'Open positions' })).toContainText('EURUSD')
    await expectAccessible(page)
    await asOwner(server, 'grant select on account_days to portal_app')

    await platform.turn('edition', { tradeHistory: false })
    server.clock.turn(60)
    await readTrades(server.dependencies)
    await page.reload()
    await expect(
      page.getByText(/^You can see your open positions, .* in MetaTrader 4\. Install MetaTrader 4$/),
    ).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Open positions' })).toHaveCount(0)
    await expectAccessible(page)
    await staff.reload()
    await expect(staff.getByText(/^You can see open positions, .* in MetaTrader 4\.$/)).toBeVisible()
    for (const tab of [page, staff]) await expectKeptStatements(tab)

    await page.goto(`/trading-accounts/MT5/${elsewhere}`)
    await expect(page.getByText('MetaTrader 5 is not connected.')).toBeVisible()
    await expect(page.getByText('Log in to MetaTrader 5 to see this account.')).toBeVisible()
    await expect(page.getByRole('img', { name: '500.00 EUR' }).first()).toBeVisible()
    await expect(page.getByRole('link', { name: commands })).toHaveCount(0)
    await expectAccessible(page)
    await staff.goto(`/office/accounts/MT5/${elsewhere}`)
    await expect(staff.getByText('MetaTrader 5 is not connected.')).toBeVisible()
    await expectAccessible(staff)
    for (const tab of [page, staff]) await expectKeptStatements(tab)
    await expectNotOffered(page)
  })
})

/** Expects the account whose platform is not connected to be marked as such and not offered for payments. */
async function expectNotOffered(page: Page): Promise<void> {
  await page.goto('/trading-accounts')
  const card = page.getByRole('article').filter({ hasText: 'MetaTrader 5 is not connected.' })
  await expect(card).toContainText('Log in to MetaTrader 5 to see this account.')
  await expect(card).not.toContainText('We will keep trying.')
  await expect(card.getByRole('link', { name: commands })).toHaveCount(0)
  await expect(page.getByRole('link', { name: /^FUND NOW/ })).toHaveCount(1)
  await expect(page.getByRole('table', { name: 'All live accounts' })).toContainText('not connected')
  await expectAccessible(page)
  await page.goto('/deposit-funds')
  await expect(page.getByRole('radio')).toHaveCount(1)
  await page.goto('/withdraw-funds')
  await expect(page.getByRole('radio')).toHaveCount(1)
  await expect(page.getByText('MetaTrader 5 is not connected.')).toBeVisible()
  await expectAccessible(page)
}

async function expectKeptStatements(page: Page): Promise<void> {
  const list = page.getByRole('list', { name: 'Statements' })
  await expect(list.getByRole('button', { name: 'Statement April 2026, PDF' })).toBeVisible()
}

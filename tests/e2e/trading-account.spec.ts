/** One account's own page and the figures that move while it is seen: requirements 24.11, 24.12. */
import { expect } from '@playwright/test'
import { groupByFour } from '#rules/digit-groups.ts'
import { demoPassword, personas } from '#scripts/seed/personas.ts'
import { mt5SwitchesUrl } from '../product.ts'
import { withHistory } from './account-history.ts'
import { expectAccessible } from './accessible.ts'
import { clientAtPage, enterAs } from './clients.ts'
import { test } from './fixtures.ts'
import { chooseOption, press, tabTo } from './keyboard.ts'
import { openedAccount } from './pending-requests.ts'

async function market(name: string, fields: object): Promise<void> {
  const response = await fetch(`${mt5SwitchesUrl()}/market/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  })
  expect(response.ok).toBe(true)
}

test('the market moves, and both pages show it without a reload', async ({ page }) => {
  const client = await clientAtPage(page, '/trading-accounts')
  const account = await openedAccount(client)
  await page.reload()
  const card = page.getByRole('article', { name: 'MT5 Standard' })
  await expect(card.getByRole('img', { name: '0.00 EUR' }).first()).toBeVisible()
  await market('open', { login: account.number, lots: 0.1, profit: '12.34' })
  await expect(card.getByRole('img', { name: '12.34 EUR' }).first()).toBeVisible()
  await press(page, card.getByRole('link', { name: 'MT5 Standard', exact: true }))
  await expect(page.getByRole('heading', { level: 1, name: 'MT5 Standard' })).toBeVisible()
  await expect(page.getByText(groupByFour(account.number))).toBeVisible()
  await expect(page.getByRole('img', { name: '12.34 EUR' }).first()).toBeVisible()
  await market('move', { login: account.number, profit: '-7.50' })
  await expect(
    page
      .getByRole('img', { name: '-7.50 EUR' })
      .or(page.getByRole('img', { name: '−7.50 EUR' }))
      .first(),
  ).toBeVisible()
  await expect(page.getByText(/^From MetaTrader 5, \d\d:\d\d:\d\d/)).toBeVisible()
  await expectAccessible(page)
})

test('an account at MetaTrader 4 has its trades: open ones, closed ones and one of them alone', async ({ page }) => {
  await enterAs(page, '/trading-accounts', personas.clara, demoPassword)
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

test('by keyboard the curve is stepped through and shown as a table; its sum and its money lead on', async ({
  page,
}) => {
  const client = await clientAtPage(page, '/trading-accounts')
  const account = await openedAccount(client)
  await withHistory(page, account)
  await page.goto(`/trading-accounts/MT5/${account.number}`)
  const plot = page.getByRole('img', { name: /^Equity of account .* 20 March to 17 June/ })
  await expect(plot).toBeVisible()
  const readout = page.locator('.chart-readout')
  await expect(readout).toContainText('17 June')
  await tabTo(page, plot)
  await page.keyboard.press('Home')
  await expect(readout).toContainText('20 March')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(readout).toContainText('22 March')
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowLeft')
  await expect(readout).toContainText('16 June')
  await page.keyboard.press('Escape')
  await expect(readout).toContainText('17 June')
  await expectAccessible(page)
  await expect(page.getByRole('heading', { name: '20 March to 17 June' })).toBeVisible()
  await expect(page.getByText('Change in open positions')).toBeVisible()
  await press(page, page.getByRole('button', { name: 'Show as table' }))
  await expect(page.getByRole('row')).not.toHaveCount(0)
  await expect(page).toHaveURL(/table=1/)
  await expect(page.getByRole('cell', { name: '17 June' }).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Show as chart' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(plot).toBeVisible()
  await press(page, page.getByRole('button', { name: '1 year' }))
  await expect(page).toHaveURL(/period=1y/)
  await expect(page.getByRole('link', { name: '25 April, deposit' })).toHaveAttribute(
    'href',
    /^\/transactions-history\?list=deposits&record=/,
  )
})

test('by keyboard closed trades are filtered, paged and opened; the address keeps it', async ({ page }) => {
  const client = await clientAtPage(page, '/trading-accounts')
  const account = await openedAccount(client)
  await withHistory(page, account)
  await page.goto(`/trading-accounts/MT5/${account.number}`)
  await expect(page.getByRole('table', { name: 'Open positions' })).toContainText('EURUSD')
  await expect(page.getByRole('table', { name: 'Pending orders' })).toContainText('Sell limit')
  await page.getByRole('heading', { name: /^Closed trades/ }).scrollIntoViewIfNeeded()
  const table = page.getByRole('table', { name: 'Closed trades' })
  await expect(table.getByRole('row')).toHaveCount(12)
  await expect(table).toContainText('Total of 24 trades')
  await expectAccessible(page)
  await press(page, page.getByRole('button', { name: 'Older' }))
  await expect(page.getByText('11–20 of 24')).toBeVisible()
  await chooseOption(page, page.getByLabel('Symbol', { exact: true }), 'XAUUSD')
  await expect(table).toContainText('Total of 12 trades')
  await expect(page).toHaveURL(/symbol=XAUUSD/)
  await press(page, table.getByRole('link').first())
  const drawer = page.getByRole('dialog', { name: 'Closed trade' })
  await expect(drawer).toContainText('Stop-out: the margin was too low')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(drawer).toHaveCount(0)
  await chooseOption(page, page.getByLabel('Symbol', { exact: true }), 'USDJPY')
  await expect(page.getByText('No closed trades match these filters.')).toBeVisible()
  await press(page, page.getByRole('button', { name: 'Clear filters' }))
  await expect(table).toContainText('Total of 24 trades')
})

test('what cannot be shown says so: one part that failed, an account of no one, one on a platform that is silent', async ({
  page,
}) => {
  const client = await clientAtPage(page, '/trading-accounts')
  const account = await openedAccount(client)
  await withHistory(page, account)
  await page.route(`**/api/accounts/MT5/${account.number}/curve*`, (route) =>
    route.fulfill({
      status: 422,
      json: { success: false, code: 'unknown-value', error: 'No.', errors: {}, values: {} },
    }),
  )
  await page.goto(`/trading-accounts/MT5/${account.number}`)
  await expect(page.getByText('We could not load the history of this account.')).toBeVisible()
  await expect(page.getByText('The rest of this page is up to date')).toBeVisible()
  await expect(page.getByRole('table', { name: 'Open positions' })).toContainText('EURUSD')
  await expectAccessible(page)
  await page.goto('/trading-accounts/MT5/999999999')
  await expect(page.getByRole('heading', { name: 'Account not found' })).toBeVisible()
  await page.goto('/trading-accounts/MT6/1')
  await expect(page.getByRole('heading', { name: 'Account not found' })).toBeVisible()
  await expectAccessible(page)
})

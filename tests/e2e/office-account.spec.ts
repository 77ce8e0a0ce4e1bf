/**
 * The account's page in the back office, with the keyboard, for a clerk, a compliance officer and an auditor
 * (requirements 24.8).
 */
import { getClientEvents } from '#contract/office/client-tabs.ts'
import { groupByFour } from '#rules/digit-groups.ts'
import { call } from '../factories.ts'
import { portalUrl } from '../product.ts'
import { createHistory, readHistory, setPlatformSwitch } from './account-history.ts'
import { expectAccessible } from './accessible.ts'
import { pressOnPage, skipToContent } from './decisions.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { chooseOption, press, tabTo } from './keyboard.ts'
import { createFundedAccount, newClient, createOpenAccount } from './pending-requests.ts'
import { runningProduct } from './running.ts'
import { openPageAsStaff } from './staff.ts'

test('a clerk opens an account by its number, steps through its equity curve and opens a trade; the view is in the audit log', async ({
  browser,
}) => {
  const client = await newClient()
  const account = await createFundedAccount(client, '10000.00')
  await createHistory(account)
  const { id, token, page } = await openPageAsStaff(browser, 'operations', 'Anton Reis')
  await expect(page.getByRole('heading', { level: 1, name: /Inbox/ })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Search:/ })).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: /Client, account/ })).toBeFocused()
  await page.keyboard.type(account.number)
  await expect(page.getByRole('dialog').getByRole('option', { selected: true })).toHaveAccessibleName(
    new RegExp(groupByFour(account.number).replaceAll(/\s/g, '\\s')),
  )
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: groupByFour(account.number) })).toBeVisible()
  const plot = page.getByRole('img', { name: /^Equity of account .*: from 1,968\.35 EUR to 12,022\.67 EUR/ })
  await expect(plot).toBeVisible()
  await expectAccessible(page)
  await tabTo(page, plot)
  const readout = page.locator('.chart-readout')
  await expect(readout).toContainText('today')
  await page.keyboard.press('Home')
  await expect(readout).not.toContainText('today')
  await page.keyboard.press('Escape')
  await expect(readout).toContainText('today')
  await expect(page.getByText('Change in unrealised P&L')).toBeVisible()
  await expect(page.getByRole('link', { name: /, deposit by bank transfer$/ })).toHaveAttribute(
    'href',
    /^\/office\/deposits\//,
  )
  await expect(page.getByRole('table', { name: 'Open positions' })).toContainText('EURUSD')
  await expect(page.getByText(/FUND NOW|Your |You /)).toHaveCount(0)
  await page.getByRole('heading', { name: /^Closed trades/ }).scrollIntoViewIfNeeded()
  const table = page.getByRole('table', { name: 'Closed trades' })
  await expect(table).toContainText('Total of 24 trades')
  await pressOnPage(page, page.getByRole('button', { name: 'Older' }))
  await expect(page.getByText('11–20 of 24')).toBeVisible()
  await page.reload()
  await page.getByRole('heading', { name: /^Closed trades/ }).scrollIntoViewIfNeeded()
  await expect(page.getByText('11–20 of 24')).toBeVisible()
  await expect(table).toContainText('Total of 24 trades')
  await chooseOption(page, page.getByLabel('Symbol', { exact: true }), 'XAUUSD')
  await expect(table).toContainText('Total of 12 trades')
  await press(page, table.getByRole('link').first())
  await expect(page.getByRole('dialog', { name: 'Closed trade' })).toContainText('Stop-out (margin too low)')
  await expectAccessible(page)
  const { rows } = (await call(await runningProduct(), getClientEvents, { as: token, params: { id: client.id } }))
    .answer
  expect(rows.filter(({ verb, actor }) => verb === 'view' && actor.id === id)).toHaveLength(1)
})

test('an account page that receives no newer balances reports this by its own clock until they arrive', async ({
  browser,
}) => {
  const account = await createOpenAccount(await newClient())
  await setPlatformSwitch('market/open', { login: account.number, lots: 0.1, profit: '12.34' })
  await readHistory(account)
  const context = await browser.newContext({ baseURL: portalUrl() })
  // The device's clock is an hour slow.
  await context.clock.install({ time: Date.now() - 3_600_000 })
  const { page } = await openPageAsStaff(
    browser,
    'operations',
    'Anton Reis',
    `/office/accounts/MT5/${account.number}`,
    context,
  )
  const moving = page.getByText(/^as of \d\d:\d\d:\d\d, updated every 15\ss$/)
  const old = page.getByText(/^These balances are from \d\d:\d\d:\d\d\.$/)
  await expect(moving).toBeVisible()
  await expect(old).toHaveCount(0)
  await page.route('**/api/backoffice/**', (route) => route.abort())
  await page.clock.fastForward(20_000)
  await expect(old).toBeVisible()
  await expect(page.getByText('No newer ones have reached this page.')).toBeVisible()
  await expect(moving).toHaveCount(0)
  await expect(page.getByText(/^as of \d\d:\d\d:\d\d$/)).toBeVisible()
  await expectAccessible(page)
  await tabTo(page, page.getByRole('button', { name: 'Try now' }))
  await page.unrouteAll()
  // The page may retry on its own first, which removes the button.
  await page.keyboard.press('Enter')
  await expect(old).toHaveCount(0)
  await page.clock.fastForward(15_000)
  await expect(moving).toBeVisible()
  await context.close()
})

for (const role of ['compliance', 'auditor'] as const)
  test(`${role} opens an account from the client’s page and returns`, async ({ browser }) => {
    const client = await newClient()
    const account = await createOpenAccount(client)
    const { page } = await openPageAsStaff(browser, role, 'Vera Holm', `/office/clients/${client.id}?tab=accounts`)
    const link = page.getByRole('table', { name: 'Trading accounts' }).getByRole('link', {
      name: groupByFour(account.number),
    })
    await expect(link).toBeVisible()
    await pressOnPage(page, link)
    await expect(page.getByRole('heading', { level: 1, name: groupByFour(account.number) })).toBeVisible()
    await expect(page.getByText(/^From MetaTrader 5/)).toBeVisible()
    await expectAccessible(page)
    await skipToContent(page)
    await press(page, page.getByRole('main').getByRole('link', { name: new RegExp(client.name) }))
    await expect(page.getByRole('heading', { level: 1, name: new RegExp(client.name) })).toBeVisible()
  })

test('an unknown account or platform is shown as not found', async ({ browser }) => {
  const { page } = await openPageAsStaff(browser, 'finance', 'Johanna Meier', '/office/accounts/MT5/999999999')
  await expect(page.getByRole('heading', { name: 'Account not found' })).toBeVisible()
  await expectAccessible(page)
  await page.goto('/office/accounts/MT6/1')
  await expect(page.getByRole('heading', { name: 'Account not found' })).toBeVisible()
})

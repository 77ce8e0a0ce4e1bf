/** Trading accounts: requests, the three views, settings, the first password (requirements 7). */
import type { Locator, Page } from '@playwright/test'
import { getDemoAccounts, requestAnAccount } from '#contract/accounts.ts'
import { approveClient } from '#contract/office/client-decisions.ts'
import { approveLeverage, listLeverageRequests } from '#contract/office/leverage-requests.ts'
import { requestWithdrawal } from '#contract/withdrawals.ts'
import { groupByFour } from '#rules/digit-groups.ts'
import { call, makeAccount, makeClient, makeStaff, type MadeClient } from '../factories.ts'
import { storeLanguage } from '../page-load.ts'
import { makeApprovedBank, makeFundedAccount as creditedAccount, withdrawalBody } from '../funded-account.ts'
import { mt5SwitchesUrl, portalUrl } from '../product.ts'
import { expectAccessible } from './accessible.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { openPageAsClient, openPageAsNewClient } from './clients.ts'
import { closeWithEscape, reloadUntil } from './decisions.ts'
import { chooseOption, chooseTile, press, type } from './keyboard.ts'
import { portalTab, withOwnProduct } from './own-product.ts'
import { runningProduct } from './running.ts'
import { overrideSettings } from './settings.ts'
import { createOpenAccount, newClient } from './pending-requests.ts'
import { queryAsOwner } from './stages.ts'

const choose = (page: Page, name: string) => chooseTile(page, page.getByRole('radio', { name, exact: true }))
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

async function openRequest(page: Page): Promise<void> {
  await press(page, page.getByRole('button', { name: 'Request an account' }))
  await expect(dialog(page, 'Request an account')).toBeVisible()
}

test('a live account request names every missing choice; each status of an account has its own card', async ({
  page,
}) => {
  const client = await openPageAsNewClient(page, '/trading-accounts')
  await expect(page.getByRole('heading', { name: 'No live accounts yet' })).toBeVisible()
  await expectAccessible(page)
  await openRequest(page)
  await press(page, page.getByRole('button', { name: 'Request account' }))
  for (const sentence of ['Choose a platform.', 'Choose an account type.', 'Choose a base currency.'])
    await expect(page.getByText(sentence)).toBeVisible()
  await expect(page.getByRole('radio', { name: 'MT4' })).toBeFocused()
  await expect(page.getByText('The leverage for retail clients.')).toBeVisible()
  await expect(page.getByLabel('Leverage')).toHaveCount(0)
  await expect(page.getByLabel('Starting balance')).toHaveCount(0)
  await expectAccessible(page)
  await choose(page, 'MT5')
  await choose(page, 'ECN')
  await choose(page, 'USD')
  await page.keyboard.press('Enter')
  await expect(page.getByText('You have successfully requested a new account.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Request an account' })).toBeFocused()
  const pending = page.getByRole('article', { name: 'MT5 ECN' })
  await expect(pending).toContainText(/Pending/)
  await expect(pending).toContainText('We usually open an account within one working day')
  await expectWithoutCommands(pending)

  await makeAccount(await runningProduct(), client, { state: 'rejected', platform: 'MT4' })
  const { number } = await createOpenAccount(client)
  await page.reload()
  const rejected = page.getByRole('article', { name: 'MT4 Standard' })
  await expect(rejected).toContainText(/Rejected/)
  await expect(rejected).toContainText('This account was not approved.')
  await expect(rejected.getByRole('link')).toHaveCount(0)
  await expect(rejected.getByRole('button')).toHaveText([/^Dismiss/])
  // Accounts with money come first, rejected ones last.
  const approved = page.getByRole('article', { name: 'MT5 Standard' })
  await expect(page.getByRole('article')).toContainText([/MT5 Standard/, /Pending/, /Rejected/])
  await expect(approved.getByRole('img', { name: '0.00 EUR' }).first()).toBeVisible()
  await expect(approved.getByRole('link', { name: 'FUND NOW' })).toHaveAttribute(
    'href',
    `/deposit-funds/account/${number}`,
  )
  await expect(approved.getByRole('button', { name: 'SETTINGS' })).toBeVisible()
  await expect(page.getByRole('link', { name: /^LIVE ?3$/ })).toHaveAttribute('aria-current', 'page')
  await expectAccessible(page)

  await press(page, rejected.getByRole('button', { name: /^Dismiss/ }))
  await expect(rejected).toHaveCount(0)
  await page.reload()
  await expect(approved).toBeVisible()
  await expect(rejected).toHaveCount(0)
  // The page shows the complete notice, so it offers no dialog.
  const notice = page.getByRole('region', { name: 'We will cease trading and leave financial services' })
  for (const words of ['5 July', '3pm', 'We acted outside the regulatory permissions', 'once the regulator approves.'])
    await expect(notice).toContainText(words)
  await expect(page.getByRole('button', { name: 'Read the notice' })).toHaveCount(0)
  const demo = page.getByRole('link', { name: /^DEMO ?0$/ })
  await press(page, demo)
  await expect(page.getByRole('heading', { name: 'No demo accounts yet' })).toBeVisible()
  await expect(demo).toBeFocused()
})

async function expectWithoutCommands(card: Locator): Promise<void> {
  await expect(card.getByRole('button')).toHaveCount(0)
  await expect(card.getByRole('link')).toHaveCount(0)
}

for (const platform of ['MT5', 'MT4'] as const)
  test(`a demo account on ${platform} opens immediately with balances, first password, nickname and new password, using only the keyboard`, async ({
    page,
  }) => {
    const client = await openPageAsNewClient(page, '/trading-accounts?kind=demo')
    await openRequest(page)
    await choose(page, platform)
    await choose(page, 'Standard')
    await choose(page, 'EUR')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Choose a starting balance.')).toBeVisible()
    await expect(page.getByLabel('Starting balance')).toBeFocused()
    await chooseOption(page, page.getByLabel('Starting balance'), '5000')
    await press(page, page.getByRole('button', { name: 'Open demo account' }))
    const card = page.getByRole('article', { name: `${platform} Standard` })
    await expect(card.getByRole('img', { name: '5,000.00 EUR' }).first()).toBeVisible()
    await expect(card.getByRole('link', { name: 'FUND NOW' })).toHaveCount(0)

    await press(page, card.getByRole('button', { name: /Show the password/ }))
    await expect(dialog(page, `First trading password of ${platform} Standard`)).toBeVisible()
    await press(page, page.getByRole('button', { name: 'Show password now' }))
    await expect(page.getByText('You cannot view this password again after you close this window.')).toBeVisible()
    await expect(page.getByRole('dialog').locator(':focus')).toHaveCount(1)
    await expectAccessible(page)
    await press(page, page.getByRole('button', { name: 'Close' }).last())
    await expect(card.getByRole('button', { name: /Show the password/ })).toHaveCount(0)
    await expect(card.locator(':focus')).toHaveCount(1)

    await press(page, card.getByRole('button', { name: 'SETTINGS' }))
    await expect(dialog(page, /^Settings for/)).toContainText('This is the leverage of this account.')
    await expect(dialog(page, /^Settings for/).getByRole('button', { name: /^Request/ })).toHaveCount(0)
    const nickname = page.getByLabel('Nickname')
    await type(page, nickname, 'Try out!')
    await press(page, page.getByRole('button', { name: 'Save Nickname' }))
    await expect(page.getByText('A nickname can have up to 30 letters, digits, spaces or hyphens.')).toBeVisible()
    await expect(nickname).toBeFocused()
    await type(page, nickname, 'Try out')
    await page.keyboard.press('Enter')
    await expect(dialog(page, 'Settings for Try out')).toBeVisible()
    const change = page.getByRole('button', { name: 'Change Trading password' })
    const password = page.getByLabel('New trading password', { exact: true })
    await press(page, change)
    await expect(password).toBeFocused()
    await page.keyboard.type('weak')
    await page.keyboard.press('Enter')
    await expect(page.getByText(/^A trading password has 8 to 15 characters/)).toBeVisible()
    await expectAccessible(page)
    await type(page, password, 'Strong1=pass')
    await page.keyboard.press('Enter')
    await expect(page.getByText('A trading password cannot contain =, | or a backslash.')).toBeVisible()
    await type(page, password, 'Strong1!pass')
    await page.keyboard.press('Enter')
    await expect(page.getByText('You have successfully changed the password for your account.')).toBeVisible()
    await expect(change).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('article', { name: 'Try out' }).getByRole('button', { name: 'SETTINGS' })).toBeFocused()
    if (platform === 'MT5') await expectReadTimeWhileAway(page, client)
  })

/** Stops the platform's responses for the client's only account, whose balances are then ten minutes old. */
async function expectReadTimeWhileAway(page: Page, client: MadeClient): Promise<void> {
  const product = await runningProduct()
  const { accounts } = (await call(product, getDemoAccounts, { as: client })).answer
  await fetch(`${mt5SwitchesUrl()}/drop-before`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ path: '/api/', login: accounts[0]?.number, count: 0 }),
  })
  await product.dependencies.pool.query(
    `update platform_figures set read_at = read_at - interval '10 minutes' where account_id = $1`,
    [accounts[0]?._id],
  )
  await page.reload()
  const card = page.getByRole('article', { name: 'Try out' })
  await expect(card).toContainText(/Balances as of .*\. MT5 is not responding\. We will keep trying\./)
  await expect(card.getByRole('img', { name: '5,000.00 EUR' }).first()).toBeVisible()
}

test('a professional client requests another leverage, which is shown as pending and, after approval, on the account', async ({
  page,
}) => {
  const client = await openPageAsNewClient(page, '/trading-accounts?kind=demo', { clientStatus: 'professional' })
  const product = await runningProduct()
  await openRequest(page)
  await expect(page.getByLabel('Leverage').locator('option')).toContainText([
    '1:30',
    '1:50',
    '1:100',
    '1:200',
    '1:300',
    '1:400',
    '1:500',
  ])
  await closeWithEscape(page, dialog(page, 'Request an account'))
  await expect(page.getByRole('button', { name: 'Request an account' })).toBeFocused()
  const body = {
    requestType: 'demo',
    platform: 'MT4',
    accType: 'ECN',
    baseCurrency: 'USD',
    leverage: 50,
    balance: 10_000,
  }
  expect((await call(product, requestAnAccount, { as: client, body })).status).toBe(201)
  await page.reload()
  const card = page.getByRole('article', { name: 'MT4 ECN' })
  const settings = card.getByRole('button', { name: 'SETTINGS' })
  await expect(settings).toBeVisible()
  await press(page, settings)
  const request = page.getByRole('button', { name: 'Request leverage' })
  await expect(request).toHaveAccessibleDescription('Choose another leverage first.')
  await expect(page.getByLabel('New', { exact: true }).getByRole('option', { name: '1:50', exact: true })).toHaveCount(
    0,
  )
  await chooseOption(page, page.getByLabel('New', { exact: true }), '100')
  await expect(page.getByText(/The same margin then supports positions 2 times as large/)).toBeVisible()
  await expectAccessible(page)
  await press(page, page.getByRole('button', { name: 'Request 1:100' }))
  await expect(
    page.getByText(
      'You have successfully requested leverage change for your account. Please wait for admin to approve it.',
    ),
  ).toBeVisible()
  await expect(card).toContainText('1:100 requested')
  await expect(settings).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Awaiting our approval. Your current leverage is 1:50.')).toBeVisible()
  await expect(page.getByLabel('New', { exact: true })).toHaveCount(0)
  await press(page, page.getByRole('dialog').getByRole('button', { name: 'Close' }).last())

  const as = await makeStaff(product, ['operations'], { name: 'Leverage Clerk' })
  const number = (await call(product, getDemoAccounts, { as: client })).answer.accounts[0]?.number
  const { rows } = (await call(product, listLeverageRequests, { as, query: { q: number ?? '' } })).answer
  const asked = rows.find(({ accountNumber }) => accountNumber === number)
  const decided = await call(product, approveLeverage, { as, params: { id: asked?.id ?? '' }, body: { version: 1 } })
  expect(decided.status).toBe(200)
  await reloadUntil(page, card.filter({ hasText: 'MT4 · ECN · 1:100' }))
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await expect(page.getByRole('dialog', { name: 'Notifications' })).toContainText(
    `New leverage for account ${groupByFour(number ?? '')}`,
  )
})

test('once a client is approved, the account chosen at registration appears on the open page', async ({ page }) => {
  const product = await runningProduct()
  const client = await newClient({ state: 'pending', identityApproved: true, addressApproved: true })
  const wanted = JSON.stringify({ baseCurrency: 'EUR', platform: 'MT5', accType: 'Standard' })
  await queryAsOwner('update clients set wanted_account = $2::jsonb where id = $1', [client.id, wanted])
  const asked: string[] = []
  page.on('request', (request) => request.url().includes('/getLiveAccounts/') && asked.push(request.url()))
  await openPageAsClient(page, '/trading-accounts', client)
  await expect(page.getByText('Final approval in progress')).toBeVisible()
  await expect(page.getByText('No live accounts yet')).toBeVisible()
  expect(asked, 'an answer from before the approval would be shown after it').toEqual([])
  const as = await makeStaff(product, ['compliance'])
  const [known] = await queryAsOwner('select version from clients where id = $1', [client.id])
  const params = { as, params: { id: client.id }, body: { ...(known as { version: number }), acknowledged: [] } }
  const { status, bytes } = await call(product, approveClient, params)
  expect(status, bytes.toString()).toBe(200)
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await expect(page.getByText('Account number pending')).toBeVisible()
})

test('a click anywhere on an open account’s card opens its page, except on a button', async ({ page }) => {
  const client = await openPageAsNewClient(page, '/trading-accounts')
  const { number } = await createOpenAccount(client)
  await page.reload()
  const card = page.getByRole('article', { name: 'MT5 Standard' })
  await card.getByRole('button', { name: 'SETTINGS' }).click()
  const settings = dialog(page, /^Settings for/)
  await expect(settings).toBeVisible()
  await expect(page).toHaveURL(/\/trading-accounts\?settings=/)
  await closeWithEscape(page, settings)
  // Clicks the padding at its edge and its middle, where the balances are.
  for (const position of [{ x: 6, y: 6 }, undefined]) {
    await card.click(position ? { position } : {})
    await expect(page).toHaveURL(`/trading-accounts/MT5/${number}`)
    await page.goBack()
  }
  await card.getByRole('link', { name: 'FUND NOW' }).click()
  await expect(page).toHaveURL(`/deposit-funds/account/${number}`)
})

test('totals are per currency and exclude an account whose platform is not connected; set-aside money links to its withdrawal', async ({
  browser,
}) => {
  await withOwnProduct(browser, 'MT5', async (product) => {
    const { server } = product
    const client = await makeClient(server)
    const first = await creditedAccount(server, client, 100_000n)
    await creditedAccount(server, client, 25_050n)
    await creditedAccount(server, client, 50_000n, 'USD')
    const { login: unread } = await makeAccount(server, client, { platform: 'MT4' })
    const body = withdrawalBody(first, await makeApprovedBank(server, client), '100.00')
    const { id, reference } = (await call(server, requestWithdrawal, { as: client, body })).answer

    const page = await portalTab(product, client)
    await page.goto('/trading-accounts')
    const totals = page.getByRole('table', { name: 'All live accounts' })
    const rows = totals.getByRole('row')
    await expect(rows).toHaveCount(3)
    const sums = [
      { row: rows.nth(1), name: 'EUR', count: '3 accounts', amounts: ['1,250.50 EUR', '1,250.50 EUR', '1,150.50 EUR'] },
      { row: rows.nth(2), name: 'USD', count: '1 account', amounts: ['500.00 USD', '500.00 USD', '500.00 USD'] },
    ]
    for (const { row, name, count, amounts } of sums) {
      await expect(row.getByRole('rowheader')).toContainText(name)
      await expect(row.getByRole('rowheader')).toContainText(count)
      for (const [column, amount] of amounts.entries())
        await expect(row.getByRole('cell').nth(column).getByRole('img', { name: amount, exact: true })).toBeVisible()
    }
    const excluded = totals.getByText(/^excluding /)
    await expect(excluded).toHaveText([`excluding ${groupByFour(unread)}: not connected`])
    await expect(rows.nth(1)).toContainText('excluding')
    await expect(page.getByRole('article', { name: 'MT4 Standard' })).toContainText('MetaTrader 4 is not connected.')
    await expectAccessible(page)

    const card = page.getByRole('article').filter({ hasText: groupByFour(first.login) })
    await expect(page.getByText(/set aside for/)).toHaveCount(1)
    await expect(card).toContainText(`set aside for ${reference}`)
    await card.getByRole('link', { name: reference, exact: true }).click()
    await expect(page).toHaveURL(`/transactions-history?list=withdrawals&record=${id}`)
    await expect(page.getByRole('dialog', { name: 'Withdrawal' })).toContainText(reference)
  })
})

test('an account missing on its platform is shown as closed; one whose platform does not respond shows since when', async ({
  browser,
}) => {
  await withOwnProduct(browser, 'MT5', async (product) => {
    const { server, platform } = product
    const client = await makeClient(server)
    const { login: deleted } = await creditedAccount(server, client, 100_000n)
    const { login: kept } = await creditedAccount(server, client, 25_050n)
    const page = await portalTab(product, client)
    await page.goto('/trading-accounts')
    const totals = page.getByRole('table', { name: 'All live accounts' })
    await expect(totals.getByRole('img', { name: '1,250.50 EUR' }).first()).toBeVisible()

    // No page is open meanwhile, so that the next one reads from the platform.
    await page.goto('about:blank')
    await platform.turn('accounts/delete', { login: deleted })
    server.clock.turn(600)
    await page.goto('/trading-accounts')
    const card = page.getByRole('article').filter({ hasText: groupByFour(deleted) })
    await expect(card).toContainText(/This account is closed\. Balances as of .*\d\d:\d\d\./)
    await expect(card).not.toContainText('responding')
    const excluded = totals.getByText(/^excluding /)
    await expect(excluded).toHaveText([`excluding ${groupByFour(deleted)}: closed`])
    await expect(totals.getByRole('img', { name: '250.50 EUR', exact: true }).first()).toBeVisible()
    await expectAccessible(page)

    await platform.turn('drop-before', { path: '/', count: 0 })
    server.clock.turn(600)
    await expect(excluded).toHaveText([
      `excluding ${groupByFour(deleted)}: closed`,
      new RegExp(`^excluding ${groupByFour(kept).replaceAll(/\s/g, '\\s')}: no response since \\d\\d:\\d\\d$`),
    ])
    await page.goto('/withdraw-funds')
    const tile = page.locator('label.choice').filter({ hasText: groupByFour(kept) })
    await expect(tile).toContainText(/Balances as of .*\. MT5 is not responding\. We will keep trying\./)
    const { login: silent } = await makeAccount(server, client)
    await page.reload()
    const unread = page.locator('.empty-account').filter({ hasText: groupByFour(silent) })
    await expect(unread).toContainText('We do not have balances from MT5 yet. We will keep trying.')
    await expect(unread.getByRole('link', { name: /FUND NOW/ }), 'it may have money').toHaveCount(0)
    await expectAccessible(page)

    await page.goto('/trading-accounts')
    await storeLanguage(page, 'de')
    await page.reload()
    await expect(page.getByText(/^ohne /).first()).toHaveText(`ohne ${groupByFour(deleted)}: geschlossen`)
    await expect(card).toContainText(/Dieses Konto ist geschlossen\. Salden, Stand .*\d\d:\d\d\./)
    await expect(card).not.toContainText('antwortet nicht')
  })
})

test('a long firm notice can be read in a dialog', async ({ page }) => {
  const lines = ['We leave.', 'Your funds are returned.', 'x '.repeat(400), 'The last line.']
  await overrideSettings(page, { notice: { title: 'We leave', lines, dates: [], updated: null } })
  await openPageAsNewClient(page, '/trading-accounts')
  await expect(page.getByText('Your funds are returned.')).toBeVisible()
  await expect(page.getByText('The last line.')).toHaveCount(0)
  await press(page, page.getByRole('button', { name: 'Read the notice' }))
  await expect(page.getByRole('dialog')).toContainText('The last line.')
  await closeWithEscape(page, page.getByRole('dialog'))
  await expect(page.getByRole('button', { name: 'Read the notice' })).toBeFocused()
})

test('while the firm winds down, new accounts, deposits and leverage changes are unavailable, with an explanation', async ({
  page,
}) => {
  await overrideSettings(page, { windDown: { deposits: true, newAccounts: true, leverage: true }, notice: null })
  const client = await openPageAsNewClient(page, '/trading-accounts')
  await createOpenAccount(client)
  await page.reload()
  await expect(page.getByText('You cannot open new trading accounts.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Request an account' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Read the notice' })).toHaveCount(0)
  await expect(page.getByText('Deposits are not available. You can still withdraw.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'SETTINGS' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'FUND NOW' })).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'SETTINGS' }).click()
  await expect(page.getByText('You can no longer change the leverage of your accounts.')).toBeVisible()
  await page.goto('/transactions-history')
  await expect(page.getByRole('heading', { name: 'No deposits yet' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('Deposits are not available.')
  await expect(page.getByRole('main').getByRole('link', { name: 'Deposit Funds' })).toHaveCount(0)
  await page.goto('/withdraw-funds')
  await expect(page.getByRole('heading', { level: 1, name: 'Withdraw funds' })).toBeVisible()
  await expect(page.getByRole('dialog', { name: 'No Funded Accounts' })).toHaveCount(0)
  // An account without money has no deposit button either.
  await expect(page.getByText('This account has no funds yet.')).toBeVisible()
  await expect(page.getByRole('link', { name: /FUND NOW/ })).toHaveCount(0)
})

test('an open page that cannot read the response of a newer server keeps its data and asks for a reload', async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: portalUrl() })
  await context.clock.install()
  const page = await context.newPage()
  const client = await openPageAsNewClient(page, '/profile')
  await createOpenAccount(client)
  await page.goto('/trading-accounts')
  const card = page.getByRole('article', { name: 'MT5 Standard' })
  await expect(card).toBeVisible()
  const line = page.getByText('This page may be out of date.')
  await expect(line).toHaveCount(0)
  let polls = 0
  await page.route('**/api/accounts/getLiveAccounts/**', (route) => {
    polls += 1
    return route.fulfill({ json: { success: true, accounts: 'other' } })
  })
  await page.clock.runFor(31_000)
  await expect(line).toBeVisible()
  // A retry would get the same response, so the page waits for the next poll.
  await page.clock.runFor(5_000)
  expect(polls).toBe(1)
  await expect(card).toBeVisible()
  await expectAccessible(page)
  await page.unroute('**/api/accounts/getLiveAccounts/**')
  await page.clock.runFor(31_000)
  await expect(line).toHaveCount(0)
  await expect(card).toBeVisible()
  await context.close()
})

test('accounts that cannot be loaded show one error with the next step and a reference; trying again loads them', async ({
  page,
}) => {
  const client = await openPageAsNewClient(page, '/profile')
  await createOpenAccount(client)
  const failure = { success: false, error: 'Server error.', errors: {}, code: 'server', values: {}, reference: 'r-71' }
  await page.route('**/api/accounts/getLiveAccounts/**', (route) => route.fulfill({ status: 500, json: failure }))
  await page.goto('/trading-accounts')
  const panel = page.getByRole('alert').filter({ hasText: 'Something went wrong!' })
  await expect(panel.getByRole('heading', { name: 'Something went wrong!' })).toHaveCount(1)
  await expect(panel).toContainText('This is a problem on our side. Try again in a minute')
  await expect(panel).toContainText('Reference r-71')
  await expectAccessible(page)
  // A server of another version, whose response this page cannot read.
  await page.unroute('**/api/accounts/getLiveAccounts/**')
  await page.route('**/api/accounts/getLiveAccounts/**', (route) =>
    route.fulfill({ json: { success: true, accounts: 'other' } }),
  )
  await panel.getByRole('button', { name: 'Try again' }).click()
  await expect(panel).toContainText('This page may be out of date. Reload it.')
  await page.unroute('**/api/accounts/getLiveAccounts/**')
  await panel.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('article', { name: 'MT5 Standard' })).toBeVisible()
})

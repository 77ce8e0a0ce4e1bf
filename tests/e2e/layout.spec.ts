/** The layout around the portal's pages: header, menu, bell, notices, the declaration (requirements 2). */
import type { Browser, Page, Request } from '@playwright/test'
import { rejectAccount } from '#contract/office/account-requests.ts'
import { call, makeClient, makeStaff } from '../factories.ts'
import { expectAccessible } from './accessible.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { openPageAsNewClient, openPageAsClient } from './clients.ts'
import { press, tick } from './keyboard.ts'
import { runningProduct } from './running.ts'
import { overrideSettings } from './settings.ts'
import { pollWithPausedClock, pauseClock } from './stopped-clock.ts'
import { createAccountRequest } from './pending-requests.ts'

const menu = (page: Page) => page.getByRole('navigation', { name: 'Menu' })
const sectionLabel = (page: Page, text: string) => page.getByRole('banner').getByText(text, { exact: true })
const application = (page: Page) => menu(page).getByRole('link', { name: 'Professional Client Status' })

/** Opens a page in a separate context, because a changed clock stays changed. */
async function pageWithClock(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await page.clock.install()
  return page
}

/** Returns whether a person caused the call; the page marks its own calls. */
const isAct = (request: Request, path: string) =>
  new URL(request.url()).pathname === path && request.headers()['x-background'] === undefined

/** Notification durations of requirements 2.23. */
const noticeMs = 5000
const declarationNoticeMs = 3000

const groups = {
  'My accounts': ['Trading Accounts'],
  Funding: ['Deposit Funds', 'Withdraw Funds', 'Bank Details', 'Internal Transfer', 'Transactions History'],
  Platforms: ['MetaTrader 4', 'MetaTrader 5'],
}

test('the menu has its groups, the header names the section, and Logout removes all client data, using only the keyboard', async ({
  page,
}) => {
  const first = await openPageAsNewClient(page, '/trading-accounts')
  await test.step('the first Tab stop skips header and menu', async () => {
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('main')).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(page.locator('main :focus')).toHaveCount(1)
  })
  for (const [group, entries] of Object.entries(groups)) {
    for (const entry of entries) await expect(menu(page).getByRole('link', { name: entry })).toBeVisible()
    await press(page, menu(page).getByRole('button', { name: group }))
    await expect(menu(page).getByRole('link', { name: entries[0] ?? '' })).toBeHidden()
    await page.keyboard.press('Enter')
  }
  for (const [link, label] of [
    ['Bank Details', 'FUNDING'],
    ['MetaTrader 5', 'PLATFORMS'],
    ['Professional Client Status', 'PROFESSIONAL CLIENT STATUS'],
    ['Trading Accounts', 'MY ACCOUNTS'],
  ] as const) {
    await press(page, menu(page).getByRole('link', { name: link }))
    await expect(menu(page).getByRole('link', { name: link })).toHaveAttribute('aria-current', 'page')
    await expect(sectionLabel(page, label)).toBeVisible()
    // The focus is on the page itself or on the heading of its first step.
    await expect(page.locator('main:focus, main :focus')).toHaveCount(1)
  }
  await page.goto('/documents')
  await expect(sectionLabel(page, 'VERIFICATION')).toBeVisible()
  await press(page, page.getByRole('banner').getByRole('link', { name: 'Hannah Brandt Retail Client' }))
  await page.waitForURL('/profile')
  const other = await page.context().newPage()
  await other.goto('/bank-details')
  await expect(other.getByRole('heading', { level: 1, name: 'Bank details' })).toBeVisible()
  // A link in an email signs another client in there: this tab must not show that person the previous client's data.
  await expect(page.getByText(first.email, { exact: true }).first()).toBeVisible()
  const next = await openPageAsNewClient(other, '/bank-details')
  await expect(page.getByText(next.email, { exact: true }).first()).toBeVisible()
  await expect(page.getByText(first.email, { exact: true })).toHaveCount(0)
  await press(page, page.getByRole('button', { name: 'Logout' }))
  await page.waitForURL('/')
  await expect(page.getByRole('main')).toBeFocused()
  // The other tab is notified, and Back shows none of the client's data (requirements 31.4).
  await expect(other).toHaveURL('/')
  await other.close()
  await page.goBack()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible()
  await expect(page.getByRole('banner').getByRole('button', { name: 'Logout' })).toHaveCount(0)
  expect(await page.evaluate(() => localStorage.getItem('portal.token'))).toBeNull()
  await page.goto('/profile')
  await page.waitForURL('/')
})

test('the professional application is offered only to approved retail clients while the firm accepts applications', async ({
  page,
}) => {
  await openPageAsNewClient(page, '/profile', { clientStatus: 'professional' })
  await expect(page.getByRole('banner').getByText('Professional Client', { exact: true })).toBeVisible()
  await expect(menu(page).getByRole('link', { name: 'Trading Accounts' })).toBeVisible()
  await expect(application(page)).toHaveCount(0)
  await page.goto('/professional-client-status')
  await page.waitForURL('/trading-accounts')
  await openPageAsNewClient(page, '/profile')
  await expect(application(page)).toBeVisible()
  await overrideSettings(page, { disabledProfessionalClientApplication: true })
  await page.reload()
  await expect(menu(page).getByRole('link', { name: 'Trading Accounts' })).toBeVisible()
  await expect(application(page)).toHaveCount(0)
  await openPageAsNewClient(page, '/trading-accounts', {
    state: 'pending',
    identityApproved: true,
    addressApproved: true,
  })
  await expect(page.getByText('Final approval in progress')).toBeVisible()
  await expect(menu(page).getByRole('link')).toHaveText(['Trading Accounts', 'Upload documents', 'Documents'])
  await menu(page).getByRole('link', { name: 'Documents', exact: true }).click()
  await page.waitForURL('/documents')
  await expect(page.getByRole('heading', { level: 1, name: 'Documents' })).toBeVisible()
  await page.goto('/document/passport')
  await expect(menu(page).getByRole('link', { name: 'Documents', exact: true })).toHaveAttribute('aria-current', 'page')
  await expectAccessible(page)
})

test('on a phone the menu is a drawer that closes when a page opens, using only the keyboard', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openPageAsNewClient(page, '/trading-accounts')
  await expect(menu(page)).toHaveCount(0)
  const opener = page.getByRole('button', { name: 'Menu' })
  await press(page, opener)
  await expect(application(page)).toBeVisible()
  await expect(menu(page).getByText('Retail Client')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(menu(page)).toHaveCount(0)
  await expect(opener).toBeFocused()
  await page.keyboard.press('Enter')
  await press(page, menu(page).getByRole('link', { name: 'MetaTrader 4' }))
  await page.waitForURL('/platforms/mt4')
  await expect(menu(page)).toHaveCount(0)
  await expect(page.getByRole('main')).toBeFocused()
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'Trading accounts' })).toBeVisible()
  await expect(menu(page)).toHaveCount(0)
  await page.goForward()
  const tab = page.getByRole('main').getByRole('link', { name: 'MT5' })
  await press(page, tab)
  await page.waitForURL('/platforms/mt5')
  await expect(tab).toBeFocused()
  await press(page, opener)
  await press(page, menu(page).getByRole('button', { name: 'Logout' }))
  await page.waitForURL('/')
})

test('the declaration is shown until it is accepted, asks again without the tick, and is followed by the bank details prompt', async ({
  browser,
}) => {
  const page = await pageWithClock(browser)
  const client = await makeClient(await runningProduct(), { declaration: false })
  await openPageAsClient(page, '/profile', client)
  const declaration = page.getByRole('dialog', { name: 'Client Assets Declarations' })
  await expect(declaration).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(declaration).toBeVisible()
  await expect(declaration.getByRole('button', { name: 'Logout' })).toBeVisible()
  await expectAccessible(page)
  await press(page, declaration.getByRole('button', { name: 'Accept' }))
  const asked = page.getByRole('alertdialog', { name: 'Accept the declaration' })
  await expect(asked).toBeVisible()
  await expectAccessible(page)
  await press(page, asked.getByRole('button', { name: 'Read again' }))
  await expect(declaration).toBeVisible()
  await expect(declaration.locator(':focus').or(declaration.and(page.locator(':focus')))).toHaveCount(1)
  await page.reload()
  await tick(page, declaration.getByRole('checkbox'))
  await page.route('**/api/users/acceptDeclarations', (route) =>
    route.fulfill({ status: 503, json: { success: false, error: 'Not now.', errors: {}, code: 'busy', values: {} } }),
  )
  await pauseClock(page)
  await press(page, declaration.getByRole('button', { name: 'Accept' }))
  await pollWithPausedClock(page, () => page.getByText('Not now.').isVisible())
  await page.clock.fastForward(declarationNoticeMs)
  await page.clock.resume()
  await expect(page.getByText('Not now.')).toHaveCount(0)
  await page.unroute('**/api/users/acceptDeclarations')
  await press(page, declaration.getByRole('button', { name: 'Accept' }))
  await expect(declaration).toHaveCount(0)
  const prompt = page.getByRole('dialog', { name: 'Submit Bank Details' })
  await expect(prompt).toContainText('quicker withdrawals')
  await expectAccessible(page)
  await press(page, prompt.getByRole('link', { name: 'ADD NOW' }))
  await expect(page).toHaveURL(/\/bank-details/)
  await expect(page.getByRole('dialog', { name: 'New Bank Details' })).toBeVisible()
  await page.context().close()
})

test('notifications report decisions of staff, link to them, and keep messages that were shown as toasts', async ({
  browser,
}) => {
  const page = await pageWithClock(browser)
  const client = await openPageAsNewClient(page, '/trading-accounts')
  const bell = page.getByRole('banner').getByRole('button', { name: /^Notifications/ })
  const list = page.getByRole('dialog', { name: 'Notifications' })
  await press(page, bell)
  await expect(list).toContainText('No notifications yet. Updates on your requests will appear here.')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(bell).toBeFocused()

  const product = await runningProduct()
  const id = await createAccountRequest(client)
  const as = await makeStaff(product, ['operations'], { name: 'Bell Clerk' })
  const body = { version: 1, reason: 'You hold one of these already.' }
  expect((await call(product, rejectAccount, { as, params: { id }, body })).status).toBe(200)
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Employment & financial info' }).click()
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Industry').selectOption('Banking')
  for (const name of ['Manager', 'Inheritance', '1 to 5 years'])
    await page.getByRole('radio', { name, exact: true }).check({ force: true })
  await page.getByLabel('Annual salary in GBP').selectOption('50,000-89,999')
  await page.getByLabel('Savings in GBP').selectOption('under 10,000')
  await expect(bell).toHaveAccessibleName('Notifications, 1 new')
  await pauseClock(page)
  await page.getByRole('button', { name: 'SAVE' }).click()
  const passing = page.getByRole('region', { name: 'Notifications' })
  await pollWithPausedClock(page, () => passing.getByText('Saved.').isVisible())
  await passing.getByText('Saved.').hover()
  await page.clock.resume()
  // An action that makes no call also counts as activity: it renews the idle time (requirements 4.8).
  const renewed = page.waitForRequest((request) => isAct(request, '/api/users/current'))
  await page.keyboard.press('Shift')
  await page.clock.fastForward(60_000)
  await renewed
  await expect(passing).toContainText('Saved.')
  await page.mouse.move(0, 0)
  await page.clock.fastForward(noticeMs)
  await expect(passing).not.toContainText('Saved.')
  await press(page, bell)
  await expect(list.getByRole('listitem').first()).toContainText('Saved.')
  await expectAccessible(page)
  // Viewing the list marks nothing as read: only opening a notice, or the button, does.
  await page.keyboard.press('Escape')
  await expect(bell).toHaveAccessibleName('Notifications, 1 new')
  await press(page, bell)
  // A decision that the open list does not contain yet stays new.
  const later = await createAccountRequest(client)
  expect((await call(product, rejectAccount, { as, params: { id: later }, body })).status).toBe(200)
  await press(page, list.getByRole('link', { name: /MT\d \w+ account/ }))
  await page.waitForURL('/trading-accounts')
  await expect(page.getByRole('main')).toBeFocused()
  await expect(page.getByText('You hold one of these already.').first()).toBeVisible()
  await expect(bell).toHaveAccessibleName('Notifications, 1 new')
  await page.getByRole('button', { name: 'Language and appearance' }).first().click()
  await page.getByRole('radio', { name: 'Deutsch' }).check({ force: true })
  await expect(page.getByRole('dialog', { name: 'Sprache und Darstellung' })).toBeVisible()
  await page.keyboard.press('Escape')
  await press(page, page.getByRole('banner').getByRole('button', { name: /^Benachrichtigungen/ }))
  await expect(page.getByRole('dialog', { name: 'Benachrichtigungen' })).toContainText('Gespeichert.')
  await page.context().close()
})

test('a list reports that the client is offline and loads as soon as the connection is back', async ({
  page,
  context,
}) => {
  await openPageAsNewClient(page, '/transactions-history?list=deposits')
  await expect(page.getByRole('table')).not.toHaveAttribute('aria-busy', 'true')
  await context.setOffline(true)
  await press(page, page.getByRole('link', { name: 'WITHDRAWALS' }))
  await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible()
  await expect(page.getByText('We will reload this page when you are back online.')).toBeVisible()
  await expectAccessible(page)
  await context.setOffline(false)
  await expect(page.getByText(/You are offline/)).toHaveCount(0)
  await expect(page.getByRole('heading', { name: /No withdrawals/ })).toBeVisible()
})

test('the portal can be installed under the firm’s name, with icons for each device', async ({ page }) => {
  await page.goto('/')
  const address = await page.locator('link[rel=manifest]').getAttribute('href')
  const manifest = (await (await page.request.get(address ?? '')).json()) as {
    name: string
    display: string
    start_url: string
    icons: { src: string; sizes: string; type: string; purpose?: string }[]
  }
  const settings = (await (await page.request.get('/api/settings')).json()) as { firm: { name: string } }
  expect(manifest).toMatchObject({ name: settings.firm.name, display: 'standalone', start_url: '/' })
  expect(manifest.icons.map(({ sizes }) => sizes)).toEqual(expect.arrayContaining(['192x192', '512x512']))
  for (const { src, type } of manifest.icons) {
    const icon = await page.request.get(src)
    expect([src, icon.status(), icon.headers()['content-type']]).toEqual([src, 200, type])
  }
})

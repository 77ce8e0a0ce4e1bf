/** The inbox under adverse conditions: decided elsewhere, the network lost, on a phone. */
import type { Page } from '@playwright/test'
import { approveAccount } from '#contract/office/account-requests.ts'
import { call, makeStaff } from '../factories.ts'
import { expectAccessible } from './accessible.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { markItemViewed, press } from './keyboard.ts'
import { createBankRequest } from './pending-reviews.ts'
import { createAccountRequest, newClient } from './pending-requests.ts'
import { runningProduct } from './running.ts'
import { openPageAsStaff } from './staff.ts'

const items = (page: Page) => page.locator('.inbox-item')
const inboxOf = (name: string) => `/office/inbox?mine=false&q=${encodeURIComponent(name)}`

test('an item decided by a colleague shows who decided, ignores keys, and leaves the list on the next move', async ({
  browser,
}) => {
  const client = await newClient()
  const request = await createAccountRequest(client)
  await createBankRequest(client)
  const { page } = await openPageAsStaff(browser, 'operations', 'Nils Aho', inboxOf(client.name))
  await items(page)
    .filter({ hasText: /Account request/ })
    .click()
  await expect(page.getByRole('heading', { level: 1, name: client.name })).toBeVisible()
  const colleague = await makeStaff(await runningProduct(), ['operations'], { name: 'Paul Okafor' })
  const decided = await call(await runningProduct(), approveAccount, {
    as: colleague,
    params: { id: request },
    body: { version: 1 },
  })
  expect(decided.status).toBe(200)

  const words = /Decided by Paul Okafor, \d\d:\d\d/
  await expect(page.getByRole('heading', { name: words })).toBeVisible()
  await expect(items(page).filter({ hasText: words })).toHaveAttribute('aria-current', 'true')
  await expect(items(page)).toHaveCount(2)
  await expectAccessible(page)
  await markItemViewed(page)
  const address = page.url()
  for (const key of ['a', 'r', 'e', 'E', 's', 'x']) await page.keyboard.press(key)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByText(/selected$/)).toHaveCount(0)
  expect(page.url()).toBe(address)

  await page.keyboard.press('j')
  await expect(items(page)).toHaveCount(1)
  await expect(items(page)).toHaveText(/Bank details/)
  await expect(page.getByText(words)).toHaveCount(0)
})

test('a list that cannot be refreshed shows since when; items that arrived meanwhile are shown on request', async ({
  browser,
}) => {
  const client = await newClient()
  await createAccountRequest(client)
  const { page } = await openPageAsStaff(browser, 'operations', 'Nils Aho', inboxOf(client.name))
  await expect(items(page)).toHaveCount(1)
  const isList = (url: URL) => url.pathname.endsWith('/inbox') && url.searchParams.has('size')
  await page.route(isList, (route) => route.abort())
  await createBankRequest(client)
  await expect(page.getByRole('alert').filter({ hasText: /^Not updated since/ })).toBeVisible()
  await expect(items(page)).toHaveCount(1)
  await expectAccessible(page)
  // As if the machine had been suspended for three minutes.
  await page.evaluate((ms) => {
    const now = Date.now.bind(Date)
    Date.now = () => now() + ms
  }, 180_000)
  // Holds back earlier reads of the list, which another journey's change may cause.
  let answer = () => {}
  const asked = new Promise<void>((resolve) => (answer = resolve))
  await page.route(isList, async (route) => {
    await asked
    await route.continue()
  })
  await page.getByRole('button', { name: 'Try again' }).click()
  answer()
  await expect(page.getByRole('status').filter({ hasText: '1 new.' })).toBeVisible()
  await expect(items(page)).toHaveCount(1)
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(items(page)).toHaveCount(2)
  await expect(page.getByText('1 new.')).toHaveCount(0)
})

test('the assignment dialog can load colleagues again after a failure, using only the keyboard', async ({
  browser,
}) => {
  const client = await newClient()
  await createBankRequest(client)
  const { page } = await openPageAsStaff(browser, 'operations', 'Nils Aho', inboxOf(client.name))
  await expect(items(page)).toHaveCount(1)
  await page.route('**/inbox/assignees?*', (route) => route.abort())
  await expect(page.getByRole('heading', { level: 1, name: client.name })).toBeVisible()
  await markItemViewed(page)
  await page.keyboard.press('e')
  const dialog = page.getByRole('dialog', { name: 'Assign 1 item' })
  const again = dialog.getByRole('button', { name: 'Try again' })
  await expect(again).toBeVisible()
  await expectAccessible(page)
  await page.unroute('**/inbox/assignees?*')
  await press(page, again)
  await expect(dialog.getByRole('button', { name: /^Nils Aho, you/ })).toBeVisible()
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toBeFocused()
})

test('on a phone the list with checkboxes is shown first, then the item as a page with its position in the list', async ({
  browser,
}) => {
  const client = await newClient()
  await createAccountRequest(client)
  await createBankRequest(client)
  const { page } = await openPageAsStaff(browser, 'operations', 'Nils Aho')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(inboxOf(client.name))
  await page.getByRole('checkbox').first().click()
  await expect(page.getByText('1 selected')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Clear selection' }).click()
  await items(page).nth(1).click()
  await expect(page.getByRole('link', { name: 'Inbox, 2 of 2' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Key facts' })).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Inbox, 2 of 2' }).click()
  await expect(items(page)).toHaveCount(2)
})

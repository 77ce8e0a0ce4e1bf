/** The transferred bytes of a first visit: the budgets of requirements 25. */
import { globSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { demoSignIns } from '#scripts/demo-sign-ins.ts'
import { demoPassword, personas } from '#scripts/seed/personas.ts'
import {
  accountsBudget,
  addedCodeBytes,
  budgetIn,
  chunkBytesMax,
  inboxBudget,
  measureLoad,
  signInBudget,
  storeLanguage,
  weighedLanguages,
  type Budget,
  type PageLoad,
} from '../page-load.ts'
import { openPageAsClient } from './clients.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { createAccountRequest, newClient } from './pending-requests.ts'
import { openPageAsStaff } from './staff.ts'

const built = join(import.meta.dirname, '..', '..', 'dist')
/** Chunks that do not belong to a single screen: the base, the frame with the page after login, and the overlays. */
const stages = /^(base|main|modals)-/

function expectWithin(load: PageLoad, budget: Budget): void {
  const addresses = load.requests.map(({ address, bytes }) => `${bytes} ${address}`).join('\n')
  expect(load.scriptBytes).toBeGreaterThan(0)
  expect(load.bytes, addresses).toBeLessThanOrEqual(budget.bytes)
  expect(load.requests.length, addresses).toBeLessThanOrEqual(budget.requests ?? Infinity)
  expect(load.scriptBytes, addresses).toBeLessThanOrEqual(budget.scriptBytes ?? Infinity)
  expect(load.fontBytes, addresses).toBeLessThanOrEqual(budget.fontBytes ?? Infinity)
}

/**
 * Returns a load without repeated requests: other journeys' decisions make the live inbox read again, and browsers
 * sometimes request the icon twice.
 */
function firstReads(load: PageLoad): PageLoad {
  const requests = [...new Map(load.requests.toReversed().map((one) => [one.address, one])).values()]
  return { ...load, requests, bytes: requests.reduce((sum, { bytes }) => sum + bytes, 0) }
}

test('the login page stays within its budget of bytes and requests', async ({ page }) => {
  const load = firstReads(await measureLoad(page, '/'))
  expectWithin(load, signInBudget)
  await storeLanguage(page, 'de')
  expectWithin(firstReads(await measureLoad(page, '/')), budgetIn('de', signInBudget))
  await storeLanguage(page, 'en')
  await page.goto('/')
  // The page's data is embedded in it, so it makes no API call.
  expect(load.requests.filter(({ address }) => address.includes('/api/'))).toEqual([])
  await expect(
    page
      .getByText('Read the notice')
      .or(page.getByRole('region', { name: 'Firm notice' }))
      .first(),
  ).toBeVisible()
})

test('the back office’s sign-in page stays within the budget of the login page', async ({ page }) => {
  for (const language of weighedLanguages) {
    await page.goto('/office/')
    await storeLanguage(page, language)
    expectWithin(firstReads(await measureLoad(page, '/office/')), budgetIn(language, signInBudget))
  }
})

test('the accounts page of a logged-in client stays within its budget of bytes and requests', async ({ page }) => {
  const client = demoSignIns.find(({ who }) => who === 'client')
  await page.goto('/')
  await page.getByLabel('Email').fill(client?.email ?? '')
  await page.getByLabel('Password', { exact: true }).fill(client?.password ?? '')
  await page.getByRole('button', { name: 'SIGN IN' }).press('Enter')
  await page.waitForURL('/trading-accounts')
  await storeLanguage(page, 'de')
  expectWithin(firstReads(await measureLoad(page, '/trading-accounts')), budgetIn('de', accountsBudget))
  await storeLanguage(page, 'en')
  const load = firstReads(await measureLoad(page, '/trading-accounts'))
  expectWithin(load, accountsBudget)
  // The code of dialogs is loaded at the first action of a user, such as a mouse movement, before it is needed.
  expect(load.requests.filter(({ address }) => address.includes('modals'))).toEqual([])
  await page.route('**/modals-*.js', (route) => route.abort())
  const modals = page.waitForRequest(/modals-.*\.js/)
  await page.mouse.move(9, 9)
  await modals
  // If the connection fails at that moment, the page stays open, reports the failure, and can be reloaded.
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await expect(page.getByText('This content could not be loaded.')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Trading accounts' })).toBeVisible()
  await page.unroute('**/modals-*.js')
  const reloaded = page.waitForEvent('load')
  await page.getByRole('button', { name: 'Reload page' }).click()
  await reloaded
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await expect(page.getByRole('dialog', { name: 'Notifications' })).toBeVisible()
})

test('the page of an account adds at most 40 kB of code to the accounts page', async ({ page }) => {
  await openPageAsClient(page, '/trading-accounts', personas.clara, demoPassword)
  const path = await page.locator('a[href^="/trading-accounts/MT5/"]').first().getAttribute('href')
  for (const language of weighedLanguages) {
    await storeLanguage(page, language)
    const accounts = await measureLoad(page, '/trading-accounts')
    const account = await measureLoad(page, path ?? '')
    const addresses = account.requests.map(({ address, bytes }) => `${bytes} ${address}`).join('\n')
    expect(addedCodeBytes(account, accounts), addresses).toBeLessThanOrEqual(chunkBytesMax)
  }
})

test('the back office’s inbox stays within its budget of bytes', async ({ browser }) => {
  const client = await newClient()
  await createAccountRequest(client)
  const { page } = await openPageAsStaff(browser, 'operations', 'Weighing Clerk')
  // A separate item is used, because previews of other journeys' items have different sizes.
  const address = `/office/inbox?mine=false&q=${encodeURIComponent(client.name)}`
  for (const language of weighedLanguages) {
    await storeLanguage(page, language)
    expectWithin(firstReads(await measureLoad(page, address)), inboxBudget)
  }
})

test('no chunk of any further screen is larger than 40 kB compressed', () => {
  const chunks = globSync('*/assets/*.js.br', { cwd: built }).filter((file) => !stages.test(basename(file)))
  expect(chunks.length).toBeGreaterThan(20)
  const heavy = chunks.filter((file) => statSync(join(built, file)).size > chunkBytesMax)
  expect(heavy).toEqual([])
})

/**
 * Every screen of both apps, light and dark, wide and narrow: axe finds no violations (WCAG 2.2 AA), the browser
 * reports no errors (including its content policy), nothing scrolls horizontally, and there is one first-level heading.
 */
import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { call, makeClient, makeStaff } from '../factories.ts'
import { portalUrl } from '../product.ts'
import { demoPassword, personas } from '#scripts/seed/personas.ts'
import { requestAnAccount } from '#contract/accounts.ts'
import { writeEnquiry } from '#contract/enquiries.ts'
import { requestEmailChange } from '#contract/office/profile-changes.ts'
import { matchRoute } from '#contract/routes.ts'
import { violationsIn } from './accessible.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { openPageAsNewClient, openPageAsClient } from './clients.ts'
import { expectPageLoaded } from './decisions.ts'
import { routesOf } from './routes-of.ts'
import { overflowingTexts, truncatedTexts, overflowAtWidths } from './room-for-texts.ts'
import { runningProduct } from './running.ts'
import {
  clientAddresses,
  firstRecordOf,
  officePages,
  unknownId,
  visitorAddresses,
  waitingAddresses,
} from './screens.ts'
import { openPageAsStaff } from './staff.ts'

const wide = { width: 1440, height: 900 }
const narrow = { width: 390, height: 844 }
const narrowest = { width: 360, height: 844 }

/** Collects the browser's errors: thrown errors, and error lines of the console. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (line) => {
    // The 404 of an invalid link is expected: the page shows it, and the browser reports it too.
    const asked = line.location().url
    const unknownLink = (asked.includes(unknownId) || asked.endsWith('/invitation')) && line.text().includes('404')
    if (line.type() === 'error' && !unknownLink) complaints.push(`${line.text()} ${line.location().url}`)
  })
  return complaints
}

/** Checks the current page, wide and light, narrow and dark; returns all errors. */
async function faultsOf(page: Page): Promise<string[]> {
  const faults: string[] = []
  const lookBeyond = async (width: number) => {
    const beyond = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    if (beyond > 0) faults.push(`${width}: scrolls sideways by ${beyond}`)
  }
  for (const violation of await violationsIn(page, 'light')) faults.push(`${wide.width} ${violation}`)
  await page.setViewportSize(narrow)
  await lookBeyond(narrow.width)
  for (const violation of await violationsIn(page, 'dark')) faults.push(`${narrow.width} ${violation}`)
  for (const fault of [...(await overflowingTexts(page)), ...(await truncatedTexts(page))])
    faults.push(`${narrow.width}: ${fault}`)
  await page.setViewportSize(narrowest)
  await lookBeyond(narrowest.width)
  const headings = await page.getByRole('heading', { level: 1 }).count()
  if (headings !== 1) faults.push(`${headings} headings of the first level`)
  faults.push(...(await overflowAtWidths(page)))
  await page.setViewportSize(wide)
  return faults
}

/** Opens an address and waits until its requests have a response. */
async function open(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await expectPageLoaded(page)
}

/** Opens each address, and the one to which its page leads, and expects no error on any. */
async function expectClean(
  page: Page,
  complaints: string[],
  addresses: readonly string[],
  leadsTo: (address: string) => Promise<string | null> = async () => null,
): Promise<void> {
  const wrong: Record<string, string[]> = {}
  const look = (address: string) =>
    test.step(address, async () => {
      await open(page, address)
      const faults = [...(await faultsOf(page)), ...complaints.splice(0)]
      if (faults.length > 0) wrong[address] = faults
    })
  await page.setViewportSize(wide)
  for (const address of addresses) {
    await look(address)
    const further = await leadsTo(address)
    if (further !== null) await look(further)
  }
  expect(wrong).toEqual({})
}

test('every route of the portal has an address in these tests', () => {
  const ofOneAccount = ['/deposit-funds/account/1', '/trading-accounts/MT5/1']
  const addresses = [...visitorAddresses, ...waitingAddresses, ...clientAddresses, '/', ...ofOneAccount]
  const forgotten = routesOf('portal').filter(
    (route) => !addresses.some((address) => matchRoute(route, address.split('?')[0] ?? '')),
  )
  expect(forgotten).toEqual([])
})

test('the pages for visitors have no accessibility, browser or layout errors', async ({ page }) => {
  await expectClean(page, complaintsOf(page), visitorAddresses)
})

test('the pages for a client pending approval have no accessibility, browser or layout errors', async ({ page }) => {
  const complaints = complaintsOf(page)
  await openPageAsClient(page, '/upload-documents', personas.amira, demoPassword)
  await expectClean(page, complaints, waitingAddresses)
})

for (const half of [0, 1])
  test(`the pages for a client with accounts and money have no accessibility, browser or layout errors (half ${half + 1})`, async ({
    page,
  }) => {
    const complaints = complaintsOf(page)
    await openPageAsClient(page, '/trading-accounts', personas.clara, demoPassword)
    await expectClean(
      page,
      complaints,
      clientAddresses.filter((_, at) => at % 2 === half),
      (list) => firstRecordOf(page, list),
    )
  })

test('the pages for a client without accounts or payments have no accessibility, browser or layout errors', async ({
  page,
}) => {
  const complaints = complaintsOf(page)
  await openPageAsNewClient(page, '/trading-accounts')
  await expectClean(page, complaints, ['/withdraw-funds', '/internal-transfer', '/transactions-history?list=deposits'])
})

const parts = 3
for (let part = 0; part < parts; part += 1)
  test(`the back office’s pages and one record of each list have no accessibility, browser or layout errors (part ${part + 1})`, async ({
    browser,
  }) => {
    const { page } = await openPageAsStaff(browser, 'administrator', 'Looking Clerk', '/healthz')
    const complaints = complaintsOf(page)
    const mine = officePages.filter((_, at) => at % parts === part)
    await expectClean(
      page,
      complaints,
      mine.map((list) => `/office${list}`),
      (list) => firstRecordOf(page, list),
    )
  })

test('back-office lists neither scroll sideways nor truncate text in German', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: portalUrl(), locale: 'de-DE' })
  const { page } = await openPageAsStaff(browser, 'administrator', 'Looking Clerk', '/healthz', context)
  const product = await runningProduct()
  const client = await makeClient(product, {
    name: 'Wolfeschlegelsteinhausen',
    surname: 'Bergerdorffschillingsfürst',
    email: `wolfeschlegelsteinhausen.bergerdorff.${randomUUID().slice(0, 8)}@example.net`,
    clientStatus: 'professional',
  })
  const body = { requestType: 'live', platform: 'MT5', accType: 'ECN', baseCurrency: 'EUR', leverage: 200 }
  expect((await call(product, requestAnAccount, { as: client, body })).status).toBe(201)
  const enquiry = { topic: 'payments', text: 'Bitte um Rückruf.', complaint: false }
  expect((await call(product, writeEnquiry, { as: client, body: enquiry })).status).toBe(201)
  const as = await makeStaff(product, ['compliance'])
  const change = { email: `new.${client.email}`, reason: 'The old mailbox is gone.' }
  expect((await call(product, requestEmailChange, { as, params: { id: client.id }, body: change })).status).toBe(201)
  const wrong: Record<string, string[]> = {}
  for (const list of officePages) {
    await page.setViewportSize(wide)
    await open(page, `/office${list}`)
    await expect(page.locator('html')).toHaveAttribute('lang', 'de')
    const faults = [...(await truncatedTexts(page)), ...(await overflowAtWidths(page))]
    await page.setViewportSize(narrow)
    faults.push(...(await overflowingTexts(page)), ...(await truncatedTexts(page)))
    if (faults.length > 0) wrong[list] = faults
  }
  expect(wrong).toEqual({})
  await context.close()
})

test('the back office’s pages before sign-in have no accessibility, browser or layout errors', async ({ page }) => {
  await expectClean(page, complaintsOf(page), ['/office/sign-in', `/office/welcome/${unknownId}`])
})

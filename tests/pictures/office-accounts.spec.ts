/**
 * `npm run pictures`: one client and one trading account of the back office: each section of the client's page, the
 * checks with their facts, and accounts with trades, on their first day, without money, closed, and for demo.
 */
import type { Page } from '@playwright/test'
import { officeBase, officePaths } from '#contract/office-paths.ts'
import { personas } from '#scripts/seed/personas.ts'
import { disableAccount, createHistory, readHistory } from '../e2e/account-history.ts'
import { expectPageLoaded } from '../e2e/decisions.ts'
import { expect } from '../e2e/expect.ts'
import { createDemoAccount, createFundedAccount, newClient, createOpenAccount } from '../e2e/pending-requests.ts'
import { openPageAsStaff } from '../e2e/staff.ts'
import { inEveryLook, type Look } from './looks.ts'

const sections = ['profile', 'documents', 'accounts', 'money', 'bank', 'mails', 'logins', 'timeline']

inEveryLook('office client', async ({ browser, context, viewport, take, keep }) => {
  const { page } = await openPageAsStaff(browser, 'administrator', 'Looking Clerk', '/healthz', context)
  await page.setViewportSize(viewport)
  const client = await clientNamed(page, personas.clara.email)
  await take(page, 'office-client', client, '-overview')
  for (const section of sections) await take(page, 'office-client', `${client}?tab=${section}`, `-${section}`)
  for (const [called, { email }] of [
    ['waiting', personas.amira],
    ['complete', personas.ines],
  ] as const) {
    await page.goto(await clientNamed(page, email))
    await expectPageLoaded(page)
    for (const facts of await page.locator('main summary').all()) await facts.click()
    await keep(page, 'office-client', `-checks-${called}`)
  }
})

/** Returns the address of a client, found by the list's filter. */
async function clientNamed(page: Page, email: string): Promise<string> {
  await page.goto(`${officeBase}${officePaths.clients}?q=${encodeURIComponent(email)}`)
  await expectPageLoaded(page)
  return (await page.locator('main tbody a').first().getAttribute('href')) ?? ''
}

inEveryLook('office account', async (look) => {
  const { browser, context, viewport, take } = look
  const client = await newClient()
  const traded = await createFundedAccount(client, '10000.00')
  await createHistory(traded)
  const funded = await createFundedAccount(client, '500.00', 'GBP')
  await readHistory(funded)
  const empty = await createOpenAccount(client, 'USD')
  await readHistory(empty)
  const closed = await createFundedAccount(client, '250.00')
  await readHistory(closed)
  await disableAccount(closed)
  const demo = await createDemoAccount(client)
  const { page } = await openPageAsStaff(browser, 'administrator', 'Looking Clerk', '/healthz', context)
  await page.setViewportSize(viewport)
  const address = (number: string) => `${officeBase}${officePaths.account('MT5', number)}`
  await takeTrades(page, address(traded.number), look)
  await take(page, 'office-account', address(funded.number), '-first-day')
  await take(page, 'office-account', address(empty.number), '-empty')
  await take(page, 'office-account', address(closed.number), '-closed')
  await take(page, 'office-account', address(demo), '-demo')
})

/** Keeps an account with its closed trades, one of them open, and filters that find none. */
async function takeTrades(page: Page, address: string, { keep }: Look): Promise<void> {
  await page.goto(address)
  // Trades load once they are in view.
  await page.locator('.account-trades-later').scrollIntoViewIfNeeded()
  const trade = page.locator('main a[href*="trade="]').first()
  await trade.waitFor()
  await keep(page, 'office-account', '-traded')
  await trade.click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await keep(page, 'office-account', '-trade')
  await page.goto(`${address}?side=buy&result=loss&symbol=NONE`)
  await page.locator('.account-trades-later').scrollIntoViewIfNeeded()
  await keep(page, 'office-account', '-no-trades')
}

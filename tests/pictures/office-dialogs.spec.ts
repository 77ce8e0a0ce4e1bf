/** `npm run pictures`: each dialog and each popover of the back office's lists, records and drawers. */
import type { Locator, Page, Request } from '@playwright/test'
import { changesPath } from '#contract/office/inbox.ts'
import { officeBase } from '#contract/office-paths.ts'
import { expectPageLoaded } from '../e2e/decisions.ts'
import { expect } from '../e2e/expect.ts'
import { officePages } from '../e2e/screens.ts'
import { openPageAsStaff } from '../e2e/staff.ts'
import { inEveryLook, type Look } from './looks.ts'

/** The names of buttons that require a further input, by convention. */
const furtherInputName = /…$/
/** Lists whose header has buttons that open dialogs but are not named by that convention. */
const plainlyNamed = ['/bank-details', '/imports']

inEveryLook('office dialogs', async ({ browser, context, viewport, keep }) => {
  const { page } = await openPageAsStaff(browser, 'administrator', 'Looking Clerk', '/healthz', context)
  await page.setViewportSize(viewport)
  const responded = responseWaiter(page)
  for (const list of officePages) {
    const address = `${officeBase}${list}`
    await page.goto(address)
    await expectPageLoaded(page)
    const link = page.locator('main tbody tr td:first-child a').first()
    const record = (await link.count()) > 0 ? await link.getAttribute('href') : null
    const buttons = page.getByRole('button', { name: furtherInputName })
    await takeEach(page, { address, buttons, called: list, keep, responded })
    const inHeader = page.locator('.page-header button')
    if (plainlyNamed.includes(list))
      await takeEach(page, { address, buttons: inHeader, called: `${list}-head`, keep, responded })
    if (record !== null) await takeEach(page, { address: record, buttons, called: `${list}-record`, keep, responded })
  }
  const popovers = page.locator('.list-tools button[aria-haspopup="dialog"]')
  await takeEach(page, { address: `${officeBase}/withdrawals`, buttons: popovers, called: '-tools', keep, responded })
  await takeMenu(page, keep)
})

interface Openers {
  readonly address: string
  readonly buttons: Locator
  readonly called: string
  readonly keep: Look['keep']
  readonly responded: () => Promise<void>
}

/** Returns a function that waits until all requests have a response, including those that a response causes. */
function responseWaiter(page: Page): () => Promise<void> {
  const open = new Set<Request>()
  page.on('request', (request) => {
    // The stream of changes stays open.
    if (!request.url().endsWith(changesPath)) open.add(request)
  })
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
  const drawn = () =>
    page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  return async () => {
    do {
      await expect.poll(() => open.size).toBe(0)
      await drawn()
    } while (open.size > 0)
  }
}

/** Keeps what each button opens. */
async function takeEach(page: Page, { address, buttons, called, keep, responded }: Openers): Promise<void> {
  const open = async () => {
    await page.goto(address)
    await expectPageLoaded(page)
    // Only then do buttons that a response adds have their position.
    await responded()
    // A record in a drawer is also a row of the list behind it, which can be used until the drawer is there.
    if ((await page.locator(`main tbody a[href="${address}"]`).count()) > 0)
      await expect(page.locator('main:is([inert], [inert] *)')).toBeAttached()
  }
  await open()
  const number = await buttons.count()
  for (let at = 0; at < number; at += 1) {
    if (at > 0) await open()
    const button = buttons.nth(at)
    // Closed with a reason, or behind a drawer.
    const closed = await button.evaluate((one) => one.ariaDisabled === 'true' || one.closest('[inert]') !== null)
    if (closed || !(await button.isVisible())) continue
    await button.click()
    await expect(page.locator('[role=dialog], [role=alertdialog]').last()).toBeVisible()
    await keep(page, 'dialog', `${called}-${at + 1}`)
  }
}

/** Keeps the menu of a client's actions, and the dialog or page of each. */
async function takeMenu(page: Page, keep: Look['keep']): Promise<void> {
  await page.goto(`${officeBase}/clients`)
  await expectPageLoaded(page)
  const client = (await page.locator('main tbody a').last().getAttribute('href')) ?? ''
  const items = page.getByRole('menuitem')
  const open = async () => {
    await page.goto(client)
    await expectPageLoaded(page)
    await page.locator('main button[aria-haspopup="menu"]').first().click()
    await expect(items.first()).toBeVisible()
  }
  await open()
  await keep(page, 'dialog', '-client-menu')
  const number = await items.count()
  for (let at = 0; at < number; at += 1) {
    if (at > 0) await open()
    if (!furtherInputName.test(await items.nth(at).innerText())) continue
    await items.nth(at).click()
    await expect(items).toHaveCount(0)
    const dialog = page.locator('[role=dialog], [role=alertdialog]').last()
    await expect.poll(async () => (await dialog.isVisible()) || !page.url().endsWith(client)).toBe(true)
    await keep(page, 'dialog', `-client-menu-${at + 1}`)
  }
}

/** `npm run pictures`: what opens over the back office's lists, records and drawers: each dialog and each popover. */
import type { Locator, Page } from '@playwright/test'
import { officeBase } from '#contract/office-paths.ts'
import { expectWhole } from '../e2e/decisions.ts'
import { expect } from '../e2e/expect.ts'
import { lists } from '../e2e/screens.ts'
import { staffAt } from '../e2e/staff.ts'
import { inEveryLook, type Look } from './looks.ts'

/** By the convention of their names, buttons that require a further input. */
const asks = /…$/
/** Lists whose header opens dialogs under names without it. */
const plainlyNamed = ['/bank-details', '/imports']

inEveryLook('office dialogs', async ({ browser, context, viewport, keep }) => {
  const { page } = await staffAt(browser, 'administrator', 'Looking Clerk', '/healthz', context)
  await page.setViewportSize(viewport)
  for (const list of lists) {
    const address = `${officeBase}${list}`
    await page.goto(address)
    await expectWhole(page)
    const link = page.locator('main tbody tr td:first-child a').first()
    const record = (await link.count()) > 0 ? await link.getAttribute('href') : null
    const buttons = page.getByRole('button', { name: asks })
    await takeEach(page, { address, buttons, called: list, keep })
    if (plainlyNamed.includes(list))
      await takeEach(page, { address, buttons: page.locator('.page-header button'), called: `${list}-head`, keep })
    if (record !== null) await takeEach(page, { address: record, buttons, called: `${list}-record`, keep })
  }
  const popovers = page.locator('.list-tools button[aria-haspopup="dialog"]')
  await takeEach(page, { address: `${officeBase}/withdrawals`, buttons: popovers, called: '-tools', keep })
  await takeMenu(page, keep)
})

interface Openers {
  readonly address: string
  readonly buttons: Locator
  readonly called: string
  readonly keep: Look['keep']
}

/** Keeps what each button opens. */
async function takeEach(page: Page, { address, buttons, called, keep }: Openers): Promise<void> {
  const open = async () => {
    await page.goto(address)
    await expectWhole(page)
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
  await expectWhole(page)
  const client = (await page.locator('main tbody a').last().getAttribute('href')) ?? ''
  const items = page.getByRole('menuitem')
  const open = async () => {
    await page.goto(client)
    await expectWhole(page)
    await page.locator('main button[aria-haspopup="menu"]').first().click()
    await expect(items.first()).toBeVisible()
  }
  await open()
  await keep(page, 'dialog', '-client-menu')
  const number = await items.count()
  for (let at = 0; at < number; at += 1) {
    if (at > 0) await open()
    if (!asks.test(await items.nth(at).innerText())) continue
    await items.nth(at).click()
    await expect(items).toHaveCount(0)
    const dialog = page.locator('[role=dialog], [role=alertdialog]').last()
    await expect.poll(async () => (await dialog.isVisible()) || !page.url().endsWith(client)).toBe(true)
    await keep(page, 'dialog', `-client-menu-${at + 1}`)
  }
}

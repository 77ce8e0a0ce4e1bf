/** The back office for roles that seldom or never decide, with the keyboard only (requirements 1.9, 24.5). */
import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { skipToContent } from './decisions.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { markItemViewed, press, tabTo } from './keyboard.ts'
import { createFundedAccount, newClient, createWithdrawalRequest } from './pending-requests.ts'
import { openPageAsStaff } from './staff.ts'

/** Opens the first hit of the command palette for a search. */
async function openByPalette(page: Page, words: string, found: RegExp, heading: string | RegExp): Promise<void> {
  await expect(page.getByRole('button', { name: /^Search:/ })).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: /Client, account/ })).toBeFocused()
  await page.keyboard.type(words)
  await expect(page.getByRole('dialog').getByRole('option', { selected: true })).toHaveAccessibleName(found)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
}

for (const { role, decides } of [
  { role: 'auditor', decides: 0 },
  { role: 'administrator', decides: 1 },
] as const)
  test(`${role} can view inbox, records, lists, batches and a client's payments${decides === 0 ? ' but has no decisions' : ' and may decide'}`, async ({
    browser,
  }) => {
    const client = await newClient()
    await createWithdrawalRequest(client, await createFundedAccount(client, '900.00'), '75.00')
    const { page } = await openPageAsStaff(browser, role, 'Greta Sand', '/office')
    await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()

    await test.step('a client and its payments', async () => {
      await openByPalette(page, client.name, new RegExp(client.name), client.name)
      await skipToContent(page)
      await press(page, page.getByRole('link', { name: /^Payments/ }))
      await expect(page.getByRole('table', { name: /by method/ })).toBeVisible()
      await expectAccessible(page)
    })
    await test.step('the inbox, and the record from its preview', async () => {
      await openByPalette(page, 'Inbox', /^Inbox/, /^Inbox/)
      await skipToContent(page)
      const search = page.getByRole('searchbox', { name: 'Client or reference' })
      await tabTo(page, search)
      // Other journeys add items meanwhile: text typed while the list is reloaded is kept, and Enter searches.
      await page.keyboard.type(client.name)
      await expect(search).toHaveValue(client.name)
      await page.keyboard.press('Enter')
      const item = page.getByRole('link', { name: new RegExp(client.name) })
      await expect(item).toHaveCount(1)
      await expect(page.getByRole('button', { name: /^Assign/ })).toHaveCount(decides)
      await expectAccessible(page)
      await press(page, item)
      await markItemViewed(page)
      await page.keyboard.press('Enter')
      await expect(page.getByRole('heading', { level: 1, name: /75\.00/ })).toBeVisible()
      await expect(page.getByRole('button', { name: /^Approve 75/ })).toHaveCount(decides)
      await expectAccessible(page)
    })
    await test.step('payout batches', async () => {
      await openByPalette(page, 'Payout batches', /^Payout batches/, 'Payout batches')
      await expect(page.getByRole('tablist').or(page.getByRole('table')).first()).toBeVisible()
      await expect(page.getByRole('checkbox')).toHaveCount(0)
      await expectAccessible(page)
    })
    await test.step('a filtered list', async () => {
      await openByPalette(page, 'Withdrawals', /^Withdrawals/, 'Withdrawals')
      await skipToContent(page)
      await tabTo(page, page.getByRole('main').getByRole('searchbox'))
      await page.keyboard.type(client.name)
      await page.keyboard.press('Enter')
      const row = page.getByRole('main').getByRole('link', { name: new RegExp(client.name) })
      await expect(row).toHaveCount(1)
      await press(page, row)
      await expect(page.getByRole('heading', { level: 1, name: /75\.00/ })).toBeVisible()
    })
  })

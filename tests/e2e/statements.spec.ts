/** The statements of an account, with the keyboard, for its client and for staff (requirements 24.33, 24.34). */
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { openPageAsNewClient } from './clients.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { storeStatements } from './stored-statements.ts'
import { press } from './keyboard.ts'
import { newClient, createOpenAccount } from './pending-requests.ts'
import { runningProduct } from './running.ts'
import { openPageAsStaff } from './staff.ts'

/** Returns the file that a button saves. */
async function downloadedFile(page: Page, name: string): Promise<Buffer> {
  const downloading = page.waitForEvent('download')
  await press(page, page.getByRole('button', { name, exact: true }))
  return readFile(await (await downloading).path())
}

async function expectStatements(page: Page): Promise<void> {
  const list = page.getByRole('list', { name: 'Statements' })
  await expect(list).toContainText('June 2026available from')
  await expect(list).toContainText('May 2026being checked')
  await expect(list).toContainText('April 2026closing balance · edition 2')
  await expect(list.getByRole('button', { name: /May|June/ })).toHaveCount(0)
  await expectAccessible(page)
  expect((await downloadedFile(page, 'Statement April 2026, CSV')).toString()).toContain('300.00')
  expect((await downloadedFile(page, 'Statement April 2026, edition 1, CSV')).toString()).toContain('250.00')
  expect((await downloadedFile(page, 'Statement 2026, PDF')).subarray(0, 5).toString()).toBe('%PDF-')
}

test('a client saves a month, its earlier edition and a year, using only the keyboard', async ({ page }) => {
  const client = await openPageAsNewClient(page, '/trading-accounts')
  const account = await createOpenAccount(client)
  await storeStatements((await runningProduct()).dependencies.pool, account.number)
  await page.goto(`/trading-accounts/MT5/${account.number}`)
  await expectStatements(page)
})

test('a clerk saves the same statements, using only the keyboard', async ({ browser }) => {
  const account = await createOpenAccount(await newClient())
  await storeStatements((await runningProduct()).dependencies.pool, account.number)
  const { page } = await openPageAsStaff(browser, 'operations', 'Anton Reis', `/office/accounts/MT5/${account.number}`)
  await expectStatements(page)
})

/** The history: lists, filters in the address, exports, a record's drawer, the wire details again. Section 2. */
import { readFile } from 'node:fs/promises'
import AxeBuilder from '@axe-core/playwright'
import { expect, test, type Page } from '@playwright/test'
import { demoPassword, people } from '#scripts/seed/people.ts'
import { logIn } from './clients.ts'
import { mailTo } from './mailbox.ts'

async function openHistory(page: Page): Promise<void> {
  await logIn(page, people.clara.email, demoPassword)
  await page.waitForURL('/trading-accounts')
  await page.goto('/transactions-history')
  await expect(page.getByRole('row')).not.toHaveCount(1)
}

test('lists, status and size stand in the address; times are written YYYY/MM/DD HH:mm:ss', async ({ page }) => {
  await openHistory(page)
  await expect(page.getByRole('link', { name: 'Deposits' })).toHaveAttribute('aria-current', 'page')
  await expect(page.getByRole('cell').first()).toHaveText(/^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d$/)
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Approved')
  await page.waitForURL(/status=approved/)
  await page.getByRole('button', { name: '20', exact: true }).click()
  await page.waitForURL(/size=20/)
  await page.reload()
  await expect(page.getByRole('combobox', { name: 'Status' })).toHaveValue('approved')
  await expect(page.getByRole('row', { name: /Approved/i })).not.toHaveCount(0)
  await expect(page.getByRole('row', { name: /Pending/i })).toHaveCount(0)
  await page.getByRole('link', { name: 'Withdrawals' }).click()
  await expect(page.getByRole('row', { name: /Paid/i }).first()).toBeVisible()
})

test('the newest stands first until another column is chosen', async ({ page }) => {
  await openHistory(page)
  await expect(page.getByRole('columnheader', { name: 'Time' })).toHaveAttribute('aria-sort', 'descending')
  await page.getByRole('button', { name: 'Amount' }).click()
  await page.waitForURL(/sort=depositAmountSent&direction=desc/)
  await expect(page.getByRole('columnheader', { name: 'Amount' })).toHaveAttribute('aria-sort', 'descending')
})

test('no results repeat the filters and offer to clear them', async ({ page }) => {
  await openHistory(page)
  await page.goto('/transactions-history?list=withdrawals&from=2001-04-01&to=2001-06-19&status=rejected')
  await expect(
    page.getByText('No withdrawals between 1 April 2001 and 19 June 2001 with the status Rejected.'),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page.getByRole('row', { name: /Paid/i }).first()).toBeVisible()
})

test('a pending wire shows its bank details again and mails them', async ({ page }) => {
  await openHistory(page)
  await page
    .getByRole('row', { name: /Bank Transfer.*Pending/i })
    .first()
    .click()
  await page.waitForURL(/record=/)
  const drawer = page.getByRole('dialog', { name: 'Deposit' })
  await expect(drawer.getByRole('button', { name: 'Copy reference' }).first()).toBeVisible()
  await expect(drawer.getByText('Requested')).toBeVisible()
  const saved = page.waitForEvent('download')
  await drawer.getByRole('button', { name: 'Save as PDF' }).click()
  expect((await readFile(await (await saved).path())).subarray(0, 5).toString()).toBe('%PDF-')
  await drawer.getByRole('button', { name: 'Send to my e-mail' }).click()
  await mailTo(people.clara.email, /^Bank details for your transfer/)
  await page.reload()
  await expect(page.getByRole('dialog', { name: 'Deposit' })).toBeVisible()
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
})

test('the list is saved as CSV and the statement as PDF', async ({ page }) => {
  await openHistory(page)
  const csv = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save this list as CSV' }).click()
  expect((await readFile(await (await csv).path())).toString()).toContain('Date,Reference,Account')
  const statement = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save the statement as PDF' }).click()
  expect((await readFile(await (await statement).path())).subarray(0, 5).toString()).toBe('%PDF-')
})

/** `npm run pictures`: the back office's records in each state, its settings and reports, and the dialogs of a page. */
import type { Page } from '@playwright/test'
import { settingSections } from '#contract/setting-sections.ts'
import { expectPageLoaded } from '../e2e/decisions.ts'
import { expect } from '../e2e/expect.ts'
import { firstRecordOf } from '../e2e/screens.ts'
import { openPageAsStaff } from '../e2e/staff.ts'
import { staffRoles } from '#rules/actors.ts'
import { inEveryLook, type Look } from './looks.ts'

const reports = ['funding', 'decision-times', 'conversion', 'overrides', 'approvals']
const listsWithStates = [
  '/account-requests',
  '/bank-details',
  '/professional',
  '/deposits',
  '/withdrawals',
  '/payout-batches',
  '/transfers',
  '/clients',
]
/** Lists whose rows open in a drawer. */
const listsWithDrawers = ['/corrections', '/client-money', '/reconciliation', '/failed-jobs', '/staff', '/imports']
/** The pages that each role opens on a working day; the buttons and the order of the parts differ by role. */
const pagesByRole = ['/overview', '/inbox', '/reports', '/clients', '/documents', '/withdrawals', '/payout-batches']
/** Records that are still to be decided. */
const toDecide = ['/account-requests', '/leverage', '/transfers', '/profile-changes', '/enquiries']

inEveryLook('office states', async (look) => {
  const { browser, context, viewport, take } = look
  const { page } = await openPageAsStaff(browser, 'administrator', 'Looking Clerk', '/healthz', context)
  await page.setViewportSize(viewport)
  for (const list of listsWithStates) await takeStates(page, list, take)
  for (const list of listsWithDrawers) {
    await page.goto(`/office${list}`)
    await expectPageLoaded(page)
    const row = await page.locator('main tbody tr td:first-child a').first().getAttribute('href')
    if (row !== null) await take(page, 'state', row, `${list}/open`)
  }
  for (const section of Object.keys(settingSections))
    await take(page, 'setting', `/office/settings/${section}`, `-${section}`)
  for (const report of reports) await take(page, 'report', `/office/reports?report=${report}`, `-${report}`)
  await takeOverlays(page, look)
})

inEveryLook('office roles', async ({ browser, context, viewport, take }) => {
  for (const role of staffRoles) {
    const { page } = await openPageAsStaff(browser, role, 'Looking Clerk', '/healthz', context)
    await page.setViewportSize(viewport)
    for (const list of pagesByRole) {
      await take(page, role, `/office${list}`)
      const record = await firstRecordOf(page, `/office${list}`)
      if (record !== null) await take(page, role, record, `${list}/record`)
    }
  }
})

/** Keeps the first record in each state of a list. */
async function takeStates(page: Page, list: string, take: Look['take']): Promise<void> {
  await page.goto(`/office${list}?state=all`)
  await expectPageLoaded(page)
  const rows = await page.locator('main tbody tr:has(td a)').all()
  const records = new Map<string, string>()
  for (const row of rows) {
    const state = await row.locator('td').last().innerText()
    const href = await row.locator('a').first().getAttribute('href')
    if (href !== null && !records.has(state)) records.set(state, href)
  }
  for (const [number, [, href]] of [...records].entries()) await take(page, 'state', href, `${list}/${number + 1}`)
}

/** Keeps the search with and without results, the shortcuts, and the confirmations of decisions. */
async function takeOverlays(page: Page, { keep }: Look): Promise<void> {
  const dialog = page.locator('[role=dialog], [role=alertdialog]').last()
  await page.goto('/office/overview')
  await expectPageLoaded(page)
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox').last()).toBeVisible()
  await keep(page, 'over', '-search')
  await page.getByRole('combobox').last().fill('clara')
  await expect(page.getByRole('option', { name: /Clara/ }).first()).toBeVisible()
  await keep(page, 'over', '-search-found')
  await page.getByRole('combobox').last().fill('lindqx')
  await expect(page.getByRole('option')).toHaveCount(0)
  await keep(page, 'over', '-search-none')
  await page.keyboard.press('Escape')
  await page.goto('/office/clients')
  await expectPageLoaded(page)
  await page.locator('.queue-tools button:has(.tabler-icon-calendar)').click()
  await expect(dialog).toBeVisible()
  await keep(page, 'over', '-days')
  await page.goto('/office/overview')
  await expectPageLoaded(page)
  await page.keyboard.press('?')
  await expect(dialog).toBeVisible()
  await keep(page, 'over', '-shortcuts')
  for (const list of toDecide) {
    await page.goto(`/office${list}`)
    await expectPageLoaded(page)
    const record = await firstRecordOf(page, `/office${list}`)
    if (record === null) continue
    await page.goto(record)
    await expectPageLoaded(page)
    const buttons = page.locator('.decision-buttons button:not([aria-disabled="true"])')
    for (const [number, button] of (await buttons.all()).entries()) {
      await button.click()
      await expect(dialog).toBeVisible()
      await keep(page, 'over', `${list}-${number + 1}`)
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
    }
  }
}

/** `npm run pictures`: the back office's records in each state, its settings and reports, and what opens over a page. */
import { expect, type Page } from '@playwright/test'
import { settingSections } from '#contract/setting-sections.ts'
import { expectWhole } from '../e2e/decisions.ts'
import { firstRecordOf } from '../e2e/screens.ts'
import { staffAt } from '../e2e/staff.ts'
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
/** What each role opens on a working day; the buttons and the order of the parts differ by role. */
const pagesByRole = ['/overview', '/inbox', '/reports', '/clients', '/documents', '/withdrawals', '/payout-batches']
/** Records that are still to be decided. */
const toDecide = ['/account-requests', '/leverage', '/transfers', '/profile-changes', '/enquiries']

inEveryLook('office states', async (look) => {
  const { browser, context, viewport, take } = look
  const { page } = await staffAt(browser, 'administrator', 'Looking Clerk', '/healthz', context)
  await page.setViewportSize(viewport)
  for (const list of listsWithStates) await takeStates(page, list, take)
  for (const list of listsWithDrawers) {
    await page.goto(`/office${list}`)
    await expectWhole(page)
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
    const { page } = await staffAt(browser, role, 'Looking Clerk', '/healthz', context)
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
  await expectWhole(page)
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
  await expectWhole(page)
  await page.keyboard.press('Control+k')
  await keep(page, 'over', '-search')
  await page.getByRole('combobox').last().fill('clara')
  await expect(page.getByRole('option', { name: /Clara/ }).first()).toBeVisible()
  await keep(page, 'over', '-search-found')
  await page.getByRole('combobox').last().fill('lindqx')
  await expect(page.getByRole('option')).toHaveCount(0)
  await keep(page, 'over', '-search-none')
  await page.keyboard.press('Escape')
  await page.goto('/office/clients')
  await expectWhole(page)
  await page.locator('.queue-tools button:has(.tabler-icon-calendar)').click()
  await expect(dialog).toBeVisible()
  await keep(page, 'over', '-days')
  await page.goto('/office/overview')
  await expectWhole(page)
  await page.keyboard.press('?')
  await keep(page, 'over', '-shortcuts')
  for (const list of toDecide) {
    await page.goto(`/office${list}`)
    await expectWhole(page)
    const record = await firstRecordOf(page, `/office${list}`)
    if (record === null) continue
    await page.goto(record)
    await expectWhole(page)
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

/** States that the demo data does not reach: each page gets its own response. */
inEveryLook('office rare', async ({ browser, context, viewport, take, keep }) => {
  const { page } = await staffAt(browser, 'administrator', 'Looking Clerk', '/healthz', context)
  await page.setViewportSize(viewport)
  await page.goto('/office/payout-batches?state=all')
  await expectWhole(page)
  const batch = (await firstRecordOf(page, '/office/payout-batches')) ?? ''
  for (const [state, payment] of [
    ['created', 'approved'],
    ['partly_returned', 'returned'],
    ['closed', 'paid'],
    ['void', 'approved'],
  ]) {
    await page.route('**/api/backoffice/payout-batches/*', async (route) => {
      const response = await route.fetch()
      const json = await response.json()
      const payments = json.batch.payments.map((one: object) => ({ ...one, state: payment }))
      await route.fulfill({ response, json: { ...json, batch: { ...json.batch, state, payments } } })
    })
    await take(page, 'rare', batch, `-batch-${state}`)
    await page.unroute('**/api/backoffice/payout-batches/*')
  }
  await tellRecovery(page)
  await take(page, 'rare', '/office/recovery', '-recovery')
  await page.unrouteAll()
  const dialog = page.getByRole('dialog').last()
  await page.goto('/office/reports')
  await expectWhole(page)
  await page.locator('.page-header button').first().click()
  await expect(dialog).toBeVisible()
  await keep(page, 'rare', '-schedule')
  await dialog.getByRole('button').last().click()
  await expect(dialog).toBeHidden()
  await keep(page, 'rare', '-scheduled')
})

/** Shows this page alone an open recovery, with findings, a bank account and an account without a record. */
async function tellRecovery(page: Page): Promise<void> {
  const at = 1_795_000_000
  const id = '6f1f2a54-6f0e-4b43-9c5e-0d2b5a1c7e10'
  const account = { platform: 'MT5', accountNumber: '500123', group: 'real-std-EUR', source: 'deal', openedAt: null }
  const bankAccount = { account: 'DE91100000000123456789', currency: 'EUR', neededTo: '2026-11-20', complete: false }
  const covered = { coveredFrom: '2026-11-18', coveredTo: '2026-11-19', typed: null }
  const opened = { sign: 'restored', openedAt: at, accountsOpenAt: null, payoutsOpenAt: null, lastRunAt: at }
  const confirmed = { accessCompliance: null, accessAdministrator: null, bankFirst: null, bankSecond: null }
  const unknownAccounts = [{ ...account, foundAt: at, disabledAt: at, item: { id, state: 'open', action: null } }]
  const bankAccounts = [{ ...bankAccount, ...covered }]
  const counts = { openItems: 2, unconfirmed: 3 }
  const recovery = { id, since: at, ...opened, ...counts, bankAccounts, unknownAccounts, ...confirmed }
  await page.route('**/api/backoffice/recovery', (route) => route.fulfill({ json: { success: true, recovery } }))
  const finding = { id, version: 1, foundAt: at, state: 'open', platform: 'MT5', accountNumber: '500123', comment: '' }
  const deal = { amount: '250.00', currency: 'EUR', dealAt: at, reference: '', leg: '', record: null, client: null }
  const rows = [
    { ...finding, ...deal, kind: 'account-found', ticket: 'account', subject: 'account' },
    { ...finding, ...deal, kind: 'decision-lost', ticket: '136640', subject: 'withdrawal', leg: 'withdrawal-debit' },
  ]
  await page.route('**/api/backoffice/recovery/items?*', (route) =>
    route.fulfill({ json: { success: true, rows, next: null } }),
  )
}

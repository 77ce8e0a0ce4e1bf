/** Reports of the back office with the keyboard, by role (requirements 24.1 to 24.4, 24.10, 24.16). */
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { requestAnAccount } from '#contract/accounts.ts'
import { approveAccount, rejectAccount } from '#contract/office/account-requests.ts'
import { approvalsReport, fundingReport, listReports, overridesMax, overridesReport } from '#contract/office/reports.ts'
import { dayIn, daysAfter, isoDay } from '#rules/dates.ts'
import { allAcknowledged } from '../acknowledged.ts'
import { call, makeClient, makeStaff, staffTokenFor, type MadeStaff, type TestServer } from '../factories.ts'
import { insertOverrides, monthOfOverrides } from '../overrides.ts'
import { expectAccessible } from './accessible.ts'
import { expect } from './expect.ts'
import { profileOf, test } from './fixtures.ts'
import { press, tabTo, tick, type } from './keyboard.ts'
import { officeTab, withOwnProduct } from './own-product.ts'
import { runningProduct } from './running.ts'
import { signIn, openPageAsStaff } from './staff.ts'

const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Reports' }).getByRole('link', { name, exact: true })
const day = (daysAgo: number, now = new Date()) => isoDay(daysAfter(dayIn(now, 'Europe/London'), -daysAgo))
const loaded = (page: Page) => expect(page.locator('[aria-busy="true"], .skeleton')).toHaveCount(0)

/** Returns the rows of a weekly table except the current week, in which other journeys deposit. */
const weeksBefore = (text: string) =>
  text
    .split('\n')
    .filter((line) => /^\d/.test(line))
    .slice(1)

test('finance sees deposits and withdrawals as chart and table by week, and the URL opens the same report', async ({
  browser,
}) => {
  const { page } = await openPageAsStaff(browser, 'finance', 'Mira Okonjo', '/office/reports')
  await expect(page.getByRole('img', { name: /Deposits and withdrawals in EUR by day/ })).toBeVisible()
  await expect(page).toHaveURL(/from=\d{4}-\d{2}-\d{2}&to=\d{4}-\d{2}-\d{2}/)
  await loaded(page)
  await expectAccessible(page)
  await page.getByRole('combobox', { name: 'Figures' }).selectOption('week')
  await expect(page.getByRole('img', { name: /in EUR by week/ })).toBeVisible()
  // The table is one key press away and stored in the URL.
  await press(page, page.getByRole('button', { name: 'Show as table' }))
  const table = page.getByRole('table', { name: /in EUR by week/ })
  await expect(table).toBeVisible()
  await expect(page).toHaveURL(/by=week&show=table/)
  await loaded(page)
  await expectAccessible(page)
  const figures = weeksBefore(await table.innerText())
  await press(page, page.getByRole('button', { name: 'Show as chart' }))
  await tabTo(page, page.getByRole('img', { name: /in EUR by week/ }))
  const readout = page.locator('.chart-readout').first()
  const shown = await readout.innerText()
  await page.keyboard.press('Home')
  await expect(readout).not.toHaveText(shown)
  await expect(readout).toContainText(/: in .+, out .+, net/)
  await page.keyboard.press('Escape')
  await press(page, page.getByRole('button', { name: 'Show as table' }))
  await expect(page).toHaveURL(/by=week&show=table/)
  const { page: other } = await openPageAsStaff(
    browser,
    'auditor',
    'Otto Rhys',
    page.url().replace(/^https?:\/\/[^/]+/, ''),
  )
  await expect(other.getByRole('table', { name: /in EUR by week/ })).toHaveText(/./)
  await loaded(other)
  expect(weeksBefore(await other.getByRole('table', { name: /in EUR by week/ }).innerText())).toEqual(figures)
  await expectAccessible(other)
  const download = page.waitForEvent('download')
  await press(page, page.getByRole('button', { name: 'CSV' }))
  const file = await download
  expect(file.suggestedFilename()).toBe('funding.csv')
  expect(await readFile(await file.path(), 'utf8')).toContain('day,currency,method,deposits,deposited')
  // The linked list has the same number of rows, for days on which other journeys change nothing.
  await page.goto(`/office/reports?report=funding&from=${day(40)}&to=${day(2)}`)
  const link = page.getByRole('link', { name: 'Deposits', exact: true }).and(page.locator('.figures-sum a')).first()
  const counted = Number((await link.locator('..').innerText()).replace(/\D/g, ''))
  expect(counted).toBeGreaterThan(0)
  await press(page, link)
  await expect(page.getByRole('combobox', { name: 'Filter days by' })).toHaveValue('credited')
  await expect(page.getByRole('table', { name: 'Deposits' }).locator('tbody').getByRole('row')).toHaveCount(counted)
  await loaded(page)
  await expectAccessible(page)
})

test('each sum of deposits and withdrawals is shown with that of the previous period', async ({ browser }) => {
  const { page } = await openPageAsStaff(browser, 'finance', 'Johanna Meier')
  // Returns the count and the amount of each sum, for days on which other journeys change nothing.
  const sums = async (from: number, to: number, which: string) => {
    await page.goto(`/office/reports?report=funding&from=${day(from)}&to=${day(to)}`)
    const sum = page.locator('.figures-sum').first()
    await expect(sum).toBeVisible()
    const terms = await sum.locator(which).allInnerTexts()
    const amounts = await sum.locator(`${which} + dd`).allInnerTexts()
    return terms.map((term, place) => [/\d+$/.exec(term)?.[0], amounts[place]])
  }
  const earlier = await sums(39, 21, 'dt:has(a):not(.figures-total)')
  expect(earlier.length).toBeGreaterThan(1)
  expect(earlier[0]?.[1]).not.toBe('0.00')
  const shown = await sums(20, 2, 'dt.figures-before')
  // The last one is the previous net amount, which has no count.
  expect(shown.slice(0, -1).filter(([count]) => count !== '0')).toEqual(earlier.filter(([count]) => count !== '0'))
})

test('turnaround, conversion and overrides have a tab each; a period without payments shows an empty state', async ({
  browser,
}) => {
  const { page } = await openPageAsStaff(browser, 'auditor', 'Otto Rhys', '/office/reports')
  for (const [name, report] of [
    ['Turnaround', 'decision-times'],
    ['Conversion', 'conversion'],
    ['Overrides', 'overrides'],
  ] as const) {
    await press(page, tab(page, name))
    await expect(page).toHaveURL(new RegExp(`report=${report}&from=`))
    await expect(page.getByRole('table', { name })).toBeVisible()
    await loaded(page)
    await expectAccessible(page)
  }
  await page.goto('/office/reports?report=funding&from=2001-01-01&to=2001-01-31')
  await expect(page.getByRole('heading', { name: 'No payments in this period' })).toBeVisible()
})

test('with more overrides than the page lists, it shows their total, and the CSV file contains all of them', async ({
  browser,
}) => {
  const { from, to } = monthOfOverrides
  const { id, page } = await openPageAsStaff(browser, 'finance', 'Mira Okonjo')
  const all = overridesMax + 1
  await insertOverrides((await runningProduct()).dependencies.pool, { id }, all)
  await page.goto(`/office/reports?report=overrides&from=${from}&to=${to}`)
  await expect(
    page.getByText('The newest 5,000 of 5,001 overrides. The CSV file contains all of them.', { exact: true }),
  ).toBeVisible()
  const rows = page.getByRole('table', { name: 'Overrides' }).locator('tbody tr')
  await expect(rows).toHaveCount(overridesMax)
  await expect(rows.first()).toContainText(`Reason ${all}`)
  await expect(rows.last()).toContainText(/Reason 2(?!\d)/)
  await expect(page.getByRole('img', { name: /: 5001, previous period 0$/ })).toBeVisible()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV' }).click()
  const lines = (await readFile(await (await download).path(), 'utf8')).trimEnd().split('\n')
  expect(lines).toHaveLength(1 + all)
  for (const [line, number] of [
    [lines[1], all],
    [lines.at(-1), 1],
  ] as const)
    expect(line).toContain(`,Reason ${number},`)
})

test('decisions by person have no tab while the settings hide them, not even for an administrator', async ({
  browser,
}) => {
  const { page } = await openPageAsStaff(browser, 'administrator', 'Ada Quill', '/office/reports')
  const listed = page.waitForResponse((response) => new URL(response.url()).pathname === listReports.path)
  await page.reload()
  await listed
  await expect(tab(page, 'Turnaround')).toBeVisible()
  await expect(tab(page, 'Decisions by person')).toHaveCount(0)
  await loaded(page)
  await expectAccessible(page)
})

/** Decides account requests of new clients: this many approvals and rejections, on the server's current day. */
async function decideAccounts(
  server: TestServer,
  staff: MadeStaff,
  [approved, rejected]: readonly [number, number],
): Promise<void> {
  // A session of an earlier day has ended.
  const as = { ...staff, ...(await staffTokenFor(server, staff)) }
  const asked = { requestType: 'live', platform: 'MT5', accType: 'Standard', baseCurrency: 'EUR', leverage: 30 }
  for (let made = 0; made < approved + rejected; made += 1) {
    const client = await makeClient(server)
    const { id } = (await call(server, requestAnAccount, { as: client, body: asked })).answer
    const decided = await (made < approved
      ? call(server, approveAccount, { as, params: { id }, body: { version: 1, ...allAcknowledged } })
      : call(server, rejectAccount, { as, params: { id }, body: { version: 1, reason: 'A second account in EUR.' } }))
    expect(decided.status, decided.bytes.toString()).toBe(200)
  }
}

test('decisions by person, once enabled, show each person’s numbers beside the previous period, also by URL and as CSV', async ({
  browser,
}) => {
  await withOwnProduct(browser, 'MT5', async (product) => {
    const { server } = product
    const now = server.clock.now()
    const nils = await makeStaff(server, ['operations'], { name: 'Nils Aho' })
    const paula = await makeStaff(server, ['operations'], { name: 'Paula Reyes' })
    for (const { daysAgo, ofNils, ofPaula } of [
      // Before both periods.
      { daysAgo: 20, ofNils: [1, 1], ofPaula: [1, 0] },
      { daysAgo: 9, ofNils: [2, 0], ofPaula: [0, 1] },
      { daysAgo: 2, ofNils: [1, 2], ofPaula: [2, 0] },
    ] as const) {
      server.clock.set(new Date(now.getTime() - daysAgo * 86_400_000))
      await decideAccounts(server, nils, ofNils)
      await decideAccounts(server, paula, ofPaula)
    }
    server.clock.set(now)

    const page = await officeTab(product, 'administrator')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto('/office/settings/decisionsByPerson')
    await tick(page, page.getByRole('checkbox', { name: 'Show decisions by person in reports' }))
    await press(page, page.getByRole('button', { name: 'Review and save…' }))
    const dialog = page.getByRole('dialog')
    await type(page, dialog.getByLabel('Reason'), 'Agreed with the works council.')
    await press(page, dialog.getByRole('button', { name: 'Save' }))
    await expect(page.getByText('Changes saved: Decisions by person.')).toBeVisible()

    const [from, to] = [day(6, now), day(0, now)]
    await page.goto(`/office/reports?report=overrides&from=${from}&to=${to}`)
    await press(page, tab(page, 'Decisions by person'))
    const expectFigures = async () => {
      const rows = page.getByRole('table', { name: 'Decisions by person' }).locator('tbody').getByRole('row')
      await expect(rows).toHaveCount(2)
      await expect(rows.nth(0).getByRole('cell')).toHaveText([
        'Nils Aho',
        'Account request',
        'Approved 1',
        'Rejected 2 · Other 0',
        '0',
        '2',
        '0',
        '0',
      ])
      await expect(rows.nth(1).getByRole('cell')).toHaveText([
        'Paula Reyes',
        'Account request',
        'Approved 2',
        'Rejected 0 · Other 0',
        '0',
        '0',
        '1',
        '0',
      ])
      const bars = 'Approved: 3, previous period 2; Rejected: 2, previous period 1; Other: 0, previous period 0'
      await expect(page.getByRole('img', { name: bars })).toBeVisible()
      await expect(page.getByText(/^Previous period: \d+ .+ to \d+ /)).toBeVisible()
      await loaded(page)
      await expectAccessible(page)
    }
    await expectFigures()
    await expect(page).toHaveURL(new RegExp(`report=approvals&from=${from}&to=${to}`))
    await page.reload()
    await expectFigures()
    const download = page.waitForEvent('download')
    await press(page, page.getByRole('button', { name: 'CSV' }))
    const file = await download
    expect(file.suggestedFilename()).toBe('approvals.csv')
    expect((await readFile(await file.path(), 'utf8')).trimEnd().split('\n')).toEqual([
      '\uFEFFperson,kind,kind_text,approved,rejected,other,approved_before,rejected_before,other_before',
      'Nils Aho,account,Account request,1,2,0,2,0,0',
      'Paula Reyes,account,Account request,2,0,0,0,1,0',
    ])
  })
})

test('comparisons that a server of the previous version does not send are shown as unknown, not as zero', async ({
  browser,
}) => {
  const { page } = await openPageAsStaff(browser, 'administrator', 'Ada Quill')
  const staff = { id: 'a', name: 'Nils Aho' }
  const tabs = ['overrides', 'approvals']
  await page.route(`**${listReports.path}`, (route) => route.fulfill({ json: { success: true, reports: tabs } }))
  const decided = { staff, kind: 'withdrawal', approved: 3, rejected: 1, other: 0 }
  await page.route(`**${approvalsReport.path}?**`, (route) =>
    route.fulfill({ json: { success: true, rows: [decided] } }),
  )
  const override = { at: 1_795_000_000, staff, client: null, kind: 'withdrawal', reference: 'CR1', reason: 'Known.' }
  const overridden = ['r1', 'r2'].map((id) => ({ ...override, id, record: id, check: 'Margin level' }))
  await page.route(`**${overridesReport.path}?**`, (route) =>
    route.fulfill({ json: { success: true, rows: overridden } }),
  )
  await page.goto('/office/reports?report=approvals')
  const row = page.getByRole('table', { name: 'Decisions by person' }).getByRole('row', { name: /Nils Aho/ })
  await expect(row.getByRole('cell')).toHaveText([
    'Nils Aho',
    'Withdrawal',
    'Approved 3',
    'Rejected 1 · Other 0',
    '0',
    '–',
    '–',
    '–',
  ])
  await expect(page.getByRole('img', { name: 'Approved: 3; Rejected: 1; Other: 0' })).toBeVisible()
  await expect(page.getByText('Previous period: not available yet.')).toBeVisible()
  await expectAccessible(page)
  await press(page, tab(page, 'Overrides'))
  await expect(page.getByRole('img', { name: 'Margin level: 2' })).toBeVisible()
  await expect(page.getByText('Previous period: not available yet.')).toBeVisible()
  await expectAccessible(page)
})

test('a report that cannot be loaded can be loaded again', async ({ browser }) => {
  const { page } = await openPageAsStaff(browser, 'finance', 'Mira Okonjo')
  await page.route(`**${fundingReport.path}?**`, (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto('/office/reports')
  const again = page.getByRole('button', { name: /try again/i })
  await expect(again).toBeVisible()
  await page.unroute(`**${fundingReport.path}?**`)
  await press(page, again)
  await expect(page.getByRole('img', { name: /in EUR by day/ })).toBeVisible()
})

test('compliance schedules a report by email, changes the schedule, deletes it and undoes that, using only the keyboard', async ({
  browser,
}) => {
  const week = '/office/reports?report=funding&from=2026-06-01&to=2026-06-07&by=week'
  const { page } = await openPageAsStaff(browser, 'compliance', 'Maren Falk', week)
  const scheduled = page.getByRole('table', { name: 'Scheduled by email' })
  await loaded(page)
  await expect(scheduled).toHaveCount(0)
  await press(page, page.getByRole('button', { name: 'Schedule…' }))
  const dialog = page.getByRole('dialog', { name: 'Schedule by email' })
  await expect(dialog.getByRole('radio', { name: 'Weekly' })).toBeChecked()
  await expect(dialog.getByRole('radio', { name: 'By week' })).toBeChecked()
  await expectAccessible(page)
  await press(page, dialog.getByRole('button', { name: 'Schedule', exact: true }))
  const row = scheduled.getByRole('row', { name: /Deposits and withdrawals/ })
  await expect(row).toContainText('Weekly')
  await expect(row).toContainText('06:00')
  await expectAccessible(page)
  // The same report cannot be scheduled twice at one frequency.
  await press(page, page.getByRole('button', { name: 'Schedule…' }))
  await press(page, dialog.getByRole('button', { name: 'Schedule', exact: true }))
  await expect(dialog.getByText('You already receive this report at this frequency.', { exact: false })).toBeVisible()
  await page.keyboard.press('Escape')
  await press(page, row.getByRole('button', { name: 'Change Deposits and withdrawals, weekly' }))
  const change = page.getByRole('dialog', { name: 'Change schedule' })
  await tabTo(page, change.getByRole('radio', { name: 'Weekly' }))
  await page.keyboard.press('ArrowDown')
  await press(page, change.getByRole('button', { name: 'Change schedule' }))
  await expect(row).toContainText('Monthly')
  await press(page, row.getByRole('button', { name: 'Delete Deposits and withdrawals, monthly' }))
  await expect(scheduled).toHaveCount(0)
  await press(page, page.getByRole('button', { name: 'Undo' }))
  await expect(row).toContainText('Monthly')
  // The same URL as in the email.
  const link = row.getByRole('link', { name: 'Deposits and withdrawals' })
  await expect(link).toHaveAttribute('href', /\/office\/reports\?report=funding&from=\d{4}-\d{2}-01&to=.+&by=week$/)
  await press(page, link)
  // The previous month may have no payments in the demo.
  await expect(page).toHaveURL(/from=\d{4}-\d{2}-01&to=.+&by=week$/)
  await expect(page.getByRole('combobox', { name: 'Figures' })).toHaveValue('week')
})

test('the link in an email opens the report after sign-in', async ({ browser }) => {
  const page = await (await profileOf(browser, 'office')).newPage()
  const query = `report=funding&from=${day(40)}&to=${day(2)}&by=week`
  await page.goto(`/office/reports?${query}`)
  await expect(page).toHaveURL(/\/office\/sign-in/)
  await signIn(page, 'finance', 'Mira Okonjo')
  await expect(page).toHaveURL(`/office/reports?${query}`)
  await expect(page.getByRole('img', { name: /in EUR by week/ })).toBeVisible()
  await loaded(page)
  await expectAccessible(page)
})

test('a person without access who opens the link to a report sees that access is missing', async ({ browser }) => {
  const link = '/office/reports?report=approvals&from=2026-06-01&to=2026-06-07&by=day'
  const { page } = await openPageAsStaff(browser, 'finance', 'Mira Okonjo', link)
  await expect(page.getByRole('heading', { name: 'No access' })).toBeVisible()
  await expect(page.getByText('once it is enabled in the settings')).toBeVisible()
  await expect(page.getByRole('button', { name: /CSV|Schedule/ })).toHaveCount(0)
  await loaded(page)
  await expectAccessible(page)
})

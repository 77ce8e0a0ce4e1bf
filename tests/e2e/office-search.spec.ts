/** The command palette, with the keyboard only (requirements 24.6, 24.8). */
import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { requestWirePayment } from '#contract/deposits.ts'
import { getClientEvents } from '#contract/office/client-tabs.ts'
import { searchRecords } from '#contract/office/search.ts'
import { row } from '#server/db/sql.ts'
import { call, makeClient } from '../factories.ts'
import { wireBody } from '../funded-account.ts'
import { expectAccessible } from './accessible.ts'
import { closeWithEscape } from './decisions.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { press } from './keyboard.ts'
import { createFundedAccount, newClient, createOpenAccount, createWithdrawalRequest } from './pending-requests.ts'
import { runningProduct } from './running.ts'
import { openPageAsStaff } from './staff.ts'

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search and commands' })
const field = (page: Page) => page.getByRole('combobox', { name: /Client, account/ })
const option = (page: Page, name: string | RegExp) => palette(page).getByRole('option', { name })
const chosen = (page: Page) => palette(page).getByRole('option', { selected: true })

async function openPalette(page: Page, key = 'Control+k'): Promise<void> {
  await expect(page.getByRole('button', { name: /^Search:/ })).toBeVisible()
  await page.keyboard.press(key)
  await expect(field(page)).toBeFocused()
}

test('typing a name and Enter opens a client, and the look-up is in the audit log', async ({ browser }) => {
  const surname = `Štěpán${randomUUID().slice(0, 6)}`
  const product = await runningProduct()
  const client = await makeClient(product, { name: 'Marek', surname })
  const { page, token, id } = await openPageAsStaff(browser, 'compliance', 'Ines Albrecht')
  // The shortcut also works from within a field.
  await page.getByRole('main').getByRole('searchbox').focus()
  await openPalette(page)
  await page.keyboard.type(surname.replace('Štěpán', 'stepan'))
  await expect(chosen(page)).toHaveAccessibleName(new RegExp(`Marek ${surname}`))
  await expect(palette(page).getByRole('group', { name: 'Clients' })).toBeVisible()
  await expect(option(page, new RegExp(`Evidence bundle for Marek`))).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: `Marek ${surname}` })).toBeVisible()
  const { rows } = (await call(product, getClientEvents, { as: token, params: { id: client.id } })).answer
  expect(rows.filter(({ verb, actor }) => verb === 'lookUp' && actor.id === id)).toHaveLength(1)
  // The most recently opened record is first until sign-out.
  await openPalette(page)
  await expect(palette(page).getByRole('group', { name: 'Recent' }).getByRole('option')).toHaveAccessibleName(
    new RegExp(surname),
  )
  await page.keyboard.press('Escape')
  await expect(palette(page)).toHaveCount(0)
  await page.getByRole('button', { name: /Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/sign-in/)
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain(surname)
})

test('the look-up of a client opened in a new tab is logged, too', async ({ browser }) => {
  const surname = `Beside${randomUUID().slice(0, 6)}`
  const product = await runningProduct()
  const client = await makeClient(product, { name: 'Marek', surname })
  const { page, token, id } = await openPageAsStaff(browser, 'compliance', 'Ines Albrecht')
  const lookUps = async () => {
    const { rows } = (await call(product, getClientEvents, { as: token, params: { id: client.id } })).answer
    return rows.filter(({ verb, actor }) => verb === 'lookUp' && actor.id === id).length
  }
  const found = option(page, new RegExp(`^Marek ${surname}`))
  const shown = async () => {
    await openPalette(page)
    await page.keyboard.type(surname)
    await expect(found).toBeVisible()
  }
  type Click = NonNullable<Parameters<typeof found.click>[0]>
  const inNewTab: Click[] = [{ button: 'middle' }, { modifiers: ['ControlOrMeta'] }, { modifiers: ['Shift'] }]
  for (const [place, how] of inNewTab.entries()) {
    await shown()
    const newTab = page.context().waitForEvent('page')
    await found.click(how)
    await expect((await newTab).getByRole('heading', { level: 1, name: `Marek ${surname}` })).toBeVisible()
    await (await newTab).close()
    expect(await lookUps()).toBe(place + 1)
  }
  await test.step('it is logged for the URL of the row, which the browser’s menu opens', async () => {
    await shown()
    const address = (await found.getAttribute('href')) ?? ''
    await page.goto(address)
    await expect(page.getByRole('heading', { level: 1, name: `Marek ${surname}` })).toBeVisible()
    expect(await lookUps()).toBe(4)
    await expect(page).toHaveURL(new RegExp(`/office/clients/${client.id}$`))
  })
})

test('a reference opens its record, arrows move the selection, > shows only actions and # only references', async ({
  browser,
}) => {
  const client = await newClient()
  const id = await createWithdrawalRequest(client, await createFundedAccount(client, '400.00'), '20.00')
  const { dependencies } = await runningProduct()
  const kept = await row<{ reference: string }>(dependencies.pool)`select reference from withdrawals where id = ${id}`
  const reference = kept?.reference ?? ''
  const { page } = await openPageAsStaff(browser, 'finance', 'Johanna Meier')
  await openPalette(page, '/')
  await page.keyboard.type(client.name)
  await expect(option(page, new RegExp(reference))).toBeVisible()
  for (const group of ['Clients', 'Accounts', 'References', 'Actions'])
    await expect(palette(page).getByRole('group', { name: group })).toBeVisible()
  await expect(option(page, /Suspend Ida/)).toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('ArrowDown')
  await expect(chosen(page)).toHaveAccessibleName(/MT5/)
  await page.keyboard.press('ArrowUp')
  await expect(chosen(page)).toHaveAccessibleName(new RegExp(`^${client.name}`))
  await field(page).fill(`#${client.name}`)
  await expect(palette(page).getByRole('group')).toHaveCount(1)
  await field(page).fill('>correction')
  await expect(palette(page).getByRole('option')).toHaveCount(1)
  await field(page).fill('zzqq')
  await expect(palette(page).getByRole('status')).toHaveText(/No results for “zzqq”/)
  // Enter before the response opens the first hit of that response.
  await field(page).fill('')
  await page.keyboard.type(reference.toLowerCase())
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/office\/withdrawals\//)
})

test('the reference on a receipt opens its record, which offers the same receipt', async ({ browser }) => {
  const client = await newClient()
  await createFundedAccount(client, '400.00')
  const { dependencies } = await runningProduct()
  const kept = await row<{ reference: string }>(dependencies.pool)`
    select reference from deposits where client_id = ${client.id} and state = 'approved'`
  const reference = kept?.reference ?? ''
  const { page } = await openPageAsStaff(browser, 'finance', 'Johanna Meier')
  await openPalette(page)
  await page.keyboard.type(reference)
  await expect(chosen(page)).toHaveAccessibleName(new RegExp(reference))
  await page.keyboard.press('Enter')
  const save = page.getByRole('button', { name: 'Save receipt' })
  await expect(save).toBeVisible()
  await expectAccessible(page)
  const download = page.waitForEvent('download')
  await press(page, save)
  expect((await download).suggestedFilename()).toBe(`receipt-${reference}.pdf`)
})

test('an action opens its form, and a page is found by its name', async ({ browser }) => {
  const { page } = await openPageAsStaff(browser, 'administrator', 'Ada Quill')
  await openPalette(page)
  await page.keyboard.type('invite cl')
  await expect(chosen(page)).toHaveAccessibleName(/Invite client/)
  await page.keyboard.press('Enter')
  await closeWithEscape(page, page.getByRole('dialog', { name: 'Invite client' }))
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await openPalette(page)
  await page.keyboard.type('create payout')
  await expect(chosen(page)).toHaveAccessibleName(/Create payout batch in EUR/)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Create EUR batch' })).toBeVisible()
  await openPalette(page)
  await page.keyboard.type('dual')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/office\/settings\/thresholds/)
})

test('the rest of a group expands in place, and the selection moves to its first entry', async ({ browser }) => {
  const { page } = await openPageAsStaff(browser, 'administrator', 'Ada Quill')
  await openPalette(page)
  await page.keyboard.type('settings')
  await option(page, /more pages/).click()
  await expect(option(page, /more pages/)).toHaveCount(0)
  const pages = palette(page).getByRole('group', { name: 'Pages' }).getByRole('option')
  await expect(pages.nth(3)).toHaveAttribute('aria-selected', 'true')
  await expect(chosen(page)).toHaveCount(1)
  await field(page).fill('>')
  const actions = palette(page).getByRole('option')
  await expect(actions).toHaveCount(4)
  await option(page, /more actions/).click()
  await expect(option(page, /Invite staff member/)).toBeVisible()
  await expect(option(page, /more actions/)).toHaveCount(0)
})

test('results beyond those shown open the list with the same search, by keyboard and by mouse', async ({ browser }) => {
  const product = await runningProduct()
  const surname = `Vielfach${randomUUID().slice(0, 6)}`
  for (let place = 0; place < 7; place += 1) await makeClient(product, { name: 'Ida', surname })
  const payer = await newClient({ surname: `Zahler${randomUUID().slice(0, 6)}` })
  const account = await createOpenAccount(payer)
  for (let place = 0; place < 6; place += 1)
    await call(product, requestWirePayment, { as: payer, body: wireBody({ login: account.number }, '120.00') })
  const { page } = await openPageAsStaff(browser, 'finance', 'Johanna Meier')
  const rows = page
    .getByRole('main')
    .getByRole('row')
    .filter({ hasNot: page.getByRole('columnheader') })
  await test.step('clients, with the keyboard', async () => {
    await openPalette(page)
    await page.keyboard.type(surname)
    await expect(option(page, '4 more clients')).toBeVisible()
    await expectAccessible(page)
    for (let place = 0; place < 3; place += 1) await page.keyboard.press('ArrowDown')
    await expect(chosen(page)).toHaveAccessibleName('4 more clients')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(`/office/clients\\?q=${surname}`))
    await expect(page.getByRole('main').getByRole('searchbox')).toHaveValue(surname)
    await expect(rows).toHaveCount(7)
  })
  await test.step('deposits, one type among the references, with the mouse', async () => {
    await openPalette(page)
    await page.keyboard.type(payer.name)
    const more = option(page, '3 more deposits')
    await expect(more).toHaveAttribute('href', /\/office\/deposits\?state=all&q=/)
    await more.click()
    await expect(page.getByRole('heading', { level: 1, name: 'Deposits' })).toBeVisible()
    await expect(page.getByRole('main').getByRole('searchbox')).toHaveValue(payer.name)
    await expect(rows).toHaveCount(6)
  })
})

test('while records cannot be searched, pages are still found; records appear once the search works', async ({
  browser,
}) => {
  // A page's name and a client's surname start with the same word.
  const surname = `Deposits${randomUUID().slice(0, 6)}`
  const client = await newClient({ surname })
  const { page } = await openPageAsStaff(browser, 'administrator', 'Ada Quill')
  const failed = palette(page)
    .getByRole('status')
    .filter({ hasText: /^Records cannot be searched at the moment/ })
  const records = (url: URL) => url.pathname === searchRecords.path
  await test.step('after an error of the server the failure is shown and the search can be repeated', async () => {
    await page.route(records, (route) => route.fulfill({ status: 503, json: { success: false, error: 'Busy.' } }))
    await openPalette(page)
    await page.keyboard.type('deposits')
    await expect(failed).toBeVisible()
    await expect(option(page, /^Deposits/)).toBeVisible()
    await expect(palette(page).getByRole('group', { name: 'Clients' })).toHaveCount(0)
    await expectAccessible(page)
    await page.unrouteAll()
    await press(page, failed.getByRole('button', { name: 'Try again' }))
    await expect(option(page, new RegExp(`^${client.name}`))).toBeVisible()
    await expect(failed).toHaveCount(0)
    await expect(field(page)).toBeFocused()
  })
  await test.step('without a network pages can be opened, and the search resumes automatically', async () => {
    await page.route(records, (route) => route.abort('internetdisconnected'))
    await field(page).fill(surname.slice(0, -1))
    await expect(failed).toBeVisible()
    await page.unrouteAll()
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await expect(option(page, new RegExp(`^${client.name}`))).toBeVisible()
    await expect(failed).toHaveCount(0)
    await page.route(records, (route) => route.abort('internetdisconnected'))
    await field(page).fill('deposit')
    await expect(failed).toBeVisible()
    await expect(chosen(page)).toHaveAccessibleName(/^Deposits/)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/office\/deposits/)
  })
})

test('on a phone the palette fills the screen', async ({ browser }) => {
  const { page } = await openPageAsStaff(browser, 'operations', 'Tom Reyes')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: /^Search:/ }).click()
  await expect(field(page)).toBeFocused()
  const box = await palette(page).boundingBox()
  expect(box?.width).toBe(390)
  await field(page).fill('with')
  await expect(option(page, 'Withdrawals')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Close' }).click()
  await expect(palette(page)).toHaveCount(0)
})

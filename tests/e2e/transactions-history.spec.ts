/**
 * The transaction history: lists, filters in the URL, exports, a record's drawer, and the bank transfer details
 * (requirements 2).
 */
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { rejectWithdrawal } from '#contract/office/withdrawals.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { demoPassword, personas } from '#scripts/seed/personas.ts'
import { call, makeStaff } from '../factories.ts'
import { makeApprovedBank } from '../funded-account.ts'
import { expectAccessible } from './accessible.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { openPageAsClient } from './clients.ts'
import { closeWithEscape, expectPageLoaded } from './decisions.ts'
import { chooseOption, press, tabTo } from './keyboard.ts'
import { mailTo } from './mailbox.ts'
import { runningProduct } from './running.ts'
import {
  announceWire,
  createFundedAccount,
  newClient,
  createOpenAccount,
  createTransferRequest,
  importPayment,
  matchPayment,
  createWithdrawalRequest,
} from './pending-requests.ts'
import { openAsClient } from './wizards.ts'

const days = (page: Page, name: string) => page.getByRole('group', { name, exact: true })

/** Types a date beginning in its first field, without moving between the fields. */
async function typeInto(page: Page, day: Locator, digits: string): Promise<void> {
  await tabTo(page, day.getByLabel('Day'))
  await page.keyboard.type(digits)
}

test('three lists are paged, sorted, filtered and exported, and each request shows its steps, using only the keyboard', async ({
  page,
}) => {
  const client = await newClient()
  const account = await createFundedAccount(client, '500.00')
  const other = await createOpenAccount(client)
  for (let amount = 101; amount <= 110; amount += 1) await announceWire(client, other, `${amount}.00`)
  await makeApprovedBank(await runningProduct(), client)
  await createWithdrawalRequest(client, account, '20.00')
  await createTransferRequest(client, account, other, '30.00')
  const rows = page.getByRole('row')
  const amounts = page.getByRole('cell', { name: /\d EUR$/ })

  await test.step('deposits are shown first, newest first, ten per page with the total', async () => {
    await openAsClient(page, client, '/transactions-history')
    await expect(page.getByRole('link', { name: 'DEPOSITS 11', exact: true })).toHaveAttribute('aria-current', 'page')
    await expect(page.getByRole('link', { name: 'WITHDRAWALS 1', exact: true })).toBeVisible()
    await expect(page.getByRole('link', { name: 'INTERNAL TRANSFERS 1', exact: true })).toBeVisible()
    await expect(page.getByRole('columnheader', { name: 'Time' })).toHaveAttribute('aria-sort', 'descending')
    await expect(page.getByRole('cell').first()).toHaveText(/^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d$/)
    await expect(page.getByText('1–10 of 11')).toBeVisible()
    await expect(amounts.first()).toHaveText(/^110\.00/)
    await expectAccessible(page)
    await press(page, page.getByRole('button', { name: 'Older' }))
    await expect(page.getByText('11–11 of 11')).toBeVisible()
    await expect(amounts).toHaveText([/^500\.00/])
    await press(page, page.getByRole('button', { name: 'Newer' }))
    await expect(page.getByText('1–10 of 11')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Newer' })).toBeFocused()
    await press(page, page.getByRole('button', { name: '20', exact: true }))
    await expect(page.getByText('1–11 of 11')).toBeVisible()
    await expect(page.getByRole('button', { name: '20', exact: true })).toBeFocused()
  })

  await test.step('another column sorts in both directions', async () => {
    await press(page, page.getByRole('button', { name: 'Amount' }))
    await page.waitForURL(/sort=depositAmountSent&direction=desc/)
    await expect(amounts.first()).toHaveText(/^500\.00/)
    await expect(page.getByRole('button', { name: 'Amount' })).toBeFocused()
    await page.keyboard.press('Enter')
    await page.waitForURL(/direction=asc/)
    await expect(amounts.first()).toHaveText(/^101\.00/)
  })

  await test.step('account, status and days filter the list and are kept in the URL', async () => {
    await chooseOption(page, page.getByRole('combobox', { name: 'Account' }), account.number)
    await expect(page.getByText('1–1 of 1')).toBeVisible()
    await chooseOption(page, page.getByRole('combobox', { name: 'Status' }), 'pending')
    await expect(page.getByText(/^No deposits on account .* with the status Pending\.$/)).toBeVisible()
    // The tabs count the records of that account in any status, because those are what they open.
    await expect(page.getByRole('link', { name: 'DEPOSITS 1', exact: true })).toBeVisible()
    await expectAccessible(page)
    await page.reload()
    await expect(page.getByRole('combobox', { name: 'Status' })).toHaveValue('pending')
    await press(page, page.getByRole('button', { name: 'Clear filters' }))
    await expect(page.getByText('1–11 of 11')).toBeVisible()
    await expect(page.locator('main:focus, main :focus')).toHaveCount(1)
    await press(page, page.getByRole('button', { name: /^Days/ }))
    await expectAccessible(page)
    // A complete field moves the focus to the next one.
    await typeInto(page, days(page, 'First day'), '31022001')
    await expect(page.getByText('February 2001 has 28 days.')).toBeHidden()
    await typeInto(page, days(page, 'Last day'), '01042001')
    await expect(days(page, 'First day')).toHaveAccessibleDescription('February 2001 has 28 days.')
    await expectAccessible(page)
    await typeInto(page, days(page, 'First day'), '19.6.2001')
    await page.keyboard.press('Enter')
    await expect(days(page, 'Last day')).toHaveAccessibleDescription('The last day is before the first.')
    await typeInto(page, days(page, 'First day'), '01042001')
    await typeInto(page, days(page, 'Last day'), '19062001')
    await page.keyboard.press('Enter')
    await page.waitForURL(/from=2001-04-01&to=2001-06-19/)
    await expect(page.getByText('No deposits between 1 April 2001 and 19 June 2001.')).toBeVisible()
    const opener = page.getByRole('button', { name: /^Days/ })
    await expect(opener).toBeFocused()
    await page.keyboard.press('Enter')
    await typeInto(page, days(page, 'First day'), '1')
    await page.keyboard.press('Escape')
    await press(page, page.getByRole('button', { name: 'Clear filters' }))
    await press(page, opener)
    await expect(days(page, 'First day').getByLabel('Day')).toHaveValue('')
    await expect(page.locator('[role=dialog]:focus-within')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(opener).toBeFocused()
  })

  await test.step('the list is saved as CSV and the statement as PDF', async () => {
    const csv = page.waitForEvent('download')
    await press(page, page.getByRole('button', { name: 'Download this list as CSV' }))
    const lines = (await readFile(await (await csv).path())).toString().trim().split('\n')
    expect(lines[0]).toContain('Date (Europe/London),Reference,Account')
    expect(lines).toHaveLength(12)
    const statement = page.waitForEvent('download')
    await press(page, page.getByRole('button', { name: 'Download statement as PDF' }))
    expect((await readFile(await (await statement).path())).subarray(0, 5).toString()).toBe('%PDF-')
  })

  await test.step('a credited deposit shows each step and offers a receipt', async () => {
    const opener = rows.filter({ hasText: 'Approved' }).getByRole('link')
    await press(page, opener)
    const drawer = page.getByRole('dialog', { name: 'Deposit' })
    for (const step of ['Requested', 'Payment identified', 'Credited to the trading account'])
      await expect(drawer.getByText(step)).toBeVisible()
    await expectAccessible(page)
    const receipt = page.waitForEvent('download')
    await press(page, drawer.getByRole('button', { name: 'Save receipt' }))
    expect((await readFile(await (await receipt).path())).subarray(0, 5).toString()).toBe('%PDF-')
    await closeWithEscape(page, drawer)
    await expect(drawer).toBeHidden()
    await expect(opener).toBeFocused()
  })

  await test.step('a pending bank transfer shows its bank details, which can be saved and emailed, and can be cancelled', async () => {
    await press(page, rows.filter({ hasText: 'Pending' }).first().getByRole('link'))
    const drawer = page.getByRole('dialog', { name: 'Deposit' })
    await expect(drawer.getByRole('button', { name: 'Copy reference' }).first()).toBeVisible()
    await expect(drawer.getByText('Your bank sends the money')).toBeVisible()
    const saved = page.waitForEvent('download')
    await press(page, drawer.getByRole('button', { name: 'Save as PDF' }))
    expect((await readFile(await (await saved).path())).subarray(0, 5).toString()).toBe('%PDF-')
    await press(page, drawer.getByRole('button', { name: 'Send to my email' }))
    await mailTo(client.email, /^Bank details for your transfer/)
    await page.reload()
    await press(page, drawer.getByRole('button', { name: 'Cancel deposit' }))
    await expect(drawer.getByText(/Do not cancel if your bank has already sent it/)).toBeVisible()
    await press(page, drawer.getByRole('button', { name: 'Cancel deposit' }))
    await expect(drawer.getByText('Cancelled by you')).toBeVisible()
    await expect(drawer.locator(':focus')).toHaveCount(1)
    const cancelled = new URL(page.url()).searchParams.get('record')
    await page.keyboard.press('Escape')
    await expect(page.locator('main:focus, main :focus')).toHaveCount(1)
    // The bank details are no longer shown to the client.
    await page.goto(`/deposit-funds/success?deposit=${cancelled ?? ''}`)
    await expect(drawer.getByText('Cancelled by you')).toBeVisible()
    await closeWithEscape(page, drawer)
  })

  await test.step('withdrawals and internal transfers have separate lists, and a withdrawal shows the next step', async () => {
    await press(page, page.getByRole('link', { name: 'WITHDRAWALS 1', exact: true }))
    const row = page.getByRole('row', { name: /20\.00.*Pending/i }).getByRole('link')
    await expect(page.getByRole('link', { name: 'WITHDRAWALS 1', exact: true })).toBeFocused()
    await press(page, row)
    const withdrawal = page.getByRole('dialog', { name: 'Withdrawal' })
    await expect(withdrawal.getByText('We review your request')).toBeVisible()
    await closeWithEscape(page, withdrawal)
    await press(page, page.getByRole('link', { name: 'INTERNAL TRANSFERS 1', exact: true }))
    await expect(page.getByRole('row', { name: /30\.00.*Pending/i })).toBeVisible()
    await expectAccessible(page)
  })
})

test('a bank transfer that has arrived says so and cannot be cancelled; credited, it shows the amount received', async ({
  page,
}) => {
  const client = await newClient()
  const account = await createOpenAccount(client)
  const wire = await announceWire(client, account, '150.00')
  await makeApprovedBank(await runningProduct(), client)
  await openPageAsClient(page, portalPaths.history('deposits', wire.id), client)
  const drawer = page.getByRole('dialog', { name: 'Deposit' })
  await expect(drawer.getByText('Your bank sends the money')).toBeVisible()
  await press(page, drawer.getByRole('button', { name: 'Cancel deposit' }))

  const payment = { amount: '120.00', currency: 'EUR', payer: client.name, reference: wire.reference } as const
  const line = await importPayment(wire, payment)
  await press(page, drawer.getByRole('button', { name: 'Cancel deposit' }))
  await expect(drawer.getByText('We check the payment')).toBeVisible()
  await expect(drawer.getByText('Payment received')).toBeVisible()
  await expect(drawer.getByText('Bank details for your payment')).toHaveCount(0)
  await expect(drawer.getByRole('button', { name: 'Cancel deposit' })).toHaveCount(0)
  await expectAccessible(page)

  await matchPayment(line, wire)
  await page.reload()
  await expect(drawer.getByText('Credited to the trading account')).toBeVisible()
  await expect(drawer.getByRole('img', { name: '120.00 EUR' }).first()).toBeVisible()
  await closeWithEscape(page, drawer)
  const row = page.getByRole('row', { name: /150\.00/ })
  await expect(row).toContainText(/Received: 120\.00/)
  await expectAccessible(page)
})

test('the reason of a rejected withdrawal is shown once, at the step that it explains', async ({ page }) => {
  const client = await newClient()
  const id = await createWithdrawalRequest(client, await createFundedAccount(client, '500.00'), '20.00')
  const product = await runningProduct()
  const as = await makeStaff(product, ['operations'])
  const reason = 'The bank account is not in your name.'
  const rejected = await call(product, rejectWithdrawal, { as, params: { id }, body: { version: 1, reason } })
  expect(rejected.status).toBe(200)
  await openAsClient(page, client, `/transactions-history?list=withdrawals&record=${id}`)
  const drawer = page.getByRole('dialog', { name: 'Withdrawal' })
  const steps = drawer.getByRole('listitem')
  await expect(steps.filter({ hasText: 'Rejected' })).toContainText(reason)
  await expect(steps.filter({ hasText: 'Rejected' })).toContainText('The amount is available on your account again.')
  await expect(drawer.getByText(reason)).toHaveCount(1)
})

test('a withdrawal that the bank returned shows where the money is and what to do', async ({ page }) => {
  const client = await newClient()
  const id = await createWithdrawalRequest(client, await createFundedAccount(client, '500.00'), '20.00')
  await page.route(`**/getTransferTimeline/withdrawals/${id}`, async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as { withdrawal: object; timeline: { at: string }[] }
    const comment = 'The account is closed.'
    const step = {
      verb: 'return',
      state: 'returned',
      at: answer.timeline[0]?.at,
      text: `Returned by the bank: ${comment}`,
    }
    const withdrawal = { ...answer.withdrawal, status: 'returned', comment }
    await route.fulfill({ response, json: { ...answer, withdrawal, timeline: [...answer.timeline, step] } })
  })
  await openAsClient(page, client, `/transactions-history?list=withdrawals&record=${id}`)
  const step = page.getByRole('dialog', { name: 'Withdrawal' }).getByRole('listitem').filter({ hasText: 'Returned by' })
  await expect(step).toContainText('The account is closed. Your bank sent the money back to us.')
  await expect(step).toContainText('Check your bank details before you request another withdrawal.')
  await expect(step).toContainText('We credit it to your trading account.')
})

test('a request opened by a link shows the headings of its sections while it is loading', async ({ page }) => {
  const client = await newClient()
  const { id } = await announceWire(client, await createOpenAccount(client), '120.00')
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  // Delays both its row in the list and its timeline.
  await page.route(/getTransfer(History|Timeline)/, async (route) => {
    await held
    await route.continue()
  })
  await openAsClient(page, client, portalPaths.history('deposits', id))
  const drawer = page.getByRole('dialog', { name: 'Deposit' })
  for (const name of ['History', 'Details']) await expect(drawer.getByRole('heading', { name })).toBeVisible()
  await expect(drawer.locator('[aria-busy=true]')).toHaveCount(2)
  release()
  await expect(drawer.locator('[aria-busy=true]')).toHaveCount(0)
})

test('every status is fully visible from 640 to 1024 px, which includes a usual window at 200 %, in English and German', async ({
  page,
}) => {
  await openPageAsClient(page, '/profile', personas.clara, demoPassword)
  const cut = () =>
    page.evaluate(() => {
      const isCut = (status: Element) => {
        const frame = status.closest('.table-frame')?.getBoundingClientRect()
        const { left, right } = status.getBoundingClientRect()
        return !frame || left < frame.left || right > frame.right || status.scrollWidth > status.clientWidth + 1
      }
      return [...document.querySelectorAll('.table .status')].filter(isCut).map(({ textContent }) => textContent)
    })
  for (const language of ['en', 'de'])
    for (const list of ['deposits', 'withdrawals'])
      for (const width of [1024, 840, 768, 720, 640]) {
        await page.setViewportSize({ width, height: 900 })
        await page.evaluate((chosen) => localStorage.setItem('language', chosen), language)
        await page.goto(`/transactions-history?list=${list}`)
        await expect(page.locator('.table .status').first()).toBeVisible()
        await expectPageLoaded(page)
        // Texts have their final width only once their font is loaded.
        await page.evaluate(() => document.fonts.ready)
        expect([language, list, width, await cut()]).toEqual([language, list, width, []])
      }
})

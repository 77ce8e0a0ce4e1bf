/**
 * The ledger: corrections under dual approval, discrepancies between ledger and platform, failed operations, reports.
 */
import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { getLiveAccounts } from '#contract/accounts.ts'
import { importStatement } from '#contract/office/bank-lines.ts'
import { getFirmMoney } from '#contract/office/firm-money.ts'
import { groupByFour } from '#rules/digit-groups.ts'
import { money } from '#rules/money.ts'
import { requireRow, row, run, sql, transaction } from '#server/db/sql.ts'
import { openWorkItem } from '#server/db/work-items.ts'
import { adjustSnapshot } from '#server/ledger/account-snapshot.ts'
import { raiseDifference } from '#server/ledger/differences.ts'
import { call } from '../factories.ts'
import { makeUnreadableDeal } from '../unreadable-accounts.ts'
import { expectAccessible } from './accessible.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import {
  eventually,
  expectFocusIn,
  expectFocusKept,
  expectPageLoaded,
  openRecord,
  pressOnPage,
  takeDecision,
} from './decisions.ts'
import { press, type } from './keyboard.ts'
import { officeTab, withOwnProduct } from './own-product.ts'
import { runningProduct } from './running.ts'
import { openPageAsStaff } from './staff.ts'
import {
  confirmImportedPayments,
  createFundedAccount,
  newClient,
  createOpenAccount,
  importCardSettlement,
  type LiveAccount,
} from './pending-requests.ts'

test('a correction is requested by one person and posted after the approval of another', async ({ browser }) => {
  const product = await runningProduct()
  const client = await newClient()
  const account = await createFundedAccount(client, '300.00')
  const asking = await openPageAsStaff(browser, 'finance', 'Mira Okonjo', '/office/corrections')
  const { page } = asking
  const ask = async (amount: string, why: string) => {
    const opener = page.getByRole('button', { name: 'Request correction…' })
    await pressOnPage(page, opener)
    const dialog = page.getByRole('dialog')
    await type(page, dialog.getByLabel('Account number'), account.number)
    await expect(dialog.getByText(client.name)).toBeVisible()
    await type(page, dialog.getByLabel('Amount'), amount)
    await type(page, dialog.getByLabel('Reason'), why)
    await press(page, dialog.getByRole('button', { name: 'Request' }))
    await expect(dialog).toHaveCount(0)
    await expect(opener).toBeFocused()
  }
  const open = async (on: typeof page, amount: RegExp) => {
    await openRecord(on, '/corrections')
    const link = on.getByRole('row', { name: amount }).filter({ hasText: client.name }).getByRole('link').first()
    await pressOnPage(on, link)
    await expectFocusIn(on.getByRole('dialog'))
    return link
  }
  await ask('-25.00', 'A fee that was not booked.')
  const row = await open(page, /−25\.00/)
  await expect(page.getByText('You made this request. Another person must decide.')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(row).toBeFocused()
  await ask('7.00', 'Goodwill.')

  const second = await openPageAsStaff(browser, 'finance', 'Johan Weber', '/office/corrections')
  await open(second.page, /−25\.00/)
  await takeDecision(second.page, 'Approve…', { accessible: true })
  await eventually(async () => {
    const { answer } = await call(product, getLiveAccounts, { as: client, params: { a: 'EUR', b: 'approved' } })
    expect(answer.accounts[0]?.balance).toBe(27_500n)
  })
  await open(second.page, /7\.00/)
  await takeDecision(second.page, 'Reject…', { words: 'No one agreed to it.' })
  await expect(second.page.getByText('The correction has been rejected.')).toBeVisible()
})

test('the correction of a returned payment is prefilled with account, amount and deposit', async ({ browser }) => {
  const { dependencies } = await runningProduct()
  const client = await newClient()
  const account = await createFundedAccount(client, '80.00')
  const deposit = await requireRow<{ id: string; reference: string }>(dependencies.pool)`
    select id, reference from deposits where client_id = ${client.id}`
  const auditContext = { identity: { kind: 'clock' }, now: new Date() } as const
  await transaction(dependencies.pool, (tx) =>
    raiseDifference(tx, auditContext, {
      kind: 'refunded',
      fingerprint: `refunded:${deposit.id}`,
      subject: 'deposit',
      record: deposit.id,
      oursMinor: 8_000n,
      theirsMinor: 2_000n,
      currency: 'EUR',
      facts: { amount: '80.00', currency: 'EUR', account: account.number, reference: deposit.reference },
    }),
  )
  const { page } = await openPageAsStaff(
    browser,
    'finance',
    'Mira Okonjo',
    `/office/reconciliation?q=${deposit.reference}`,
  )
  await page.getByRole('row').filter({ hasText: '−60.00' }).getByRole('link').first().click()
  await page.getByRole('dialog').getByRole('link', { name: 'Request correction…' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Account number')).toHaveValue(account.number)
  await expect(dialog.getByLabel('Amount')).toHaveValue('−60.00')
  await expect(dialog.getByRole('combobox', { name: 'Returned deposit' })).toHaveValue(deposit.reference)
  await expectAccessible(page)
  await type(page, dialog.getByLabel('Amount'), '-80.01')
  await type(page, dialog.getByLabel('Reason'), 'Returned by the provider.')
  await press(page, dialog.getByRole('button', { name: 'Request' }))
  await expect(dialog.getByText('Only 80.00 EUR of this deposit can still be returned.')).toBeVisible()
  await type(page, dialog.getByLabel('Amount'), '-60')
  await press(page, dialog.getByRole('button', { name: 'Request' }))
  await expect(dialog).toHaveCount(0)
  await page.getByRole('row').filter({ hasText: client.name }).getByRole('link').first().click()
  await expect(page.getByRole('dialog').getByRole('link', { name: deposit.reference })).toBeVisible()
})

test('a firm money transfer is proposed by one person, confirmed by another, and posted from the bank statement that shows it', async ({
  browser,
}) => {
  const asks = await openPageAsStaff(browser, 'finance', 'Karla Sommer', '/office/client-money')
  const decides = await openPageAsStaff(browser, 'finance', 'Nina Aziz', '/office/client-money')
  const why = `Shortfall ${randomUUID().slice(0, 8)}`
  await pressOnPage(asks.page, asks.page.getByRole('button', { name: 'Propose firm money transfer…' }))
  const dialog = asks.page.getByRole('dialog')
  await type(asks.page, dialog.getByLabel('Amount'), '240.00')
  await type(asks.page, dialog.getByLabel('Reason'), why)
  await expectAccessible(asks.page)
  await press(asks.page, dialog.getByRole('button', { name: 'Propose' }))
  await expect(asks.page.getByText('You made this request. Another person must decide.')).toBeVisible()
  await expectAccessible(asks.page)
  const id = new URL(asks.page.url()).pathname.split('/').at(-1) ?? ''

  await decides.page.goto(`/office/client-money/${id}`)
  await expect(decides.page.getByText(why).first()).toBeVisible()
  await expectFocusIn(decides.page.getByRole('dialog'))
  await takeDecision(decides.page, 'Confirm…')
  await expect(decides.page.getByText(/^Payment into/)).toBeVisible()
  await expectAccessible(decides.page)

  const product = await runningProduct()
  const found = await row<{ reference: string }>(
    product.dependencies.pool,
    sql`select reference from firm_money_moves where id = ${id}`,
  )
  const { bankAccount } = (await call(product, getFirmMoney, { as: decides.token, params: { id } })).answer.move
  const csv = `Date;Amount;Payer;Reference\n2026-01-02;240.00;The firm;${found?.reference}\n`
  const body = { bankAccount, filename: 'own.csv', csv }
  expect((await call(product, importStatement, { as: decides.token, body })).status).toBe(201)
  await confirmImportedPayments(found?.reference ?? '')
  await decides.page.goto('/office/client-money')
  const booked = decides.page.getByRole('row', { name: why })
  await expect(booked.getByText('Approved')).toBeVisible()
  await expectAccessible(decides.page)
})

test('a payout of the card provider is proposed as a card settlement with its charges and confirmed by another person', async ({
  browser,
}) => {
  const address = `/imports?line=${await importCardSettlement()}`
  const asks = await openPageAsStaff(browser, 'finance', 'Karla Sommer', `/office${address}`)
  await expect(asks.page.getByText('Money from the card provider is client money.')).toBeVisible()
  const fields = { Charges: '2.50' }
  await takeDecision(asks.page, 'Propose as card settlement…', { fields, words: 'Report of today', accessible: true })
  await expect(asks.page.getByText('Proposed by Karla Sommer.')).toBeVisible()
  await expect(asks.page.getByText('You made this request. Another person must decide.')).toBeVisible()
  await expectAccessible(asks.page)

  const decides = await openPageAsStaff(browser, 'finance', 'Nina Aziz', `/office${address}`)
  await expect(decides.page.getByText(/80\.00\sUSD/).first()).toBeVisible()
  await takeDecision(decides.page, 'Confirm settlement…', { accessible: true })
  await openRecord(decides.page, address)
  await expect(decides.page.getByText('Card settlement', { exact: true }).first()).toBeVisible()
  await expect(decides.page.getByText(/confirmed as card settlement/)).toBeVisible()
  await expect(decides.page.getByRole('button', { name: /Propose as/ })).toHaveCount(0)
})

test('a failed email shows its cause, and is tried again with a reason; its drawer can be loaded again', async ({
  browser,
}) => {
  const client = await newClient()
  await createFundedAccount(client, '300.00')
  await insertRejectedMail(client)
  const { page } = await openPageAsStaff(browser, 'operations', 'Anton Reis', '/office/failed-jobs')
  await page.route('**/failed-jobs/*/*', (route) => route.abort())
  await page
    .getByRole('row', { name: new RegExp(client.name) })
    .getByRole('link')
    .first()
    .click()
  const drawer = page.getByRole('dialog')
  const failure = drawer.getByRole('alert')
  await expect(failure).toBeVisible()
  await page.unroute('**/failed-jobs/*/*')
  await press(page, failure.getByRole('button', { name: 'Try again' }))
  await expect(drawer.getByText('550 no such mailbox').first()).toBeVisible()
  await press(page, drawer.getByRole('button', { name: 'Try again' }))
  await expect(drawer.getByText('Enter a reason.')).toBeVisible()
  await expectAccessible(page)
  await expect(drawer.getByLabel('Reason')).toBeFocused()
  await type(page, drawer.getByLabel('Reason'), 'The mailbox is open again.')
  await page.keyboard.press('Enter')
  await expect(drawer).toHaveCount(0)
  await expectFocusKept(page)
  await eventually(async () => {
    await openRecord(page, '/failed-jobs')
    await expectPageLoaded(page)
    expect(await page.getByRole('row', { name: new RegExp(client.name) }).count()).toBe(0)
  })
})

test('the failed operation of an account with an unreadable deal names the deal and links to the account’s page', async ({
  browser,
}) => {
  await withOwnProduct(browser, 'MT5', async (product) => {
    const number = await makeUnreadableDeal(product)
    const page = await officeTab(product, 'administrator')
    await page.goto('/office/failed-jobs')
    const row = page.getByRole('row', { name: /Read trades/ })
    await expect(row).toBeVisible()
    const rows = await page.getByRole('table').locator('tbody').getByRole('row').count()
    const entry = page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: /^Failed operations/ })
    await expect(entry).toHaveText(`Failed operations${rows}`)
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(row.getByText(/^Totals, closed trades and statements/).filter({ visible: true })).toHaveCount(1)
    await row.getByRole('link').click()
    const drawer = page.getByRole('dialog')
    await expect(drawer.getByText('Profit is not an amount').first()).toBeVisible()
    await expectAccessible(page)
    await press(page, drawer.getByRole('link', { name: `MT5 ${groupByFour(number)}` }))
    await expect(page.getByRole('heading', { level: 1, name: groupByFour(number) })).toBeVisible()
  })
})

test('a permission that our login at a platform does not have is shown with its effect and the remedy', async ({
  browser,
}) => {
  const { page } = await openPageAsStaff(browser, 'operations', 'Anton Reis')
  const readAt = Math.floor(Date.now() / 1000)
  await page.route('**/api/backoffice/missing-rights', (route) =>
    route.fulfill({
      json: { success: true, platforms: [{ platform: 'MT5', readAt, rights: ['personal-data', 'deals'] }] },
    }),
  )
  await openRecord(page, '/failed-jobs')
  const note = page.getByRole('status').filter({ hasText: 'MT5: our login lacks these permissions' })
  await expect(note).toContainText('Access to personal data of accounts, Access to trade orders')
  await expect(note).toContainText('Comments are hidden.')
  await expect(note).toContainText('grant them to our login in the manager configuration')
  await expectAccessible(page)
})

test('a dealer’s operation is shown as a discrepancy; one person proposes how it is posted, another confirms', async ({
  browser,
}) => {
  const client = await newClient()
  const account = await createOpenAccount(client)
  await insertDiscrepancy(account)
  const { page } = await openPageAsStaff(
    browser,
    'finance',
    'Mira Okonjo',
    `/office/reconciliation?q=${account.number}`,
  )
  const row = (on: Page) => on.getByRole('row', { name: new RegExp(`${account.number.slice(-3)}.*On the platform`) })
  await row(page).getByRole('link').first().click()
  await expect(page.getByRole('dialog').getByText(client.name)).toBeVisible()
  await expectAccessible(page)
  await press(page, page.getByRole('button', { name: 'Propose a decision…' }))
  await page.getByRole('radio', { name: 'Post as a correction' }).check()
  await expectAccessible(page)
  await type(page, page.getByRole('dialog').getByRole('textbox').last(), 'Rebate of October, see the mail of today.')
  await press(page, page.getByRole('dialog').getByRole('button', { name: 'Propose' }).last())
  await expect(page.getByText('Proposed. Another person must confirm it.')).toBeVisible()

  const other = await openPageAsStaff(
    browser,
    'finance',
    'Johan Lindqvist',
    `/office/reconciliation?state=proposed&q=${account.number}`,
  )
  await row(other.page).getByRole('link').first().click()
  await expect(other.page.getByText('Rebate of October, see the mail of today.').first()).toBeVisible()
  await takeDecision(other.page, 'Confirm…')
  await expect(other.page.getByText('The decision has been confirmed.')).toBeVisible()
  await openRecord(page, `/reconciliation?state=settled&q=${account.number}`)
  await expect(row(page)).toBeVisible()

  await test.step('filters without a match can be cleared, including the days', async () => {
    await openRecord(page, '/withdrawals?q=absent-reference&days=7-days')
    await expect(page.getByRole('button', { name: 'Days: Last 7 days' })).toBeVisible()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect(page.getByRole('searchbox', { name: 'Client, account or reference' })).toHaveValue('')
    await expect(page.getByRole('button', { name: 'Days', exact: true })).toBeVisible()
  })
})

/** Records that the mail server permanently rejected an email to a client. */
async function insertRejectedMail(client: { id: string }): Promise<void> {
  const { dependencies } = await runningProduct()
  await eventually(async () => {
    const refused = await row<{ id: string }>(
      dependencies.pool,
      sql`update operations set state = 'refused', last_error = '550 no such mailbox'
          where id = (select id from operations where client_id = ${client.id} and kind = 'mail' and state = 'done' limit 1)
          returning id`,
    )
    expect(refused).toBeTruthy()
    const now = new Date()
    const work = { state: 'absent', dueAt: now, summary: {} } as const
    await transaction(dependencies.pool, (tx) => openWorkItem(tx, 'operation', refused?.id ?? '', now, work))
  })
}

/** Stores balances and a discrepancy as after a reading: the platform has 15.00 that the ledger does not. */
async function insertDiscrepancy(account: LiveAccount): Promise<void> {
  const { dependencies } = await runningProduct()
  await transaction(dependencies.pool, async (tx) => {
    await run(
      tx,
      sql`insert into differences (kind, account_id, theirs_minor, currency, facts, fingerprint, state, found_at)
          values ('platform-only', ${account.id}, 1500, 'EUR', '{}'::jsonb, ${`deal:MT5:${randomUUID()}`}, 'open', now())`,
    )
    await adjustSnapshot(tx, { accountId: account.id, deal: 'another', amount: money(1500n, 'EUR') })
  })
}

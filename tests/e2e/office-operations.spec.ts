/** The decisions of operations: accounts, leverage, bank details, transfers, and incoming bank transfers. */
import type { Page } from '@playwright/test'
import { getLiveAccounts } from '#contract/accounts.ts'
import { getBankDetails } from '#contract/bank-details.ts'
import { getTransferHistory, getTransferTimeline } from '#contract/history.ts'
import { call } from '../factories.ts'
import { expectAccessible } from './accessible.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { acknowledgeWarnings, eventually, expectFocusIn, openRecord, pressOnPage, takeDecision } from './decisions.ts'
import { chooseFile, press, tick, type } from './keyboard.ts'
import { runningProduct } from './running.ts'
import { openPageAsStaff } from './staff.ts'
import { createBankRequest } from './pending-reviews.ts'
import {
  createAccountRequest,
  announceWire,
  importPayment,
  confirmImportedPayments,
  createFundedAccount,
  createLeverageRequest,
  newClient,
  createOpenAccount,
  statementCsv,
  createTransferRequest,
} from './pending-requests.ts'

/** Presses a button and its confirmation, and waits until the record is closed. */
async function pressThrough(page: Page, command: RegExp): Promise<void> {
  const address = page.url()
  await takeDecision(page, command)
  await expect(page).not.toHaveURL(new RegExp(`^${address}(#|$)`))
  await expect(page.getByRole('main')).toBeFocused()
}

test('requests for accounts, leverage and bank details are approved, or rejected with a reason that the client sees', async ({
  browser,
}) => {
  const product = await runningProduct()
  const client = await newClient({ clientStatus: 'professional' })
  const { page } = await openPageAsStaff(browser, 'operations', 'Anton Reis')
  const account = await createOpenAccount(client)

  await test.step('one account request is rejected, another approved and opened', async () => {
    const refused = await createAccountRequest(client, 'GBP')
    const granted = await createAccountRequest(client, 'USD')
    await openRecord(page, `/account-requests/${refused}`)
    await expectAccessible(page)
    await takeDecision(page, 'Reject…', { words: 'Please use your euro account.', accessible: true })
    await openRecord(page, `/account-requests/${granted}`)
    await pressThrough(page, /^Approve and open/)
    await eventually(async () => {
      const { answer } = await call(product, getLiveAccounts, { as: client, params: { a: 'all', b: 'all' } })
      const states = new Map(answer.accounts.map((one) => [one._id, one]))
      expect(states.get(refused)).toMatchObject({ status: 'rejected', reason: 'Please use your euro account.' })
      expect(states.get(granted)).toMatchObject({ status: 'approved' })
    })
  })
  await test.step('a leverage request shows the old and the new leverage, and the approved one is set on the platform', async () => {
    await createLeverageRequest(client, account, 100)
    await openRecord(page, `/leverage?q=${account.number}`)
    await page.getByRole('link', { name: new RegExp(client.name) }).click()
    await expect(page.getByRole('heading', { level: 1, name: /1:30.*1:100/ })).toBeVisible()
    await expectAccessible(page)
    await takeDecision(page, 'Reject…', { words: 'Close your positions first.' })
    await createLeverageRequest(client, account, 50)
    await openRecord(page, `/leverage?q=${account.number}`)
    await page.getByRole('link', { name: new RegExp(client.name) }).click()
    await pressThrough(page, /^Approve 1:50/)
    await eventually(async () => {
      const { answer } = await call(product, getLiveAccounts, { as: client, params: { a: 'EUR', b: 'approved' } })
      expect(answer.accounts[0]).toMatchObject({ leverage: 50 })
    })
  })
  await test.step('bank details are approved; the number of other clients with the same details is a warning', async () => {
    const bank = await createBankRequest(client)
    await openRecord(page, `/bank-details/${bank}`)
    await expect(page.getByRole('img', { name: 'Bank statement' })).toBeVisible()
    await expectAccessible(page)
    await expect(page.getByText('has not been entered from the bank statement').first()).toBeVisible()
    const holder = page.getByLabel('Account holder')
    const enterHolder = async (name: string) => {
      await holder.fill(name)
      await page.keyboard.press('Enter')
    }
    await enterHolder(client.name)
    await expect(page.getByText('The bank account is in the client’s name.')).toBeVisible()
    await enterHolder('')
    await expect(page.getByText('The bank account is in the client’s name.')).toHaveCount(0)
    await enterHolder(client.name)
    await expect(page.getByText('The bank account is in the client’s name.')).toBeVisible()
    await expect(page.getByText(/Other clients with the same details: [1-9]\d*\./)).toBeVisible()
    await acknowledgeWarnings(page)
    await expectAccessible(page)
    await takeDecision(page, /^Approve/, { words: 'A couple with a joint account.' })
    const { answer } = await call(product, getBankDetails, { as: client, params: { a: 'EUR', b: 'approved' } })
    expect(answer.bankDetails).toHaveLength(1)
  })
})

test('a transfer is approved at the rate that the client saw, another is rejected with a reason that the client sees', async ({
  browser,
}) => {
  const product = await runningProduct()
  const client = await newClient()
  const euro = await createFundedAccount(client, '1000.00')
  const dollar = await createOpenAccount(client, 'USD')
  const granted = await createTransferRequest(client, euro, dollar, '100.00')
  const refused = await createTransferRequest(client, euro, dollar, '40.00')
  const { page } = await openPageAsStaff(browser, 'operations', 'Anton Reis', `/office/transfers/${granted}`)
  await expect(page.getByText('The exchange rate still applies')).toBeVisible()
  await expectAccessible(page)
  await takeDecision(page, /^Approve 100/)
  await openRecord(page, `/transfers/${refused}`)
  await takeDecision(page, 'Reject…', { words: 'You asked us not to carry it out.', accessible: true })
  await eventually(async () => {
    const { answer } = await call(product, getTransferHistory, { as: client })
    const rows = new Map(answer.transfers?.map((one) => [one.id, one]))
    expect(rows.get(granted)).toMatchObject({ status: 'approved' })
    expect(rows.get(refused)).toMatchObject({ status: 'rejected' })
  })
  const params = { list: 'transfers', id: refused }
  const { answer } = await call(product, getTransferTimeline, { as: client, params })
  expect(answer.timeline.map(({ text }) => text).join()).toContain('You asked us not to carry it out.')
})

test('a bank transfer is found in an imported statement and credited as received; another is matched manually', async ({
  browser,
}) => {
  const product = await runningProduct()
  const client = await newClient()
  const account = await createOpenAccount(client)
  const wire = await announceWire(client, account, '500.00')
  const { page } = await openPageAsStaff(browser, 'operations', 'Anton Reis', '/office/imports')

  await test.step('a deposit without a bank transaction has nothing to match', async () => {
    // No journey imports a payment of 500 USD.
    const other = await newClient()
    const unpaid = await announceWire(other, await createOpenAccount(other, 'USD'), '500.00')
    await openRecord(page, `/deposits/${unpaid.id}`)
    await expect(page.getByText('There is no bank transaction to match yet.')).toBeVisible()
    await openRecord(page, '/imports')
  })
  await test.step('a file with an unreadable line is rejected, and the corrected statement is imported', async () => {
    const open = page.getByRole('button', { name: 'Import bank statement' })
    await pressOnPage(page, open)
    const dialog = page.getByRole('dialog')
    await expectFocusIn(dialog)
    await expectAccessible(page)
    const csv = statementCsv({ amount: '480.00', currency: 'EUR', payer: client.name, reference: wire.reference })
    const file = (text: string) => ({ name: 'statement.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    const named = `Konto: ${wire.iban}\n${csv}`
    await chooseFile(page, dialog.locator('input[type=file]'), file(named.replace('480.00', 'four hundred')))
    await expect(dialog.getByText(/^Line 3 of the bank statement could not be read/).first()).toBeVisible()
    await expect(dialog.getByLabel('Our account')).toHaveValue(wire.iban.replaceAll(' ', ''))
    // The corrected file has the same name.
    await chooseFile(page, dialog.locator('input[type=file]'), file(named))
    await expect(dialog.getByRole('table', { name: 'First lines of the file' })).toContainText('480.00')
    await expect(dialog.getByText(/could not be read/)).toHaveCount(0)
    await expectAccessible(page)
    await press(page, dialog.getByRole('button', { name: 'Import' }))
    await expect(page.getByText(/1 .*(imported|new)/i).first()).toBeVisible()
    await expectFocusIn(dialog)
    await page.keyboard.press('Escape')
    await expect(open).toBeFocused()
  })
  await test.step('the received amount is credited, and the announced amount stays visible', async () => {
    await confirmImportedPayments(wire.reference)
    await openRecord(page, `/deposits/${wire.id}`)
    await expect(page.getByText('Choose a bank transaction.')).toBeVisible()
    const line = page.getByRole('radio', { name: /480\.00 EUR.*reference.*differs by −20\.00 EUR/ })
    await line.check({ force: true })
    await expectAccessible(page)
    await takeDecision(page, /^Match 480/, { accessible: true })
    await eventually(async () => {
      const { answer } = await call(product, getTransferHistory, { as: client })
      expect(answer.deposits?.[0]).toMatchObject({ status: 'approved' })
    })
    await openRecord(page, `/deposits/${wire.id}`)
    await expect(page.getByText('500.00').first()).toBeVisible()
    await expect(page.getByText('480.00').first()).toBeVisible()
    await expect(page.getByRole('button', { name: /^Match/ })).toHaveCount(0)
  })
  await test.step('searching for its reference opens the deposit', async () => {
    await page.keyboard.press('/')
    await expect(page.getByRole('combobox', { name: /Client, account/ })).toBeFocused()
    await page.keyboard.type(wire.reference)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(`/office/deposits/${wire.id}`))
  })
  await test.step('a payment without a reference is credited to the account that the clerk chooses', async () => {
    const payment = { amount: '75.00', currency: 'EUR', payer: client.name, reference: 'thank you' } as const
    const id = await importPayment(wire, payment)
    await openRecord(page, `/imports?line=${id}`)
    await expect(page.getByText('Choose a deposit or an account.')).toBeVisible()
    await pressOnPage(page, page.getByRole('button', { name: 'Another account…' }))
    await expect(page.getByRole('searchbox', { name: 'Name, client number or account' })).toBeFocused()
    await page.keyboard.type(account.number)
    await page.keyboard.press('Enter')
    await press(page, page.getByRole('button', { name: new RegExp(client.name) }))
    await tick(page, page.getByRole('radiogroup', { name: 'Accounts' }).getByRole('radio'))
    await takeDecision(page, /^Match 75/)
    await eventually(async () => {
      const { answer } = await call(product, getLiveAccounts, { as: client, params: { a: 'EUR', b: 'approved' } })
      expect(String(answer.accounts[0]?.balance)).toContain('555')
    })
  })
})

test('a manually entered payment above the threshold is confirmed by another person; an unknown payer’s money is returned', async ({
  browser,
}) => {
  const client = await newClient()
  const account = await createOpenAccount(client)
  const wire = await announceWire(client, account, '900.00')
  const first = await openPageAsStaff(browser, 'operations', 'Anton Reis', '/office/imports')
  const { page } = first
  await pressOnPage(page, page.getByRole('button', { name: 'Enter payment manually' }))
  const dialog = page.getByRole('dialog')
  await type(page, dialog.getByLabel('Our account'), wire.iban)
  await type(page, dialog.getByLabel('Amount'), '900')
  await type(page, dialog.getByLabel('Bank reference'), `T-${account.number}`)
  await type(page, dialog.getByLabel('Payer', { exact: true }), 'Somebody Else')
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Enter payment manually' })).toBeFocused()
  await openRecord(page, `/imports?q=${encodeURIComponent(`T-${account.number}`)}`)
  await page.getByRole('link', { name: 'Somebody Else' }).click()
  await expect(page.getByText('Required role: Finance supervisor.')).toBeVisible()
  const address = page.url().split('/office')[1] ?? ''

  const finance = await openPageAsStaff(browser, 'finance', 'Mira Okonjo', `/office${address}`)
  await takeDecision(finance.page, /^Confirm 900/)
  await openRecord(page, address)
  await expect(page.getByRole('button', { name: /^Match 900/ })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Return to sender…' })).toHaveCount(0)

  await openRecord(finance.page, address)
  await takeDecision(finance.page, 'Return to sender…', { words: 'The payer is not our client.', accessible: true })
  await openRecord(finance.page, address)
  await expect(finance.page.getByText('The payer is not our client.').first()).toBeVisible()
})

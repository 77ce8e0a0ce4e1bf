/** A withdrawal in the back office: one or two approvals, rejection, payment in a batch, return. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { getTransferHistory, getTransferTimeline } from '#contract/history.ts'
import { makeApprovedWithdrawal } from '../approved-withdrawal.ts'
import { call, makeStaff, type MadeClient } from '../factories.ts'
import { createBatchOf } from '../payout-batches.ts'
import { expectAccessible } from './accessible.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import {
  acknowledgeWarnings,
  closeWithEscape,
  eventually,
  expectFocusKept,
  openRecord,
  pressOnPage,
  skipToContent,
  takeDecision,
} from './decisions.ts'
import { press, type } from './keyboard.ts'
import { officeTab, withOwnProduct } from './own-product.ts'
import { createBatch, enterTotal, lastBatchFields } from './paying-out.ts'
import { setUpAuthenticator, expireStepUp } from './step-up.ts'
import { breakableReferences, overflowAtWidths } from './room-for-texts.ts'
import { runningProduct } from './running.ts'
import { openPageAsStaff } from './staff.ts'
import {
  announceWire,
  importPayment,
  createFundedAccount,
  newClient,
  createWithdrawalRequest,
} from './pending-requests.ts'

/** Waits until the client sees a status of the withdrawal; returns the texts of its history. */
async function clientReads(client: MadeClient, id: string, status: string): Promise<string> {
  const product = await runningProduct()
  await eventually(async () => {
    const { answer } = await call(product, getTransferHistory, { as: client })
    expect(answer.withdrawals?.find((one) => one.id === id)).toMatchObject({ status })
  })
  const { answer } = await call(product, getTransferTimeline, { as: client, params: { list: 'withdrawals', id } })
  return answer.timeline.map(({ text }) => text).join('\n')
}

/** Expects the open page and its tables not to scroll sideways at any width, and no reference to break at a hyphen. */
async function expectRoom(page: Page): Promise<void> {
  expect(await breakableReferences(page)).toEqual([])
  const size = page.viewportSize()
  expect(await overflowAtWidths(page)).toEqual([])
  if (size !== null) await page.setViewportSize(size)
}

const openWithdrawal = (page: Page, id: string) => openRecord(page, `/withdrawals/${id}`)

test('a small withdrawal needs one approval, is paid in a payout batch, and can be returned by the bank', async ({
  browser,
}) => {
  // A name as long as a row of the batch must have room for, with the amount beside the facts of the file.
  const client = await newClient({
    name: 'Friederike Wilhelmina',
    surname: `von Brandtstetter${randomUUID().slice(0, 6)}`,
  })
  const account = await createFundedAccount(client, '1000.00', 'USD')
  const id = await createWithdrawalRequest(client, account, '60.00')
  const operations = await openPageAsStaff(browser, 'operations', 'Anton Reis', `/office/withdrawals/${id}`)

  await test.step('operations see that one approval is enough, and approve', async () => {
    await expect(operations.page.getByText(/One approval is enough below 200\.00\sUSD/)).toBeVisible()
    await expectAccessible(operations.page)
    await acknowledgeWarnings(operations.page)
    await takeDecision(operations.page, /^Approve 60/, { words: 'Called back.', accessible: true })
    const message = /^Approved\. Once the account has been debited, the withdrawal is ready for payout\./
    await expect(operations.page.getByText(message)).toBeVisible()
    await clientReads(client, id, 'approved')
    await openWithdrawal(operations.page, id)
    await expect(operations.page.getByText('Ready for payout').first()).toBeVisible()
  })
  const finance = await openPageAsStaff(browser, 'finance', 'Mira Okonjo')
  const { page } = finance
  const batch = await test.step('operations add it to a payout batch, which they cannot release', async () => {
    await operations.page.goto('/office/payout-batches?create=USD')
    await expectAccessible(operations.page)
    const number = await createBatch(operations.page, client.name, 'USD')
    await expect(operations.page.getByRole('button', { name: /^Release/ })).toHaveCount(0)
    await expect(operations.page.locator('.decision-bar')).toHaveText('Required role: Finance supervisor.')
    await expect(operations.page.getByRole('button', { name: 'Download payout file' })).toHaveCount(0)
    await expectAccessible(operations.page)
    await expectRoom(operations.page)
    return { number, address: operations.page.url() }
  })
  const reference =
    await test.step('finance release the batch after an authenticator code, and save the file', async () => {
      const code = await setUpAuthenticator({ table: 'staff', id: finance.id })
      await page.goto('/office/payout-batches')
      await expectAccessible(page)
      await expireStepUp({ table: 'staff', id: finance.id })
      await pressOnPage(page, page.getByRole('link', { name: batch.number }))
      await expect(page).toHaveURL(batch.address)
      await expect(page.getByRole('button', { name: /^Release/ })).toHaveAttribute('aria-disabled', 'true')
      await enterTotal(page)
      await expect(page.getByText('We will ask for an authenticator code first.')).toBeVisible()
      await expectAccessible(page)
      await pressOnPage(page, page.getByRole('button', { name: /^Release/ }))
      const dialog = page.getByRole('dialog', { name: /^Release PB-/ })
      await expect(dialog.getByText('60.00').first()).toBeVisible()
      await expectAccessible(page)
      for (const [label, number] of Object.entries(await lastBatchFields('USD')))
        if ((await dialog.getByLabel(label).count()) > 0) await type(page, dialog.getByLabel(label), number)
      await press(page, dialog.getByRole('button', { name: /^Release/ }))
      const proof = page.getByRole('dialog', { name: 'Confirm your identity' })
      await expect(proof.getByLabel('Authenticator code')).toBeFocused()
      await page.keyboard.type(code())
      await page.keyboard.press('Enter')
      const save = page.getByRole('button', { name: 'Download payout file' })
      await expect(save).toBeVisible()
      const download = page.waitForEvent('download')
      await pressOnPage(page, save)
      const file = readFileSync(await (await download).path(), 'utf8')
      expect(file).toContain('60.00')
      await expect(page.getByRole('button', { name: /^Confirm as sent/ })).toHaveAttribute('aria-disabled', 'true')
      return /CR-[0-9A-Z]{8}/.exec(file)?.[0] ?? ''
    })
  await test.step('a colleague confirms that the bank has sent the batch, and the withdrawal is paid', async () => {
    const colleague = await openPageAsStaff(browser, 'finance', 'Nina Aziz', '/office/payout-batches')
    await pressOnPage(colleague.page, colleague.page.getByRole('link', { name: batch.number }))
    await expect(colleague.page).toHaveURL(batch.address)
    await takeDecision(colleague.page, /^Confirm as sent/, { accessible: true })
    expect(await clientReads(client, id, 'paid')).not.toBe('')
    await openWithdrawal(page, id)
    await expect(page.getByRole('link', { name: /^PB-/ })).toBeVisible()
  })
  await test.step('the withdrawal is marked as returned by the bank with a reason that the client sees', async () => {
    await openWithdrawal(page, id)
    await takeDecision(page, 'Mark as returned…', { words: 'The account at the bank is closed.' })
    expect(await clientReads(client, id, 'returned')).toContain('The account at the bank is closed.')
    await page.goto(batch.address)
    await expect(page.getByRole('table').getByText('Returned')).toBeVisible()
    await expectRoom(page)
  })
  await test.step('the returned payment is matched to the payout, and the amount that is missing is a cost of the firm', async () => {
    const payment = { amount: '48.00', currency: 'USD', payer: 'Example Bank AG', reference } as const
    const line = await importPayment(await announceWire(client, account, '500.00'), payment)
    const colleague = await openPageAsStaff(browser, 'finance', 'Nina Aziz', `/office/imports?line=${line}`)
    await expect(colleague.page.getByRole('button', { name: 'Match to this payout…' })).toBeVisible()
    await expectAccessible(colleague.page)
    const words = 'The client’s bank kept its charge.'
    await takeDecision(colleague.page, 'Match to this payout…', { words, confirm: 'Match' })
    await expect(colleague.page.getByText(/12\.00\sUSD, firm cost/)).toBeVisible()
  })
})

test('a withdrawal at the threshold needs two people; the same person cannot give both approvals, whatever the role', async ({
  browser,
}) => {
  const client = await newClient()
  const account = await createFundedAccount(client, '5000.00')
  const id = await createWithdrawalRequest(client, account, '250.00')
  const refused = await createWithdrawalRequest(client, account, '40.00')
  const first = await openPageAsStaff(browser, 'administrator', 'Ruth Kessler', `/office/withdrawals/${id}`)
  const finance = await openPageAsStaff(browser, 'finance', 'Mira Okonjo', `/office/withdrawals/${id}`)

  await test.step('finance can view it but cannot give the first approval', async () => {
    await expect(finance.page.getByText(/Required from 200\.00\sEUR/)).toBeVisible()
    await expect(finance.page.getByRole('button', { name: /^Approve/ })).toHaveCount(0)
  })
  await test.step('the first approver sees that another person must give the second approval', async () => {
    await acknowledgeWarnings(first.page)
    await takeDecision(first.page, /^Approve 250/, { words: 'Called back on the known number.' })
    await expect(first.page.getByText(/^First approval given\./)).toBeVisible()
    await openWithdrawal(first.page, id)
    await expect(
      first.page.getByText('You gave the first approval. Another person must give the second.').first(),
    ).toBeVisible()
    await expect(first.page.getByRole('button', { name: /^Approve 250/ })).toHaveAttribute('aria-disabled', 'true')
    await expectAccessible(first.page)
    await clientReads(client, id, 'pending')
  })
  await test.step('the second approver sees the note of the first, and the withdrawal is approved', async () => {
    await expect(finance.page.getByText('Called back on the known number.').first()).toBeVisible()
    await acknowledgeWarnings(finance.page)
    await takeDecision(finance.page, /^Approve 250/, { words: 'Bank statement compared.' })
    await clientReads(client, id, 'approved')
    await openWithdrawal(first.page, id)
    await expect(first.page.getByText('Mira Okonjo').first()).toBeVisible()
  })
  await test.step('a rejection requires an internal reason, and the client sees a separate text', async () => {
    await openWithdrawal(first.page, refused)
    await pressOnPage(first.page, first.page.getByRole('button', { name: 'Reject…' }))
    const dialog = first.page.getByRole('dialog')
    const reason = dialog.getByLabel('Internal reason')
    await press(first.page, dialog.getByRole('button', { name: 'Reject' }))
    await expect(dialog.getByText('Enter a reason.')).toBeVisible()
    await expect(reason).toBeFocused()
    await first.page.keyboard.type('Called three times.')
    const standard = dialog.getByLabel('Standard reason')
    await expect(standard).toHaveValue('neutral-payment')
    await type(first.page, dialog.getByLabel('Text for the client'), 'We could not reach you.')
    await expect(standard).toHaveValue('')
    await first.page.keyboard.press('Control+Enter')
    await expect(dialog).toHaveCount(0)
    await expectFocusKept(first.page)
    expect(await clientReads(client, refused, 'rejected')).toContain('We could not reach you.')
  })
})

test('a release without the last batch at the bank reports the missing number at its field before it requests a code', async ({
  browser,
}) => {
  await withOwnProduct(browser, 'MT5', async (product) => {
    const { server } = product
    const creator = await makeStaff(server, ['operations'])
    const { id } = await makeApprovedWithdrawal(server, '250', { first: creator })
    const batch = await createBatchOf(server, [id], { creator })
    // Another batch, which must not open after the release.
    await createBatchOf(server, [(await makeApprovedWithdrawal(server, '250', { first: creator })).id], { creator })
    const page = await officeTab(product, 'administrator')
    await page.goto(`/office/payout-batches/${batch}`)
    // The amount without decimals, as a person may type it.
    await skipToContent(page)
    await type(page, page.getByLabel('Enter the total to confirm'), '250')
    await expect(page.getByText('Matches the payout file')).toBeVisible()
    await pressOnPage(page, page.getByRole('button', { name: /^Release/ }))
    const field = page.getByRole('dialog').getByLabel('Last batch at the bank in EUR')
    await expect(field).toBeFocused()
    const { pool } = server.dependencies
    await pool.query(`update sessions set proved_at = proved_at - interval '1 hour'`)
    for (const number of ['', 'forty']) {
      if (number !== '') await type(page, field, number)
      await press(page, page.getByRole('dialog').getByRole('button', { name: /^Release/ }))
      await expect(field).toHaveAccessibleDescription(/Enter the number of the last payout batch at the bank/)
      await expect(field).toBeFocused()
      await expect(page.getByRole('dialog')).toHaveCount(1)
    }
    await expectAccessible(page)
    await type(page, field, '0')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('dialog', { name: 'Confirm your identity' })).toBeVisible()
    await closeWithEscape(page, page.getByRole('dialog', { name: 'Confirm your identity' }))
    // The dialog is still sending, and ignores keys, until the rejected request has ended.
    await expect(page.getByRole('dialog').getByText('Nothing was sent.')).toBeVisible()
    await expect(field).toBeFocused()
    await pool.query(`update sessions set proved_at = proved_at + interval '1 hour'`)
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText(/^Released\./)).toHaveText('Released.')
    await expect(page.getByRole('button', { name: 'Download payout file' })).toBeVisible()
  })
})

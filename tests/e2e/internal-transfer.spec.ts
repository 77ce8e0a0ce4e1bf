/** Transfers between a client's own accounts, and their cancellation in the history (requirements 10). */
import type { Page } from '@playwright/test'
import { getTransferHistory } from '#contract/history.ts'
import { makeApprovedBank } from '../funded-account.ts'
import { call } from '../factories.ts'
import { expectAccessible } from './accessible.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { openPageAsClient } from './clients.ts'
import { delayFrames, press, tabTo, type } from './keyboard.ts'
import { runningProduct } from './running.ts'
import { createFundedAccount, newClient, createOpenAccount, type NamedClient } from './pending-requests.ts'
import {
  openAsClient,
  chooseAndReload,
  chooseRadioTile,
  expectDraftKept,
  expectNextRejected,
  expectStep,
  expectBackAndForward,
  pressNext,
} from './wizards.ts'

async function goToAmountStep(page: Page): Promise<void> {
  await chooseRadioTile(page, /EUR/)
  await pressNext(page)
  await expectStep(page, 'Choose the account to transfer to')
  await chooseRadioTile(page, /GBP/)
  await pressNext(page)
  await expectStep(page, 'Enter an amount')
}

/**
 * Returns a client with 100.00 EUR, an account in GBP without money, and a bank account, so that no prompt asks for
 * one.
 */
async function clientWithTwoAccounts(): Promise<NamedClient> {
  const client = await newClient()
  await createFundedAccount(client, '100.00')
  await createOpenAccount(client, 'GBP')
  await makeApprovedBank(await runningProduct(), client)
  return client
}

test('a transfer between currencies shows the rate, awaits approval, and is cancelled in the history, using only the keyboard', async ({
  page,
}) => {
  const client = await clientWithTwoAccounts()
  await openAsClient(page, client, '/internal-transfer')

  await test.step('only an account with money can be the source, and the source cannot be the destination', async () => {
    await pressNext(page)
    await expect(page.getByText('Choose an account.')).toBeVisible()
    await expect(page.getByRole('radio')).toHaveCount(1)
    await expectAccessible(page)
    await chooseAndReload(page, /EUR/)
    await pressNext(page)
    await expectStep(page, 'Choose the account to transfer to')
    await expect(page.getByRole('radio')).toHaveCount(1)
    await expectAccessible(page)
    await chooseAndReload(page, /GBP/)
    await pressNext(page)
  })

  await test.step('no amount, less than 5 and more than the balance are rejected at the field, and the input is kept', async () => {
    for (const [amount, sentence] of [
      ['', 'Enter an amount.'],
      ['0', 'Amount too low. The minimum transfer is 5.00 EUR.'],
      ['4.99', 'Amount too low. The minimum transfer is 5.00 EUR.'],
      ['100.01', 'You cannot transfer more than your account balance!'],
    ] as const) {
      await type(page, page.getByLabel('Amount'), amount)
      await expectNextRejected(page, 'Amount', sentence)
    }
    await expect(page.getByLabel('Amount')).toHaveValue('100.01')
    await expectAccessible(page)
    await expectDraftKept(page, 'Enter an amount', 'Amount', '100.01')
  })

  await test.step('the rate is shown before and on the confirm step, and a reload keeps that step', async () => {
    await type(page, page.getByLabel('Amount'), '12.40')
    await expect(page.getByText(/1 EUR = 0\.\d+ GBP/).first()).toBeVisible()
    await expectAccessible(page)
    await tabTo(page, page.getByLabel('Amount'))
    await page.keyboard.press('Enter')
    await expectStep(page, 'Check and confirm')
    await expectBackAndForward(
      page,
      ['Enter an amount', 'Choose the account to transfer to', 'Choose the account to transfer from'],
      'TRANSFER 12.40 EUR',
    )
    await page.reload()
    await expect(page.getByText(/1 EUR = 0\.\d+ GBP/).first()).toBeVisible()
    await expectAccessible(page)
  })

  await test.step('a rejected transfer shows TRANSFER FAILED!, and TRY AGAIN returns to the confirm step', async () => {
    await page.route('**/api/accounts/requestTransfer', (route) => {
      const body = route.request().postDataJSON() as Record<string, unknown>
      return route.continue({ postData: JSON.stringify({ ...body, transferCurrency: 'USD' }) })
    })
    await press(page, page.getByRole('button', { name: 'TRANSFER 12.40 EUR' }))
    await expect(page.getByRole('heading', { name: 'TRANSFER FAILED!' })).toBeVisible()
    await expect(page.getByRole('main')).toBeFocused()
    await expect(page.getByText('Please try again')).toBeVisible()
    await expectAccessible(page)
    await page.unroute('**/api/accounts/requestTransfer')
    await press(page, page.getByRole('link', { name: 'TRY AGAIN' }))
  })

  await test.step('a confirmed transfer is shown as awaiting approval', async () => {
    await press(page, page.getByRole('button', { name: 'TRANSFER 12.40 EUR' }))
    await expect(page.getByRole('heading', { name: 'Your transfer is awaiting approval' })).toBeVisible()
    await expectAccessible(page)
  })

  await test.step('the amount set aside cannot be transferred again, and the request is cancelled in the history', async () => {
    const slip = page.locator('.slip')
    await expect(slip).toContainText(/You transfer\s*12\.40\sEUR/)
    await expect(slip).toContainText(/1 EUR = 0\.\d+ GBP/)
    const reference = /[A-Z]+-[0-9A-Z]{8}/.exec(await slip.innerText())?.[0] ?? ''
    await press(page, page.getByRole('main').getByRole('link', { name: 'New transfer' }))
    await goToAmountStep(page)
    await type(page, page.getByLabel('Amount'), '90')
    const sentence = 'You cannot transfer more than is available: 87.60 EUR. 12.40 EUR is set aside for other requests.'
    await expectNextRejected(page, 'Amount', sentence)
    await page.goto('/transactions-history?list=transfers')
    const row = page.getByRole('row', { name: new RegExp(reference) }).getByRole('link')
    await press(page, row)
    const drawer = page.getByRole('dialog', { name: 'Internal transfer' })
    await expectAccessible(page)
    await press(page, drawer.getByRole('button', { name: 'Cancel transfer' }))
    await expect(drawer.getByRole('button', { name: 'Keep request' })).toBeFocused()
    // The button disappears with its request; Escape closes the drawer even before the next frame is drawn.
    const releaseFrames = await delayFrames(page)
    await press(page, drawer.getByRole('button', { name: 'Cancel transfer' }))
    await expect(drawer.getByText('Cancelled by you')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(drawer).toBeHidden()
    await releaseFrames()
    await expect(page.getByRole('row', { name: new RegExp(`${reference}.*Cancelled`, 'i') })).toBeVisible()
    await expect(row).toBeFocused()
  })
})

test('a transfer confirmed offline is never sent automatically: not when online again, after a reload, or at the next login', async ({
  page,
  context,
}) => {
  const client = await clientWithTwoAccounts()
  await openPageAsClient(page, '/internal-transfer', client)
  const keys: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/requestTransfer')) keys.push(request.headers()['idempotency-key'] ?? '')
  })
  const confirm = page.getByRole('button', { name: 'TRANSFER 12.40 EUR' })
  const absent = page.getByText(/We have not received your request( yet)?\./)
  const transfers = async () =>
    (await call(await runningProduct(), getTransferHistory, { as: client })).answer.transfers?.length

  await test.step('offline, the page reports that the status is unknown, and queries it once online', async () => {
    await goToAmountStep(page)
    await type(page, page.getByLabel('Amount'), '12.40')
    await expect(page.getByText(/1 EUR = 0\.\d+ GBP/).first()).toBeVisible()
    await pressNext(page)
    await expectStep(page, 'Check and confirm')
    await context.setOffline(true)
    await press(page, page.getByRole('button', { name: 'BACK' }))
    await expectStep(page, 'Enter an amount')
    await pressNext(page)
    await expectStep(page, 'Check and confirm')
    await press(page, confirm)
    await expect(page.getByText('We cannot check whether we received your request.')).toBeVisible()
    await expect(page.getByText('Until then you cannot change it.')).toBeVisible()
    await expect(page.getByRole('button', { name: /^(BACK|Change)/ })).toHaveCount(0)
    await expectAccessible(page)
    await context.setOffline(false)
    await expect(absent).toBeVisible()
    await expectAccessible(page)
  })

  await test.step('a reload queries the status again and sends nothing', async () => {
    const asked = page.waitForRequest(/requestStatus\?key=/)
    await page.reload()
    expect(new URL((await asked).url()).searchParams.get('key')).toBe(keys[0])
    await expect(absent).toBeVisible()
  })

  await test.step('after the session has ended, the request is kept for its owner and not shown to another client', async () => {
    await page.evaluate(() => localStorage.removeItem('portal.token'))
    const other = await newClient()
    await createFundedAccount(other, '50.00')
    await createOpenAccount(other, 'GBP')
    await openPageAsClient(page, '/internal-transfer', other)
    await expect(page.getByRole('heading', { name: 'Choose the account to transfer from' })).toBeVisible()
    await expect(confirm).toHaveCount(0)
    await page.evaluate(() => localStorage.removeItem('portal.token'))
    await openPageAsClient(page, '/internal-transfer', client)
    await expect(absent).toBeVisible()
    expect(await transfers()).toBe(0)
    expect(keys).toHaveLength(1)
  })

  await test.step('Logout first shows the status of the request; a client who stays can confirm it once, under the same idempotency key', async () => {
    await page.getByRole('button', { name: 'Logout' }).click()
    const dialog = page.getByRole('dialog', { name: 'Before you log out' })
    await expect(dialog.getByText(/We have not received this request( yet)?\./)).toBeVisible()
    await expectAccessible(page)
    await press(page, dialog.getByRole('button', { name: 'Stay logged in' }))
    await press(page, confirm)
    await expect(page.getByRole('heading', { name: 'Your transfer is awaiting approval' })).toBeVisible()
    expect(new Set(keys).size).toBe(1)
    expect(await transfers()).toBe(1)
  })

  await test.step('Logout deletes a request that was never received', async () => {
    await page.goto('/internal-transfer')
    await goToAmountStep(page)
    await type(page, page.getByLabel('Amount'), '12.40')
    await expect(page.getByText(/1 EUR = 0\.\d+ GBP/).first()).toBeVisible()
    await pressNext(page)
    await context.setOffline(true)
    await press(page, confirm)
    await expect(page.getByText('We cannot check whether we received your request.')).toBeVisible()
    await context.setOffline(false)
    await expect(absent).toBeVisible()
    await page.getByRole('button', { name: 'Logout' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click()
    await expect(page).toHaveURL('/')
    await openPageAsClient(page, '/internal-transfer', client)
    await expect(page.getByRole('heading', { name: 'Choose the account to transfer from' })).toBeVisible()
    expect(await transfers()).toBe(1)
  })
})

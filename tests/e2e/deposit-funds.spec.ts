/** A deposit by bank transfer: announced once, with its reference and details (requirements 8). */
import type { Locator, Page } from '@playwright/test'
import readQrCode from 'jsqr'
import sharp from 'sharp'
import { expectAccessible } from './accessible.ts'
import { closeWithEscape } from './decisions.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { createFundedAccount, newClient, createOpenAccount, type NamedClient } from './pending-requests.ts'
import { press } from './keyboard.ts'
import {
  openAsClient,
  overridePaymentMethods,
  chooseAndReload,
  chooseRadioTile,
  expectDraftKept,
  expectHistoryEntry,
  expectNextRejected,
  expectStep,
  expectBackAndForward,
  pressNext,
  feeText,
  withFee,
  withoutWire,
} from './wizards.ts'

/**
 * Announces a bank transfer of 15 EUR whose response is lost; the status cannot be queried until the route is removed.
 */
async function loseDeposit(page: Page, client: NamedClient): Promise<void> {
  await openAsClient(page, client, '/deposit-funds')
  await chooseRadioTile(page, /MT5 Standard/)
  await pressNext(page)
  await chooseRadioTile(page, /Bank Transfer.*2-5 days/)
  await page.getByLabel('Enter an amount').fill('15')
  await pressNext(page)
  await page.route('**/api/gcen/requestWirePayment', async (route) => {
    await route.fetch()
    return route.abort()
  })
  await page.route('**/api/accounts/requestStatus?**', (route) => route.abort())
  await page.getByRole('button', { name: 'DEPOSIT 15.00 EUR' }).click()
  await expect(page.getByText('We cannot check whether we received your request.')).toBeVisible()
}

test('a deposit whose response was lost keeps the fee it was sent with after the fee has changed', async ({ page }) => {
  const client = await newClient()
  await createFundedAccount(client, '20.00')
  await loseDeposit(page, client)
  const sent = (await feeText(page).textContent()) ?? ''
  await overridePaymentMethods(page, 'depositMethods', withFee)
  await page.reload()
  await expect(page.getByText('We cannot check whether we received your request.')).toBeVisible()
  await expect(feeText(page)).toHaveText(sent)
  await expect(page.getByText(/7\.5%/)).toHaveCount(0)
})

test('the card type of a payment that may still arrive cannot be changed', async ({ page }) => {
  const client = await newClient()
  await createFundedAccount(client, '20.00')
  await openAsClient(page, client, '/deposit-funds')
  await chooseRadioTile(page, /MT5 Standard/)
  await pressNext(page)
  await chooseRadioTile(page, /Card/)
  await page.getByLabel('Enter an amount').fill('15')
  await pressNext(page)
  await chooseRadioTile(page, 'Visa debit')
  await page.route('**/api/gcen/requestCreditCardPayment', (route) => route.abort())
  await page.getByRole('button', { name: 'PAY 15.00 EUR' }).click()
  await expect(page.getByText('We have not received your request yet.')).toBeVisible()
  for (const name of ['Visa debit', 'MasterCard debit']) await expect(page.getByRole('radio', { name })).toBeDisabled()
  await expectAccessible(page)
})

const closedTexts = {
  'of all clients': 'Deposits are not available.',
  'of the account': /^You need an open trading account to deposit/,
  'by the method': 'Choose an account for the deposit',
}

for (const stopped of ['of all clients', 'of the account', 'by the method'] as const)
  test(`a deposit whose response was lost is completed after deposits ${stopped} were stopped; a new one cannot be started`, async ({
    page,
  }) => {
    const client = await newClient()
    await createFundedAccount(client, '20.00')
    await loseDeposit(page, client)
    if (stopped === 'of all clients')
      await page.route('**/api/settings', async (route) => {
        const response = await route.fetch()
        const json = (await response.json()) as { windDown: object }
        await route.fulfill({ response, json: { ...json, windDown: { ...json.windDown, deposits: true } } })
      })
    else if (stopped === 'by the method') await overridePaymentMethods(page, 'depositMethods', withoutWire)
    else
      await page.route('**/api/accounts/getLiveAccounts/**', async (route) => {
        const response = await route.fetch()
        const json = (await response.json()) as { accounts: object[] }
        await route.fulfill({
          response,
          json: { ...json, accounts: json.accounts.map((one) => ({ ...one, closed: true })) },
        })
      })
    await page.reload()
    await expect(page.getByText('We cannot check whether we received your request.')).toBeVisible()
    await page.unroute('**/api/accounts/requestStatus?**')
    await expect(page.getByRole('heading', { name: 'Now send 15.00 EUR from your bank' })).toBeVisible()
    await page.goto('/deposit-funds')
    await expect(page.getByText(closedTexts[stopped])).toBeVisible()
  })

test('No Funded Accounts is shown while no account has money, and FUND NOW leads to a bank transfer with its details', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const client = await newClient()
  const account = await createOpenAccount(client)

  await test.step('the No Funded Accounts dialog is the only one, and is not shown again once closed', async () => {
    await openAsClient(page, client, '/withdraw-funds')
    const dialog = page.getByRole('dialog', { name: 'No Funded Accounts' })
    await expect(dialog).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(1)
    await expectAccessible(page)
    await dialog.getByRole('link', { name: 'FUND NOW' }).click()
    await page.waitForURL('/deposit-funds')
    await expect(page.getByRole('heading', { name: 'Choose an account for the deposit' })).toBeVisible()
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Choose an account for the deposit' })).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  await test.step('the page shows the same as an alert, which can be dismissed until the page is opened again', async () => {
    const alert = page.getByRole('alert').filter({ hasText: 'No Funded Accounts' })
    await expect(alert).toContainText('Your trading accounts have no funds yet.')
    await press(page, alert.getByRole('button', { name: 'Dismiss' }))
    await expect(alert).toHaveCount(0)
    await page.reload()
    await expect(alert).toBeVisible()
  })

  await test.step('an account, a method and an amount of at least 10 are required, each with an error at its field', async () => {
    await pressNext(page)
    await expect(page.getByText('Choose an account.')).toBeVisible()
    await expectAccessible(page)
    await chooseAndReload(page, /MT5 Standard/)
    await pressNext(page)
    await expectStep(page, 'Choose a payment method')
    await pressNext(page)
    await expect(page.getByText('Choose a payment method.')).toBeVisible()
    // iDEAL is offered only in the Netherlands, AstroPay only in its own countries.
    await expect(page.getByRole('radio')).toHaveCount(2)
    await chooseRadioTile(page, /Bank Transfer.*2-5 days/)
    await expectNextRejected(page, 'Enter an amount', 'Enter an amount.')
    await page.getByLabel('Enter an amount').fill('0')
    await expectNextRejected(page, 'Enter an amount', /^Amount too low/)
    await page.getByLabel('Enter an amount').fill('9.99')
    await expectNextRejected(page, 'Enter an amount', /^Amount too low/)
    await expectAccessible(page)
    await page.getByLabel('Enter an amount').fill('10')
    await expectDraftKept(page, 'Choose a payment method', 'Enter an amount', /^10(\.00)?$/)
    await expect(page.getByRole('radio', { name: /Bank Transfer/ })).toBeChecked()
    await pressNext(page)
    await expectStep(page, 'Check and confirm')
  })

  await test.step('a completed step can be changed without losing the entries of the other steps', async () => {
    const alert = page.getByRole('alert').filter({ hasText: 'No Funded Accounts' })
    await expect(alert).toHaveCount(0)
    await expectHistoryEntry(page, 'any here')
    await page.goBack()
    await expectStep(page, 'Choose a payment method')
    await expect(alert).toBeVisible()
    await expectHistoryEntry(page, 'here and ahead')
    await expect(page.getByLabel('Enter an amount')).toHaveValue('10.00')
    await pressNext(page)
    await expectStep(page, 'Check and confirm')
    await page.getByRole('button', { name: /Change.*Amount/ }).click()
    await expect(page.getByLabel('Enter an amount')).toHaveValue('10.00')
    await expectHistoryEntry(page, 'here and ahead')
    await page.getByLabel('Enter an amount').fill('2500')
    // Forward does nothing once another amount has been entered.
    await page.goForward()
    await expectHistoryEntry(page, 'any here')
    await pressNext(page)
    await expectStep(page, 'Check and confirm')
    await expectAccessible(page)
    const account = 'Choose an account for the deposit'
    await expectBackAndForward(page, ['Choose a payment method', account], 'DEPOSIT 2,500.00 EUR')
  })

  await test.step('a deposit confirmed after a reload shows the bank details, the reference and the next steps', async () => {
    await page.reload()
    await page.getByRole('button', { name: 'DEPOSIT 2,500.00 EUR' }).click()
    await expect(page.getByRole('heading', { name: 'Now send 2,500.00 EUR from your bank' })).toBeVisible()
    await expect(page.getByText('We identify your payment')).toBeVisible()
    await expect(page.getByText(/If your payment has not arrived by/)).toBeVisible()
    await expectAccessible(page)
    const details = page.getByRole('region', { name: 'Bank details' })
    await details.getByRole('button', { name: 'Copy reference' }).click()
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    await expect.poll(copied).toMatch(/^[A-Z]+-[0-9A-Z]{8}$/)
    const reference = await copied()
    await details.getByRole('button', { name: 'Copy IBAN' }).click()
    await expect.poll(copied).toMatch(/^[A-Z]{2}\d{2}[0-9A-Z]+$/)
    expect(await readCode(details.getByRole('img', { name: 'QR code with these transfer details' }))).toBe(
      `BCD\n002\n1\nSCT\nMARKDEF1100\nCalder Row Markets Ltd, client money\nDE91100000000123456789\nEUR2500.00\n\n\n${reference}`,
    )
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save as PDF' }).click()
    expect((await saved).suggestedFilename()).toBe(`${reference}.pdf`)
    await page.reload()
    await expect(page.getByText(reference, { exact: true })).toBeVisible()
  })

  await test.step('the URL can name the account; for an account that is not the client’s, the page asks for one', async () => {
    await page.goto(`/deposit-funds/account/${account.number}`)
    await expect(page.getByRole('heading', { name: 'Choose a payment method' })).toBeVisible()
    await page.goto('/deposit-funds/account/99999999')
    await expect(page.getByRole('heading', { name: 'Choose an account for the deposit' })).toBeVisible()
  })

  await test.step('a number used on both platforms selects neither account; the client chooses one', async () => {
    await page.route('**/api/accounts/getLiveAccounts/**', async (route) => {
      const response = await route.fetch()
      const { accounts, ...rest } = (await response.json()) as { accounts: { _id: string }[] }
      const twins = accounts.map((one) => ({ ...one, _id: `${one._id}-4`, platform: 'MT4' }))
      return route.fulfill({ response, json: { ...rest, accounts: [...accounts, ...twins] } })
    })
    await page.goto(`/deposit-funds/account/${account.number}`)
    await expect(page.getByRole('heading', { name: 'Choose an account for the deposit' })).toBeVisible()
    await chooseRadioTile(page, /MT4 Standard/)
    await pressNext(page)
    await expectStep(page, 'Choose a payment method')
    await expect(page.getByText(/^MT4 Standard/).first()).toBeVisible()
    await expect(page.getByText(/^MT5/)).toHaveCount(0)
  })
})

test('a deposit is requested using only the keyboard', async ({ page }) => {
  const client = await newClient()
  await createOpenAccount(client)
  await openAsClient(page, client, '/deposit-funds')
  const dialog = page.getByRole('dialog', { name: 'No Funded Accounts' })
  await closeWithEscape(page, dialog)
  await expect(dialog).toBeHidden()
  await page.getByRole('heading', { name: 'Choose an account for the deposit' }).focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  await expectStep(page, 'Choose a payment method')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('radio', { name: /Bank Transfer/ })).toBeChecked()
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('Enter an amount')).toBeFocused()
  await page.keyboard.type('75.5')
  await page.keyboard.press('Enter')
  await expectStep(page, 'Check and confirm')
  await expect(page.getByRole('button', { name: 'DEPOSIT 75.50 EUR' })).toBeVisible()
  const confirm = page.getByRole('button', { name: 'DEPOSIT 75.50 EUR' })
  for (let presses = 0; presses < 6 && !(await confirm.evaluate((one) => one === document.activeElement)); presses += 1)
    await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Now send 75.50 EUR from your bank' })).toBeVisible()
  await expectAccessible(page)
})

/** Returns the text that a camera would read from the displayed QR code. */
async function readCode(code: Locator): Promise<string | undefined> {
  await code.scrollIntoViewIfNeeded()
  const { data, info } = await sharp(await code.screenshot())
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return readQrCode.default(new Uint8ClampedArray(data), info.width, info.height)?.data
}

/** A payment through the provider's own page, and the way back (requirements 8.12, 2.5). */
import type { Page } from '@playwright/test'
import { checkCreditCardPayment, requestCreditCardPayment } from '#contract/deposits.ts'
import { getTransferTimeline } from '#contract/history.ts'
import { run } from '#server/db/sql.ts'
import { call, goodPassword, type MadeClient } from '../factories.ts'
import { cardBody } from '../funded-account.ts'
import { expectAccessible } from './accessible.ts'
import { closeWithEscape } from './decisions.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { chooseTile, press } from './keyboard.ts'
import { runningProduct } from './running.ts'
import { type LiveAccount, newClient, createOpenAccount } from './pending-requests.ts'
import { openAsClient, chooseRadioTile, pressNext } from './wizards.ts'

/** Starts a card payment and opens the provider's page. */
async function atProvider(page: Page, client: MadeClient, account: LiveAccount, amount: string) {
  const body = cardBody({ login: account.number }, amount, account.currency)
  const begun = (await call(await runningProduct(), requestCreditCardPayment, { as: client, body })).answer
  await page.goto(begun.paymentUrl)
  return begun
}

const pay = (page: Page) => page.getByRole('button', { name: /^Pay/ }).click()
const bankSays = (page: Page, answer: string) => page.getByRole('radio', { name: answer, exact: true }).check()

/** Expects the failed page with its reason and the link back to the deposit. */
async function expectFailed(page: Page, reason: string): Promise<void> {
  await page.waitForURL('/deposit-funds/failed')
  await expect(page.getByRole('heading', { name: 'PAYMENT FAILED!' })).toBeVisible()
  await expect(page.getByText(reason)).toBeVisible()
  await expect(page.getByText('Please try again')).toBeVisible()
  await expect(page.getByRole('link', { name: 'TRY AGAIN' })).toHaveAttribute('href', '/deposit-funds')
}

async function expectCredited(client: MadeClient, id: string, times = 1): Promise<void> {
  const product = await runningProduct()
  await expect(async () => {
    const asked = await call(product, getTransferTimeline, { as: client, params: { list: 'deposits', id } })
    expect(asked.answer.timeline.filter(({ verb }) => verb === 'credited')).toHaveLength(times)
  }).toPass({ intervals: [200] })
}

test('a card payment requires the card type, can be tried again after a decline on the provider’s page, and is credited once', async ({
  page,
}) => {
  const client = await newClient()
  await createOpenAccount(client)
  await openAsClient(page, client, '/deposit-funds')
  await page.getByRole('dialog').getByRole('link', { name: 'FUND NOW' }).click()
  await chooseRadioTile(page, /MT5 Standard/)
  await pressNext(page)
  await chooseRadioTile(page, /Credit\/Debit Card.*Instant/)
  await page.getByLabel('Enter an amount').fill('25')
  await pressNext(page)
  await page.getByRole('button', { name: 'PAY 25.00 EUR' }).click()
  await expect(page.getByText('Choose your card type.')).toBeVisible()
  await expectAccessible(page)
  await chooseRadioTile(page, 'Visa debit')
  await page.getByRole('button', { name: 'PAY 25.00 EUR' }).click()
  await expect(page.getByRole('heading', { name: 'Card provider simulator' })).toBeVisible()
  await expectAccessible(page)
  await bankSays(page, 'Decline payment')
  await pay(page)
  await expectFailed(page, 'The card was declined.')
  await page.getByRole('link', { name: 'TRY AGAIN' }).click()
  await expect(page.getByRole('radio', { name: 'Visa debit' })).toBeChecked()
  await page.getByRole('button', { name: 'PAY 25.00 EUR' }).click()
  await expect(page.getByRole('heading', { name: 'Card provider simulator' })).toBeVisible()
  await pay(page)
  await page.waitForURL(/\/deposit-funds\/success/)
  await expect(page.getByRole('heading', { name: '25.00 EUR has been paid' })).toBeVisible()
  await expect(page.getByText('You can start trading.')).toBeVisible()
  for (const line of [/Method\s*Credit\/Debit Card/, /You paid\s*25\.00\sEUR/, /Credited amount\s*25\.00\sEUR/])
    await expect(page.locator('.slip')).toContainText(line)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Transactions History' }).last().click()
  const drawer = page.getByRole('dialog', { name: 'Deposit' })
  await expect(drawer.getByText('Credited to the trading account')).toHaveCount(1)
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await closeWithEscape(page, drawer)
  const prompt = page.getByRole('dialog', { name: 'Submit Bank Details' })
  await prompt.getByRole('button', { name: 'Not now' }).click()
  await page.reload()
  await expect(page.getByRole('row', { name: /25\.00.*Approved/i })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('the portal shows the outcome that the bank gave on the provider’s page', async ({ page }) => {
  const client = await newClient()
  const account = await createOpenAccount(client)
  await openAsClient(page, client, '/trading-accounts')

  await test.step('a declined payment shows the reason and TRY AGAIN', async () => {
    await atProvider(page, client, account, '26')
    await bankSays(page, 'Decline payment')
    await pay(page)
    await expectFailed(page, 'The card was declined.')
    await expect(page.getByText(/^Reference CR-[0-9A-Z]{8}$/)).toBeVisible()
    await expectAccessible(page)
  })

  await test.step('a payment that was received but not credited warns against paying again, without TRY AGAIN', async () => {
    const error = 'We received your payment but could not credit your account:'
    const json = { success: false, code: 'payment-not-credited', error, errors: { server: error }, values: {} }
    await page.route('**/checkCreditCardPayment', (route) => route.fulfill({ status: 422, json }))
    await page.goto('/gcen-payments?REF=CR-7F2K91QX')
    await page.waitForURL('/deposit-funds/failed')
    await expect(page.getByText(error)).toBeVisible()
    await expect(page.getByText('Do not pay again.')).toBeVisible()
    await expect(page.getByText(/Nothing was charged|Please try again/)).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'TRY AGAIN' })).toHaveCount(0)
    await page.unroute('**/checkCreditCardPayment')
  })

  await test.step('for a reference that is not the client’s, no outcome is stated', async () => {
    await page.goto('/gcen-payments?REF=CR-00000000')
    await page.waitForURL('/deposit-funds/failed')
    await expect(page.getByText(/^Check the status in Transactions History before you try again/)).toBeVisible()
    await expect(page.getByText(/Nothing was charged|Please try again/)).toHaveCount(0)
  })

  await test.step('a deposit cancelled in the history closes the provider’s page and is shown as cancelled', async () => {
    const { id, REF, paymentUrl } = await atProvider(page, client, account, '30')
    await page.goto(`/transactions-history?record=${id}`)
    const drawer = page.getByRole('dialog', { name: 'Deposit' })
    await drawer.getByRole('button', { name: 'Cancel deposit' }).click()
    await expect(drawer.getByText(/^We will close the payment page\./)).toBeVisible()
    await expectAccessible(page)
    await drawer.getByRole('button', { name: 'Cancel deposit' }).click()
    await expect(drawer.getByText('Cancelled by you')).toBeVisible()
    await page.goto(paymentUrl)
    await expect(page.getByRole('button', { name: /^Pay/ })).toHaveCount(0)
    await page.goto(`/gcen-payments?REF=${REF}`)
    await expectFailed(page, 'The payment was cancelled.')
  })

  await test.step('a payment cancelled on the provider’s page is shown as cancelled', async () => {
    await atProvider(page, client, account, '27')
    await page.getByRole('button', { name: 'Cancel and go back' }).click()
    await expectFailed(page, 'The payment was cancelled.')
  })

  await test.step('with 3-D Secure a wrong code is declined and the right one pays', async () => {
    await atProvider(page, client, account, '28')
    await bankSays(page, 'Approve after 3-D Secure')
    await pay(page)
    await expectAccessible(page)
    await page.getByLabel('One-time code').fill('654321')
    await page.getByRole('button', { name: 'Confirm' }).click()
    await expectFailed(page, 'The card was declined.')
    await atProvider(page, client, account, '28')
    await bankSays(page, 'Approve after 3-D Secure')
    await pay(page)
    await page.getByLabel('One-time code').fill('123456')
    await page.getByRole('button', { name: 'Confirm' }).click()
    await expect(page.getByRole('heading', { name: '28.00 EUR has been paid' })).toBeVisible()
  })

  await test.step('closing the tab after paying loses nothing: the webhook credits the deposit, and a later return does not credit it again', async () => {
    const { id, REF } = await atProvider(page, client, account, '29')
    await bankSays(page, 'Approve and close the tab before returning')
    await pay(page)
    await expect(page.getByRole('heading', { name: 'Simulation of a closed tab' })).toBeVisible()
    await expectCredited(client, id)
    await page.goto(`/gcen-payments?REF=${REF}`)
    await expect(page.getByRole('heading', { name: '29.00 EUR has been paid' })).toBeVisible()
    const again = await call(await runningProduct(), checkCreditCardPayment, { as: client, body: { REF } })
    expect(again.answer.status).toBe('paid')
    await expectCredited(client, id)
  })

  await test.step('a payment that is returned after it was taken shows that it is returned', async () => {
    const { id, REF } = await atProvider(page, client, account, '31')
    await bankSays(page, 'Approve and close the tab before returning')
    await pay(page)
    await expectCredited(client, id)
    const { pool } = (await runningProduct()).dependencies
    // The refund begins between the response about the payment and that of its history.
    const paid = await call(await runningProduct(), checkCreditCardPayment, { as: client, body: { REF } })
    await page.route('**/checkCreditCardPayment', (route) =>
      route.fulfill({ contentType: 'application/json', body: paid.bytes }),
    )
    await run(pool)`update deposits set state = 'refunding' where id = ${id}`
    await page.goto(`/gcen-payments?REF=${REF}`)
    await expect(page.getByText('The payment provider returns the payment', { exact: true })).toBeVisible()
    await expect(page.getByText(/The payment provider returns the payment to the card or account/)).toBeVisible()
    await expect(page.getByText(/Usually within a minute|We are crediting/)).toHaveCount(0)
    await page.unroute('**/checkCreditCardPayment')
    await run(pool)`update deposits set state = 'approved' where id = ${id}`
  })

  await test.step('a pending payment warns against paying again, and a logged-out client returns to it after login', async () => {
    await atProvider(page, client, account, '30')
    await bankSays(page, 'Leave the payment pending')
    await pay(page)
    await page.waitForURL(/\/gcen-payments\?.*REF=/)
    await expect(page.getByText('Do not pay again.')).toBeVisible()
    // The header is shown here too, the menu is not (requirements 2.6).
    await expect(page.getByRole('banner').getByRole('button', { name: 'Logout' })).toBeVisible()
    await expect(page.getByRole('navigation')).toHaveCount(0)
    await expectAccessible(page)
    const back = page.url()
    await page.evaluate(() => localStorage.clear())
    await page.goto(back)
    await page.getByLabel('Email').fill(client.email)
    await page.getByLabel('Password', { exact: true }).fill(goodPassword)
    await page.getByRole('button', { name: 'SIGN IN' }).click()
    await page.waitForURL(back)
    await expect(page.getByText('Do not pay again.')).toBeVisible()
  })
})

for (const [country, method] of [
  ['NL', 'iDEAL'],
  ['BR', 'AstroPay'],
] as const)
  test(`${method} is offered in ${country} and returns to ${country === 'NL' ? 'a separate page' : 'the same page as a card payment'}`, async ({
    page,
  }) => {
    const client = await newClient({ country })
    const account = await createOpenAccount(client)
    await openAsClient(page, client, '/trading-accounts')
    await page.getByRole('dialog', { name: 'Submit Bank Details' }).getByRole('button', { name: 'Not now' }).click()
    await page.goto(`/deposit-funds/account/${account.number}`)
    await page.getByRole('dialog', { name: 'No Funded Accounts' }).getByRole('link', { name: 'FUND NOW' }).click()
    // The account in the URL stays selected.
    await expect(page.getByRole('heading', { name: 'Choose a payment method' })).toBeVisible()
    await expect(page.getByRole('radio')).toHaveCount(3)
    await chooseRadioTile(page, new RegExp(method))
    await page.getByLabel('Enter an amount').fill('40')
    await pressNext(page)
    await page.getByRole('button', { name: 'PAY 40.00 EUR' }).click()
    await expect(page.getByText(`Pay by ${method}`)).toBeVisible()
    await expect(page.getByLabel('Card number')).toHaveCount(0)
    await pay(page)
    await expect(page.getByRole('heading', { name: '40.00 EUR has been paid' })).toBeVisible()
    await expectAccessible(page)
  })

test('a return without a reference opens no dialog and links to the history; /ideal has Help and language but no header or menu', async ({
  page,
}) => {
  await openAsClient(page, await newClient(), '/ideal')
  await expect(page.getByRole('heading', { name: 'Payment not found' })).toBeVisible()
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Logout' })).toHaveCount(0)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expectAccessible(page)
  await expect(page.getByRole('link', { name: 'Transactions History' })).toBeVisible()
  const help = page.getByRole('button', { name: 'Help', exact: true })
  await press(page, help)
  const panel = page.getByRole('dialog', { name: 'Help' })
  await expect(panel.getByRole('button', { name: 'Send us a message' })).toBeVisible()
  await closeWithEscape(page, panel)
  await expect(help).toBeFocused()
  await press(page, page.getByRole('button', { name: 'Language and appearance' }))
  await chooseTile(page, page.getByRole('radio', { name: 'Deutsch' }))
  await expect(page.getByRole('dialog', { name: 'Sprache und Darstellung' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { name: 'Zahlung nicht gefunden' })).toBeVisible()
  await expect(page).toHaveURL('/ideal')
})

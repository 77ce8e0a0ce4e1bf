/** A withdrawal through its five steps, requested once whatever happens to the page (requirements 9). */
import type { Page } from '@playwright/test'
import { makeApprovedBank } from '../funded-account.ts'
import { setPlatformSwitch } from './account-history.ts'
import { expectAccessible } from './accessible.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { press, tabTo, type } from './keyboard.ts'
import { confirmIdentity } from './step-up.ts'
import { signClientIn } from './stages.ts'
import { runningProduct } from './running.ts'
import { createBankRequest } from './pending-reviews.ts'
import { createClientWithReservation, createFundedAccount, createOpenAccount, newClient } from './pending-requests.ts'
import {
  openAsClient,
  overridePaymentMethods,
  chooseAndReload,
  chooseRadioTile,
  expectDraftKept,
  expectNextRejected,
  expectStep,
  expectBackAndForward,
  pressNext,
  feeText,
  withFee,
  withoutWire,
} from './wizards.ts'

const inGroups = (number: string) => number.replace(/(.{4})(?=.)/g, '$1.')

/** Goes from the source to the confirmation, with the only usable bank account. */
async function goToConfirmation(page: Page, amount: string): Promise<void> {
  await page.goto('/withdraw-funds')
  await chooseRadioTile(page, /EUR/)
  await pressNext(page)
  await chooseRadioTile(page, /Bank Transfer/)
  await page.getByLabel('Enter an amount').fill(amount)
  await pressNext(page)
  await expectStep(page, 'Choose the bank account to withdraw to')
  await pressNext(page)
  await expectStep(page, 'Check and confirm')
}

test('invalid amounts are rejected; the confirmed amount is set aside, and the pending request is cancelled, using only the keyboard', async ({
  page,
}) => {
  const { client, account } = await createClientWithReservation('500.00', '60.00')

  await test.step('an account without money cannot be the source and shows FUND NOW', async () => {
    await openAsClient(page, client, '/withdraw-funds')
    await pressNext(page)
    await expect(page.getByText('Choose an account.')).toBeVisible()
    await expect(page.getByRole('radio')).toHaveCount(1)
    await expect(page.getByRole('link', { name: /FUND NOW/ })).toHaveAttribute('href', /\/deposit-funds\/account\/\d+/)
    await expectAccessible(page)
  })

  await test.step('no amount, less than 1, more than the balance and more than is available have an error at the field', async () => {
    await chooseAndReload(page, /EUR/)
    await pressNext(page)
    await expectStep(page, 'Choose a withdrawal method')
    await pressNext(page)
    await expect(page.getByText('Choose a withdrawal method.')).toBeVisible()
    await chooseRadioTile(page, /Bank Transfer/)
    for (const [amount, sentence] of [
      ['', 'Enter an amount.'],
      ['0', 'Amount too low. The minimum withdrawal is 1.00 EUR.'],
      ['0.99', 'Amount too low. The minimum withdrawal is 1.00 EUR.'],
      ['500.01', 'You cannot withdraw more than your account balance!'],
      ['440.01', 'You cannot withdraw more than is available: 440.00 EUR. 60.00 EUR is set aside for other requests.'],
    ] as const) {
      await type(page, page.getByLabel('Enter an amount'), amount)
      await expectNextRejected(page, 'Enter an amount', sentence)
    }
    await expectAccessible(page)
    await press(page, page.getByRole('button', { name: 'Withdraw full available balance' }))
    await expect(page.getByLabel('Enter an amount')).toHaveValue(/^440/)
  })

  await test.step('a bank account in another currency cannot be chosen and explains why', async () => {
    await type(page, page.getByLabel('Enter an amount'), '11.20')
    await expectDraftKept(page, 'Choose a withdrawal method', 'Enter an amount', '11.20')
    await tabTo(page, page.getByLabel('Enter an amount'))
    await page.keyboard.press('Enter')
    await expectStep(page, 'Choose the bank account to withdraw to')
    await expect(
      page.getByRole('radio', { name: /This bank account is in USD, the trading account in EUR\./ }),
    ).toBeDisabled()
    await expectAccessible(page)
    await pressNext(page)
  })

  await test.step('a withdrawal confirmed after a reload shows the amount set aside and what happens next', async () => {
    await expectStep(page, 'Check and confirm')
    await expectBackAndForward(
      page,
      ['Choose the bank account to withdraw to', 'Choose a withdrawal method', 'Choose the account to withdraw from'],
      'WITHDRAW 11.20 EUR',
    )
    await page.reload()
    // 60.00 EUR of the 500.00 EUR is set aside, so the balance differs from the available amount.
    await expect(page.getByText(/^After this withdrawal, the balance of .+ will be/)).toContainText(
      /488\.80\sEUR\. Of this, 428\.80\sEUR will be available\. 60\.00\sEUR is set aside for other requests\./,
    )
    await expectAccessible(page)
    await press(page, page.getByRole('button', { name: 'WITHDRAW 11.20 EUR' }))
    await confirmIdentity(page, [
      'You withdraw 11.20 EUR',
      /Example Bank AG, DE02/,
      new RegExp(inGroups(account.number)),
    ])
    await expect(
      page.getByRole('heading', { name: 'We have received your request and set aside 11.20 EUR' }),
    ).toBeVisible()
    await expect(page.getByRole('main')).toBeFocused()
    await expect(page.getByRole('heading', { name: 'What happens next' })).toBeVisible()
    await expectAccessible(page)
  })

  await test.step('after cancellation in the history the amount is available again', async () => {
    await press(page, page.getByRole('main').getByRole('link', { name: 'Transactions History' }).first())
    const drawer = page.getByRole('dialog', { name: 'Withdrawal' })
    await press(page, drawer.getByRole('button', { name: 'Cancel withdrawal' }))
    await expect(
      drawer.getByText('11.20 EUR stays in your account and will be available again immediately.'),
    ).toBeVisible()
    await expect(drawer.getByRole('button', { name: 'Keep request' })).toBeFocused()
    await expectAccessible(page)
    await press(page, drawer.getByRole('button', { name: 'Cancel withdrawal' }))
    await expect(drawer.getByText('Cancelled by you')).toBeVisible()
    await expect(drawer.getByText('The amount is available on your account again.')).toBeVisible()
    await expect(drawer.locator(':focus')).toHaveCount(1)
    await page.goto('/withdraw-funds')
    await chooseRadioTile(page, /EUR/)
    await pressNext(page)
    await chooseRadioTile(page, /Bank Transfer/)
    await expect(page.getByText('440.00 EUR').first()).toBeVisible()
  })
})

test('a lost response is recovered under the same idempotency key; a rejection leads to the failed page and back', async ({
  page,
}) => {
  const client = await newClient()
  await createFundedAccount(client, '100.00')
  await makeApprovedBank(await runningProduct(), client)
  await openAsClient(page, client, '/withdraw-funds')

  const requests: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/requestWithdrawal')) requests.push(request.headers()['idempotency-key'] ?? '')
  })

  await test.step('after a lost response the status is queried and nothing is sent again', async () => {
    await page.route('**/api/accounts/requestWithdrawal', async (route) => {
      if (requests.length === 1) return route.continue()
      await route.fetch()
      return route.abort()
    })
    await goToConfirmation(page, '11.30')
    await page.getByRole('button', { name: 'WITHDRAW 11.30 EUR' }).click()
    await confirmIdentity(page, ['You withdraw 11.30 EUR'])
    await expect(
      page.getByRole('heading', { name: 'We have received your request and set aside 11.30 EUR' }),
    ).toBeVisible()
    // Rejected once without the proof, sent once; the result came from the status query.
    expect(requests).toHaveLength(2)
    await page.unroute('**/api/accounts/requestWithdrawal')
  })

  await test.step('a response that this page cannot read is not a rejection: the page asks for a reload, which shows the result', async () => {
    requests.length = 0
    const unreadable = { success: true, withdrawal: 'of another version' }
    await page.route('**/api/accounts/requestWithdrawal', async (route) => {
      const response = await route.fetch()
      return response.ok() ? route.fulfill({ response, json: unreadable }) : route.fulfill({ response })
    })
    await page.route('**/api/accounts/requestStatus?**', async (route) => {
      const response = await route.fetch()
      const answered = (await response.json()) as object
      return route.fulfill({ response, json: { ...answered, answer: unreadable } })
    })
    await goToConfirmation(page, '11.20')
    await page.getByRole('button', { name: 'WITHDRAW 11.20 EUR' }).click()
    await confirmIdentity(page, ['You withdraw 11.20 EUR'])
    await expect(page.getByText('This page is out of date and cannot show the result.')).toBeVisible()
    await expectAccessible(page)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.getByRole('button', { name: 'Reload page' }).click()
    await expect(
      page.getByRole('heading', { name: 'We have received your request and set aside 11.20 EUR' }),
    ).toBeVisible()
    expect(requests).toHaveLength(2)
  })

  await test.step('after a reload the status is queried first; a request not received is sent only by its button, under the same key', async () => {
    requests.length = 0
    await page.route('**/api/accounts/requestWithdrawal', (route) => route.abort())
    await page.route('**/api/accounts/requestStatus?**', (route) => route.abort())
    await goToConfirmation(page, '11.35')
    const confirm = page.getByRole('button', { name: 'WITHDRAW 11.35 EUR' })
    await confirm.click()
    await expect(page.getByText('We cannot check whether we received your request.')).toBeVisible()
    await expectAccessible(page)
    await page.unroute('**/api/accounts/requestStatus?**')
    await page.reload()
    await expect(page.getByText('We have not received your request yet.')).toBeVisible()
    await expect(page.getByText(/It may still arrive/)).toBeVisible()
    // If it could be changed and sent again, both would be executed.
    await expect(page.getByRole('button', { name: /^(Change|BACK)/ })).toHaveCount(0)
    await expectAccessible(page)
    expect(requests).toHaveLength(1)
    await page.unroute('**/api/accounts/requestWithdrawal')
    await confirm.click()
    await confirmIdentity(page, ['You withdraw 11.35 EUR'])
    await expect(
      page.getByRole('heading', { name: 'We have received your request and set aside 11.35 EUR' }),
    ).toBeVisible()
    expect(new Set(requests).size).toBe(1)
  })

  await test.step('a request that is not accepted yet shows this and offers BACK', async () => {
    await page.route('**/api/accounts/requestWithdrawal', (route) =>
      route.fulfill({
        status: 503,
        json: { success: false, code: 'figures-old', error: 'Not now.', errors: {}, values: {} },
      }),
    )
    await goToConfirmation(page, '11.36')
    await page.getByRole('button', { name: 'WITHDRAW 11.36 EUR' }).click()
    await expect(page.getByText(/Your request was not accepted/)).toBeVisible()
    await press(page, page.getByRole('button', { name: 'BACK' }))
    await page.unroute('**/api/accounts/requestWithdrawal')
  })

  await test.step('WITHDRAWAL FAILED! shows the reason, and TRY AGAIN returns to the confirm step', async () => {
    await page.route('**/api/accounts/requestWithdrawal', (route) => {
      if (route.request().headers()['x-proof'] === undefined) return route.continue()
      const error = 'You cannot withdraw more than your account balance!'
      const json = { success: false, code: 'more-than-balance', error, errors: { withdrawalAmount: error }, values: {} }
      return route.fulfill({ status: 400, json })
    })
    // The entries are kept when the page is opened again; this request must start from the beginning.
    await page.evaluate(() => sessionStorage.clear())
    await goToConfirmation(page, '11.40')
    await page.getByRole('button', { name: 'WITHDRAW 11.40 EUR' }).click()
    await confirmIdentity(page, [])
    await expect(page.getByRole('heading', { name: 'WITHDRAWAL FAILED!' })).toBeVisible()
    await expect(page.getByText('You cannot withdraw more than your account balance!')).toBeVisible()
    await expect(page.getByText('Please try again')).toBeVisible()
    await expectAccessible(page)
    await page.unroute('**/api/accounts/requestWithdrawal')
    await page.getByRole('link', { name: 'TRY AGAIN' }).click()
    await page.getByRole('button', { name: 'WITHDRAW 11.40 EUR' }).click()
    await confirmIdentity(page, [])
    await expect(
      page.getByRole('heading', { name: 'We have received your request and set aside 11.40 EUR' }),
    ).toBeVisible()
  })
})

test('a withdrawal that stays in progress is never shown as not received, and cannot be changed; one that never arrived can be changed after two minutes', async ({
  browser,
}) => {
  const client = await newClient()
  await createFundedAccount(client, '100.00')
  await makeApprovedBank(await runningProduct(), client)
  // A changed clock stays changed in its context.
  const page = await (await browser.newContext()).newPage()
  await page.clock.install()
  await openAsClient(page, client, '/withdraw-funds')
  await goToConfirmation(page, '11.55')
  const queryUntil = (text: string | RegExp) =>
    expect
      .poll(async () => {
        await page.clock.runFor(2500)
        return page.getByText(text).isVisible()
      })
      .toBe(true)
  const changes = page.getByRole('button', { name: /^(Change|BACK)/ })
  const confirm = page.getByRole('button', { name: 'WITHDRAW 11.55 EUR' })
  const inProgress = { success: true, status: 'in-progress', call: null, answerStatus: null, answer: null }
  await page.route('**/api/accounts/requestWithdrawal', (route) => route.abort())
  await page.route('**/api/accounts/requestStatus?**', (route) => route.fulfill({ json: inProgress }))
  await confirm.click()
  await queryUntil('We have received your request.')
  await queryUntil(/Processing is taking longer than usual/)
  await expect(page.getByText('We have received your request.')).toBeVisible()
  await expectAccessible(page)
  await page.clock.fastForward(180_000)
  await queryUntil(/Processing is taking longer than usual/)
  await expect(changes).toHaveCount(0)
  // Confirming again sends the same request, which is answered if the server stopped before it could.
  await expect(confirm).toBeEnabled()
  await page.unroute('**/api/accounts/requestStatus?**')
  await queryUntil('We have not received your request.')
  await expect(changes).not.toHaveCount(0)
  await page.context().close()
})

for (const [what, change] of [
  ['is no longer offered', withoutWire],
  ['has another fee', withFee],
] as const)
  test(`a withdrawal whose response was lost is completed with its method and fee, even if the method ${what}`, async ({
    page,
  }) => {
    const client = await newClient()
    await createFundedAccount(client, '100.00')
    await makeApprovedBank(await runningProduct(), client)
    await openAsClient(page, client, '/withdraw-funds')
    await goToConfirmation(page, '11.45')
    await page.route('**/api/accounts/requestWithdrawal', async (route) => {
      if (route.request().headers()['x-proof'] === undefined) return route.continue()
      await route.fetch()
      return route.abort()
    })
    await page.route('**/api/accounts/requestStatus?**', (route) => route.abort())
    await page.getByRole('button', { name: 'WITHDRAW 11.45 EUR' }).click()
    await confirmIdentity(page, ['You withdraw 11.45 EUR'])
    await expect(page.getByText('We cannot check whether we received your request.')).toBeVisible()
    const sent = (await feeText(page).textContent()) ?? ''
    await overridePaymentMethods(page, 'withdrawalMethods', change)
    await page.reload()
    await expect(page.getByText('We cannot check whether we received your request.')).toBeVisible()
    await expect(feeText(page)).toHaveText(sent)
    await page.unroute('**/api/accounts/requestStatus?**')
    await expect(
      page.getByRole('heading', { name: 'We have received your request and set aside 11.45 EUR' }),
    ).toBeVisible()
  })

test('balances are updated on the open steps without a reload, and the entries are kept', async ({ page }) => {
  const client = await newClient()
  const account = await createFundedAccount(client, '500.00')
  await makeApprovedBank(await runningProduct(), client)
  await openAsClient(page, client, '/withdraw-funds')
  await chooseRadioTile(page, /EUR/)
  await pressNext(page)
  await chooseRadioTile(page, /Bank Transfer/)
  await page.getByLabel('Enter an amount').fill('100.00')
  const used = page.getByText('Used by open positions')
  await expect(used).toHaveCount(0)
  // From here on only the stream sends balances.
  await page.route('**/api/accounts/getLiveAccounts/**', (route) => route.abort())
  await setPlatformSwitch('market/open', { login: account.number, lots: 0.1, profit: '-12.34' })
  await expect(used).toBeVisible()
  await expect(page.getByLabel('Enter an amount')).toHaveValue('100.00')
  await pressNext(page)
  await expectStep(page, 'Choose the bank account to withdraw to')
  await pressNext(page)
  await expectStep(page, 'Check and confirm')
  const margin = page.getByText(/your free margin will then be/)
  const before = (await margin.textContent()) ?? ''
  await setPlatformSwitch('market/move', { login: account.number, profit: '-23.45' })
  await expect(margin).not.toHaveText(before)
  await expectStep(page, 'Check and confirm')
  await expect(page.getByRole('button', { name: 'WITHDRAW 100.00 EUR' })).toBeVisible()
})

test('a chosen bank account that has been rejected since must be chosen again', async ({ page }) => {
  const client = await newClient()
  await createFundedAccount(client, '100.00')
  await makeApprovedBank(await runningProduct(), client)
  await openAsClient(page, client, '/withdraw-funds')
  let secondStatus = 'approved'
  await page.route('**/api/accounts/getBankDetails/**', async (route) => {
    const response = await route.fetch()
    const { bankDetails, ...rest } = (await response.json()) as { bankDetails: object[] }
    const copies = ['Second Bank', 'Third Bank'].map((bankName) => ({ ...bankDetails[0], _id: bankName, bankName }))
    const banks = [...bankDetails, { ...copies[0], status: secondStatus }, copies[1]]
    await route.fulfill({ response, json: { ...rest, bankDetails: banks } })
  })
  await page.reload()
  await chooseRadioTile(page, /EUR/)
  await pressNext(page)
  await chooseRadioTile(page, /Bank Transfer/)
  await page.getByLabel('Enter an amount').fill('11.65')
  await pressNext(page)
  await chooseAndReload(page, /Second Bank/)
  secondStatus = 'rejected'
  await page.reload()
  await expect(page.getByRole('radio', { name: /Second Bank/ })).toBeDisabled()
  await expect(page.getByRole('radio', { checked: true })).toHaveCount(0)
  await pressNext(page)
  await expect(page.getByText('Choose a bank account.')).toBeVisible()
})

test('what a client entered is not shown to another one who logs in on the same page', async ({ page, context }) => {
  const [first, second] = [await newClient(), await newClient()]
  for (const client of [first, second]) await createFundedAccount(client, '100.00')
  await makeApprovedBank(await runningProduct(), first)
  await makeApprovedBank(await runningProduct(), second)
  await openAsClient(page, first, '/withdraw-funds')
  await goToConfirmation(page, '11.75')
  const other = await context.newPage()
  await signClientIn(other, second)
  await expect(page.getByRole('heading', { name: 'Choose the account to withdraw from' })).toBeVisible()
  await expect(page.getByText(/11\.75/)).toHaveCount(0)
})

test('WITHDRAW on an account’s page starts with that account selected, unless the account is empty', async ({
  page,
}) => {
  const client = await newClient()
  const empty = await createOpenAccount(client)
  await createFundedAccount(client, '100.00')
  const second = await createFundedAccount(client, '250.00')
  await makeApprovedBank(await runningProduct(), client)
  await openAsClient(page, client, `/trading-accounts/MT5/${second.number}`)
  await press(page, page.getByRole('link', { name: 'WITHDRAW', exact: true }))
  await expectStep(page, 'Choose a withdrawal method')
  await press(page, page.getByRole('button', { name: 'Change From account' }))
  await expectStep(page, 'Choose the account to withdraw from')
  await expect(page.getByRole('radio', { name: /250\.00 EUR/ })).toBeChecked()
  await page.goto(`/withdraw-funds?account=${empty.number}`)
  await expect(page.getByRole('heading', { name: 'Choose the account to withdraw from' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'FUND NOW' })).toBeVisible()
})

test('Missing Bank Details offers to submit details in the currency, and shows when details are under review', async ({
  page,
}) => {
  const client = await newClient()
  await createFundedAccount(client, '100.00')
  await openAsClient(page, client, '/withdraw-funds')
  const alert = page.getByRole('alert').filter({ hasText: 'Missing Bank Details' })
  await press(page, alert.getByRole('button', { name: 'Dismiss' }))
  await expect(alert).toHaveCount(0)
  await page.reload()
  await expect(alert).toBeVisible()
  await chooseRadioTile(page, /EUR/)
  await pressNext(page)
  const dialog = page.getByRole('dialog', { name: 'Missing Bank Details' })
  await expect(dialog).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await expectAccessible(page)
  await press(page, dialog.getByRole('button', { name: 'Choose another account' }))
  await expect(page.getByRole('heading', { name: 'Choose the account to withdraw from' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'NEXT' })).toBeFocused()
  await pressNext(page)
  await press(page, dialog.getByRole('link', { name: 'Submit bank details' }))
  const added = page.getByRole('dialog', { name: 'New Bank Details' })
  await expect(added.getByRole('radio', { name: 'EUR' })).toBeChecked()
  await createBankRequest(client)
  await page.goto('/withdraw-funds')
  await chooseRadioTile(page, /EUR/)
  await pressNext(page)
  await expect(dialog.getByText(/We are reviewing your bank account/)).toBeVisible()
  // Nothing was requested here, so no receipt is shown.
  await page.goto('/withdraw-funds/success')
  await expect(page.getByRole('heading', { level: 1, name: 'No recent request' })).toBeVisible()
})

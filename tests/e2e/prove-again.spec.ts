/** Changes to money and access require a new proof of identity (step-up), and entered values are kept (ASVS 7.5). */
import { makeApprovedBank } from '../funded-account.ts'
import { expectAccessible } from './accessible.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { press, type } from './keyboard.ts'
import { setUpAuthenticator, expireStepUp } from './step-up.ts'
import { runningProduct } from './running.ts'
import { journeyPassword } from './staff.ts'
import { createBankRequest } from './pending-reviews.ts'
import { createFundedAccount, newClient } from './pending-requests.ts'
import { openAsClient, chooseRadioTile, expectStep, pressNext } from './wizards.ts'

test('a withdrawal and a bank account require the password or a code again and keep the input, using only the keyboard', async ({
  page,
}) => {
  const client = await newClient()
  await createFundedAccount(client, '100.00')
  await makeApprovedBank(await runningProduct(), client)
  await createBankRequest(client)
  const dialog = page.getByRole('dialog', { name: 'Confirm your identity' })
  await openAsClient(page, client, '/withdraw-funds')
  await expireStepUp({ table: 'clients', id: client.id })

  await test.step('the confirm step announces that the password will be requested', async () => {
    await chooseRadioTile(page, /EUR/)
    await pressNext(page)
    await chooseRadioTile(page, /Bank Transfer/)
    await type(page, page.getByLabel('Enter an amount'), '11.50')
    await pressNext(page)
    await pressNext(page)
    await expectStep(page, 'Check and confirm')
    await expect(page.getByText('We will ask for your password first.')).toBeVisible()
  })

  const keys: (string | undefined)[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/requestWithdrawal')) keys.push(request.headers()['idempotency-key'])
  })
  const confirm = page.getByRole('button', { name: 'WITHDRAW 11.50 EUR' })

  await test.step('cancelling the step-up returns to the unchanged confirm step', async () => {
    await press(page, confirm)
    await expect(dialog.getByLabel('Your password')).toBeFocused()
    await expectAccessible(page)
    await press(page, dialog.getByRole('button', { name: 'Cancel' }))
    await expect(dialog).toHaveCount(0)
    await expect(confirm).toBeFocused()
  })

  await test.step('a wrong password is rejected; the right one sends the same request under the same idempotency key', async () => {
    await page.keyboard.press('Enter')
    const password = dialog.getByLabel('Your password')
    await press(page, dialog.getByRole('button', { name: 'Confirm' }))
    await expect(dialog.getByText('Enter your password.')).toBeVisible()
    await expect(password).toBeFocused()
    await page.keyboard.type('wrong-password')
    await page.keyboard.press('Enter')
    await expect(dialog.getByText('The current password is not correct. Enter it again.')).toBeVisible()
    await expectAccessible(page)
    await expect(password).toBeFocused()
    await type(page, password, journeyPassword)
    await page.keyboard.press('Enter')
    await expect(
      page.getByRole('heading', { name: 'We have received your request and set aside 11.50 EUR' }),
    ).toBeVisible()
    await expect(dialog).toHaveCount(0)
    // Rejected twice without a proof, sent once.
    expect(keys).toHaveLength(3)
    expect(new Set(keys).size).toBe(1)
  })

  await test.step('with 2FA a code is requested instead of the form, which returns unchanged', async () => {
    const code = await setUpAuthenticator({ table: 'clients', id: client.id })
    await expireStepUp({ table: 'clients', id: client.id })
    await page.goto('/bank-details')
    await press(page, page.getByRole('link', { name: /Example Bank AG.*Pending/i }))
    const form = page.getByRole('dialog')
    await type(page, form.getByLabel('Bank name'), 'Bank of the Second Look')
    await expect(form.getByText('We will ask for an authenticator code first.')).toBeVisible()
    await press(page, form.getByRole('button', { name: 'Save' }))
    await expect(dialog.getByLabel('Authenticator code')).toBeFocused()
    await expect(page.getByRole('dialog')).toHaveCount(1)
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(form.getByLabel('Bank name')).toHaveValue('Bank of the Second Look')
    await expect(form.getByRole('button', { name: 'Save' })).toBeFocused()
    await page.keyboard.press('Enter')
    await type(page, dialog.getByLabel('Authenticator code'), code())
    await press(page, dialog.getByRole('button', { name: 'Confirm' }))
    await expect(page.getByText('Saved. We will review the bank account again.').first()).toBeVisible()
    await expect(page.getByRole('link', { name: /Bank of the Second Look/ })).toBeFocused()
  })
})

/** Payments of a client, through the portal's pages. */
import type { Page } from '@playwright/test'
import { expect } from './expect.ts'
import { confirmIdentity } from './step-up.ts'
import { chooseInComboBox } from './registration.ts'

const clickNext = (page: Page) => page.getByRole('button', { name: 'NEXT' }).click()
const choiceLabel = (page: Page, name: RegExp) => page.locator('label').filter({ hasText: name }).first()

/** Completes a wizard's first steps: the MetaTrader 5 account, bank transfer, and the amount. */
async function enterBankTransfer(page: Page, amount: string): Promise<void> {
  await choiceLabel(page, /MT5/).click()
  await clickNext(page)
  await choiceLabel(page, /Bank Transfer/).click()
  await page.getByLabel('Enter an amount').fill(amount)
  await clickNext(page)
}

/** Requests a first deposit by bank transfer and returns the firm's reference. */
export async function depositByWire(page: Page, amount: string): Promise<string> {
  await page.goto('/deposit-funds')
  const empty = page.getByRole('dialog', { name: 'No Funded Accounts' })
  await empty
    .getByRole('button', { name: 'FUND NOW' })
    .or(empty.getByRole('link', { name: 'FUND NOW' }))
    .click()
  await enterBankTransfer(page, amount)
  await page.getByRole('button', { name: /^DEPOSIT / }).click()
  await expect(page.getByRole('heading', { name: /Now send .* from your bank/ })).toBeVisible()
  const details = page.getByRole('region', { name: 'Bank details' })
  await expect(details.getByText('Account holder')).toBeVisible()
  const reference = /CR-[0-9A-Z]{8}/.exec(await details.innerText())?.[0]
  expect(reference, 'the reference of the wire').toBeTruthy()
  return reference ?? ''
}

/** Adds a German bank account with its statement. */
export async function addBank(page: Page, statement: Buffer, password: string): Promise<void> {
  await page.goto('/bank-details')
  await page.getByRole('button', { name: 'Add Bank' }).click()
  const dialog = page.getByRole('dialog', { name: 'New Bank Details' })
  await dialog.getByLabel('Bank name').fill('Example Bank AG')
  await dialog.getByLabel('Bank address').fill('Musterplatz 1, Berlin')
  await chooseInComboBox(page, 'Country of the bank', 'Germany')
  await dialog.getByRole('radio', { name: 'EUR' }).check({ force: true })
  await dialog.getByLabel('IBAN').fill('DE02 1203 0000 0000 2020 51')
  await dialog.getByLabel('SWIFT/BIC').fill('BYLADEM1001')
  await dialog
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'statement.pdf', mimeType: 'application/pdf', buffer: statement })
  await expect(dialog.getByText('statement.pdf')).toBeVisible()
  await dialog.getByRole('button', { name: /Submit|Send|Save/i }).click()
  await confirmIdentity(page, ['You are adding a bank account for withdrawals'], password)
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Example Bank AG')).toBeVisible()
}

/** Requests a withdrawal to the approved bank account. */
export async function withdraw(page: Page, amount: string, password: string): Promise<void> {
  await page.goto('/withdraw-funds')
  await enterBankTransfer(page, amount)
  await choiceLabel(page, /Example Bank AG/).click()
  await clickNext(page)
  await page.getByRole('button', { name: /^WITHDRAW / }).click()
  await confirmIdentity(page, [/You withdraw/], password)
  await expect(page.getByRole('heading', { name: /We have received your request and set aside/ })).toBeVisible()
}

/** A card payment through the provider's own page, and the way back: specification sections 2, 4 and 8. */
import { expect, test, type Page } from '@playwright/test'
import { demoPassword, people } from '#scripts/seed/people.ts'
import { logIn } from './clients.ts'

/** At the provider's page, with an amount to pay. */
async function openCheckout(page: Page, amount: string): Promise<void> {
  await logIn(page, people.clara.email, demoPassword)
  await page.waitForURL('/trading-accounts')
  await page.goto('/deposit-funds')
  await page.getByRole('radio', { name: /Main account/ }).check({ force: true })
  await page.getByRole('button', { name: 'NEXT' }).click()
  await page.getByRole('radio', { name: /Card/ }).check({ force: true })
  await page.getByLabel('How much?').fill(amount)
  await page.getByRole('button', { name: 'NEXT' }).click()
  await page.getByRole('radio', { name: 'Visa debit' }).check({ force: true })
  await page.getByRole('button', { name: /^PAY/ }).click()
  await expect(page.getByRole('heading', { name: 'Simulator of a card provider' })).toBeVisible()
}

test('a payment that the provider approved ends at SUCCESS', async ({ page }) => {
  await openCheckout(page, '25')
  await page.getByRole('button', { name: /^Pay/ }).click()
  await page.waitForURL(/\/deposit-funds\/success/)
  await expect(page.getByRole('heading', { name: '25.00 EUR has been paid' })).toBeVisible()
})

test('a payment that the bank declined ends at PAYMENT FAILED!, with the reason', async ({ page }) => {
  await openCheckout(page, '26')
  await page.getByRole('radio', { name: 'Decline the payment' }).check()
  await page.getByRole('button', { name: /^Pay/ }).click()
  await page.waitForURL('/deposit-funds/failed')
  await expect(page.getByText('PAYMENT FAILED!')).toBeVisible()
  await expect(page.getByRole('link', { name: 'TRY AGAIN' })).toHaveAttribute('href', '/deposit-funds')
})

test('an undecided payment says not to pay twice; who is logged out comes back to it', async ({ page }) => {
  await openCheckout(page, '27')
  await page.getByRole('radio', { name: 'Leave it undecided for now' }).check()
  await page.getByRole('button', { name: /^Pay/ }).click()
  await page.waitForURL(/\/gcen-payments\?.*REF=/)
  await expect(page.getByText('Do not pay twice.')).toBeVisible()
  await expect(page.getByRole('navigation')).toHaveCount(0)
  const back = page.url()
  await page.evaluate(() => localStorage.clear())
  await page.goto(back)
  await page.getByLabel('Email').fill(people.clara.email)
  await page.getByLabel('Password', { exact: true }).fill(demoPassword)
  await page.getByRole('button', { name: 'SIGN IN' }).click()
  await page.waitForURL(back)
  await expect(page.getByText('Do not pay twice.')).toBeVisible()
})

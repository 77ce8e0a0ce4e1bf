/** A withdrawal through its five steps, asked once whatever happens to the page: specification sections 2, 4, 5 and 8. */
import AxeBuilder from '@axe-core/playwright'
import { expect, test, type Page } from '@playwright/test'
import { demoPassword, people } from '#scripts/seed/people.ts'
import { logIn } from './clients.ts'

const next = (page: Page) => page.getByRole('button', { name: 'NEXT' }).click()
const choose = (page: Page, name: RegExp) => page.getByRole('radio', { name }).check({ force: true })

async function toAmount(page: Page): Promise<void> {
  await logIn(page, people.clara.email, demoPassword)
  await page.waitForURL('/trading-accounts')
  await page.getByRole('link', { name: 'Withdraw Funds' }).click()
  await choose(page, /Main account/)
  await next(page)
  await choose(page, /Bank Transfer/)
}

async function toConfirm(page: Page, amount: string): Promise<void> {
  await toAmount(page)
  await page.getByLabel('How much?').fill(amount)
  await next(page)
  await expect(page.getByRole('heading', { name: 'Which bank account should it go to?' })).toBeFocused()
  await next(page)
  await expect(page.getByRole('heading', { name: 'Check and confirm' })).toBeFocused()
}

test('more than the balance is refused with the specification’s words', async ({ page }) => {
  await toAmount(page)
  await page.getByLabel('How much?').fill('9000000')
  await next(page)
  await expect(page.getByText('You cannot withdraw more than your account balance!')).toBeVisible()
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
})

test('a withdrawal is confirmed after a reload and set aside', async ({ page }) => {
  await toConfirm(page, '11.20')
  await page.reload()
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
  await page.getByRole('button', { name: 'CONFIRM WITHDRAWAL OF 11.20 EUR' }).click()
  await expect(page.getByRole('heading', { name: 'We have set 11.20 EUR aside' })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Transactions History' }).click()
  await expect(page.getByRole('dialog').getByText('Pending').first()).toBeVisible()
})

test('a request whose answer was lost is sent again under the same key after a reload', async ({ page }) => {
  const keys: string[] = []
  await page.route('**/api/accounts/requestWithdrawal', async (route) => {
    keys.push((await route.request().headerValue('idempotency-key')) ?? '')
    if (keys.length > 1) return route.continue()
    await route.fetch()
    return route.abort()
  })
  await toConfirm(page, '11.30')
  await page.getByRole('button', { name: 'CONFIRM WITHDRAWAL OF 11.30 EUR' }).click()
  await expect(page.getByText(/We do not know yet whether your request arrived/)).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'We have set 11.30 EUR aside' })).toBeVisible()
  expect(keys).toHaveLength(2)
  expect(keys[0]).toBe(keys[1])
})

test('no bank account in the currency leads to submitting one', async ({ page }) => {
  await logIn(page, people.clara.email, demoPassword)
  await page.waitForURL('/trading-accounts')
  await page.getByRole('link', { name: 'Withdraw Funds' }).click()
  await choose(page, /Sterling/)
  await next(page)
  const dialog = page.getByRole('dialog', { name: 'Missing Bank Details' })
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Choose another account' }).click()
  await expect(page.getByRole('heading', { name: 'Which account should the money come from?' })).toBeVisible()
})

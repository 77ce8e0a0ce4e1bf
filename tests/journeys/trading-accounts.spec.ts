/** Trading accounts: requests, the three looks, settings, the first password: specification section 2, product-decisions section 8. */
import AxeBuilder from '@axe-core/playwright'
import { expect, test, type Page } from '@playwright/test'
import { loggedIn } from './clients.ts'

const choose = (page: Page, name: string | RegExp) =>
  page.getByRole('radio', { name, exact: typeof name === 'string' }).check({ force: true })

async function openRequest(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Request an account' }).click()
  await expect(page.getByRole('dialog', { name: 'Request an account' })).toBeVisible()
}

test('an account request names each missing choice, and waits faded without buttons', async ({ page }) => {
  await loggedIn(page)
  await openRequest(page)
  await page.getByRole('button', { name: 'Request account' }).click()
  for (const sentence of ['Choose a platform.', 'Choose an account type.', 'Choose a base currency.'])
    await expect(page.getByText(sentence)).toBeVisible()
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
  await choose(page, 'MT5')
  await choose(page, 'ECN')
  await choose(page, 'USD')
  await page.getByRole('button', { name: 'Request account' }).click()
  await expect(page.getByText('You have successfully requested a new account.')).toBeVisible()
  const card = page.getByRole('article', { name: 'MT5 ECN' })
  await expect(card.getByText('Pending')).toBeVisible()
  await expect(card.getByRole('button')).toHaveCount(0)
  await expect(card.getByRole('link')).toHaveCount(0)
})

test('a demo account opens at once; its first password is shown once; nickname and password can be changed', async ({
  page,
}) => {
  await loggedIn(page)
  await page.getByRole('link', { name: /DEMO/ }).click()
  await openRequest(page)
  await choose(page, 'MT5')
  await choose(page, 'Standard')
  await choose(page, 'EUR')
  await page.getByRole('button', { name: 'Open demo account' }).click()
  await expect(page.getByText('Choose a balance.')).toBeVisible()
  await page.getByLabel('Balance to begin with').selectOption('5000')
  await page.getByRole('button', { name: 'Open demo account' }).click()
  const card = page.getByRole('article', { name: 'MT5 Standard' })
  await expect(card.getByRole('img', { name: '5,000.00 EUR' })).toBeVisible()

  await card.getByRole('button', { name: /Show the password/ }).click()
  await page.getByRole('button', { name: 'Show it now' }).click()
  await expect(page.getByText('When you close this, it is gone.')).toBeVisible()
  await page.getByRole('button', { name: 'Close' }).last().click()
  await expect(card.getByRole('button', { name: /Show the password/ })).toHaveCount(0)

  await card.getByRole('button', { name: /SETTINGS/ }).click()
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
  await page.getByLabel('Nickname').fill('Try out')
  await page.getByRole('button', { name: 'Save Nickname' }).click()
  await expect(page.getByRole('dialog', { name: 'Settings of Try out' })).toBeVisible()
  await page.getByRole('button', { name: 'Change Trading password' }).click()
  await page.getByLabel('New trading password', { exact: true }).fill('weak')
  await page.getByRole('button', { name: 'Save password' }).click()
  await expect(page.getByText(/^A trading password has 8 to 15 characters/)).toBeVisible()
  await page.getByLabel('New trading password', { exact: true }).fill('Strong1!pass')
  await page.getByRole('button', { name: 'Save password' }).click()
  await expect(page.getByText('You have successfully changed the password for your account.')).toBeVisible()
})

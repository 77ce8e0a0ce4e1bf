/** Money between own accounts, and the request taken back in the history: specification sections 2, 4, 5 and 8. */
import AxeBuilder from '@axe-core/playwright'
import { expect, test, type Page } from '@playwright/test'
import { demoPassword, people } from '#scripts/seed/people.ts'
import { logIn } from './clients.ts'

/** A client of the demo with money in an account of euros and one of pounds. */
async function openTransfer(page: Page): Promise<void> {
  await logIn(page, people.clara.email, demoPassword)
  await page.waitForURL('/trading-accounts')
  await page.getByRole('link', { name: 'Internal Transfer' }).click()
  await expect(page.getByRole('heading', { name: 'From which account?' })).toBeVisible()
}

const next = (page: Page) => page.getByRole('button', { name: 'NEXT' }).click()
const choose = (page: Page, name: RegExp) => page.getByRole('radio', { name }).check({ force: true })

async function toAmount(page: Page): Promise<void> {
  await choose(page, /Main account/)
  await next(page)
  await expect(page.getByRole('heading', { name: 'To which account?' })).toBeFocused()
  await choose(page, /Sterling/)
  await next(page)
  await expect(page.getByRole('heading', { name: 'How much?' })).toBeFocused()
}

test('a transfer says what arrives, waits for approval, and is taken back in the history', async ({ page }) => {
  await openTransfer(page)
  await toAmount(page)
  await page.getByLabel('Amount').fill('12.40')
  await expect(page.getByText(/1 EUR = 0\.\d+ GBP/).first()).toBeVisible()
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
  await next(page)
  await expect(page.getByRole('heading', { name: 'Check and confirm' })).toBeFocused()
  await page.reload()
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
  await page.getByRole('button', { name: 'CONFIRM TRANSFER OF 12.40 EUR' }).click()
  await expect(page.getByRole('heading', { name: 'Your transfer waits for approval' })).toBeVisible()
  const reference = /[A-Z]+-[0-9A-Z]{8}/.exec(await page.getByText(/is set aside in/).innerText())?.[0] ?? ''
  await page.getByRole('main').getByRole('link', { name: 'Transactions History' }).first().click()
  const drawer = page.getByRole('dialog', { name: 'Internal transfer' })
  await expect(drawer.getByText(reference)).toBeVisible()
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
  await drawer.getByRole('button', { name: 'Cancel transfer' }).click()
  await drawer.getByRole('button', { name: 'Cancel transfer' }).click()
  await expect(drawer.getByText('Cancelled by you')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('row', { name: new RegExp(`${reference}.*Cancelled`, 'i') })).toBeVisible()
})

test('an amount that cannot be is refused under its field, and what was typed stays', async ({ page }) => {
  await openTransfer(page)
  await next(page)
  await expect(page.getByText('Choose an account.')).toBeVisible()
  await toAmount(page)
  await page.getByLabel('Amount').fill('3')
  await next(page)
  await expect(page.getByText('Amount too low. The smallest transfer is 5.00 EUR.')).toBeVisible()
  await page.getByLabel('Amount').fill('90000000')
  await next(page)
  await expect(page.getByText('You cannot transfer more than your account balance!')).toBeVisible()
  await expect(page.getByLabel('Amount')).toBeFocused()
})

test('a refusal leads to the error step, and TRY AGAIN comes back to what was decided', async ({ page }) => {
  await openTransfer(page)
  await toAmount(page)
  await page.getByLabel('Amount').fill('10')
  await next(page)
  await page.route('**/api/accounts/requestTransfer', (route) => {
    const body = route.request().postDataJSON() as Record<string, unknown>
    return route.continue({ postData: JSON.stringify({ ...body, transferCurrency: 'USD' }) })
  })
  await page.getByRole('button', { name: 'CONFIRM TRANSFER OF 10.00 EUR' }).click()
  await expect(page.getByRole('heading', { name: 'TRANSFER FAILED!' })).toBeVisible()
  await expect(page.getByText('Please try again')).toBeVisible()
  await page.getByRole('link', { name: 'TRY AGAIN' }).click()
  await expect(page.getByRole('button', { name: 'CONFIRM TRANSFER OF 10.00 EUR' })).toBeVisible()
})

/** A deposit by wire: announced once, with its reference and details: specification sections 2, 4, 5 and 8. */
import AxeBuilder from '@axe-core/playwright'
import { expect, test, type Page } from '@playwright/test'
import { demoPassword, people } from '#scripts/seed/people.ts'
import { logIn } from './clients.ts'

const next = (page: Page) => page.getByRole('button', { name: 'NEXT' }).click()

async function toAmount(page: Page): Promise<void> {
  await logIn(page, people.clara.email, demoPassword)
  await page.waitForURL('/trading-accounts')
  await page
    .getByRole('article', { name: 'Main account' })
    .getByRole('link', { name: /FUND NOW/ })
    .click()
  await expect(page.getByRole('heading', { name: 'How do you want to pay?' })).toBeVisible()
}

test('a wire deposit under the minimum is refused under the field', async ({ page }) => {
  await toAmount(page)
  await next(page)
  await expect(page.getByText('Choose how you want to pay.')).toBeVisible()
  await page.getByRole('radio', { name: /Bank Transfer/ }).check({ force: true })
  await page.getByLabel('How much?').fill('9.99')
  await next(page)
  await expect(page.getByText(/^Amount too low/)).toBeVisible()
  await expect(page.getByLabel('How much?')).toBeFocused()
})

test('a wire deposit ends with the reference to copy, and a reload shows it again', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await toAmount(page)
  await page.getByRole('radio', { name: /Bank Transfer/ }).check({ force: true })
  await page.getByLabel('How much?').fill('2500')
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
  await next(page)
  await expect(page.getByRole('heading', { name: 'Check and confirm' })).toBeFocused()
  await page.reload()
  await page.getByRole('button', { name: 'CONFIRM DEPOSIT OF 2,500.00 EUR' }).click()
  await expect(page.getByRole('heading', { name: 'Now send 2,500.00 EUR from your bank' })).toBeVisible()
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
  await page.getByRole('button', { name: 'Copy reference' }).click()
  const reference = await page.evaluate(() => navigator.clipboard.readText())
  expect(reference).toMatch(/^[A-Z]+-[0-9A-Z]{8}$/)
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save as PDF' }).click()
  expect((await saved).suggestedFilename()).toBe(`${reference}.pdf`)
  await page.reload()
  await expect(page.getByText(reference, { exact: true })).toBeVisible()
})

test('a card deposit asks for the card type', async ({ page }) => {
  await toAmount(page)
  await page.getByRole('radio', { name: /Card/ }).check({ force: true })
  await page.getByLabel('How much?').fill('20')
  await next(page)
  await page.getByRole('button', { name: 'PAY 20.00 EUR' }).click()
  await expect(page.getByText('Choose your card type.')).toBeVisible()
})

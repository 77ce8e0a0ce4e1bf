/** Bank details: checked as they are typed, added with a statement, changed while they wait: specification sections 2 and 5. */
import AxeBuilder from '@axe-core/playwright'
import { expect, test } from '@playwright/test'
import { makePdf } from '../files.ts'
import { loggedIn } from './clients.ts'

test('new bank details name what is missing, wait as a card, and can be changed', async ({ page }) => {
  await loggedIn(page)
  await page.getByRole('link', { name: 'Bank Details' }).click()
  await page.getByRole('button', { name: 'Add Bank' }).click()
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText('You must fill all mandatory fields.')).toBeVisible()
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])

  await page.getByLabel('Bank name').fill('Example Bank AG')
  await page.getByLabel('Bank address').fill('Marktplatz 1, Berlin')
  await page.getByRole('radio', { name: 'EUR' }).check({ force: true })
  await page.getByLabel('IBAN').fill('DE02 1203 0000 0000 2020 52')
  await page.getByLabel('SWIFT/BIC').fill('BYLADEM1001')
  await expect(page.getByText('This IBAN is not right. Check it digit by digit.')).toBeVisible()
  await page.getByLabel('IBAN').fill('DE02 1203 0000 0000 2020 51')
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByRole('alert').getByText('You must upload bank statement.')).toBeVisible()

  await page
    .getByLabel('Bank statement', { exact: true })
    .last()
    .setInputFiles({
      name: 'statement.pdf',
      mimeType: 'application/pdf',
      buffer: await makePdf(1),
    })
  await expect(page.getByText('Uploaded')).toBeVisible()
  await page.getByRole('button', { name: 'Submit' }).click()
  const card = page.getByRole('link', { name: /Example Bank AG/ })
  await expect(card.getByText('Pending')).toBeVisible()
  await expect(card).toContainText('EUR · Germany')

  await card.click()
  await page.getByLabel('Bank name').fill('Example Bank of Berlin')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved. We check the account again.')).toBeVisible()
  await expect(page.getByRole('link', { name: /Example Bank of Berlin/ })).toBeVisible()
})

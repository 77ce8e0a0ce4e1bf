/** Profile, platforms and the professional application of an approved client: specification sections 2, 4 and 5. */
import AxeBuilder from '@axe-core/playwright'
import { expect, test } from '@playwright/test'
import { loggedIn } from './clients.ts'

test('an address applies at once; a new surname waits for the check', async ({ page }) => {
  await loggedIn(page)
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Edit' }).click()
  await expect(page.getByLabel('Email')).not.toBeEditable()
  await page.getByLabel('City').fill('Potsdam')
  await page.getByLabel('Surname').fill('Winter')
  await page.getByRole('button', { name: 'SAVE' }).click()
  await expect(page.getByText('Saved. We check the change first: Surname.')).toBeVisible()
  await expect(page.getByText('10437 Potsdam')).toBeVisible()
  await expect(page.getByText('Waiting for our check')).toBeVisible()
  await expect(page.getByText('Mrs. Ida Brandt')).toBeVisible()
})

test('a profile with a field left empty says so under it and is not saved', async ({ page }) => {
  await loggedIn(page)
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('City').fill('')
  await page.getByRole('button', { name: 'SAVE' }).click()
  await expect(page.getByText('This is missing.')).toBeVisible()
  await expect(page.getByLabel('City')).toBeFocused()
})

test('each tab of the platforms changes the route and names four downloads', async ({ page }) => {
  await loggedIn(page)
  await page.goto('/platforms')
  await page.waitForURL('/platforms/mt4')
  await page.getByRole('link', { name: 'MT5', exact: true }).click()
  await page.waitForURL('/platforms/mt5')
  await expect(page.getByRole('link', { name: /DOWNLOAD/ })).toHaveCount(4)
  await expect(page.getByRole('link', { name: /DOWNLOAD.*Android/ })).toHaveAttribute('target', '_blank')
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
})

test('answering No at the fourth step sends the professional application at once', async ({ page }) => {
  await loggedIn(page)
  await page.goto('/professional-client-status')
  await page.getByRole('button', { name: 'NEXT' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('You have not ticked the declaration.')
  await page.getByRole('button', { name: 'Read it again' }).click()
  await page.getByRole('checkbox').check({ force: true })
  await page.getByRole('button', { name: 'NEXT' }).click()
  await page.getByRole('radio', { name: 'Yes' }).check({ force: true })
  await expect(page.getByText('NEXT opens when the number of trades is chosen.')).toBeVisible()
  await page.getByRole('radio', { name: '10–19' }).check({ force: true })
  await page.getByRole('button', { name: 'NEXT' }).click()
  await expect(page.getByRole('heading', { name: /portfolio exceed/ })).toBeFocused()
  await page.getByRole('radio', { name: 'Yes' }).check({ force: true })
  await page.getByRole('button', { name: 'NEXT' }).click()
  await page.getByRole('radio', { name: 'No' }).check({ force: true })
  await page.getByRole('button', { name: 'SUBMIT' }).click()
  await expect(page.getByRole('heading', { name: 'PROFESSIONAL CLIENT STATUS SUBMITTED' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'PROFESSIONAL CLIENT STATUS SUBMITTED' })).toBeVisible()
})

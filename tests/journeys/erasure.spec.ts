/** Keeping and forgetting: a closed client is erased by two people, and the periods stand in the settings. */
import { expect } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { test } from './browsing.ts'
import { runningProduct } from './running.ts'
import { staffAt } from './staff.ts'
import { newClient } from './waiting.ts'

test('one person asks for the erasure of a closed client, another decides, and the page says what is left', async ({
  browser,
}) => {
  const client = await newClient({ state: 'closed' })
  const address = `/office/clients/${client.id}`
  const { page: asking } = await staffAt(browser, 'compliance', 'Vera Holm', address)
  await asking.getByRole('button', { name: 'More about this client' }).click()
  await asking.getByRole('menuitem', { name: 'Ask for erasure…' }).click()
  const dialog = asking.getByRole('dialog')
  await expectAccessible(asking)
  await dialog.getByLabel('Why').fill('Wrote to us on Monday.')
  await dialog.getByRole('button', { name: 'Ask' }).click()
  await expect(asking.getByText('You asked for this yourself, so another person must decide.')).toBeVisible()
  await expect(asking.getByRole('button', { name: 'Erase…' })).toHaveCount(0)
  await expectAccessible(asking)

  const { page } = await staffAt(browser, 'compliance', 'Nils Berg', address)
  await expect(page.getByText(/Vera Holm asked for it on the client’s wish.*Wrote to us on Monday\./)).toBeVisible()
  await page.getByRole('button', { name: 'Erase…' }).click()
  await expect(page.getByRole('dialog').getByText(/The legal record goes by itself after/)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Erase' }).click()
  await expect(page.getByText('Erased as far as the law allows')).toBeVisible()
  await expect(page.getByText(/must be kept until/)).toBeVisible()
  await expectAccessible(page)
  await expect(asking.getByText('Erased as far as the law allows')).toBeVisible()
})

test('the periods are read with their bounds, beside what was forgotten', async ({ browser }) => {
  const { parts } = await runningProduct()
  await parts.pool.query(`insert into retention_runs (at, counts) values (now(), '{"files": 3, "sessions": 12}')`)
  const { page } = await staffAt(browser, 'administrator', 'Tom Reyes', '/office/settings/retention')
  await expect(page.getByText('Files 3 · Sessions 12')).toBeVisible()
  await expect(page.getByLabel('Closed clients, years')).toHaveValue('5')
  await page.getByLabel('Closed clients, years').fill('3')
  await expect(page.getByText(/one period may only be from 5 to 10/)).toBeVisible()
  await expectAccessible(page)
})

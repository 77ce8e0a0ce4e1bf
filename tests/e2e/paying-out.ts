/** The steps of a payout: a batch is created, released by another person, and confirmed as sent. */
import type { Page } from '@playwright/test'
import { pressOnPage, reloadUntil, skipToContent, takeDecision } from './decisions.ts'
import { expect } from './expect.ts'
import { tick, type } from './keyboard.ts'
import { runningProduct } from './running.ts'

/** Puts a client's withdrawal in a separate batch and opens the batch's page. Returns the batch's number. */
export async function createBatch(page: Page, client: string, currency: string): Promise<string> {
  await page.goto(`/office/payout-batches?create=${currency}`)
  const row = page.getByRole('row', { name: new RegExp(client) })
  // The platform may not have confirmed the debit yet.
  await reloadUntil(page, row)
  await tick(page, row.getByRole('checkbox'))
  await pressOnPage(page, page.getByRole('button', { name: 'Create batch of 1 payment' }))
  await expect(page).toHaveURL(/\/payout-batches\//)
  const section = page.getByText(/Payout batch · PB-\d+/)
  await expect(section).toBeVisible()
  return /PB-\d+/.exec(await section.innerText())?.[0] ?? ''
}

/** Enters the total of the open batch, which confirms its release. */
export async function enterTotal(page: Page): Promise<void> {
  const total = await page.getByRole('heading', { level: 1 }).innerText()
  await skipToContent(page)
  await type(page, page.getByLabel('Enter the total to confirm'), total.replace(/[^\d.]/g, ''))
  await expect(page.getByText('Matches the payout file')).toBeVisible()
}

/** Returns the fields of the first release after a start, by label: the last batch that the bank shows. */
export async function lastBatchFields(currency: string): Promise<Readonly<Record<string, string>>> {
  const { dependencies } = await runningProduct()
  const { rows } = await dependencies.pool.query<{ number: string }>(
    'select number::text from payout_batches where currency = $1 and sent_at is not null order by sent_at desc limit 1',
    [currency],
  )
  return { [`Last batch at the bank in ${currency}`]: rows[0]?.number ?? '0' }
}

/** Releases the batch at an address; its file can be saved from then on. */
export async function releaseBatch(page: Page, address: string, currency: string): Promise<void> {
  await page.goto(address)
  await enterTotal(page)
  await takeDecision(page, /^Release/, { fields: await lastBatchFields(currency) })
  await expect(page.getByRole('button', { name: 'Download payout file' })).toBeVisible()
}

/** Confirms that the bank has sent the batch at an address. */
export async function confirmBatch(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await takeDecision(page, /^Confirm as sent/)
}

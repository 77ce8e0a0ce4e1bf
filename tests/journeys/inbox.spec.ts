/** Two clerks at one inbox: what one does, the other sees at once; the keys; a refusal that the client reads. */
import { expect, type Page } from '@playwright/test'
import PDFDocument from 'pdfkit'
import { expectAccessible } from './accessible.ts'
import { test } from './browsing.ts'
import { expectFocusIn } from './deciding.ts'
import { enterAs } from './clients.ts'
import { press } from './keyboard.ts'
import { addBank } from './money-steps.ts'
import { staffAt } from './staff.ts'
import { accountRequest, bankRequest, newClient } from './waiting.ts'

test('an item appears without a reload, is held by one, seen by both, and decided once', async ({ page, browser }) => {
  const client = await newClient()
  const { name } = client
  await enterAs(page, '/profile', client)
  await page.getByRole('button', { name: 'Not now' }).click()
  const first = await staffAt(browser, 'operations', 'Nils Aho')
  const second = await staffAt(browser, 'operations', 'Eva Lund')

  await addBank(page, await statement(name))
  const item = (clerk: Page) => clerk.getByRole('link', { name: new RegExp(`${name}[^]*Bank details`) })
  await expect(item(first.page)).toBeVisible()
  await expect(item(second.page)).toBeVisible()

  await item(first.page).click()
  await first.page.keyboard.press('e')
  await expect(first.page.getByText('You hold it now.')).toBeVisible()
  await expect(item(second.page).getByTitle('Held by Nils Aho')).toBeVisible()

  await item(second.page).click()
  await second.page.keyboard.press('Enter')
  await expect(second.page.getByText('Nils Aho is looking at this too.')).toBeVisible()

  await first.page.keyboard.press('r')
  const dialog = first.page.getByRole('dialog')
  await dialog.getByLabel('A ready reason').selectOption({ label: 'The bank account is not in your name.' })
  await dialog.getByLabel('Reason, which the client reads').press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  await expect(second.page.getByText(/Rejected by Nils Aho/)).toBeVisible()
  await expect(second.page.getByRole('button', { name: /^Approve/ })).toHaveCount(0)
  await second.page.goBack()
  await expect(second.page.getByText('This no longer waits.')).toBeVisible()

  await page.reload()
  await expect(page.getByText('The bank account is not in your name.')).toBeVisible()
})

test('keys walk the inbox and hand an item to its page; after the decision the next one is open at once', async ({
  browser,
}) => {
  const client = await newClient()
  const bank = await bankRequest(client)
  await accountRequest(client)
  const search = `?q=${encodeURIComponent(client.name)}`
  const { page } = await staffAt(browser, 'operations', 'Nils Aho', `/office/inbox${search}`)
  const item = (kind: string) => page.getByRole('link', { name: new RegExp(`${client.name}[^]*${kind}`) })
  await test.step('Enter on an entry chooses it, and once more opens it, with the focus on its page', async () => {
    for (const kind of ['Account request', 'Bank details']) {
      await press(page, item(kind))
      await expect(item(kind)).toHaveAttribute('aria-current', 'true')
      await expect(item(kind)).toBeFocused()
    }
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(`/bank-details/${bank}`))
    await expect(page.getByRole('main')).toBeFocused()
    await page.goBack()
    await expect(item('Bank details')).toHaveAttribute('aria-current', 'true')
  })
  const address = page.url()
  expect(address).toContain('/inbox/')

  await test.step('k and j go to the one before and the next, and stay within the list', async () => {
    for (const [key, kind] of [
      ['j', 'Account request'],
      ['j', 'Account request'],
      ['k', 'Bank details'],
      ['k', 'Bank details'],
    ] as const) {
      await page.keyboard.press(key)
      await expect(item(kind)).toHaveAttribute('aria-current', 'true')
    }
    await expect(page).toHaveURL(address)
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
  })
  await test.step('r opens the last look on the record’s page', async () => {
    await page.keyboard.press('r')
    const dialog = page.getByRole('dialog', { name: /Reject/ })
    await expectFocusIn(dialog)
    await page.keyboard.press('Control+Enter')
    await expect(dialog.getByLabel('Reason, which the client reads')).toBeFocused()
    await press(page, dialog.getByRole('button', { name: /^Reject/ }))
    await expect(dialog.getByLabel('Reason, which the client reads')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page.getByRole('main')).toBeFocused()
  })
  await test.step('what has no last look is not done by an address: the command waits under the focus', async () => {
    await page.goto(`/office/bank-details/${bank}?decide=a`)
    await expect(page.getByRole('button', { name: 'Approve' })).toBeFocused()
    await expect(page.getByText('Pending').first()).toBeVisible()
  })
  await test.step('a decides on the page, and the next item is open at once', async () => {
    await page.keyboard.press('a')
    await expect(page.getByText(/^Decided: Approved/)).toBeVisible()
    await expect(page).not.toHaveURL(new RegExp(bank))
    await expect(page.getByRole('main')).toBeFocused()
  })
})

async function statement(name: string): Promise<Buffer> {
  const document = new PDFDocument()
  const chunks: Buffer[] = []
  document.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise<void>((resolve) => void document.on('end', () => resolve()))
  document.text(`Statement of ${name}, DE02 1203 0000 0000 2020 51`).end()
  await ended
  return Buffer.concat(chunks)
}

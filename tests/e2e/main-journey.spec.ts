/**
 * The main journey, end to end: a visitor becomes a funded client, and is paid out. Every step by visible role and
 * name, with real email, real files, the simulated MetaTrader 5 over its protocol, and four members of staff.
 */
import type { Page } from '@playwright/test'
import PDFDocument from 'pdfkit'
import sharp from 'sharp'
import { expectAccessible } from './accessible.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { expectPageLoaded, reloadUntil } from './decisions.ts'
import { newVisitor, register, type Visitor } from './registration.ts'
import { portalUrl } from '../product.ts'
import { ledgerAndMailsOf, journeyMailKinds } from './figures.ts'
import { addBank, depositByWire, withdraw } from './money-steps.ts'
import { confirmBatch, createBatch, releaseBatch } from './paying-out.ts'
import { journeyPassword, signInNewStaff, openPageAsStaff } from './staff.ts'

test('a visitor becomes a funded client, and is paid out', async ({ page, browser }) => {
  const visitor = newVisitor()
  const name = `${visitor.name} ${visitor.surname}`
  await test.step('registers, confirms by mail, and is taken to the upload of documents', () => register(page, visitor))
  await test.step('uploads a passport and a utility bill, and sends them', () => uploadDocuments(page, visitor))

  const compliance = await signInNewStaff(browser, 'compliance', 'Vera Holm')
  await test.step('compliance approves both documents and the client', () => approveClient(compliance.page, name))
  // The staff needed later sign in while the portal waits before it reads the decision again.
  const [operations, finance] = await Promise.all([
    signInNewStaff(browser, 'operations', 'Anton Reis'),
    signInNewStaff(browser, 'finance', 'Mira Okonjo'),
    test.step('the portal opens without a new login; the declaration is accepted', () => enterPortal(page)),
  ])
  await test.step('operations open the requested account', async () => {
    await expect(page.getByText('Account number pending')).toBeVisible()
    await decide(operations.page, name, /Account request/)
    await reloadUntil(page, page.getByRole('link', { name: 'FUND NOW' }))
  })

  await test.step('a bank transfer of 1,000 is announced, arrives, is matched and credited once', async () => {
    const reference = await depositByWire(page, '1000')
    await payIn(reference, name)
    await matchPayment(operations.page, name, reference)
    await page.goto('/trading-accounts')
    await reloadUntil(page, page.getByText('1,000.00').first())
  })

  await test.step('bank details are added and approved', async () => {
    await addBank(page, await bill(visitor), journeyPassword)
    await decide(operations.page, name, /Bank details/, name)
  })

  await test.step('a withdrawal of 250 is approved by two people, debited on the platform and paid', async () => {
    await withdraw(page, '250', journeyPassword)
    await decide(operations.page, name, /Withdrawal/)
    await decide(finance.page, name, /second approval/)
    await createBatch(operations.page, name, 'EUR')
    const batch = operations.page.url()
    await releaseBatch((await openPageAsStaff(browser, 'administrator', 'Ruth Kessler')).page, batch, 'EUR')
    await confirmBatch(finance.page, batch)
  })

  await test.step('both are in Transactions History, and the ledger balances', async () => {
    await page.goto('/transactions-history')
    await expect(page.getByRole('row', { name: /1,000\.00.*APPROVED/i })).toBeVisible()
    await page
      .getByRole('link', { name: 'WITHDRAWALS' })
      .or(page.getByRole('tab', { name: 'WITHDRAWALS' }))
      .click()
    await expect(page.getByRole('row', { name: /250\.00.*PAID/i })).toBeVisible()
    await expect
      .poll(() => ledgerAndMailsOf(visitor.email))
      .toEqual({ broken: [], owed: '75000', mails: journeyMailKinds })
  })
  await test.step('the notifications report the payout', async () => {
    await page.getByRole('button', { name: /notifications|notices/i }).click()
    await expect(page.getByText(/We have sent 250.00/).first()).toBeVisible()
    await expectAccessible(page)
  })
})

/** Decides on a client's request from the inbox: the primary button, then the confirmation. */
async function decide(page: Page, name: string, kind: RegExp, holder?: string): Promise<void> {
  await page.goto(inboxOf(name))
  await reloadUntil(page, page.getByText(name).first())
  await openFromInbox(page, name, kind)
  const address = page.url()
  const command = page.getByRole('button', { name: /^Approve/ }).last()
  await command.waitFor()
  if (holder !== undefined) {
    await page.getByLabel('Account holder').fill(holder)
    await page.keyboard.press('Enter')
    await expect(page.getByText('The bank account is in the client’s name.')).toBeVisible()
  }
  // A withdrawal has a warning: its bank details are new.
  const warned = await acknowledgeAll(page)
  // "…" on a button means that a confirmation follows.
  const asks = (await command.innerText()).includes('…')
  await command.click()
  if (warned) await page.getByRole('dialog').getByRole('textbox').fill('Compared with the bank statement.')
  if (asks)
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Approve/ })
      .click()
  // After the decision the next item is open, or the inbox if none is left.
  await expect(page).not.toHaveURL(address)
}

/** Acknowledges every warning of a record; returns whether there was one. */
async function acknowledgeAll(page: Page): Promise<boolean> {
  await expectPageLoaded(page)
  const warnings = page.getByRole('checkbox', { name: 'I acknowledge this warning', checked: false })
  const count = await warnings.count()
  for (let left = count; left > 0; left -= 1) {
    await warnings.first().click()
    await expect(warnings).toHaveCount(left - 1)
  }
  return count > 0
}

/** Matches the payment to the deposit with a reference. */
async function matchPayment(page: Page, name: string, reference: string): Promise<void> {
  await page.goto(`/office/deposits?q=${encodeURIComponent(name)}`)
  await page
    .getByRole('row', { name: new RegExp(name) })
    .getByRole('link')
    .first()
    .click()
  await expect(page.getByText(reference).first()).toBeVisible()
  await page.getByRole('radio', { name: new RegExp(reference) }).check({ force: true })
  await page
    .getByRole('button', { name: /^(Match|Credit)/ })
    .last()
    .click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^(Match|Credit)/ })
    .click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

/** Makes the demo's bank report a payment, as a statement would. */
async function payIn(reference: string, payer: string): Promise<void> {
  const answered = await fetch(`${portalUrl()}/demo/pay-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ reference, amount: '1000.00', currency: 'EUR', payer }),
  })
  expect(answered.status).toBe(200)
}

/** Returns the address of the inbox with only this client's items: its first page may be full of others. */
const inboxOf = (name: string): string => `/office/inbox?q=${encodeURIComponent(name)}`

/** Opens the record of a client's request from the inbox. */
async function openFromInbox(page: Page, name: string, kind: RegExp): Promise<void> {
  await page.goto(inboxOf(name))
  const item = page.getByRole('link', { name: new RegExp(`${name}[^]*${kind.source}`) }).first()
  await item.click()
  // Until then another item may be shown, with its own link.
  await expect(item).toHaveAttribute('aria-current', 'true')
  await page
    .getByRole('button', { name: /^Open/i })
    .or(page.getByRole('link', { name: /^Open/i }))
    .last()
    .click()
}

async function approveClient(page: Page, name: string): Promise<void> {
  await openFromInbox(page, name, /Documents/)
  const documents = page.getByRole('group', { name: `Documents of ${name}` })
  for (const document of ['passport', 'utility bill']) {
    await documents.getByRole('button', { name: new RegExp(`${document} pending`, 'i') }).click()
    await page.getByRole('radio', { name: 'Approve' }).check({ force: true })
    await page.getByRole('button', { name: new RegExp(`Approve ${document}`, 'i') }).click()
    // The next document opens then; a choice made earlier would belong to the decided one.
    await expect(documents.getByRole('button', { name: new RegExp(`${document} pending`, 'i') })).toHaveCount(0)
  }
  // After the last one the next case of the queue opens immediately.
  await expect(documents).toBeHidden()
  await openFromInbox(page, name, /Client approval/)
  const command = page.getByRole('button', { name: /Approve/ }).last()
  await command.waitFor()
  // Other visitors of the journeys have the same document number.
  const warned = await acknowledgeAll(page)
  await command.click()
  if (warned) await page.getByRole('dialog').getByRole('textbox').fill('Compared with the passport.')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Approve/ })
    .click()
  await expect(page.getByText(`${name} has been approved.`)).toBeVisible()
}

async function enterPortal(page: Page): Promise<void> {
  await page.waitForURL('/trading-accounts')
  const dialog = page.getByRole('dialog', { name: 'Client Assets Declarations' })
  // The approval of the documents opens the page, that of the client the rest of it: the page notices each within 20
  // seconds.
  await expect(dialog).toBeVisible()
  await dialog.getByRole('checkbox').check({ force: true })
  await dialog.getByRole('button', { name: 'Accept' }).click()
  await expect(dialog).toBeHidden()
  const bankPrompt = page.getByRole('dialog', { name: 'Submit Bank Details' })
  await bankPrompt.getByRole('button', { name: 'Not now' }).click()
  await expect(bankPrompt).toBeHidden()
}

async function uploadDocuments(page: Page, visitor: Visitor): Promise<void> {
  await page.getByRole('button', { name: /On this device/ }).click()
  await page.getByRole('button', { name: /Passport/ }).click()
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'passport.jpg', mimeType: 'image/jpeg', buffer: await passport(visitor) })
  await page.getByLabel('Document number').fill('C01X00T47')
  await page.getByLabel('Day').selectOption('22')
  await page.getByLabel('Month').selectOption('9')
  await page.getByLabel('Year').selectOption(String(new Date().getUTCFullYear() + 3))
  await page.getByRole('button', { name: 'SAVE' }).click()
  await expect(page.getByText(/Step 2 of 2/)).toBeVisible()
  await page.getByRole('button', { name: /Utility bill/ }).click()
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'bill.pdf', mimeType: 'application/pdf', buffer: await bill(visitor) })
  await page.getByLabel('Document number or reference').fill('2026-4471')
  const issued = new Date(Date.now() - 10 * 86_400_000)
  await page.getByLabel('Day').selectOption(String(issued.getUTCDate()))
  await page.getByLabel('Month').selectOption(String(issued.getUTCMonth() + 1))
  await page.getByLabel('Year').selectOption(String(issued.getUTCFullYear()))
  await page.getByRole('button', { name: 'SAVE' }).click()
  await expect(page.getByRole('heading', { name: 'We are reviewing your documents' })).toBeVisible()
}

/** Returns an image of a passport's page, as from a camera. */
async function passport(visitor: Visitor): Promise<Buffer> {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="840"><rect width="100%" height="100%" fill="#efe3e4"/><text x="60" y="120" font-size="48">SPECIMEN ${visitor.surname} ${visitor.name}</text></svg>`
  return sharp(Buffer.from(drawing)).jpeg().toBuffer()
}

async function bill(visitor: Visitor): Promise<Buffer> {
  const document = new PDFDocument()
  const chunks: Buffer[] = []
  document.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise<void>((resolve) => void document.on('end', () => resolve()))
  document.text(`Utility bill for ${visitor.name} ${visitor.surname}, Lindenallee 48, 10437 Berlin`).end()
  await ended
  return Buffer.concat(chunks)
}

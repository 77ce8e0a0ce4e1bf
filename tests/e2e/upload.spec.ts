/** The document upload wizard: its steps, its file slots and its rules (requirements 6.5, 6.6). */
import type { Page } from '@playwright/test'
import { rejectDocument } from '#contract/office/documents.ts'
import { makeJpeg, makePdf } from '../files.ts'
import { portalUrl } from '../product.ts'
import { makeApprovedBank } from '../funded-account.ts'
import { expectAccessible } from './accessible.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { chooseFile, chooseOption, press, type } from './keyboard.ts'
import { expectQuestion, chooseInComboBox, expectQuestionFocused } from './registration.ts'
import {
  createClientAtStage,
  decideOnDocument,
  signClientIn,
  expectFieldErrors,
  field,
  queryAsOwner,
  saveDocument,
} from './stages.ts'
import { runningProduct } from './running.ts'
import { journeyPassword } from './staff.ts'
import { expectHistoryEntry } from './wizards.ts'

const slot = (page: Page, name: string) => page.getByRole('group', { name, exact: true })
const save = (page: Page) => page.getByRole('button', { name: 'SAVE' })

async function pickDate(page: Page, day: Date): Promise<void> {
  await chooseOption(page, field(page, 'Day'), String(day.getUTCDate()))
  await chooseOption(page, field(page, 'Month'), String(day.getUTCMonth() + 1))
  await chooseOption(page, field(page, 'Year'), String(day.getUTCFullYear()))
}

const daysAway = (days: number) => new Date(Date.now() + days * 86_400_000)

/** Drops a file on a slot, as by dragging it there; a number makes a file of that many zero bytes. */
async function drop(page: Page, name: string, filename: string, content: Buffer | number): Promise<void> {
  const carried = await page.evaluateHandle(
    ([called, given]) => {
      const bytes =
        typeof given === 'number'
          ? new Uint8Array(given)
          : Uint8Array.from(atob(given), (character) => character.charCodeAt(0))
      const transfer = new DataTransfer()
      transfer.items.add(new File([bytes], called, { type: 'image/jpeg' }))
      return transfer
    },
    [filename, typeof content === 'number' ? content : content.toString('base64')] as const,
  )
  const place = slot(page, name).getByRole('button').first()
  await place.dispatchEvent('dragover', { dataTransfer: carried })
  await place.dispatchEvent('drop', { dataTransfer: carried })
}

test('the wizard leads through the missing documents and sends them automatically at the end, using only the keyboard', async ({
  page,
}) => {
  const client = await createClientAtStage({ state: 'pending', country: 'ZA' })
  await signClientIn(page, client)
  await page.goto('/upload-documents')
  await expectQuestion(page, 'Choose how to upload your documents')
  await press(page, page.getByRole('button', { name: /On my phone/ }))
  await expect(page.getByRole('img', { name: 'QR code to open this page on your phone' })).toBeVisible()
  await expectAccessible(page)
  await press(page, page.getByRole('button', { name: /On this device/ }))
  await expectQuestionFocused(page, 'Choose your identity document')
  await expect(page.getByText('Not accepted for your country of residence. Choose another one.')).toHaveCount(1)
  await expect(page.getByRole('button', { name: /Drivers licence/ })).toHaveCount(0)
  await expectAccessible(page)
  await press(page, page.getByRole('button', { name: 'BACK', exact: true }))
  await expectQuestionFocused(page, 'Choose how to upload your documents')
  await press(page, page.getByRole('button', { name: /On this device/ }))

  await press(page, page.getByRole('button', { name: /Identity card/ }))
  await expectQuestionFocused(page, 'Your identity card')
  await press(page, save(page))
  await expectFieldErrors(page, {
    'Document number': 'This field is required.',
    'Expiry date': 'Please, set the expiry date.',
    'Front side': 'Upload the front side.',
    'Back side': 'Upload the back side.',
  })
  await expect(slot(page, 'Front side').getByRole('button', { name: 'Choose a file' })).toBeFocused()
  await expectAccessible(page)
  await test.step('a reload continues at the same document and keeps the input', async () => {
    await page.getByLabel('Document number').fill('L01X00T47')
    await page.reload()
    await expectQuestion(page, 'Your identity card')
    await expect(page.getByLabel('Document number')).toHaveValue('L01X00T47')
  })
  await test.step('the browser’s Back and Forward move through the steps', async () => {
    await expectHistoryEntry(page, 'any here')
    await page.goBack()
    await expectQuestion(page, 'Choose your identity document')
    await expectHistoryEntry(page, 'here and ahead')
    await page.goForward()
    await expectQuestion(page, 'Your identity card')
    await expectHistoryEntry(page, 'here and ahead')
    await expect(page.getByLabel('Document number')).toHaveValue('L01X00T47')
  })
  await press(page, page.getByRole('button', { name: 'BACK', exact: true }))
  await press(page, page.getByRole('button', { name: /Passport/ }))
  await expectQuestionFocused(page, 'Your passport')
  await passport(page)

  await expectQuestionFocused(page, 'Choose your proof of address')
  await expect(page.getByText('Step 2 of 2 · Proof of address')).toBeVisible()
  await press(page, page.getByRole('button', { name: 'BACK', exact: true }))
  await expectQuestionFocused(page, 'Choose your identity document')
  await expect(page.getByRole('button', { name: /Passport.*Uploaded/i })).toBeVisible()
  await press(page, page.getByRole('button', { name: 'NEXT' }))
  await expectQuestionFocused(page, 'Choose your proof of address')
  await press(page, page.getByRole('button', { name: /Utility bill/ }))
  await bill(page)
  await expectQuestionFocused(page, 'We are reviewing your documents')
  await expect(page.getByRole('complementary', { name: 'Your documents' })).toContainText('Our review in progress')
  await expect(page.getByText(`We will email our decision to ${client.email}`)).toBeVisible()
  await expect(page.getByText('This takes up to 48 hours.')).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'Passport' }).getByText('Pending')).toBeVisible()
  await expectAccessible(page)
  await page.reload()
  await expectQuestion(page, 'We are reviewing your documents')
})

test('on a touch screen, which may be the phone itself, the alternative is called another device', async ({
  browser,
}) => {
  const viewport = { width: 390, height: 844 }
  const context = await browser.newContext({ baseURL: portalUrl(), locale: 'en-GB', viewport, hasTouch: true })
  const page = await context.newPage()
  await signClientIn(page, await createClientAtStage({ state: 'pending', country: 'ZA' }))
  await page.goto('/upload-documents')
  await expectQuestion(page, 'Choose how to upload your documents')
  await press(page, page.getByRole('button', { name: /On another device/ }))
  await expect(page.getByRole('img', { name: 'QR code to open this page on another device' })).toBeVisible()
  await expect(page.getByText(/phone/)).toHaveCount(0)
  await expectAccessible(page)
  await context.close()
})

test('Continue later logs out and says how to continue; a client with access to the accounts goes there', async ({
  page,
}) => {
  const client = await createClientAtStage({ state: 'pending' })
  await signClientIn(page, client)
  await page.goto('/upload-documents')
  await press(page, page.getByRole('button', { name: 'Continue later' }))
  await expect(page).toHaveURL('/')
  await expect(page.getByText('Your progress is saved. Log in to continue on this or another device.')).toBeVisible()
  await expectAccessible(page)
  await page.reload()
  await expect(page.getByRole('button', { name: 'SIGN IN' })).toBeVisible()
  await expect(page.getByText('Your progress is saved.')).toHaveCount(0)

  const approved = await createClientAtStage({ state: 'approved', checked: false })
  await makeApprovedBank(await runningProduct(), approved)
  await signClientIn(page, approved)
  await page.goto('/upload-documents')
  await press(page, page.getByRole('button', { name: 'Continue later' }))
  await expect(page).toHaveURL('/trading-accounts')
})

test('a document named by an email is opened after the login', async ({ page }) => {
  const client = await createClientAtStage({ state: 'pending' })
  await page.goto('/document/utility_bill')
  await expect(page).toHaveURL('/')
  await page.getByLabel('Email').fill(client.email)
  await page.getByLabel('Password', { exact: true }).fill(journeyPassword)
  await page.getByRole('button', { name: 'SIGN IN' }).click()
  await expect(page).toHaveURL('/document/utility_bill')
})

async function passport(page: Page): Promise<void> {
  const choice = slot(page, 'Photo page').getByRole('button', { name: /^Choose/ })
  const notes = { name: 'notes.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('not a picture at all') }
  await chooseFile(page, choice, notes)
  await expect(slot(page, 'Photo page')).toContainText('Choose a JPEG, PNG, WebP or PDF file.')
  await drop(page, 'Photo page', 'huge.jpg', 16_777_216)
  await expect(slot(page, 'Photo page')).toContainText('This file is 16 MB. The maximum is 15 MB.')
  await expectAccessible(page)

  // First the connection is lost; then the upload is delayed and cancelled.
  await page.route('**/upload', (route) => route.abort())
  await drop(page, 'Photo page', 'passport.jpg', await makeJpeg(400))
  await expect(slot(page, 'Photo page').getByRole('button', { name: 'Try again' })).toBeVisible()
  await page.unroute('**/upload')
  const held: (() => void)[] = []
  await page.route('**/upload', async (route) => {
    await new Promise<void>((go) => held.push(go))
    await route.abort().catch(() => undefined)
  })
  await press(page, slot(page, 'Photo page').getByRole('button', { name: 'Try again' }))
  await expect(slot(page, 'Photo page').getByRole('progressbar', { name: 'Upload' })).toBeVisible()
  await expect(slot(page, 'Photo page')).toContainText('passport.jpg')
  await expect(save(page)).toBeDisabled()
  await expect(page.getByText('You can save when the upload is complete.')).toBeVisible()
  await expectAccessible(page)
  await press(page, slot(page, 'Photo page').getByRole('button', { name: 'Cancel upload' }))
  await expect(choice).toBeFocused()
  for (const go of held) go()
  await page.unroute('**/upload')

  await drop(page, 'Photo page', 'passport.jpg', await makeJpeg(400))
  await expect(slot(page, 'Photo page').getByText('Uploaded', { exact: true })).toBeVisible()
  await expect(slot(page, 'Photo page').locator('img')).toBeVisible()
  await chooseFile(page, choice, notes)
  await expect(slot(page, 'Photo page')).toContainText('The previous file is kept.')
  await expect(slot(page, 'Photo page').locator('img')).toBeVisible()
  await type(page, field(page, 'Document number'), 'C01X00T47')
  await chooseInComboBox(page, 'Country of issue', 'Belarus')
  await pickDate(page, daysAway(400))
  await press(page, save(page))
  await expectFieldErrors(page, {
    'Country of issue': 'We do not accept this type of document from this country. Choose another one.',
  })
  await chooseInComboBox(page, 'Country of issue', 'Germany')
  // The offered years start with the current one, in which no past day can be chosen on 1 January.
  if (daysAway(-1).getUTCFullYear() === new Date().getUTCFullYear()) {
    await pickDate(page, daysAway(-1))
    await press(page, save(page))
    await expectFieldErrors(page, { 'Expiry date': 'This document has expired. Upload a valid one.' })
    await expectAccessible(page)
  }
  await pickDate(page, daysAway(400))
  await page.route('**/api/users/saveDocuments', (route) =>
    route.fulfill({
      status: 500,
      json: { success: false, error: 'Server error.', errors: { server: 'Server error.' } },
    }),
  )
  await press(page, save(page))
  await expect(page.getByText('Something went wrong!')).toBeVisible()
  await page.unroute('**/api/users/saveDocuments')
  await press(page, save(page))
}

async function bill(page: Page): Promise<void> {
  await expectQuestionFocused(page, 'Your utility bill')
  const all = 'The document, all pages'
  const buffer = await makePdf(1)
  const file = { name: 'bill.pdf', mimeType: 'application/pdf', buffer }
  await chooseFile(page, slot(page, all).getByRole('button', { name: 'Choose a file' }), file)
  await expect(slot(page, all).getByText('Uploaded', { exact: true })).toBeVisible()
  await expect(slot(page, all).getByRole('button', { name: 'Choose another file' })).toBeFocused()
  await type(page, field(page, 'Document number or reference'), '2026-4471')
  await pickDate(page, daysAway(-120))
  await press(page, save(page))
  await expectFieldErrors(page, { 'Date of issue': 'A proof of address must be dated within the last 3\u00a0months.' })
  if (daysAway(2).getUTCFullYear() === new Date().getUTCFullYear()) {
    await pickDate(page, daysAway(2))
    await press(page, save(page))
    await expectFieldErrors(page, { 'Date of issue': 'The date of issue is in the future. Check day, month and year.' })
  }
  await pickDate(page, daysAway(-10))
  await press(page, save(page))
}

test('the wizard starts at the missing document; a failed submission shows the error and can be tried again', async ({
  page,
}) => {
  const client = await createClientAtStage({ state: 'pending' })
  const token = await signClientIn(page, client)
  await saveDocument(token, 'passport')
  await page.goto('/upload-documents')
  await expectQuestion(page, 'Choose your proof of address')
  // Set up before the document is saved, because the page also reads the documents at intervals and then sends them.
  await page.route('**/api/gcen/documentsApproval', (route) =>
    route.fulfill({ status: 500, json: { success: false, error: 'Server error.' } }),
  )
  await saveDocument(token, 'bank_statement')
  await page.reload()
  await expectQuestion(page, 'Your documents were not sent')
  await expect(page.getByRole('main').getByRole('alert')).toHaveText(
    "Something went wrong on our side. Please, contact support and we'll look into it.",
  )
  await expectAccessible(page)
  await page.unroute('**/api/gcen/documentsApproval')
  await page.getByRole('button', { name: 'TRY AGAIN' }).click()
  await expectQuestion(page, 'We are reviewing your documents')

  // A document under review is locked, even if the other one is requested again.
  await decideOnDocument(client, 'bank_statement', rejectDocument, { reason: 'The date is cut off.' })
  await page.reload()
  await expectQuestion(page, 'Choose your proof of address')
  await page.getByRole('button', { name: 'BACK', exact: true }).click()
  await page.getByRole('button', { name: /Passport.*Pending/i }).click()
  await expect(page.getByText('We are reviewing this document.')).toBeVisible()
  await expect(page.locator('input[type=file]')).toHaveCount(0)
  await expect(save(page)).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'BACK', exact: true }).click()
  await expectQuestion(page, 'Choose your identity document')

  await queryAsOwner(`update clients set state = 'rejected' where id = $1`, [client.id])
  await signClientIn(page, client)
  await page.goto('/')
  await expectQuestion(page, 'Upload documents')
  await expect(page.getByText('We cannot accept your application')).toBeVisible()
  await expect(page.getByRole('main').getByRole('button')).toHaveCount(0)
  await expectAccessible(page)
  await page.goto('/documents')
  await expect(page.getByText('We cannot accept your application')).toBeVisible()
  await expect(page.locator('input[type=file]')).toHaveCount(0)
})

test('no documents are accepted from a country of level 5', async ({ page }) => {
  await signClientIn(page, await createClientAtStage({ state: 'pending', country: 'BY' }))
  await page.goto('/upload-documents')
  await page.getByRole('button', { name: /On this device/ }).click()
  await expect(page.getByText('We cannot accept documents from your country of residence')).toBeVisible()
  await expect(page.getByRole('button', { name: /Passport/ })).toHaveCount(0)
  await expectAccessible(page)
  await page.goto('/documents')
  await expect(page.getByText('We cannot accept documents from your country of residence')).toBeVisible()
  await expect(page.getByRole('main').getByRole('button')).toHaveCount(0)
})

test('the sidebar lists the documents needed while one is under review and the other is only saved', async ({
  page,
}) => {
  const client = await createClientAtStage({ state: 'pending' })
  const token = await signClientIn(page, client)
  await saveDocument(token, 'passport')
  await saveDocument(token, 'utility_bill')
  // The statuses are changed in the response, because the page would soon submit the saved document, too.
  await page.route('**/api/users/getDocuments/*', async (route) => {
    const response = await route.fetch()
    const { documents, ...rest } = await response.json()
    const [passport, bill] = [documents.passport, documents.utility_bill]
    await route.fulfill({
      response,
      json: {
        ...rest,
        documents: {
          passport: { ...passport, status: 'pending_approval' },
          utility_bill: { ...bill, status: 'uploaded' },
        },
      },
    })
  })
  await page.goto('/upload-documents')
  await expect(page.getByRole('complementary', { name: 'Documents we need' })).toContainText('Passport')
})

test('once both documents are approved no further document is requested', async ({ page }) => {
  await signClientIn(page, await createClientAtStage({ state: 'approved' }))
  await page.goto('/upload-documents')
  await expect(page.getByRole('complementary', { name: 'Your documents' })).toContainText('Done')
  await expect(page.getByText('Documents we need')).toHaveCount(0)
  await expectQuestion(page, 'Your documents have been approved')
  await expect(page.getByText('still needed')).toHaveCount(0)
  await page.goto('/documents')
  await expect(page.getByText('You do not need to upload anything.')).toBeVisible()
  await expect(page.getByText('Upload valid documents to verify your identity and address.')).toHaveCount(0)
  await expectAccessible(page)
})

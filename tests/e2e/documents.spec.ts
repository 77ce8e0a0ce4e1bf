/** Documents in separate sections (requirements 6). */
import type { Page } from '@playwright/test'
import { approveDocument, rejectDocument } from '#contract/office/documents.ts'
import { makeJpeg } from '../files.ts'
import { expectAccessible } from './accessible.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { openPageAsClient } from './clients.ts'
import { takeDecision } from './decisions.ts'
import { chooseFile, chooseOption, press, type } from './keyboard.ts'
import { mailTo } from './mailbox.ts'
import { openPageAsStaff } from './staff.ts'
import {
  createClientAtStage,
  decideOnDocument,
  signClientIn,
  expectFieldErrors,
  expireDocument,
  queryAsOwner,
  postToPortal,
  saveDocument,
} from './stages.ts'
import { sendDocuments } from './pending-reviews.ts'
import { newClient } from './pending-requests.ts'

const section = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) })
const sendAll = (page: Page) => page.getByRole('button', { name: 'SEND FOR APPROVAL' })

test('SEND FOR APPROVAL appears with identity and address, reports a failure, and locks what was sent, using only the keyboard', async ({
  page,
}) => {
  const client = await createClientAtStage({ state: 'pending' })
  const token = await signClientIn(page, client)
  await page.goto('/documents')
  await expect(page.getByRole('heading', { level: 1, name: 'Documents' })).toBeVisible()
  for (const name of ['Drivers licence', 'Passport', 'Identity card', 'Proof of Address'])
    await expect(section(page, name)).toHaveAttribute('aria-expanded', 'false')
  await expect(section(page, 'Proof of source of wealth')).toHaveCount(0)
  await expect(sendAll(page)).toHaveCount(0)

  await press(page, section(page, 'Proof of Address'))
  await press(page, page.getByRole('button', { name: 'SAVE' }))
  await expectFieldErrors(page, {
    'Document number or reference': 'This field is required.',
    'Date of issue': 'Please, set the date of issue.',
    'The document, all pages': 'Upload the document.',
  })
  await expect(page.getByRole('button', { name: 'Choose a file The document, all pages' })).toBeFocused()
  await expectAccessible(page)
  const date = (name: string) => page.getByLabel(name, { exact: true }).and(page.locator(':visible'))
  for (const [name, at] of [
    ['Day', 1],
    ['Month', 1],
    ['Year', 2],
  ] as const)
    await date(name).selectOption({ index: at })
  await press(page, page.getByRole('button', { name: 'SAVE' }))
  await expectFieldErrors(page, {
    'Document number or reference': 'This field is required.',
    'Date of issue': 'A proof of address must be dated within the last 3\u00a0months.',
  })

  await saveDocument(token, 'proofOfAddress')
  await saveDocument(token, 'drivers_licence', 2)
  await page.reload()
  await expect(section(page, 'Drivers licence')).toContainText(/uploaded/i)

  await test.step('a document that has expired since it was saved, or that has unsaved changes, cannot be sent', async () => {
    const lastDay = (days: number) =>
      queryAsOwner(
        `update documents set expiry_date = current_date + $2::int where client_id = $1 and kind = 'drivers_licence'`,
        [client.id, days],
      )
    await lastDay(-3)
    await press(page, sendAll(page))
    const over = 'Drivers licence: This document has expired. Upload a valid one.'
    await expect(sendAll(page)).toHaveAccessibleDescription(over)
    await expectAccessible(page)
    await lastDay(900)
    await page.reload()
    await press(page, section(page, 'Drivers licence'))
    await type(page, page.getByLabel('Document number').and(page.locator(':visible')), 'L99')
    await expect(sendAll(page)).toHaveAccessibleDescription(/^Save your change to Drivers licence first/)
    await press(page, page.getByRole('button', { name: 'SAVE' }).and(page.locator(':visible')))
    await expect(sendAll(page)).toBeEnabled()
  })

  const answers = page.waitForRequest('**/api/gcen/documentsApproval')
  await page.route('**/api/gcen/documentsApproval', async (route) => {
    await expect(sendAll(page)).toBeDisabled()
    await route.fulfill({ status: 500, json: { success: false, error: 'Server error.' } })
  })
  await press(page, sendAll(page))
  await answers
  await expect(
    page.getByText("Something went wrong on our side. Please, contact support and we'll look into it."),
  ).toBeVisible()
  await expectAccessible(page)
  await page.unroute('**/api/gcen/documentsApproval')
  await expect(sendAll(page)).toBeFocused()
  await press(page, sendAll(page))
  await expect(section(page, 'Drivers licence')).toContainText(/pending/i)
  await expect(section(page, 'Proof of Address')).toContainText(/pending/i)
  await expect(sendAll(page)).toHaveCount(0)
  await expect(page.locator('main:focus, main :focus')).toHaveCount(1)
  const checked = 'We are reviewing this document. You can change it after our decision.'
  await expect(page.getByText(checked).and(page.locator(':visible'))).toHaveCount(1)
  await expect(page.getByRole('img', { name: 'Front' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'SAVE' }).and(page.locator(':visible'))).toHaveCount(0)
  await expectAccessible(page)
})

test('documents that another device has sent meanwhile are shown as sent, without an error', async ({ page }) => {
  const client = await createClientAtStage({ state: 'pending' })
  const token = await signClientIn(page, client)
  await saveDocument(token, 'utility_bill')
  await saveDocument(token, 'passport')
  await page.goto('/documents')
  await expect(sendAll(page)).toBeEnabled()
  await postToPortal(token, '/api/gcen/documentsApproval', {})
  await press(page, sendAll(page))
  await expect(page.getByText('Sent. We will review your documents within 48 hours.')).toBeVisible()
  await expect(section(page, 'Passport')).toContainText(/pending/i)
  await expect(page.getByText('There are no new documents to send.')).toHaveCount(0)
})

test('the page shows placeholders until the documents are loaded, and then no section moves', async ({ page }) => {
  const client = await createClientAtStage({ state: 'approved' })
  const token = await signClientIn(page, client)
  await saveDocument(token, 'passport')
  await saveDocument(token, 'proofOfAddress')
  await postToPortal(token, '/api/gcen/documentsApproval')
  await decideOnDocument(client, 'passport', approveDocument, { note: '' })
  await expireDocument(client, 'passport')
  const read = Promise.withResolvers<void>()
  await page.route('**/api/users/getDocuments/**', async (route) => {
    await read.promise
    await route.continue()
  })
  await page.goto('/documents')
  const sections = page.locator('.disclosure')
  await expect(sections).toHaveCount(4)
  await expect(page.locator('.disclosure .skeleton').first()).toBeVisible()
  await expect(page.getByText(/are verified|Upload valid documents/)).toHaveCount(0)
  await expectAccessible(page)
  const placesOf = () => sections.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))
  const places = await placesOf()
  read.resolve()
  await expect(page.getByText('Upload valid documents to verify your identity and address.')).toBeVisible()
  // The section of the expired document is open; neither it nor those above it have moved.
  expect((await placesOf()).slice(0, 2)).toEqual(places.slice(0, 2))
})

test('a document with a rejected side is open and shows the reason; an expired document can be replaced', async ({
  page,
}) => {
  const client = await createClientAtStage({ state: 'pending' })
  const token = await signClientIn(page, client)
  await saveDocument(token, 'id', 2)
  await saveDocument(token, 'utility_bill')
  await postToPortal(token, '/api/gcen/documentsApproval')
  const reason = 'A corner is cut off.'
  await decideOnDocument(client, 'id', rejectDocument, { reason, side: 'back' })

  await page.goto('/documents')
  const back = page.getByRole('group', { name: 'Back side' }).and(page.locator(':visible'))
  const front = page.getByRole('group', { name: 'Front side' }).and(page.locator(':visible'))
  await expect(section(page, 'Identity card')).toHaveAttribute('aria-expanded', 'true')
  await expect(page.getByText('Please upload this document again')).toBeVisible()
  await expect(section(page, 'Proof of Address: Utility bill')).toContainText(/pending/i)
  await expect(back).toContainText(reason)
  await expect(back.getByRole('button', { name: 'Choose a file' })).toBeVisible()
  await expect(front).toContainText('Uploaded')
  await expect(front).not.toContainText(reason)
  await expectAccessible(page)

  await saveDocument(token, 'id', 2)
  await postToPortal(token, '/api/gcen/documentsApproval')
  await decideOnDocument(client, 'id', approveDocument, { note: '' })
  await expireDocument(client, 'id')
  await page.goto('/document/id')
  await expect(page.getByText('This document has expired')).toBeVisible()
  await expect(front.getByRole('button', { name: 'Choose a file' })).toBeVisible()
  await expect(page.getByLabel('Year', { exact: true }).and(page.locator(':visible'))).toHaveValue('')
  await expectAccessible(page)
})

test('compliance requests proof of the source of wealth with a reason; the client uploads it, and compliance can review it', async ({
  page,
  browser,
}) => {
  const client = await newClient({ state: 'pending' })
  await sendDocuments(client)
  const { page: office } = await openPageAsStaff(browser, 'compliance', 'Vera Holm', `/office/documents/${client.id}`)
  const why = 'You plan to deposit more than you earn in a year.'
  await takeDecision(office, /Request another/, { words: why, accessible: true })
  expect((await mailTo(client.email, /source of your wealth/)).text).toContain(why)

  await openPageAsClient(page, '/document/source_of_wealth', client)
  await expect(section(page, 'Proof of source of wealth')).toHaveAttribute('aria-expanded', 'true')
  const shown = page
    .getByRole('region', { name: 'Proof of source of wealth' })
    .or(page.locator('section:has(> h2 [aria-expanded="true"])'))
  const contract = { name: 'contract.jpg', mimeType: 'image/jpeg', buffer: await makeJpeg(400) }
  await chooseFile(page, shown.getByRole('button', { name: 'Choose a file' }), contract)
  await expect(shown.getByText('Uploaded', { exact: true })).toBeVisible()
  await expect(shown.getByRole('button', { name: 'Choose another file' })).toBeFocused()
  await expectAccessible(page)
  await type(page, shown.getByLabel('Document number or reference'), '2026-1')
  await chooseOption(page, shown.getByLabel('Day'), '1')
  await chooseOption(page, shown.getByLabel('Month'), '2')
  await chooseOption(page, shown.getByLabel('Year'), String(new Date().getUTCFullYear() - 2))
  await press(page, shown.getByRole('button', { name: 'SAVE' }))
  await expect(section(page, 'Proof of source of wealth')).toContainText(/uploaded/i)
  await expect(page.locator('main :focus')).toHaveCount(1)
  await press(page, sendAll(page))
  await expect(section(page, 'Proof of source of wealth')).toContainText(/pending/i)

  await office.reload()
  await office.getByRole('button', { name: /^Proof of source of wealth Pending/i }).click()
  await expect(office.getByRole('img', { name: 'Front' })).toBeVisible()
  await expect(office.getByRole('heading', { name: 'Your decision: Proof of source of wealth' })).toBeVisible()
  await expect(office.getByRole('button', { name: /Request another/ })).toHaveCount(0)
  await expectAccessible(office)
})

/**
 * Documents in the back office with the keyboard: thumbnails, files' metadata, two side by side (requirements 24.53 to
 * 24.55).
 */
import sharp from 'sharp'
import type { Page } from '@playwright/test'
import { passportImage } from '#scripts/seed/pictures.ts'
import { passportBearer } from '../documents.ts'
import { expectAccessible } from './accessible.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { chooseOption, press, tabTo, type } from './keyboard.ts'
import { sendDocuments } from './pending-reviews.ts'
import { newClient } from './pending-requests.ts'
import { queryAsOwner } from './stages.ts'
import { openPageAsStaff } from './staff.ts'

/** Returns a photograph of a passport that was saved by an image editor. */
async function editedPassport(): Promise<Buffer> {
  const bearer = { ...passportBearer, name: 'Ida Maria', surname: 'Sample', number: 'C01X00T47', expires: '22.09.2031' }
  return sharp(await passportImage(bearer))
    .withExif({ IFD0: { Software: 'Adobe Photoshop 25.0' }, IFD2: { DateTimeOriginal: '2019:03:02 10:14:05' } })
    .jpeg()
    .toBuffer()
}

const drawn = (page: Page, name: string) => page.getByRole('group', { name, exact: true }).getByRole('img').first()
const zoomOf = (page: Page, name: string) => page.getByRole('group', { name, exact: true }).getByText(/^\d+%$/)

test('compliance sees thumbnails and warnings, and compares two documents with keys', async ({ browser }) => {
  const client = await newClient({ state: 'pending' })
  await sendDocuments(client, undefined, { picture: await editedPassport(), number: 'C01X00T47' })
  const { page } = await openPageAsStaff(
    browser,
    'compliance',
    'Vera Holm',
    `/office/clients/${client.id}?tab=documents`,
  )
  await test.step('the client’s page shows a thumbnail of each document', async () => {
    const rows = page.getByRole('table', { name: 'Documents' }).getByRole('row')
    await expect(rows.filter({ hasText: 'Passport' }).locator('img')).toBeVisible()
    await expect(rows.filter({ hasText: 'Utility bill' }).locator('img')).toBeVisible()
    await expectAccessible(page)
  })
  await test.step('the inbox lists blocks first, then warnings, then the number of passed checks', async () => {
    await page.goto(`/office/inbox?mine=false&q=${encodeURIComponent(client.name)}`)
    const checks = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Checks' }) })
      .last()
    await expect(checks.getByText(/passed$/)).toBeVisible()
    const lines = await checks.getByRole('listitem').allInnerTexts()
    expect(lines[0]).toMatch(/^Passport: Another client has the same number/)
    expect(lines[1]).toMatch(/^Passport: \d warnings? in the file’s metadata/)
    expect(lines.at(-1)).toMatch(/^\d+ passed$/)
    await expectAccessible(page)
  })
  await page.goto(`/office/documents/${client.id}`)
  await test.step('the page shows when the documents are due, and the clerk can assign them to themselves', async () => {
    const main = page.getByRole('main')
    await expect(main.getByText(/^due /)).toBeVisible()
    await press(page, page.getByRole('button', { name: 'Assign to me' }))
    await expect(main.getByText('assigned to you')).toBeVisible()
  })
  await test.step('the metadata warns of image software and of an image taken years ago', async () => {
    const fact = (name: string) => page.locator('dl.key-values > div').filter({ hasText: name })
    await expect(fact('Image software')).toContainText('Adobe Photoshop 25.0 (image editor)')
    await expect(fact('Image software').getByRole('img', { name: 'Warning' })).toBeVisible()
    await expect(fact('Image taken')).toContainText(/2 March 2019, 10:14 \([\d,]+ days before upload\)/)
    await expect(page.getByRole('group', { name: /^Documents of/ }).locator('img')).toHaveCount(2)
    await expectAccessible(page)
  })
  await test.step('b opens the other document side by side, and keys apply to the active one', async () => {
    await expect(page.getByRole('img', { name: 'Front' })).toBeVisible()
    await page.keyboard.press('b')
    await expect(page).toHaveURL(/[?&]beside=/)
    await expect(drawn(page, 'Passport')).toBeVisible()
    await expect(drawn(page, 'Compared document')).toBeVisible()
    await page.keyboard.press('+')
    await expect(zoomOf(page, 'Compared document')).toHaveText('140%')
    await expect(zoomOf(page, 'Passport')).toHaveText('100%')
    await page.keyboard.press('o')
    await page.keyboard.press('-')
    await page.keyboard.press('t')
    await expect(zoomOf(page, 'Passport')).toHaveText('75%')
    await expect(drawn(page, 'Passport')).toHaveCSS('transform', /^matrix\(.*, 1, -1, /)
    await expect(zoomOf(page, 'Compared document')).toHaveText('140%')
    await expectAccessible(page)
  })
  await test.step('the comparison survives a reload, follows the focus, and is closed with its button', async () => {
    await page.reload()
    const second = page.getByRole('group', { name: 'Compared document', exact: true })
    await expect(drawn(page, 'Compared document')).toBeVisible()
    await press(page, second.getByRole('button', { name: 'Zoom in (+)' }))
    await expect(second).toHaveAttribute('aria-current', 'true')
    await expect(zoomOf(page, 'Compared document')).toHaveText('140%')
    await press(page, page.getByRole('button', { name: 'Close comparison (b)' }))
    await expect(second).toHaveCount(0)
    await expect(page).not.toHaveURL(/beside=/)
    await expect(page.getByRole('img', { name: 'Front' })).toBeVisible()
  })
})

test('Ctrl+Enter in the list of standard reasons rejects a document, and then the client', async ({ browser }) => {
  const client = await newClient({ state: 'pending' })
  await sendDocuments(client)
  const { page } = await openPageAsStaff(browser, 'compliance', 'Vera Holm', `/office/documents/${client.id}`)
  const list = page.getByLabel('Standard reason')
  await expect(page.getByRole('heading', { name: 'Your decision: Passport' })).toBeVisible()
  await page.getByRole('main').focus()
  await page.keyboard.press('r')
  await expect(list).toBeFocused()
  await page.keyboard.press('Control+Enter')
  const text = page.getByLabel('Reason (visible to the client)')
  await expect(text).toBeFocused()
  await expect(text).toHaveAccessibleDescription(/Enter a reason\./)
  await chooseOption(page, list, 'document-blurred')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('heading', { name: 'Your decision: Utility bill' })).toBeVisible()

  await page.goto(`/office/clients/${client.id}`)
  await press(page, page.getByRole('button', { name: 'Reject…' }))
  const dialog = page.getByRole('dialog')
  await type(page, dialog.getByLabel('Internal reason'), 'Listed since June.')
  await tabTo(page, list)
  await chooseOption(page, list, 'client-country')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText(`${client.name} has been rejected.`)).toBeVisible()
})

test('an auditor sees the metadata, enters a reason for each document’s images, and has no decisions', async ({
  browser,
}) => {
  const client = await newClient({ state: 'pending' })
  await sendDocuments(client, undefined, { picture: await editedPassport(), number: 'C01X00T48' })
  const asked: string[] = []
  const { page } = await openPageAsStaff(browser, 'auditor', 'Greta Sand', '/office/overview')
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const pictures = () => asked.filter((path) => path.startsWith('/api/backoffice/files/'))
  await page.goto(`/office/clients/${client.id}?tab=documents`)
  await expect(
    page.getByRole('table', { name: 'Documents' }).getByRole('row').filter({ hasText: 'Passport' }),
  ).toBeVisible()
  await page.goto(`/office/documents/${client.id}`)
  await expect(page.getByText('Adobe Photoshop 25.0')).toBeVisible()
  await expect(page.getByRole('button', { name: /Approve|Reject|Confirm reading|Enter and check/ })).toHaveCount(0)
  expect(pictures()).toEqual([])
  await page.keyboard.press('b')
  for (const name of ['Passport', 'Compared document']) {
    const viewer = page.getByRole('group', { name, exact: true })
    const why = viewer.getByLabel('Reason for viewing the images')
    await expect(why).toBeVisible()
    await expectAccessible(page)
    await type(page, why, `Sample 12, ${name}`)
    await page.keyboard.press('Enter')
    await expect(viewer.getByRole('img', { name: 'Front' })).toBeVisible()
  }
  const events = await queryAsOwner(
    `select distinct reason from events where client_id = $1 and kind = 'file' and verb = 'view' order by 1`,
    [client.id],
  )
  expect(events).toEqual([{ reason: 'Sample 12, Compared document' }, { reason: 'Sample 12, Passport' }])
})

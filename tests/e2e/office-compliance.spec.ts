/** The decisions of compliance: documents one by one, the client, professional applications, changed names. */
import type { Page } from '@playwright/test'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { getProfessional } from '#contract/office/professional.ts'
import { getProfessionalClientsApplication } from '#contract/professional-status.ts'
import { getDocuments } from '#contract/documents.ts'
import { changesPath } from '#contract/office/inbox.ts'
import { profile } from '#contract/profile.ts'
import { mrzLines } from '#scripts/seed/pictures.ts'
import { passportBearer } from '../documents.ts'
import { makeInflatingPdf } from '../files.ts'
import { call } from '../factories.ts'
import { expectAccessible } from './accessible.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { eventually, expectPageLoaded, openRecord, pressOnPage, skipToContent, takeDecision } from './decisions.ts'
import { chooseOption, markItemViewed, press, tabTo, tick, type } from './keyboard.ts'
import { runningProduct } from './running.ts'
import { mailTo } from './mailbox.ts'
import { newVisitor } from './registration.ts'
import { openPageAsStaff } from './staff.ts'
import { queryAsOwner } from './stages.ts'
import {
  submitApplication,
  createBankRequest,
  createPassportHolder,
  sendDocuments,
  createSurnameRequest,
} from './pending-reviews.ts'
import { newClient, createOpenAccount } from './pending-requests.ts'

test('documents are decided one by one and can be requested again; the client is approved after them', async ({
  browser,
}) => {
  const product = await runningProduct()
  const client = await newClient({ state: 'pending' })
  await sendDocuments(client)
  const { page } = await openPageAsStaff(browser, 'compliance', 'Vera Holm', `/office/clients/${client.id}`)
  await expect(page.getByText('Approve a proof of identity first.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Approve…' })).toHaveCount(0)

  await test.step('the passport is rejected with a reason, and the next document opens immediately', async () => {
    await pressOnPage(
      page,
      page.getByRole('table', { name: 'Awaiting a decision' }).getByRole('link', { name: 'Open' }),
    )
    await expect(page.getByRole('heading', { name: 'Your decision: Passport' })).toBeVisible()
    await expect(page.getByRole('main')).toBeFocused()
    await rotateAndZoomImage(page)
    await page.keyboard.press('r')
    await expect(page.getByLabel('Standard reason')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('radio', { name: /Approve/ })).toBeFocused()
    await page.keyboard.press('r')
    await chooseOption(page, page.getByLabel('Standard reason'), 'document-blurred')
    await expectAccessible(page)
    await tabTo(page, page.getByLabel('Reason (visible to the client)'))
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('heading', { name: 'Your decision: Utility bill' })).toBeVisible()
    await expect(page.getByRole('button', { name: /^Utility bill/ })).toBeFocused()
  })
  await test.step('the client sees a reason only for the passport', async () => {
    const { answer } = await call(product, getDocuments, { as: client, params: { id: client.id } })
    expect(answer.documents.passport).toMatchObject({ status: 'rejected' })
    expect(JSON.stringify(answer.documents.passport)).toContain('The picture is blurred.')
    expect(answer.documents.utility_bill).toMatchObject({ status: 'pending_approval' })
    await mailTo(client.email, /passport/i)
  })
  await test.step('the bill and the passport that was sent again are approved with keys', async () => {
    await markItemViewed(page)
    await page.keyboard.press('a')
    await expect(page.getByRole('button', { name: 'Approve Utility bill' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('group', { name: `Documents of ${client.name}` })).toHaveCount(0)
    await sendDocuments(client, ['passport'])
    await openRecord(page, `/documents/${client.id}`)
    await expect(page.getByText('Previous rejections')).toBeVisible()
    await markItemViewed(page)
    await page.keyboard.press('a')
    await press(page, page.getByRole('button', { name: 'Approve Passport' }))
    await expect(page.getByRole('group', { name: `Documents of ${client.name}` })).toHaveCount(0)
  })
  await test.step('the client is approved', async () => {
    await openRecord(page, `/clients/${client.id}`)
    await expect(page.getByRole('button', { name: 'Assign to me' })).toBeVisible()
    await takeDecision(page, 'Approve…', { accessible: true })
    await expect(page.getByText(`${client.name} has been approved.`)).toBeVisible()
    await mailTo(client.email, /approved/i)
  })
  await test.step('an approved document is requested again', async () => {
    await openRecord(page, `/documents/${client.id}`)
    await pressOnPage(page, page.getByRole('button', { name: /^Utility bill/ }))
    await takeDecision(page, 'Request again…', { words: 'Please send the whole page.', accessible: true })
    await expect(page.getByText('Requested again.')).toBeVisible()
    const { answer } = await call(product, getDocuments, { as: client, params: { id: client.id } })
    expect(JSON.stringify(answer.documents.utility_bill)).toContain('Please send the whole page.')
  })
})

/** Enlarges, rotates and fits the image, with its buttons and with keys; the focus stays on the tools. */
async function rotateAndZoomImage(page: Page): Promise<void> {
  const larger = page.getByRole('button', { name: 'Zoom in (+)' })
  await pressOnPage(page, larger)
  await expect(page.getByText('140%')).toBeVisible()
  await expect(larger).toBeFocused()
  await page.keyboard.press('+')
  await expect(page.getByText('200%')).toBeVisible()
  await page.keyboard.press('t')
  await expect(page.getByRole('img', { name: 'Front' })).toHaveAttribute('style', /rotate\(90deg\)/)
  await page.keyboard.press('0')
  await expect(page.getByText('100%')).toBeVisible()
}

test('the machine-readable zone is entered from the image, and its check digits and the client’s data are compared', async ({
  browser,
}) => {
  const { surname } = newVisitor()
  const client = await newClient({ state: 'pending', surname, birthDate: '1986-03-14' })
  await sendDocuments(client)
  const { answer } = await call(await runningProduct(), getDocuments, { as: client, params: { id: client.id } })
  const passport = answer.documents.passport
  const bearer = {
    ...passportBearer,
    name: 'Ida Maria',
    surname,
    number: (passport?.documentNumber ?? '').replaceAll(/\W/g, ''),
    expires: `22.09.${passport?.expiryYear}`,
  }
  const { page } = await openPageAsStaff(browser, 'compliance', 'Vera Holm', `/office/documents/${client.id}`)
  const zone = page.getByLabel('Lines as shown in the image')
  const typeZone = async (command: string, lines: readonly string[]) => {
    await press(page, page.getByRole('button', { name: command }))
    // The first Enter is a line break; the one after the last line reads the zone.
    await type(page, zone, lines.join('\n'))
    await page.keyboard.press('Enter')
    await expect(zone).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Correct entry' })).toBeFocused()
  }
  const line = (name: string) => page.getByRole('row', { name: new RegExp(`${name}\\b`) })

  await test.step('an input that is not a zone is reported at the field', async () => {
    await pressOnPage(page, page.getByRole('button', { name: 'Enter and check' }))
    await expect(zone).toBeFocused()
    await page.keyboard.type('P<D<<\nNOT A ZONE')
    await page.keyboard.press('Enter')
    await expect(zone).toHaveAttribute('aria-invalid', 'true')
    await expectAccessible(page)
    await press(page, page.getByRole('button', { name: 'Cancel' }))
  })
  await test.step('a wrong check digit and a different name are marked', async () => {
    const [first, second] = mrzLines({ ...bearer, surname: 'Somebody' })
    await typeZone('Enter and check', [first, second.replace('860314', '870314')])
    await expect(page.getByText(/\d of \d check digits valid/)).toBeVisible()
    await expect(line('Surname').getByRole('img', { name: 'differs' })).toBeVisible()
    await expect(line('Surname')).toContainText('SOMEBODY')
    await expect(line('Date of birth').getByRole('img', { name: 'differs' })).toBeVisible()
    await expect(line('Number').getByRole('img', { name: 'matches' })).toBeVisible()
    await expectAccessible(page)
  })
  await test.step('with the correct input every check digit and every line matches', async () => {
    await typeZone('Correct entry', mrzLines(bearer))
    await expect(page.getByText(/all \d check digits valid/)).toBeVisible()
    for (const name of ['Surname', 'Given names', 'Date of birth', 'Nationality', 'Number', 'Expiry date'])
      await expect(line(name).getByRole('img', { name: 'matches' })).toBeVisible()
  })
})

test('the machine-readable zone is read from the image, and a clerk confirms it with a key', async ({ browser }) => {
  const client = await createPassportHolder()
  const { surname, number } = client
  const { page } = await openPageAsStaff(browser, 'compliance', 'Vera Holm', '/office/overview')
  // The stream of changes opens only after the zone has been read: the page, which was loaded before, must be notified
  // all the same.
  const isRead = Promise.withResolvers<void>()
  await page.route(`**${changesPath}`, async (route) => {
    await isRead.promise
    await route.continue()
  })
  await page.goto(`/office/documents/${client.id}`)
  await expectPageLoaded(page)
  const line = (name: string) => page.getByRole('row', { name: new RegExp(`${name}\\b`) })

  await test.step('the fields are filled from the image, each with its confidence', async () => {
    await eventually(async () => {
      const read = await queryAsOwner(
        'select from zone_readings z join documents d on z.file_id = d.front_file where d.client_id = $1',
        [client.id],
      )
      expect(read).toHaveLength(1)
    })
    isRead.resolve()
    await expect(page.getByText('Read from the image, not confirmed yet.')).toBeVisible()
    await expect(line('Surname')).toContainText(surname.toUpperCase())
    await expect(line('Number')).toContainText(number)
    await expect(line('Number')).toContainText(/read, 9\d%/)
    await expect(page.getByText('compare with the image')).toHaveCount(0)
    await expectAccessible(page)
  })
  await test.step('the clerk confirms, and the zone counts as entered', async () => {
    await page.keyboard.press('m')
    await expect(page.getByText(/all \d check digits valid/)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Confirm reading' })).toHaveCount(0)
    for (const name of ['Surname', 'Given names', 'Date of birth', 'Nationality', 'Number', 'Expiry date'])
      await expect(line(name).getByRole('img', { name: 'matches' })).toBeVisible()
    await expect(page.getByText('read, 9')).toHaveCount(0)
  })
})

test('a client is rejected with a standard reason, which the email contains', async ({ browser }) => {
  const client = await newClient({ state: 'pending', identityApproved: true, addressApproved: true })
  const { page } = await openPageAsStaff(browser, 'compliance', 'Vera Holm', `/office/clients/${client.id}`)
  await pressOnPage(page, page.getByRole('button', { name: 'Reject…' }))
  const dialog = page.getByRole('dialog')
  await type(page, dialog.getByLabel('Internal reason'), 'Listed since June.')
  await chooseOption(page, dialog.getByLabel('Standard reason'), 'client-country')
  await expectAccessible(page)
  await press(page, dialog.getByRole('button', { name: 'Reject' }))
  await expect(page.getByText(`${client.name} has been rejected.`)).toBeVisible()
  const mail = await mailTo(client.email, /./)
  expect(mail.text).toContain('We cannot offer our services in your country.')
  expect(mail.text).not.toContain('Listed since June.')
})

test('more information is requested on a professional application, which is approved and later reversed; another is rejected', async ({
  browser,
}) => {
  const product = await runningProduct()
  const client = await newClient()
  const other = await newClient()
  const account = await createOpenAccount(client)
  await submitApplication(client)
  await submitApplication(other)
  const { page } = await openPageAsStaff(browser, 'compliance', 'Vera Holm', '/office/professional')
  const find = async (name: string) => {
    await openRecord(page, `/professional?q=${encodeURIComponent(name)}`)
    await page.getByRole('link', { name: new RegExp(name) }).click()
    await expect(page.getByRole('heading', { level: 1, name: /criteria met/ })).toBeVisible()
    return page.url().split('/office')[1] ?? ''
  }
  const applicationOf = async (who: { token: string }) =>
    (await call(product, getProfessionalClientsApplication, { as: who })).answer.application

  const record = await find(client.name)
  await expectAccessible(page)
  await takeDecision(page, 'Request more information…', {
    words: 'Please send a statement of your portfolio.',
    accessible: true,
  })
  expect(JSON.stringify(await applicationOf(client))).toContain('Please send a statement of your portfolio.')

  await find(other.name)
  await takeDecision(page, 'Reject…', { words: 'Two of the three tests are not passed.' })
  expect(await applicationOf(other)).toMatchObject({ status: 'rejected' })
  expect(JSON.stringify(await applicationOf(other))).toContain('Two of the three tests are not passed.')

  await openRecord(page, record)
  await skipToContent(page)
  await tick(page, page.getByRole('checkbox').first())
  await takeDecision(page, 'Categorise as professional…', { words: 'Statement seen.' })
  expect(await applicationOf(client)).toMatchObject({ status: 'approved' })
  await openRecord(page, `/clients/${client.id}?tab=accounts`)
  await expect(page.getByText(account.number.slice(-3)).first()).toBeVisible()

  await openRecord(page, record)
  await takeDecision(page, 'Recategorise as retail…', { words: 'The client asked to be a retail client again.' })
  await openRecord(page, `/clients/${client.id}`)
  await expect(page.getByText('Retail Client').first()).toBeVisible()
})

test('a professional application shows which account has no platform group before it is selected', async ({
  browser,
}) => {
  const client = await newClient()
  await createOpenAccount(client)
  await submitApplication(client)
  const { page } = await openPageAsStaff(browser, 'compliance', 'Vera Holm')
  await page.route(/\/api\/backoffice\/professional\/[^/]+$/, async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as ResponseOf<typeof getProfessional>
    for (const account of body.application.accounts) account.groupMissing = true
    await route.fulfill({ response, json: body })
  })
  await openRecord(page, `/professional?q=${encodeURIComponent(client.name)}`)
  await page.getByRole('link', { name: new RegExp(client.name) }).click()
  await expect(page.getByText('no platform group')).toBeVisible()
  const refused = page.getByText('No professional platform group is set for a selected account.')
  await expect(refused).toHaveCount(0)
  await skipToContent(page)
  await tick(page, page.getByRole('checkbox').first())
  await expect(refused).toBeVisible()
  await expectAccessible(page)
})

test('a file that cannot be displayed can be downloaded with a reason', async ({ browser }) => {
  const client = await newClient()
  const bank = await createBankRequest(client, await makeInflatingPdf(400 * 1024 * 1024))
  const { page } = await openPageAsStaff(browser, 'operations', 'Anton Reis', `/office/bank-details/${bank}`)
  await expect(page.getByText('This file cannot be displayed.')).toBeVisible()
  await expect(page.getByRole('button', { name: /Download original/ })).toHaveCount(0)
  await expectAccessible(page)
  const why = page.getByLabel('Reason for opening this file')
  const download = page.getByRole('button', { name: 'Download the file' })
  await pressOnPage(page, download)
  await expect(page.getByText('Enter a reason.')).toBeVisible()
  await expect(why).toBeFocused()
  await type(page, why, 'The client has no other statement.')
  const saved = page.waitForEvent('download')
  await page.keyboard.press('Enter')
  expect((await saved).suggestedFilename()).toMatch(/statement\.pdf$/)
})

test('a changed name needs the approval of compliance; after a rejection the previous name stays', async ({
  browser,
}) => {
  const product = await runningProduct()
  const client = await newClient()
  const { page } = await openPageAsStaff(browser, 'compliance', 'Vera Holm')
  const open = async () => {
    await openRecord(page, `/profile-changes?q=${encodeURIComponent(client.name)}`)
    await page.getByRole('link', { name: new RegExp(client.name) }).click()
    await expect(page.getByRole('button', { name: /^Approve/ })).toBeVisible()
  }
  const surname = client.name.split(' ')[1] ?? ''

  expect((await createSurnameRequest(client, 'Falk')).answer.pending).toEqual(['surname'])
  await open()
  await expectAccessible(page)
  await takeDecision(page, 'Reject…', { words: 'Please upload the certificate first.' })
  expect((await call(product, profile, { as: client })).answer.user.surname).toBe(surname)

  await createSurnameRequest(client, `${surname}-Falk`)
  await open()
  await takeDecision(page, /^Approve/)
  await eventually(async () =>
    expect((await call(product, profile, { as: client })).answer.user.surname).toBe(`${surname}-Falk`),
  )
})

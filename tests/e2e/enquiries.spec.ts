/** Messages to the firm from clients and visitors, and complaints (requirements 24.40 to 24.43, 24.113). */
import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { getEnquiry, writeEnquiry } from '#contract/enquiries.ts'
import { answerEnquiry, getOfficeEnquiry, listOfficeEnquiries } from '#contract/office/enquiries.ts'
import { run, sql } from '#server/db/sql.ts'
import { call, makeStaff, type MadeClient } from '../factories.ts'
import { makeApprovedBank } from '../funded-account.ts'
import { expectAccessible } from './accessible.ts'
import { openPageAsNewClient, openPageAsClient } from './clients.ts'
import { openRecord, pressOnPage, takeDecision } from './decisions.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { chooseOption, chooseTile, markItemViewed, press, type } from './keyboard.ts'
import { mailTo } from './mailbox.ts'
import { announceWire, newClient, createOpenAccount } from './pending-requests.ts'
import { runningProduct } from './running.ts'
import { journeyPassword, openPageAsStaff } from './staff.ts'

const help = (page: Page) => page.getByRole('dialog', { name: 'Help' })

async function beginMessage(page: Page): Promise<void> {
  await press(page, page.getByRole('button', { name: 'Help', exact: true }).last())
  await press(page, help(page).getByRole('button', { name: 'Send us a message' }))
  await expect(help(page).getByRole('button', { name: 'Back to Help' })).toBeFocused()
  await expectAccessible(page)
}

const complain = (page: Page, answer: 'Yes' | 'No') =>
  chooseTile(page, help(page).getByRole('group', { name: 'Is this a complaint?' }).getByRole('radio', { name: answer }))

/** Returns the path that an email's button opens. */
function pathIn(text: string): string {
  const { pathname, search } = new URL(/https?:\/\/\S+enquiry=[\w-]+/.exec(text)?.[0] ?? '')
  return pathname + search
}

/** Replies as staff to the only enquiry that a search finds. */
async function replyAs(words: string, text: string): Promise<void> {
  const product = await runningProduct()
  const as = await makeStaff(product, ['operations'], { name: 'Anton Reis' })
  const { rows } = (await call(product, listOfficeEnquiries, { as, query: { q: words } })).answer
  const id = rows[0]?.id ?? ''
  const { version } = (await call(product, getOfficeEnquiry, { as, params: { id } })).answer.enquiry
  expect((await call(product, answerEnquiry, { as, params: { id }, body: { version, text } })).status).toBe(200)
}

test('a client pending approval sends a message, opens the reply from the email and answers it, using only the keyboard', async ({
  page,
}) => {
  const client = await openPageAsNewClient(page, '/upload-documents', { state: 'pending' })
  await beginMessage(page)
  await press(page, help(page).getByRole('button', { name: 'Send message' }))
  await expect(help(page).getByText('Choose a subject.')).toBeVisible()
  await chooseOption(page, help(page).getByLabel('Subject'), 'profile')
  await type(page, help(page).getByLabel('Message'), 'Which document do you still need?')
  await complain(page, 'No')
  await press(page, help(page).getByRole('button', { name: 'Send message' }))
  await expect(help(page).getByText('Which document do you still need?')).toBeVisible()
  await expect(help(page).getByRole('button', { name: 'Back to Help' })).toBeFocused()
  await replyAs(client.email, 'Your proof of address.')
  const mail = await mailTo(client.email, /^You have a reply from/)
  expect(mail.text).not.toContain('proof of address')
  await page.goto(pathIn(mail.text))
  await expect(help(page).getByText('Your proof of address.')).toBeVisible()
  await expect(page).toHaveURL(/\/upload-documents$/)
  await expectAccessible(page)
  await type(page, help(page).getByLabel('Your reply'), 'Thank you!')
  await press(page, help(page).getByRole('button', { name: 'Send message' }))
  await expect(help(page).getByText('Thank you!')).toBeVisible()
  await expect(help(page).getByText('Open', { exact: true })).toBeVisible()
  await press(page, help(page).getByRole('button', { name: 'Back to Help' }))
  await expect(help(page).getByRole('button', { name: /Profile and documents/ })).toBeVisible()
})

test('a client asks about a payment from its drawer and opens the reply from the notification, using only the keyboard', async ({
  page,
  browser,
}) => {
  const client = await newClient()
  await makeApprovedBank(await runningProduct(), client)
  const account = await createOpenAccount(client)
  const { id, reference: about } = await announceWire(client, account, '120.00')
  await openPageAsClient(page, '/transactions-history?list=deposits', client)
  await press(page, page.getByRole('row', { name: /120\.00/ }).getByRole('link'))
  const drawer = page.getByRole('dialog', { name: 'Deposit', exact: true })
  const opener = drawer.getByRole('button', { name: 'Contact support about this' })
  await press(page, opener)
  const reference = help(page).getByLabel('Reference of a deposit, withdrawal or transfer')
  await expect(reference).toHaveValue(about)
  await expect(help(page).getByLabel('Subject')).toHaveValue('payments')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(help(page)).toHaveCount(0)
  await expect(opener).toBeFocused()
  await page.keyboard.press('Enter')
  await type(page, help(page).getByLabel('Message'), 'My bank has sent it.')
  await complain(page, 'No')
  await press(page, help(page).getByRole('button', { name: 'Send message' }))
  await expect(help(page).getByText('My bank has sent it.')).toBeVisible()
  await expect(help(page).getByLabel('Add to your message')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(opener).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(drawer).toHaveCount(0)
  const { page: office } = await openPageAsStaff(
    browser,
    'operations',
    'Anton Reis',
    `/office/inbox?mine=false&q=${encodeURIComponent(client.name)}`,
  )
  await test.step('the inbox shows the payment and the due time, and the enquiry links to the payment', async () => {
    const item = office.getByRole('link', { name: new RegExp(`${client.name}[^]*Enquiry`) })
    const main = office.getByRole('main')
    await expect(main.getByText(about, { exact: true })).toBeVisible()
    await expect(main.getByText(/sent .* ago, due /)).toBeVisible()
    await expectAccessible(office)
    await press(office, item)
    await office.waitForURL(/\/office\/enquiries\//)
    await expect(office.getByText('My bank has sent it.')).toBeVisible()
    await expect(office.getByRole('link', { name: about, exact: true })).toHaveAttribute(
      'href',
      new RegExp(`/office/.*${id}`),
    )
    await takeDecision(office, /^Reply/, { words: 'It arrived this morning.', accessible: true })
  })
  await test.step('the notification opens the reply for the client', async () => {
    await page.reload()
    await press(page, page.getByRole('button', { name: /^Notifications/ }))
    await press(page, page.getByRole('dialog', { name: 'Notifications' }).getByRole('link').first())
    await expect(help(page).getByText('It arrived this morning.')).toBeVisible()
    await expect(help(page).getByText(`· about ${about}`)).toBeVisible()
    await expect(help(page).getByLabel('Your reply')).toBeVisible()
    await expectAccessible(page)
  })
})

test('the link in an email opens the message after a logged-out client has logged in', async ({ page }) => {
  const product = await runningProduct()
  const client = await newClient()
  await makeApprovedBank(product, client)
  const body = { topic: 'other', text: 'Where are my statements?', complaint: true, reference: '' } as const
  expect((await call(product, writeEnquiry, { as: client, body })).status).toBe(201)
  const mail = await mailTo(client.email, /^We have received your complaint/)
  await page.goto(pathIn(mail.text))
  await page.getByLabel('Email').fill(client.email)
  await page.getByLabel('Password', { exact: true }).fill(journeyPassword)
  await page.getByRole('button', { name: 'SIGN IN' }).click()
  await expect(help(page).getByText('Where are my statements?')).toBeVisible()
  await expect(help(page).getByText(/We will give you our decision by/)).toBeVisible()
  await expect(page).toHaveURL(/\/trading-accounts$/)
})

test('a visitor sends a complaint from the login page and gets the reply by email, using only the keyboard', async ({
  page,
}) => {
  const product = await runningProduct()
  // All journeys share this machine's IP address, and the form has a rate limit for each network.
  await run(product.dependencies.pool, sql`delete from rate_limits where bucket like 'contact:%'`)
  const email = `visitor-${randomUUID().slice(0, 8)}@example.org`
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'SIGN IN' })).toBeVisible()
  await beginMessage(page)
  await type(page, help(page).getByLabel('Name'), 'Ruth Amsel')
  await type(page, help(page).getByLabel('Email'), email)
  await type(page, help(page).getByLabel('Message'), 'I cannot sign in any more.')
  await complain(page, 'Yes')
  await press(page, help(page).getByRole('button', { name: 'Send message' }))
  await expect(help(page).getByText('Thank you for your message.')).toBeVisible()
  await expectAccessible(page)
  await mailTo(email, /^We have received your complaint/)
  await replyAs(email, 'Please use the link for a new password.')
  const mail = await mailTo(email, /^Our reply to your message/)
  expect(mail.text).toContain('Please use the link for a new password.')
})

test('a clerk replies to and closes enquiries; compliance concludes a complaint, which the register shows, using only the keyboard', async ({
  browser,
  page: portal,
}) => {
  const product = await runningProduct()
  const client = await newClient()
  const write = async (complaint: boolean) => {
    const body = { topic: 'payments', text: 'Where is my money?', complaint, reference: '' } as const
    return (await call(product, writeEnquiry, { as: client, body })).answer.enquiry.id
  }
  const [question, idle, complaint] = [await write(false), await write(false), await write(true)]
  const { page } = await openPageAsStaff(browser, 'operations', 'Anton Reis')
  await test.step('a clerk replies to one enquiry, closes another and cannot conclude a complaint', async () => {
    await openRecord(page, `/enquiries/${question}`)
    await expectAccessible(page)
    await markItemViewed(page)
    await page.keyboard.press('r')
    await expect(page.getByRole('dialog').getByRole('group', { name: 'Message' })).toHaveText('Where is my money?')
    await page.keyboard.press('Escape')
    await takeDecision(page, /^Reply/, { words: 'It arrives tomorrow.', accessible: true })
    await expectThread(client, question, 'answered', ['Where is my money?', 'It arrives tomorrow.'])
    await openRecord(page, `/enquiries/${idle}`)
    await takeDecision(page, /^Close/)
    await expectThread(client, idle, 'closed', ['Where is my money?'])
    await openRecord(page, `/enquiries/${complaint}`)
    await expect(page.getByRole('button', { name: /^Conclude/ })).toHaveCount(0)
  })
  const { page: officer } = await openPageAsStaff(browser, 'compliance', 'Ines Albrecht')
  await test.step('compliance concludes the complaint', async () => {
    await openRecord(officer, `/enquiries/${complaint}`)
    await pressOnPage(officer, officer.getByRole('button', { name: /^Conclude/ }))
    const dialog = officer.getByRole('dialog', { name: 'Conclude complaint' })
    await type(officer, dialog.getByLabel('Your reply'), 'We refund the fee.')
    await press(officer, dialog.getByRole('button', { name: /^Conclude/ }))
    await expect(dialog.getByText('Choose the outcome.')).toBeVisible()
    await expectAccessible(officer)
    await chooseTile(officer, dialog.getByRole('radio', { name: 'Partly upheld' }))
    await press(officer, dialog.getByRole('button', { name: /^Conclude/ }))
    await expect(dialog).toHaveCount(0)
    await expectThread(client, complaint, 'closed', ['Where is my money?', 'We refund the fee.'])
  })
  await test.step('an email notifies the client of the decision, and the portal explains that a reply reopens the complaint', async () => {
    await makeApprovedBank(product, client)
    const mail = await mailTo(client.email, /^Our decision on your complaint/)
    expect(mail.text).not.toContain('We refund the fee.')
    await openPageAsClient(portal, pathIn(mail.text), client)
    await expect(help(portal).getByText('Partly upheld')).toBeVisible()
    await expect(help(portal).getByLabel('Your reply')).toHaveAccessibleDescription('Your reply reopens the complaint.')
    await expectAccessible(portal)
  })
  await test.step('the register shows the outcome', async () => {
    await officer.goto(`/office/enquiries?type=complaint&state=all&q=${client.email}`)
    await expect(officer.getByRole('heading', { level: 1, name: 'Register of complaints' })).toBeVisible()
    await expect(officer.getByRole('row', { name: /Partly upheld/ })).toHaveCount(1)
    await expectAccessible(officer)
  })
})

async function expectThread(as: MadeClient, id: string, state: string, texts: readonly string[]): Promise<void> {
  const { answer } = await call(await runningProduct(), getEnquiry, { as, params: { id } })
  expect(answer.enquiry.state).toBe(state)
  expect(answer.messages.map(({ text }) => text)).toEqual(texts)
}

/** The record of one client: all sections, and the actions of staff about the person (requirements 24.112). */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Locator } from '@playwright/test'
import { getOfficeClient } from '#contract/office/clients.ts'
import { rejectClient } from '#contract/office/client-decisions.ts'
import { approveProfileChange } from '#contract/office/profile-changes.ts'
import { currentUser } from '#contract/users-session.ts'
import { groupByFour } from '#rules/digit-groups.ts'
import { personas } from '#scripts/seed/personas.ts'
import { addressOf } from '#scripts/seed/ip-addresses.ts'
import { recordClientEvent, recordEvent } from '#server/db/events.ts'
import { run, transaction } from '#server/db/sql.ts'
import { call, makeClient, makeStaff, clientTokenFor } from '../factories.ts'
import { expectAccessible } from './accessible.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { expectFocusIn, expectFocusKept, openRecord, pressOnPage, skipToContent, takeDecision } from './decisions.ts'
import { chooseTile, press, type } from './keyboard.ts'
import { mailTo } from './mailbox.ts'
import { chooseInComboBox } from './registration.ts'
import { runningProduct } from './running.ts'
import { openPageAsStaff } from './staff.ts'
import { sendDocuments } from './pending-reviews.ts'
import { createFundedAccount, newClient, createOpenAccount, createWithdrawalRequest } from './pending-requests.ts'

const tabs = ['profile', 'documents', 'accounts', 'money', 'bank', 'mails', 'logins', 'timeline'] as const

test('every section of a client’s record opens, and pending items come first', async ({ browser }) => {
  const client = await newClient()
  await createWithdrawalRequest(client, await createFundedAccount(client, '400.00'), '20.00')
  const { page } = await openPageAsStaff(browser, 'compliance', 'Vera Holm', `/office/clients/${client.id}`)
  const waiting = page.getByRole('table', { name: 'Awaiting a decision' })
  await expect(waiting.getByRole('row', { name: /Withdrawal.*20\.00/ })).toBeVisible()
  await expectAccessible(page)
  for (const tab of tabs) {
    const link = page.locator(`main a[href$="?tab=${tab}"]`).first()
    await pressOnPage(page, link)
    await expect(page).toHaveURL(new RegExp(`[?]tab=${tab}$`))
    await expect(link).toBeFocused()
    await expect(page.locator('[aria-busy="true"], .skeleton')).toHaveCount(0)
    await expect(page.getByRole('table').first()).toBeVisible()
    await expectAccessible(page)
  }
})

test('on a phone the checks of an approval are above the profile', async ({ browser }) => {
  const client = await newClient({ state: 'pending', identityApproved: true, addressApproved: true })
  const { page } = await openPageAsStaff(browser, 'compliance', 'Vera Holm', `/office/clients/${client.id}`)
  const topOf = async (name: string) => {
    const heading = page.getByRole('heading', { level: 2, name, exact: true })
    await expect(heading).toBeVisible()
    return (await heading.boundingBox())?.y ?? 0
  }
  expect(Math.abs((await topOf('Checks')) - (await topOf('Profile')))).toBeLessThan(40)
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await topOf('Checks')).toBeLessThan(await topOf('Profile'))
  await expectAccessible(page)
})

test('an open confirmation keeps its texts when a colleague rejects the client, and names the colleague when it is sent', async ({
  browser,
}) => {
  const client = await newClient({ state: 'pending' })
  const { page } = await openPageAsStaff(browser, 'compliance', 'Vera Holm', `/office/clients/${client.id}`)
  await pressOnPage(page, page.getByRole('button', { name: 'Reject…' }))
  const dialog = page.getByRole('dialog')
  await type(page, dialog.getByLabel('Internal reason'), 'Registered twice.')
  const product = await runningProduct()
  const as = await makeStaff(product, ['compliance'], { name: 'Paul Okafor' })
  const body = { version: 1, reason: 'No reply.', clientReason: 'You did not reply.' }
  expect((await call(product, rejectClient, { as, params: { id: client.id }, body })).status).toBe(200)
  // This is behind the dialog, which hides the page from queries by role.
  await expect(page.getByText('Rejected by Paul Okafor')).toBeAttached()
  await expect(dialog.getByLabel('Internal reason')).toHaveValue('Registered twice.')
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByRole('alert')).toHaveText('Paul Okafor has already decided this. Current status: Rejected.')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expectFocusKept(page)
})

test('consecutive events of the same type are one entry of the timeline', async ({ browser }) => {
  const client = await newClient()
  const { dependencies } = await runningProduct()
  const now = Date.now()
  await transaction(dependencies.pool, async (tx) => {
    for (const [order, step] of ['2.1', '2.2', '2.3', '2.4', '2.5', '2.6'].entries())
      await recordEvent(
        tx,
        { identity: { kind: 'client', id: client.id }, now: new Date(now - 60_000 * (6 - order)) },
        {
          kind: 'client',
          action: 'saveRegistrationStep',
          record: client.id,
          clientId: client.id,
          details: { step },
        },
      )
    for (const secondsAgo of [20, 10])
      await recordEvent(
        tx,
        { identity: { kind: 'client', id: client.id }, now: new Date(now - 1000 * secondsAgo) },
        { kind: 'client', action: 'logOut', record: client.id, clientId: client.id },
      )
  })
  const { page } = await openPageAsStaff(browser, 'compliance', 'Vera Holm', `/office/clients/${client.id}`)
  await expect(page.getByRole('listitem').filter({ hasText: 'Registration step saved · 6 times' })).toHaveCount(1)
  await page.goto(`/office/clients/${client.id}?tab=timeline`)
  const row = page.getByRole('row', { name: /Registration step saved · 6 times/ })
  await expect(row).toHaveCount(1)
  await expect(row.locator('time')).toHaveCount(2)
  await expect(row).toContainText(/2\.1.*2\.6/)
  const plain = page.getByRole('row', { name: /signed out · 2 times/i })
  await expect(plain.locator('td[data-phone="status"]')).toHaveText('–')
  await expectAccessible(page)
})

test('an event shows its IP address and its reference at every width, also on a phone', async ({ browser }) => {
  const client = await newClient()
  const { dependencies } = await runningProduct()
  const reference = randomUUID()
  const identity = { kind: 'client', id: client.id } as const
  const auditContext = { identity, now: new Date(), address: '203.0.113.77', reference }
  await transaction(dependencies.pool, (tx) => recordClientEvent(tx, auditContext, client.id, { action: 'logOut' }))
  const { page } = await openPageAsStaff(
    browser,
    'administrator',
    'Vera Holm',
    `/office/clients/${client.id}?tab=timeline`,
  )
  const inHistory = page.getByRole('row', { name: /signed out/i })
  const shown = async (row: Locator) => {
    for (const fact of [reference, '203.0.113.77'])
      await expect(row.getByText(fact).filter({ visible: true })).toHaveCount(1)
  }
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await shown(inHistory)
    await expectAccessible(page)
  }
  await page.goto(`/office/audit?reference=${reference}`)
  const inLog = page.getByRole('row', { name: /signed out/i })
  await shown(inLog)
  await expect(inLog.getByText(/^No\. /)).toBeVisible()
})

test('linked clients are named to compliance with the data they share; other roles see only their number', async ({
  browser,
}) => {
  const product = await runningProduct()
  const { pool } = product.dependencies
  // All test clients have the same address otherwise.
  const [client, other] = [
    await newClient({ addressNo: randomUUID().slice(0, 8) }),
    await newClient({ addressNo: randomUUID().slice(0, 8) }),
  ]
  await run(pool)`update clients set mobile_phone = (select mobile_phone from clients where id = ${client.id})
    where id = ${other.id}`
  await transaction(pool, async (tx) => {
    for (const { id } of [client, other])
      await recordClientEvent(tx, { identity: { kind: 'client', id }, now: new Date() }, id, { action: 'logOut' })
  })
  const { page, token } = await openPageAsStaff(browser, 'compliance', 'Vera Holm', `/office/clients/${client.id}`)
  // A job finds the links from the audit log.
  await expect(async () => {
    const { answer } = await call(product, getOfficeClient, { as: { token }, params: { id: client.id } })
    expect(answer.client.linked.count).toBe(1)
  }).toPass({ intervals: [150] })
  await page.reload()
  await expect(page.getByText('same phone number', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await pressOnPage(page, page.getByRole('link', { name: other.name }))
  await expect(page.getByRole('heading', { level: 1, name: new RegExp(other.name) })).toBeVisible()
  await expect(page.getByRole('link', { name: client.name })).toBeVisible()

  const { page: counting } = await openPageAsStaff(browser, 'operations', 'Anton Reis', `/office/clients/${client.id}`)
  await expect(counting.getByText('1 client', { exact: true })).toBeVisible()
  await expect(counting.getByText('same phone number')).toHaveCount(0)
  await expect(counting.getByRole('link', { name: other.name })).toHaveCount(0)
})

test('each trading account on a client’s page with daily balances has a line with its trading P&L over 30 days', async ({
  browser,
}) => {
  const client = await newClient()
  const account = await createOpenAccount(client)
  await createOpenAccount(client, 'GBP')
  await run((await runningProduct()).dependencies.pool)`
    insert into account_days (account_id, day, balance_minor, credit_minor, floating_minor, source, noted_at)
      select ${account.id}, day, 500000, 0, 2500 * row_number() over (order by day), 'report', day + interval '23 hours'
        from (select day from generate_series(current_date - 10, current_date - 1, interval '1 day') day
          where extract(isodow from day) < 6 order by day desc limit 6) trading`
  const { page } = await openPageAsStaff(browser, 'finance', 'Mara Lind', `/office/clients/${client.id}`)
  const accounts = page.getByRole('table', { name: 'Trading accounts' })
  const line = page.getByRole('img', { name: /^Trading P&L over 30 days, excluding payments and other transactions: / })
  await expect(line).toHaveCount(1)
  await expect(accounts.getByRole('row').filter({ has: line })).toContainText(groupByFour(account.number))
  await expect(line).toHaveAccessibleName(/: up 125\.00\sEUR$/)
  await expectAccessible(page)
})

test('logins are shown by country, IP address and browser, in the reader’s language', async ({ browser }) => {
  const client = await newClient()
  const { dependencies } = await runningProduct()
  const [germany, britain] = [addressOf(personas.clara), addressOf(personas.thomas)]
  const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0'
  const safari = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) Version/18.6 Mobile/15E148 Safari/604.1'
  const begun = Date.now()
  await transaction(dependencies.pool, async (tx) => {
    for (const [minutesAgo, address, device] of [
      [40, germany, firefox],
      [30, britain, safari],
      [20, germany, firefox],
      [10, '198.51.100.7', firefox],
    ] as const) {
      const now = new Date(begun - 60_000 * minutesAgo)
      const auditContext = { identity: { kind: 'client', id: client.id }, now, address } as const
      await recordClientEvent(tx, auditContext, client.id, { action: 'logIn', details: { device } })
    }
  })
  const address = `/office/clients/${client.id}?tab=logins`
  const { page } = await openPageAsStaff(browser, 'compliance', 'Vera Holm', address)
  const places = page.getByRole('table', { name: 'Sign-ins by place and device' })
  const row = (...cells: string[]) => places.getByRole('row', { name: new RegExp(`^${cells.join(' ')} `) })
  await expect(row('Country unknown', '198.51.100.7', 'Firefox on Windows', '1')).toBeVisible()
  await expect(row('Germany', germany, 'Firefox on Windows', '2')).toBeVisible()
  await expect(row('United Kingdom', britain, 'Safari on iPhone', '1')).toBeVisible()
  await expect(places.getByRole('row')).toHaveCount(4)
  // On a phone the number has no column and is shown after the device.
  await page.setViewportSize({ width: 390, height: 900 })
  await expect(places.getByRole('row').filter({ hasText: germany })).toContainText('Firefox on Windows · 2×', {
    useInnerText: true,
  })
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(page.getByText(/^countries as of \d/)).toBeVisible()
  const all = page.getByRole('table', { name: 'Sign-ins and access changes' })
  await expect(all.getByRole('row', { name: `${germany} Germany` })).toHaveCount(2)
  await expectAccessible(page)
  await page.evaluate(() => localStorage.setItem('language', 'de'))
  await page.goto(address)
  await expect(page.getByRole('cell', { name: 'Vereinigtes Königreich', exact: true })).toBeVisible()
  await expect(page.getByText(/^Länder, Stand \d/)).toBeVisible()
})

test('a client search keeps its terms, page size and page after a reload and after Back', async ({ browser }) => {
  const product = await runningProduct()
  const surname = `Many${randomUUID().slice(0, 6)}`
  await Promise.all(Array.from({ length: 51 }, (_, at) => makeClient(product, { name: `Ida${at}`, surname })))
  const { page } = await openPageAsStaff(browser, 'operations', 'Anton Reis', '/office/clients')
  const rows = page.getByRole('row', { name: new RegExp(surname) })
  const search = page.getByRole('main').getByRole('searchbox')
  const expectLastPage = async () => {
    await expect(rows).toHaveCount(11)
    await expect(search).toHaveValue(surname)
    await expect(page.getByRole('button', { name: '20', exact: true })).toHaveAttribute('aria-pressed', 'true')
  }
  await skipToContent(page)
  await type(page, search, surname)
  await page.keyboard.press('Enter')
  await expect(rows).toHaveCount(50)
  await press(page, page.getByRole('button', { name: '20', exact: true }))
  await expect(rows).toHaveCount(20)
  const older = page.getByRole('button', { name: 'Older' })
  await press(page, older)
  await expect(older).not.toHaveAttribute('aria-disabled')
  await press(page, older)
  await expectLastPage()
  await expect(older).toBeFocused()
  await expectAccessible(page)
  await page.reload()
  await expectLastPage()
  await rows.getByRole('link').first().click()
  await expect(page.getByRole('heading', { level: 1, name: new RegExp(surname) })).toBeVisible()
  await page.goBack()
  await expectLastPage()
  await page.getByRole('button', { name: 'Newer' }).click()
  await expect(rows).toHaveCount(20)
})

test('compliance corrects a field, adds a flag and a note, ends sessions, suspends and reactivates the client and changes the email', async ({
  browser,
}) => {
  const product = await runningProduct()
  const client = await newClient()
  const { page } = await openPageAsStaff(browser, 'compliance', 'Vera Holm', `/office/clients/${client.id}?tab=profile`)

  await test.step('a field is corrected with a reason, and the previous value stays visible', async () => {
    const correct = page.getByRole('button', { name: 'Correct… City' })
    await pressOnPage(page, correct)
    const dialog = page.getByRole('dialog')
    await type(page, dialog.getByLabel('Correct value'), 'Potsdam')
    await type(page, dialog.getByLabel('Reason'), 'Read out on the phone.')
    await expectAccessible(page)
    await page.keyboard.press('Control+Enter')
    await expect(dialog).toHaveCount(0)
    await expect(correct).toBeFocused()
    await expect(page.getByRole('row', { name: /City Potsdam.*Berlin/ })).toBeVisible()
  })
  await openRecord(page, `/clients/${client.id}`)
  await test.step('a flag is shown with its reason', async () => {
    await pressOnPage(page, page.getByRole('button', { name: 'Change flags' }))
    await chooseTile(page, page.getByRole('radio', { name: /Enhanced monitoring/ }))
    await expectAccessible(page)
    await type(page, page.getByRole('dialog').getByLabel('Reason'), 'Two names at one address.')
    await press(page, page.getByRole('button', { name: 'Set flag' }))
    await expect(page.getByText('Two names at one address.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Change flags' })).toBeFocused()
  })
  await test.step('a note is added', async () => {
    await press(page, page.getByRole('button', { name: 'Add', exact: true }))
    await expect(page.getByLabel('New note')).toBeFocused()
    await page.keyboard.type('Prefers to be called in the morning.')
    await press(page, page.getByRole('button', { name: 'Add note' }))
    await expect(page.getByText('Prefers to be called in the morning.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Add', exact: true })).toBeFocused()
  })
  await test.step('the client’s token is not accepted after signing out everywhere', async () => {
    expect((await call(product, currentUser, { as: client })).status).toBe(200)
    await takeDecision(page, 'Sign out everywhere', { words: 'Lost the phone.', accessible: true })
    expect((await call(product, currentUser, { as: client })).status).toBe(401)
  })
  await test.step('the client is suspended with a text that is emailed and an internal reason that is not, then reactivated', async () => {
    await takeDecision(page, 'Suspend…', { internal: 'Two names.', words: 'We need to speak to you first.' })
    const { text } = await mailTo(client.email, /suspend/i)
    expect(text).toContain('We need to speak to you first.')
    expect(text).not.toContain('Two names.')
    await expect(page.getByText('Suspended by Vera Holm')).toBeVisible()
    const more = page.getByRole('button', { name: 'More about this client' })
    await pressOnPage(page, more)
    await expect(page.getByRole('menuitem').first()).toBeFocused()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(more).toBeFocused()
    await takeDecision(page, 'Reactivate…', { words: 'We spoke.' })
    await expect(page.getByText('Approved').first()).toBeVisible()
  })
  await test.step('a new email address is requested, approved by another person, and takes effect through the link sent to it', async () => {
    await openRecord(page, `/clients/${client.id}?tab=profile`)
    await pressOnPage(page, page.getByRole('button', { name: 'Change… Email' }))
    const dialog = page.getByRole('dialog')
    const email = `new-${client.email}`
    await type(page, dialog.getByLabel('Reason'), 'The old mailbox is gone.')
    await press(page, dialog.getByRole('button', { name: 'Request', exact: true }))
    await expect(dialog.getByLabel('New address')).toHaveAccessibleDescription('This field is required.')
    await expect(dialog.getByText('This field is required.')).toHaveCount(1)
    await expectAccessible(page)
    await type(page, dialog.getByLabel('New address'), email)
    await page.keyboard.press('Control+Enter')
    await expect(dialog).toHaveCount(0)
    await page.getByRole('link', { name: `change to ${email}` }).click()
    await expect(page.getByText('Vera Holm').first()).toBeVisible()
    await expect(page.getByText('You made this request. Another person must decide.')).toBeVisible()
    await expectAccessible(page)
    const as = await makeStaff(product, ['compliance'])
    const id = new URL(page.url()).pathname.split('/').pop() ?? ''
    expect((await call(product, approveProfileChange, { as, params: { id }, body: { version: 1 } })).status).toBe(200)
    const link = /https?:\/\/\S+\/email\/confirm\/change\/\S+/.exec((await mailTo(email, /confirm/i)).text)?.[0] ?? ''
    const { token } = await clientTokenFor(product, client)
    await page.evaluate((kept) => localStorage.setItem('portal.token', kept), token)
    await page.goto(link)
    await expect(page.getByText('Your new email address has been confirmed. Use it to log in.')).toBeVisible()
    // The change has ended every session, and the page detects this.
    await expect(page.getByRole('button', { name: 'Logout' })).toHaveCount(0)
    await expectAccessible(page)
    await page.goto(link.slice(0, -1))
    await expect(page.getByText('Your previous email address stays active')).toBeVisible()
  })
})

test('a client is invited by email, and a caller’s security answer is checked against the stored one', async ({
  browser,
}) => {
  const { page } = await openPageAsStaff(browser, 'operations', 'Anton Reis', '/office/clients')
  const email = `invited-${randomUUID().slice(0, 8)}@example.net`
  await pressOnPage(page, page.getByRole('button', { name: 'Invite client…' }))
  const dialog = page.getByRole('dialog')
  await type(page, dialog.getByLabel('First name'), 'Ida')
  await type(page, dialog.getByLabel('Surname'), `Invited${randomUUID().slice(0, 6)}`)
  await type(page, dialog.getByLabel('Email'), email)
  await chooseInComboBox(page, 'Country of residence', 'Germany')
  await expectAccessible(page)
  await press(page, dialog.getByRole('button', { name: /^Invite client/ }))
  await expect(page.getByText('Registering').first()).toBeVisible()
  await expectAccessible(page)
  expect((await mailTo(email, /./)).text).toContain('/email/confirm/setpassword/')

  await openRecord(page, `/clients?q=${encodeURIComponent(personas.clara.email)}`)
  await page.getByRole('link', { name: new RegExp(personas.clara.surname) }).click()
  await type(page, page.getByLabel(/In which town/), personas.clara.city.toLowerCase())
  await page.keyboard.press('Enter')
  await expect(page.getByText('The answer is correct.')).toBeVisible()
})

test('an auditor sees masked numbers, needs a reason to view images, and has no decisions', async ({ browser }) => {
  const client = await newClient({ state: 'pending' })
  await sendDocuments(client)
  const { page } = await openPageAsStaff(browser, 'auditor', 'Greta Sand', `/office/documents/${client.id}`)
  await test.step('an image is shown after a reason is entered', async () => {
    await expect(page.getByText('You have read-only access.')).toBeVisible()
    await expect(page.getByRole('img', { name: 'Front' })).toHaveCount(0)
    await expectAccessible(page)
    const why = page.getByLabel('Reason for viewing the images')
    await pressOnPage(page, page.getByRole('button', { name: 'Show images' }))
    await expect(why).toBeFocused()
    await page.keyboard.type('Sample of the quarter.')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('img', { name: 'Front' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Zoom in (+)' })).toBeFocused()
    await expect(page.getByRole('cell', { name: /•••/ }).first()).toBeVisible()
    await expect(page.getByRole('radio')).toHaveCount(0)
  })
  await test.step('the client’s page offers the evidence bundle and no other action', async () => {
    await openRecord(page, `/clients/${client.id}`)
    await expect(page.getByRole('button', { name: /Sign out|Suspend|Approve|Reject|Change flags|^Add$/ })).toHaveCount(
      0,
    )
    await page.getByRole('button', { name: 'Evidence bundle' }).click()
    await page.getByRole('dialog').getByLabel('Reason').fill('Sample of the quarter.')
    await expectAccessible(page)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download', exact: true }).click()
    const zip = readFileSync(await (await download).path())
    expect(zip.subarray(0, 2).toString()).toBe('PK')
  })
  await test.step('the audit log records the views with their reason, is exported, and is verified', async () => {
    await openRecord(page, `/audit?client=${client.id}`)
    await expect(page.getByText('Sample of the quarter.').first()).toBeVisible()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'CSV' }).click()
    expect(readFileSync(await (await download).path(), 'utf8')).toContain('Sample of the quarter.')
    await press(page, page.getByRole('button', { name: 'Verify' }))
    await expect(page.getByText('Audit log verified. No changes found.')).toBeVisible()
    await expectFocusIn(page.getByRole('dialog'))
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Verify' })).toBeFocused()
  })
})

for (const role of ['operations', 'compliance', 'auditor'] as const)
  test(`${role} sees a client’s deposits and withdrawals as a chart and as a table`, async ({ browser }) => {
    const client = await newClient()
    await createFundedAccount(client, '400.00')
    const { page } = await openPageAsStaff(browser, role, 'Anton Reis', `/office/clients/${client.id}?tab=money`)
    const chart = page.getByRole('img', { name: 'Deposits and withdrawals in EUR by month, 12 months' })
    await expect(chart).toBeVisible()
    await expect(page.locator('.chart-readout')).toContainText(/: in 400\.00, out 0\.00, net \+400\.00/)
    const byMethod = page.getByRole('table', { name: 'Deposits and withdrawals by method, EUR' })
    // Deposits, withdrawals and net, each in total and in 30 days.
    await expect(
      byMethod.getByRole('row', {
        name: /^Bank Transfer.*400\.00.*30 days: .?400\.00.*30 days: .?0\.00.*400\.00.*30 days: .?400\.00/,
      }),
    ).toBeVisible()
    await expect(page.getByText('Largest deposit')).toBeVisible()
    await expectAccessible(page)
    await pressOnPage(page, page.getByRole('button', { name: 'Show as table' }))
    const byMonth = page.getByRole('table', { name: /by month, 12 months$/ })
    await expect(byMonth.getByRole('row')).toHaveCount(13)
    await expect(byMonth.getByRole('row', { name: /400\.00/ })).toHaveCount(1)
    await expect(page).toHaveURL(/exposure=table/)
    await expectAccessible(page)
  })

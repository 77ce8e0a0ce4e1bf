/** Staff and settings: invitation to first sign-in, roles and settings with a second administrator. */
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { listStaff } from '#contract/office/staff.ts'
import { problems } from '#contract/problems.ts'
import { readConfig } from '#server/config/config.ts'
import { operate } from '#server/operator/commands.ts'
import { makeStaff } from '../factories.ts'
import { expectAccessible } from './accessible.ts'
import { appCode } from './app-code.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { expectFocusIn, expectFocusKept, openRecord, pressOnPage, takeDecision } from './decisions.ts'
import { markItemViewed, press, tabTo, tick, type } from './keyboard.ts'
import { mailTo } from './mailbox.ts'
import { officeTab, withOwnProduct } from './own-product.ts'
import { createAccountRequest, newClient } from './pending-requests.ts'
import { runningProduct } from './running.ts'
import { journeyPassword, openPageAsStaff } from './staff.ts'

/** Searches by name, because the journeys' product has more staff than one page of the list shows. */
const listOf = (name: string) => `/staff?q=${encodeURIComponent(name)}`

test('an invited person sets up password and 2FA, gets a role from two administrators, and is later deactivated', async ({
  browser,
  page,
}) => {
  const admin = await openPageAsStaff(browser, 'administrator', 'Ruth Kessler', '/office/staff')
  const name = `Lena ${randomUUID().slice(0, 6)}`
  const email = `lena-${randomUUID().slice(0, 8)}@example.org`
  const openMember = async (on = admin.page) => {
    await openRecord(on, listOf(name))
    await on.getByRole('link', { name }).click()
    await expect(on.getByRole('dialog', { name })).toBeVisible()
  }

  await test.step('the invitation requires a role and a reason', async () => {
    const invite = admin.page.getByRole('button', { name: 'Invite…' })
    await pressOnPage(admin.page, invite)
    const dialog = admin.page.getByRole('dialog')
    await type(admin.page, dialog.getByLabel('Name'), name)
    await type(admin.page, dialog.getByLabel('Email'), email)
    await tick(admin.page, dialog.getByRole('checkbox', { name: 'Operations clerk' }))
    await press(admin.page, dialog.getByRole('button', { name: 'Propose' }))
    await expect(dialog.getByLabel('Reason')).toBeFocused()
    await type(admin.page, dialog.getByLabel('Reason'), 'Joins on Monday.')
    await expectAccessible(admin.page)
    await press(admin.page, dialog.getByRole('button', { name: 'Propose' }))
    await expect(dialog).toHaveCount(0)
    await expect(invite).toBeFocused()
  })
  const second = await openPageAsStaff(browser, 'administrator', 'Paul Ferrer', '/office/staff')
  const waiting = (on: typeof page, heading: string) =>
    on.locator('section').filter({ has: on.getByRole('heading', { name: `${heading} of ${name}` }) })
  await test.step('another administrator, who sees the address and the role, approves it', async () => {
    await openRecord(admin.page, '/staff')
    await expect(waiting(admin.page, 'Invitation').getByText(/Another person must decide/)).toBeVisible()
    await expect(waiting(admin.page, 'Invitation').getByRole('button', { name: 'Cancel request…' })).toBeVisible()
    await openRecord(second.page, '/staff')
    await expect(waiting(second.page, 'Invitation').getByText(`${email}: Operations clerk`)).toBeVisible()
    await expectAccessible(second.page)
    await waiting(second.page, 'Invitation').getByRole('button', { name: 'Approve…' }).click()
    const dialog = second.page.getByRole('dialog', { name: `Approve invitation of ${name}` })
    await dialog.getByRole('button', { name: 'Approve' }).click()
    await expect(second.page.getByText(`We have sent the invitation to ${email}.`)).toBeVisible()
    await expect(waiting(second.page, 'Invitation')).toHaveCount(0)
  })
  await test.step('its link requires a password, then the second factor, and opens the inbox; it works once', async () => {
    const link = /https?:\/\/\S+\/welcome\/\S+/.exec((await mailTo(email, /./)).text)?.[0] ?? ''
    await page.goto(link)
    await expect(page.getByRole('heading', { name: `Welcome, ${name}` })).toBeVisible()
    const password = page.getByLabel('New password')
    await type(page, password, 'short')
    await press(page, page.getByRole('button', { name: 'CONTINUE' }))
    await expect(password).toHaveAttribute('aria-invalid', 'true')
    await expect(password).toBeFocused()
    await type(page, password, journeyPassword)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Set up two-factor authentication' })).toBeFocused()
    await expect(page.getByRole('img', { name: 'Code for your authenticator app' })).toBeVisible()
    await expectAccessible(page)
    const key = (await page.locator('.authenticator-key').innerText()).replaceAll(/\s/g, '')
    await type(page, page.getByLabel('Code', { exact: true }), appCode(key))
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Save your recovery codes' })).toBeFocused()
    await expectAccessible(page)
    await press(page, page.getByRole('button', { name: 'I HAVE SAVED THEM' }))
    await expect(page.getByRole('heading', { level: 1, name: /Inbox/ })).toBeVisible()
    const later = await page.context().newPage()
    await later.goto(link)
    await expect(later.getByRole('heading', { name: 'This invitation is not valid' })).toBeVisible()
  })
  await test.step('a change of roles needs a second administrator, and the requester cannot approve it', async () => {
    await openMember()
    await expectAccessible(admin.page)
    await press(admin.page, admin.page.getByRole('button', { name: 'Change roles…' }))
    const dialog = admin.page.getByRole('dialog', { name: `Propose roles of ${name}` })
    await tick(admin.page, dialog.getByRole('checkbox', { name: 'Finance supervisor' }))
    await type(admin.page, dialog.getByLabel('Reason'), 'Covers for a colleague.')
    await admin.page.keyboard.press('Control+Enter')
    await expect(dialog).toHaveCount(0)
    await expectFocusIn(admin.page.getByRole('dialog', { name }))
    await admin.page.keyboard.press('Escape')
    await expect(admin.page.getByRole('dialog')).toHaveCount(0)
    await expect(admin.page.getByRole('link', { name })).toBeFocused()
    await openRecord(admin.page, '/staff')
    await expect(waiting(admin.page, 'Roles').getByText(/Another person must decide/)).toBeVisible()
    await expect(waiting(admin.page, 'Roles').getByRole('button', { name: 'Approve…' })).toHaveCount(0)
    await openRecord(second.page, '/staff')
    await waiting(second.page, 'Roles').getByRole('button', { name: 'Approve…' }).click()
    await second.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await expect(second.page.getByText('The roles have taken effect.')).toBeVisible()
    await expect(waiting(second.page, 'Roles')).toHaveCount(0)
  })
  await test.step('the 2FA of a lost device is reset, and a person who leaves is deactivated', async () => {
    await openMember()
    await takeDecision(admin.page, 'Reset 2FA…', { confirm: 'Reset 2FA', words: 'Lost the phone.' })
    await openMember()
    await expect(admin.page.getByRole('dialog').getByText('set up', { exact: true })).toHaveCount(0)
    await takeDecision(admin.page, 'Deactivate…', { words: 'Left the firm.' })
    await openRecord(admin.page, listOf(name))
    await expect(admin.page.getByRole('row', { name: new RegExp(`${name}.*Deactivated`) })).toBeVisible()
  })
})

test('a clerk enters an absence; colleagues see it when they assign items, and an administrator ends it', async ({
  browser,
}) => {
  const client = await newClient()
  await createAccountRequest(client)
  const name = `Anna ${randomUUID().slice(0, 6)}`
  const { page } = await openPageAsStaff(browser, 'operations', name, '/office/inbox')
  await test.step('the account menu opens the form, and errors are shown at their fields', async () => {
    await press(page, page.getByRole('button', { name: /Account of/ }))
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('menuitem', { name: 'My absence' })).toBeFocused()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Save my absence' })
    const last = dialog.getByRole('group', { name: 'Last day' })
    const save = dialog.getByRole('button', { name: 'Save absence' })
    await press(page, save)
    await expect(dialog.getByText('Enter day, month and year.')).toBeVisible()
    await expectAccessible(page)
    const day = new Date(Date.now() + 20 * 86_400_000)
    await type(page, last.getByLabel('Day'), String(day.getUTCDate()).padStart(2, '0'))
    await type(page, last.getByLabel('Month'), String(day.getUTCMonth() + 1).padStart(2, '0'))
    await type(page, last.getByLabel('Year'), String(day.getUTCFullYear() - 1))
    await press(page, save)
    await expect(dialog.getByText(problems['absence-order'].text.message ?? '')).toBeVisible()
    await type(page, last.getByLabel('Year'), String(day.getUTCFullYear()))
    await press(page, save)
    await expect(dialog).toHaveCount(0)
    await expect(page.getByText(/^Away until \d/)).toBeVisible()
    await expectAccessible(page)
  })
  await test.step('a colleague sees it in the list of assignees, at the item and in lists', async () => {
    const search = `?q=${encodeURIComponent(client.name)}&mine=false`
    const colleague = await openPageAsStaff(browser, 'operations', 'Nils Aho', `/office/inbox${search}`)
    const on = colleague.page
    await tabTo(on, on.locator('.inbox-item').first())
    await markItemViewed(on)
    await on.keyboard.press('e')
    const dialog = on.getByRole('dialog', { name: 'Assign 1 item' })
    await type(on, dialog.getByLabel('Name'), name)
    await expect(dialog.getByRole('button', { name: new RegExp(`${name}.*Away until \\d`) })).toBeVisible()
    await expectAccessible(on)
    await on.keyboard.press('Enter')
    await expect(on.locator('.inbox-item').getByTitle(new RegExp(`^Assigned to ${name}, away until`))).toBeVisible()
    await expect(on.getByText(`Due before ${name} is back`)).toBeVisible()
    await expectAccessible(on)
    await on.getByRole('combobox', { name: 'Assigned to' }).selectOption({ label: 'Someone away' })
    await expect(on.locator('.inbox-item')).toHaveCount(1)
    await on.getByRole('link', { name: /^Open/ }).click()
    await expect(on.getByText(new RegExp(`assigned to ${name}, away until`))).toBeVisible()
    // Searches for the client, because the oldest requests come first and other journeys leave theirs.
    await on.goto(`/office/account-requests?q=${encodeURIComponent(client.name)}`)
    await expect(on.getByRole('row', { name: new RegExp(`${client.name}.*${name} Away until`) })).toBeVisible()
  })
  await test.step('an administrator sees it under Staff and ends it', async () => {
    const admin = await openPageAsStaff(browser, 'administrator', 'Ruth Kessler', `/office${listOf(name)}`)
    await expect(admin.page.getByRole('row', { name: new RegExp(`${name}.*Away until`) })).toBeVisible()
    await admin.page.getByRole('link', { name }).click()
    const drawer = admin.page.getByRole('dialog', { name })
    await expect(drawer.getByText(/^Away until/)).toBeVisible()
    await expectAccessible(admin.page)
    await drawer.getByRole('button', { name: 'End absence' }).click()
    await expect(drawer.getByText(/^Away until/)).toHaveCount(0)
    await expect(page.getByText(/^Away until/)).toHaveCount(0)
  })
})

test('administrators cannot change their own roles: their row has no actions and explains why', async ({ browser }) => {
  const name = `Olga ${randomUUID().slice(0, 6)}`
  const { page } = await openPageAsStaff(browser, 'administrator', name, `/office${listOf(name)}`)
  await expect(
    page.getByRole('row', { name: new RegExp(name) }).getByText('You cannot change your own roles.'),
  ).toBeVisible()
  await page.getByRole('link', { name: new RegExp(name) }).click()
  const drawer = page.getByRole('dialog')
  await expect(drawer).toBeVisible()
  await expect(drawer.getByRole('button', { name: /roles…|2FA…|Deactivate…/ })).toHaveCount(0)
})

test('the last administrator cannot be deactivated: the server rejects it, and the page disables the button with the reason', async ({
  browser,
}) => {
  const name = `Nora ${randomUUID().slice(0, 6)}`
  await makeStaff(await runningProduct(), ['administrator'], { name })
  const { page } = await openPageAsStaff(browser, 'administrator', 'Ruth Kessler', `/office${listOf(name)}`)
  const drawer = page.getByRole('dialog', { name })
  const refusal = problems['last-administrator'].text.message
  // The product has more administrators: only this page gets the response that one is left.
  await page.route('**/api/backoffice/staff/*/deactivate', (route) =>
    route.fulfill({ status: 409, json: { success: false, error: refusal, errors: {}, code: 'last-administrator' } }),
  )
  await page.getByRole('link', { name }).click()
  await drawer.getByRole('button', { name: 'Deactivate…' }).click()
  const asked = page.getByRole('dialog', { name: `Deactivate ${name}` })
  await asked.getByLabel('Reason').fill('Leaves the firm.')
  await asked.getByRole('button', { name: 'Deactivate', exact: true }).click()
  await expect(asked.getByText(refusal)).toBeVisible()
  await expectAccessible(page)

  await page.route('**/api/backoffice/staff?*', async (route) => {
    const answer = (await (await route.fetch()).json()) as ResponseOf<typeof listStaff>
    const verbs = [{ verb: 'deactivate', refusal: { code: 'last-administrator', text: refusal } }]
    const rows = answer.rows.map((row) => (row.name === name ? { ...row, verbs } : row))
    await route.fulfill({ json: { ...answer, rows, activeAdministrators: 1 } })
  })
  await page.reload()
  await expect(
    page.getByText('1 active administrator. You need a second one before you can invite staff or change roles.'),
  ).toBeVisible()
  await expect(drawer.getByRole('button', { name: 'Deactivate…' })).toHaveAttribute('aria-disabled', 'true')
  await expect(drawer.getByText(refusal)).toBeVisible()
})

test('every section of the settings opens', async ({ browser }) => {
  const { page } = await openPageAsStaff(browser, 'administrator', 'Ruth Kessler', '/office/settings')
  const sections = page.getByRole('navigation', { name: 'Settings sections' }).getByRole('link')
  await expect(sections.first()).toBeVisible()
  const count = await sections.count()
  expect(count).toBeGreaterThan(10)
  for (let place = 0; place < count; place += 1) {
    const section = sections.nth(place)
    await pressOnPage(page, section)
    await expect(section).toHaveAttribute('aria-current', 'page')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator('[aria-busy="true"], .skeleton')).toHaveCount(0)
    await expectAccessible(page)
  }
  await test.step('an unsaved draft is kept while another section is open', async () => {
    const limits = sections.filter({ hasText: 'Limits' }).first()
    await pressOnPage(page, limits)
    const smallest = page.getByLabel('EUR').first()
    const inForce = await smallest.inputValue()
    await smallest.fill('17.50')
    await pressOnPage(page, sections.filter({ hasText: 'Platforms' }))
    await expect(limits).toContainText('draft')
    await expectAccessible(page)
    await pressOnPage(page, limits)
    await expect(smallest).toHaveValue('17.50')
    await pressOnPage(page, page.getByRole('button', { name: 'Discard' }))
    await expect(smallest).toHaveValue(inForce)
    await expect(limits).not.toContainText('draft')
  })
})

test('a change made on the command line is shown in the section’s history with the operator as author', async ({
  browser,
}) => {
  await withOwnProduct(browser, 'MT5', async (product) => {
    const { server } = product
    const config = readConfig(server.env)
    const file = join(config.dataDir, 'thresholds.json')
    writeFileSync(file, JSON.stringify({ EUR: '250.00', GBP: '250.00', USD: '250.00' }))
    const command = ['set-setting', '--section', 'thresholds', '--file', file, '--reason', 'Agreed with the auditor.']
    expect(await operate(config, command, () => undefined, server.clock.now)).toBe(true)
    const page = await officeTab(product, 'auditor')
    await page.goto('/office/settings/thresholds')
    await expect(page.getByText(/Changed on .* by Operator \(command line\)\./)).toBeVisible()
    await pressOnPage(page, page.getByRole('button', { name: '1 change' }))
    await expect(page.getByRole('dialog').getByText(/ · Operator \(command line\)$/)).toBeVisible()
    await expectAccessible(page)
  })
})

test('the value in force shown below a changed field does not move the fields beside it', async ({ browser }) => {
  const { page } = await openPageAsStaff(browser, 'administrator', 'Ada Holm', '/office/settings/limits')
  const fields = page.getByRole('main').getByRole('textbox')
  await expect(fields.first()).toBeVisible()
  await type(page, fields.first(), '12.50')
  await expect(page.getByText(/^Currently in force: /)).toBeVisible()
  // The first three are the minimum deposit in each currency.
  const tops = await fields.evaluateAll((all) => all.slice(0, 3).map((one) => one.getBoundingClientRect().top))
  expect(new Set(tops).size).toBe(1)
})

test('the form of the firm notice explains where its first date is also shown', async ({ browser }) => {
  const { page } = await openPageAsStaff(browser, 'administrator', 'Ruth Kessler', '/office/settings/notice')
  const also = 'This date and label are also shown below the open positions of each live account.'
  const labels = page.getByLabel('Label', { exact: true })
  await expect(labels.first()).toHaveAccessibleDescription(also)
  await expect(labels.nth(1)).toHaveAccessibleDescription('')
  await expectAccessible(page)
})

test('the preview of a client money account shows its numbers as the portal does', async ({ browser }) => {
  const { page } = await openPageAsStaff(browser, 'administrator', 'Ruth Kessler', '/office/settings/wireAccounts')
  const preview = page.locator('.settings-side')
  await expect(preview).toContainText('Account number3192 6819')
  await expect(preview).toContainText('Sort code60-16-13')
})

test('a group that the trading server does not have is rejected before a change is proposed', async ({ browser }) => {
  const { page } = await openPageAsStaff(browser, 'administrator', 'Ruth Kessler', '/office/settings/platformGroups')
  await pressOnPage(page, page.getByRole('button', { name: 'Standard · EUR · Retail' }).first())
  const group = page.getByLabel('Group on the server').first()
  await expect(group).toHaveValue('real-std-EUR')
  await expectAccessible(page)
  await group.fill('real-none')
  await expect(
    page.getByRole('row', { name: /MT4 · live · Standard · EUR · Retail real-std-EUR real-none/ }),
  ).toBeVisible()
  await press(page, page.getByRole('button', { name: 'Review and save…' }))
  const dialog = page.getByRole('dialog')
  await type(page, dialog.getByLabel('Reason'), 'Our own groups.')
  await press(page, dialog.getByRole('button', { name: 'Propose' }))
  await expect(dialog.getByText(/MT4 has no group “real-none”/)).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await pressOnPage(page, page.getByRole('button', { name: 'Discard' }))
})

test('the due time of one type of work is set in working days; a value out of range shows the permitted range', async ({
  browser,
}) => {
  const { page } = await openPageAsStaff(browser, 'administrator', 'Ruth Kessler', '/office/settings/sla')
  const times = page.getByRole('table', { name: 'Due times' })
  const number = times.getByLabel('Role change, due time')
  const before = await number.inputValue()
  const after = before === '3' ? '4' : '3'
  await type(page, number, '91')
  await expect(times.getByRole('row', { name: /^Role change/ })).toContainText(
    'whole number of working days from 1 to 90',
  )
  await expect(number).toHaveAccessibleDescription(/from 1 to 90/)
  await expectAccessible(page)
  await type(page, number, after)
  await expect(times.getByText(`Currently in force: ${before} working day`)).toBeVisible()
  await press(page, page.getByRole('button', { name: 'Review and save…' }))
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('row', { name: `Role change, due time ${before} ${after}` })).toBeVisible()
  await type(page, dialog.getByLabel('Reason'), 'Agreed with compliance.')
  await press(page, dialog.getByRole('button', { name: 'Save' }))
  await expect(page.getByText('Changes saved: SLA.')).toBeVisible()
  await page.reload()
  await expect(number).toHaveValue(after)
  await expect(times.getByLabel('Role change, unit')).toHaveValue('workingDays')
})

test('a changed threshold needs a second administrator, who sees both values and the reason; the audit log names both people', async ({
  browser,
}) => {
  const proposing = await openPageAsStaff(browser, 'administrator', 'Ruth Kessler', '/office/settings')
  const second = await openPageAsStaff(browser, 'administrator', 'Paul Ferrer', '/office/settings/thresholds')
  const { page } = proposing
  const propose = async (why: string) => {
    await openRecord(page, '/settings/thresholds')
    const field = page.getByLabel('GBP')
    const before = await field.inputValue()
    const after = before === '210.00' ? '200.00' : '210.00'
    await type(page, field, after)
    await press(page, page.getByRole('button', { name: 'Review and save…' }))
    await type(page, page.getByRole('dialog').getByLabel('Reason'), why)
    await expectAccessible(page)
    await press(page, page.getByRole('dialog').getByRole('button', { name: 'Propose' }))
    await expect(page.getByText('A change needs a second administrator’s approval')).toBeVisible()
    await expectFocusKept(page)
    return { before, after }
  }
  await test.step('a threshold is proposed, and the requester cannot approve it', async () => {
    await propose('Agreed by the board.')
    await expect(page.getByText(/Another person must decide/)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Approve…' })).toHaveCount(0)
  })
  await test.step('another administrator sees the change and rejects it', async () => {
    await openRecord(second.page, '/settings/thresholds')
    await expect(second.page.getByText('Agreed by the board.')).toBeVisible()
    await expectAccessible(second.page)
    await takeDecision(second.page, 'Reject…', { words: 'Not before next month.' })
    await expect(second.page.getByText('A change needs a second administrator’s approval')).toHaveCount(0)
  })
  const dollars = second.page.getByLabel('USD')
  const inForce = await dollars.inputValue()
  const written = inForce === '310.00' ? '300.00' : '310.00'
  await type(second.page, dollars, written)
  await press(second.page, second.page.getByRole('button', { name: 'Review and save…' }))
  await type(second.page, second.page.getByRole('dialog').getByLabel('Reason'), 'The rate has moved.')
  const reason = `Agreed by the board on ${randomUUID().slice(0, 8)}.`
  const { before, after } = await propose(reason)
  await test.step('the other administrator’s draft is kept while the change is pending', async () => {
    await press(second.page, second.page.getByRole('dialog').getByRole('button', { name: 'Propose' }))
    await expect(second.page.getByText(/Your draft has been kept/)).toBeVisible()
    await expect(second.page.getByRole('dialog')).toHaveCount(0)
    await expect(dollars).toHaveValue(inForce)
    await expectFocusKept(second.page)
  })
  await test.step('the second proposal is approved with both values shown, and takes effect', async () => {
    await expect(second.page.getByRole('row', { name: new RegExp(`GBP.*${before}.*${after}`) })).toBeVisible()
    await takeDecision(second.page, 'Approve…', { accessible: true })
    await expect(second.page.getByText('The change has taken effect.')).toBeVisible()
    await expect(second.page.getByLabel('GBP')).toHaveValue(after)
  })
  await test.step('the kept draft is applied to the values now in force', async () => {
    await expect(second.page.getByText(/saved this section in the meantime/)).toBeVisible()
    await expect(dollars).toHaveValue(written)
    await expect(second.page.getByText('1 change not saved.')).toBeVisible()
    await expectAccessible(second.page)
    await press(second.page, second.page.getByRole('button', { name: 'Discard' }))
    await expect(dollars).toHaveValue(inForce)
  })
  await test.step('the audit log names the requester and the approver', async () => {
    await openRecord(second.page, '/audit?kind=setting_change')
    const change = `GBP ${before} → ${after}`
    for (const entry of [`requested ${reason}.*Ruth Kessler.*${change}`, `approved.*Paul Ferrer.*${change}`])
      await expect(second.page.getByRole('row', { name: new RegExp(entry) }).first()).toBeVisible()
  })
})

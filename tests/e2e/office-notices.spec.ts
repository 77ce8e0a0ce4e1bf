/** Back-office notices: while loading, for staff without the role, for incomplete responses (requirements 24.103). */
import { randomUUID } from 'node:crypto'
import { writeEnquiry } from '#contract/enquiries.ts'
import { run, sql, transaction } from '#server/db/sql.ts'
import { recordEvent } from '#server/db/events.ts'
import { call, makeStaff } from '../factories.ts'
import { expectAccessible } from './accessible.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { markItemViewed } from './keyboard.ts'
import { createFundedAccount, newClient, createWithdrawalRequest } from './pending-requests.ts'
import { runningProduct } from './running.ts'
import { signIn, openPageAsStaff } from './staff.ts'

async function pendingWithdrawal() {
  const client = await newClient()
  return { client, id: await createWithdrawalRequest(client, await createFundedAccount(client, '900.00'), '75.00') }
}

test('a page whose server does not send the required roles yet shows only that this person cannot decide', async ({
  browser,
}) => {
  const { id } = await pendingWithdrawal()
  const { page } = await openPageAsStaff(browser, 'compliance', 'Vera Holm', '/office/my-security')
  await page.route(`**/withdrawals/${id}`, async (route) => {
    if (route.request().resourceType() === 'document') return route.fallback()
    const response = await route.fetch()
    const body = (await response.json()) as { withdrawal: { requiredRoles?: string[] } }
    delete body.withdrawal.requiredRoles
    return route.fulfill({ response, json: body })
  })
  await page.goto(`/office/withdrawals/${id}`)
  await expect(page.locator('.decision-bar p')).toHaveText('You cannot decide this.')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.reload()
  await expect(page.locator('.decision-bar p')).toHaveText(/^Required role: Operations/)
})

async function openEnquiry() {
  const client = await newClient()
  const body = { topic: 'profile' as const, text: 'Which document do you need?', complaint: false, reference: '' }
  return { client, answer: (await call(await runningProduct(), writeEnquiry, { as: client, body })).answer }
}

test('the timeline of a client names the subject of an enquiry as the enquiry’s page does', async ({ browser }) => {
  const { client } = await openEnquiry()
  const { page } = await openPageAsStaff(browser, 'auditor', 'Tomas Lind', `/office/clients/${client.id}?tab=timeline`)
  const received = page.getByRole('row', { name: /enquiry received/i })
  await expect(received.getByText('Subject Profile and documents')).toBeVisible()
  await expect(received.getByText('Complaint no')).toBeVisible()
})

test('an open enquiry tells an auditor that the access is read-only, not that nothing needs a decision', async ({
  browser,
}) => {
  const { answer } = await openEnquiry()
  const { page } = await openPageAsStaff(browser, 'auditor', 'Tomas Lind', `/office/enquiries/${answer.enquiry.id}`)
  await expect(page.locator('.decision-bar p')).toHaveText('You have read-only access.')
})

test('the preview of a withdrawal names the receiving bank account as its page does', async ({ browser }) => {
  const { client, id } = await pendingWithdrawal()
  const { page } = await openPageAsStaff(browser, 'operations', 'Anton Reis', `/office/withdrawals/${id}`)
  const recipient = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Recipient' }) })
    .last()
  await expect(recipient.getByText('IBAN', { exact: true })).toBeVisible()
  const text = await recipient.innerText()
  expect(text).toMatch(/Bank\n[\s\S]*Approved\n/)
  // Leaves the withdrawal's page, which would read the record again when its stream of changes opens.
  await page.goto('about:blank')
  const recordCalls: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith(`/withdrawals/${id}`)) recordCalls.push(request.url())
  })
  await page.goto(`/office/inbox?mine=false&q=${encodeURIComponent(client.name)}`)
  await page.getByRole('link', { name: new RegExp(client.name) }).click()
  await markItemViewed(page)
  await page.mouse.move(9, 9)
  await expect.poll(() => recipient.innerText()).toBe(text)
  expect(recordCalls).toEqual([])
  await expectAccessible(page)
  await test.step('the preview shows no recipient if the server does not send it yet', async () => {
    const isPreview = (url: URL) => /\/backoffice\/inbox\/[0-9a-f-]{36}$/.test(url.pathname)
    await page.route(isPreview, async (route) => {
      const response = await route.fetch()
      const { recipient: _later, ...body } = (await response.json()) as Record<string, unknown>
      return route.fulfill({ response, json: body })
    })
    await page.reload()
    await expect(page.getByRole('heading', { name: client.name })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Key facts' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Recipient' })).toHaveCount(0)
  })
})

test('the audit log shows the account of a failed sign-in, the labels of operations, and the operator', async ({
  browser,
}) => {
  const product = await runningProduct()
  const staff = await makeStaff(product, ['operations'], { name: 'Olga Brink' })
  const [reference, record] = [randomUUID(), randomUUID()]
  const now = new Date()
  const unknown = { identity: { kind: 'external' }, now, address: '127.0.0.1', reference } as const
  const known = { ...unknown, identity: { kind: 'staff', id: staff.id, roles: ['operations'] } } as const
  await transaction(product.dependencies.pool, async (tx) => {
    const details = { device: 'Firefox', count: 1 }
    await recordEvent(tx, unknown, { kind: 'staff', action: 'codeRefused', record: staff.id, details })
    await recordEvent(tx, known, { kind: 'operation', action: 'retry', details: { kind: 'balance', ref: 'W-1' } })
    const statement = { kind: 'draw-statement', platform: 'MT5', account: '51002233', month: '2026-05' }
    const retry = { kind: 'job', action: 'retry', record } as const
    await recordEvent(tx, known, { ...retry, details: statement })
    await recordEvent(tx, known, { ...retry, details: { kind: 'operation', operation: record } })
    const byOperator = { identity: { kind: 'external' }, now, reference: 'operator' } as const
    await recordEvent(tx, byOperator, { ...retry, reason: 'operator', details: { id: '4711' } })
  })
  const { page } = await openPageAsStaff(browser, 'auditor', 'Greta Sand', `/office/audit?reference=${reference}`)
  const rowOf = (name: RegExp) => page.getByRole('row', { name })
  const failed = rowOf(/Authenticator code rejected/)
  await expect(failed).toContainText('Not signed in')
  await expect(failed).toContainText('Staff account Olga Brink')
  const retried = rowOf(/Type Platform balance/)
  await expect(retried).toContainText('Olga Brink')
  await expect(retried).toContainText('Reference W-1')
  const statement = rowOf(/Type Create an account statement/)
  await expect(statement).toContainText('Account MT5 5100 2233')
  await expect(statement).toContainText('Month May 2026')
  const accountLink = statement.getByRole('link', { name: 'MT5 5100 2233' })
  await expect(accountLink).toHaveAttribute('href', '/office/accounts/MT5/51002233')
  const job = rowOf(/Type Operation/)
  await expect(job.getByRole('link', { name: 'Operation' })).toHaveAttribute('href', new RegExp(`record=${record}$`))
  await expectAccessible(page)
  await test.step('events of operator commands of earlier versions show the operation’s number and no reason', async () => {
    await page.goto(`/office/audit?record=${record}&reference=operator`)
    const byOperator = rowOf(/Operator \(command line\)/)
    await expect(byOperator).toContainText('Operation ID 4711')
    await expect(byOperator.locator('.event-reason')).toHaveCount(0)
  })
})

test('a pending role change shows a placeholder while its actions load, and read-only access to an auditor', async ({
  browser,
}) => {
  const product = await runningProduct()
  const by = await makeStaff(product, ['administrator'], { name: 'Ruth Kessler' })
  const of = await makeStaff(product, ['operations'], { name: `Lena ${randomUUID().slice(0, 6)}` })
  await run(
    product.dependencies.pool,
    sql`insert into staff_changes (staff_id, roles, reason, asked_by, asked_at)
      values (${of.id}, array['finance'], 'Covers.', ${by.id}, now())`,
  )
  const { page } = await openPageAsStaff(browser, 'auditor', 'Greta Sand', '/office/my-security')
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/staff-changes/*', async (route) => {
    await released
    return route.fallback()
  })
  await page.goto('/office/staff')
  const change = page.locator('section').filter({ has: page.getByRole('heading', { name: new RegExp(of.name) }) })
  await expect(change.locator('[aria-busy]')).toBeVisible()
  release()
  await expect(change.getByText('You have read-only access.')).toBeVisible()
  await expect(change.locator('[aria-busy]')).toHaveCount(0)
})

test('a screen whose code has been removed reports that the page is out of date and can be reloaded', async ({
  browser,
}) => {
  const { page } = await openPageAsStaff(browser, 'finance', 'Ines Maurer', '/office/my-security')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.route('**/assets/reconciliation-*.js', (route) => route.fulfill({ status: 404 }))
  await page.getByRole('link', { name: 'Reconciliation' }).click()
  const panel = page.getByRole('alert').filter({ hasText: 'This page may be out of date.' })
  await expect(panel).toBeVisible()
  const [sheet, main] = [await page.locator('.sheet').boundingBox(), await page.getByRole('main').boundingBox()]
  expect((sheet?.x ?? 0) - (main?.x ?? 0)).toBeGreaterThanOrEqual(16)
  expect((sheet?.y ?? 0) - (main?.y ?? 0)).toBeGreaterThanOrEqual(16)
  await expectAccessible(page)
  await page.unroute('**/assets/reconciliation-*.js')
  await page.getByRole('button', { name: 'Reload page' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Reconciliation' })).toBeVisible()
})

test('the reconciliation of accounts states only that ledger and platforms have no discrepancies', async ({
  browser,
}) => {
  const { page } = await openPageAsStaff(browser, 'finance', 'Ines Maurer', '/office/reconciliation')
  await page.route('**/api/backoffice/reconciliation?*', async (route) => {
    const response = await route.fetch()
    const lastRun = { at: Math.floor(Date.now() / 1000), accounts: 12, unread: 0, differences: 0 }
    return route.fulfill({ response, json: { ...((await response.json()) as object), lastRun } })
  })
  await page.reload()
  await expect(page.getByText('12 accounts, no discrepancies between ledger and platforms.')).toBeVisible()
})

test('a two-line error at the sign-in code keeps its distance from the button', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 740 })
  await page.goto('/office/sign-in')
  await signIn(page, 'operations', 'Olga Brink', '000 000 000 000')
  const error = page.locator('.field-error').last()
  await expect(error).not.toBeEmpty()
  const [text, button] = [await error.boundingBox(), await page.getByRole('button', { name: 'Sign in' }).boundingBox()]
  // Two lines of 18 px each.
  expect(text?.height).toBeGreaterThanOrEqual(36)
  expect((button?.y ?? 0) - ((text?.y ?? 0) + (text?.height ?? 0))).toBeGreaterThanOrEqual(8)
})

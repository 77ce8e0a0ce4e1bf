/**
 * The checks of a decision in the back office: a block and its override, a hold, and checks that change meanwhile.
 */
import { randomUUID } from 'node:crypto'
import type { Browser } from '@playwright/test'
import { run, sql, type Sql } from '#server/db/sql.ts'
import { expectAccessible } from './accessible.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { acknowledgeWarnings, openRecord, takeDecision } from './decisions.ts'
import { press, type } from './keyboard.ts'
import { runningProduct } from './running.ts'
import { openPageAsStaff } from './staff.ts'
import {
  createFundedAccount,
  newClient,
  createOpenAccount,
  createTransferRequest,
  createWithdrawalRequest,
  type NamedClient,
} from './pending-requests.ts'

const set = async (statement: Sql) => run((await runningProduct()).dependencies.pool, statement)
const enterHolder = (client: NamedClient, holder: string) =>
  set(sql`update bank_details set holder_name = ${holder} where client_id = ${client.id}`)

/** Opens a withdrawal with new bank details in the holder's name, at its page. */
async function openWithdrawal(browser: Browser, holder?: string) {
  const client = await newClient()
  const id = await createWithdrawalRequest(client, await createFundedAccount(client, '400.00'), '20.00')
  await enterHolder(client, holder ?? client.name)
  const clerk = await openPageAsStaff(browser, 'operations', 'Anton Reis', `/office/withdrawals/${id}`)
  await expect(clerk.page.getByRole('heading', { level: 1 })).toBeVisible()
  return { client, id, page: clerk.page }
}

test('a block prevents the approval until the required role overrides it; who overrode it cannot approve', async ({
  browser,
}) => {
  const { id, page } = await openWithdrawal(browser, 'Peter Olsen')
  await test.step('operations see the block and who can override it, and cannot approve', async () => {
    await expect(page.getByText(/^The account holder Peter Olsen is not the client/)).toBeVisible()
    await expect(page.getByText('Compliance can override this block.').first()).toBeVisible()
    await expect(page.getByRole('button', { name: 'Override block' })).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Assign to me' })).toBeVisible()
    await expect(page.getByRole('button', { name: /^Approve 20/ })).toHaveAttribute('aria-disabled', 'true')
    await expectAccessible(page)
  })
  await test.step('compliance overrides it with a reason', async () => {
    const officer = await openPageAsStaff(browser, 'compliance', 'Vera Holm', `/office/withdrawals/${id}`)
    await takeDecision(officer.page, 'Override block…', { words: 'His stage name. Contract seen.', accessible: true })
    await expect(officer.page.getByText('Overridden by Vera Holm')).toBeVisible()
    await expect(officer.page.getByRole('button', { name: 'Assign to me' })).toHaveCount(0)
    await expect(officer.page.getByRole('button', { name: /^Approve 20/ })).toHaveCount(0)
  })
  await test.step('operations approve, and the record keeps the override and the acknowledged warnings', async () => {
    await expect(page.getByText('Overridden by Vera Holm')).toBeVisible()
    await acknowledgeWarnings(page)
    await takeDecision(page, /^Approve 20/, { words: 'Called back.' })
    await openRecord(page, `/withdrawals/${id}`)
    await expect(page.locator('ol').getByText('Overridden: Account holder')).toBeVisible()
    await expect(page.locator('ol').getByText(/^Acknowledged: New bank details/)).toBeVisible()
    await expectAccessible(page)
  })
})

test('a decision is rejected if the checks have changed since the page was opened, and the changed check is marked', async ({
  browser,
}) => {
  const { client, id, page } = await openWithdrawal(browser)
  await acknowledgeWarnings(page)
  await expect(page.getByText('The bank account is in the client’s name.')).toBeVisible()
  // The page updates itself: it must not read the changed holder before the decision is sent.
  await page.route(
    `**/withdrawals/${id}/approve`,
    async (route) => {
      await enterHolder(client, `I. ${client.name.split(' ')[1] ?? ''}`)
      await route.continue()
    },
    { times: 1 },
  )
  await takeDecision(page, /^Approve 20/, { words: 'Called back.' })
  await expect(page.getByText(/^The checks have changed since you opened this page/)).toBeVisible()
  const changed = page.getByRole('listitem').filter({ hasText: 'Changed since you opened this page' })
  await expect(changed).toHaveCount(1)
  await expect(changed).toContainText('Account holder')
  await expect(page.getByRole('button', { name: /^Approve 20/ })).toHaveAttribute('aria-disabled', 'true')
  await expectAccessible(page)
  await acknowledgeWarnings(page)
  await takeDecision(page, /^Approve 20/)
  await openRecord(page, `/withdrawals/${id}`)
  await expect(page.locator('ol').getByText(/^Acknowledged: .*Account holder/)).toBeVisible()
})

test('a debit that a check blocks is shown as not sent, and one that the platform rejected as rejected', async ({
  browser,
}) => {
  const client = await newClient()
  const account = await createFundedAccount(client, '400.00')
  const other = await createOpenAccount(client)
  const withdrawal = await createWithdrawalRequest(client, account, '20.00')
  const transfer = await createTransferRequest(client, account, other, '30.00')
  const refused = await createTransferRequest(client, account, other, '40.00')
  await set(sql`update clients set state = 'suspended' where id = ${client.id}`)
  await set(sql`update withdrawals set state = 'processing' where id = ${withdrawal}`)
  await set(sql`update transfers set state = 'processing' where id = ${transfer}`)
  await set(sql`update transfers set state = 'rejected' where id = ${refused}`)
  const debit = (subject: string, record: string, leg: string, state: string) => {
    const payload = JSON.stringify({ leg, platform: 'MT5', login: account.number, accountId: account.id })
    const tried = state === 'refused'
    return set(sql`
      insert into operations (kind, ref, target, payload, state, tries, last_error, next_try_at, subject, record, created_at,
          settled_at)
        values ('balance', ${randomUUID()}, ${`MT5:${account.number}`}, ${payload}::text::jsonb, ${state},
          ${tried ? 1 : 0}, ${tried ? null : 'Held by a check: client-status.'}, ${tried ? null : new Date()}, ${subject},
          ${record}, ${new Date()}, ${tried ? new Date() : null})`)
  }
  await debit('withdrawal', withdrawal, 'withdrawal-debit', 'waiting')
  await debit('transfer', transfer, 'transfer-withdraw', 'waiting')
  await debit('transfer', refused, 'transfer-withdraw', 'refused')
  const { page } = await openPageAsStaff(browser, 'operations', 'Anton Reis', `/office/withdrawals/${withdrawal}`)
  for (const [path, amount] of [
    [`withdrawals/${withdrawal}`, '20.00'],
    [`transfers/${transfer}`, '30.00'],
  ] as const) {
    await page.goto(`/office/${path}`)
    await expect(page.getByText('A check blocks the debit.')).toBeVisible()
    await expect(page.getByText(/^Suspended\. Requests of this client are not approved/).first()).toBeVisible()
    await expect(page.getByText(/^The debit has not been sent to the platform\./)).toContainText(`to make ${amount}`)
    await expect(page.getByText(/Sent to the platform|Held by a check|Mark as returned/)).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Reject…' })).toBeVisible()
    await expectAccessible(page)
  }
  await page.goto(`/office/transfers/${refused}`)
  await expect(page.getByText('Debit of the source: rejected')).toBeVisible()
  // Other journeys compare the reserved amounts.
  await set(sql`delete from operations where target = ${`MT5:${account.number}`} and state = 'waiting'`)
})

test('compliance puts payments on hold and lifts the hold', async ({ browser }) => {
  const { client, page } = await openWithdrawal(browser)
  const officer = await openPageAsStaff(browser, 'compliance', 'Vera Holm', `/office/clients/${client.id}`)
  const more = officer.page.getByRole('button', { name: 'More about this client' })
  await test.step('the hold has a reason that staff can read', async () => {
    await press(officer.page, more)
    await expect(officer.page.getByRole('menuitem').first()).toBeFocused()
    await officer.page.keyboard.type('Put')
    await expect(officer.page.getByRole('menuitem', { name: 'Put payments on hold…' })).toBeFocused()
    await officer.page.keyboard.press('Enter')
    const dialog = officer.page.getByRole('dialog', { name: /^Put payments of/ })
    await type(officer.page, dialog.getByLabel('Reason'), 'A report is being written.')
    await expectAccessible(officer.page)
    await press(officer.page, dialog.getByRole('button', { name: 'Put on hold' }))
    await expect(dialog).toHaveCount(0)
    await expect(officer.page.getByText('A report is being written.')).toBeVisible()
    await expectAccessible(officer.page)
  })
  await test.step('operations cannot approve', async () => {
    await page.reload()
    await expect(page.getByText('Compliance has put payments on hold.').first()).toBeVisible()
    await expect(page.getByRole('button', { name: /^Approve 20/ })).toHaveAttribute('aria-disabled', 'true')
  })
  await test.step('operations can approve once the hold is lifted', async () => {
    await takeDecision(officer.page, 'Lift hold…', { words: 'The report is filed.', accessible: true })
    await expect(officer.page.getByText('A report is being written.')).toHaveCount(0)
    await page.reload()
    await acknowledgeWarnings(page)
    await takeDecision(page, /^Approve 20/, { words: 'Called back.' })
  })
})

/**
 * The notices for clients and staff while recovery has stopped payments, which disappear when it ends (requirements
 * 20.11).
 */
import type { Page } from '@playwright/test'
import { makeApprovedBank } from '../funded-account.ts'
import { portalUrl } from '../product.ts'
import { readHistory } from './account-history.ts'
import { expectAccessible } from './accessible.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { openPageAsClient } from './clients.ts'
import { runningProduct } from './running.ts'
import { openPageAsStaff } from './staff.ts'
import { createFundedAccount, newClient, createOpenAccount, createWithdrawalRequest } from './pending-requests.ts'
import { openAsClient, expectOneLineOnPhone } from './wizards.ts'

interface Stopped {
  accounts: boolean
  payouts: boolean
}

/** Reports stopped payments to this page only: the other journeys' payments continue. */
async function reportStopped(page: Page, path: string, now: { stopped: Stopped | null }): Promise<void> {
  await page.route(`**${path}`, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), moneyStopped: now.stopped } })
  })
}

/** Shows only this page a recovery, with these accounts without a record. */
async function reportRecovery(page: Page, unknownAccounts: readonly object[]): Promise<void> {
  const at = 1_795_000_000
  const open = { id: 'r', since: at, sign: 'restored', openedAt: at, accountsOpenAt: null, payoutsOpenAt: null }
  const counts = { lastRunAt: at, openItems: 1, unconfirmed: 0, bankAccounts: [], unknownAccounts }
  const confirmations = { accessCompliance: null, accessAdministrator: null, bankFirst: null, bankSecond: null }
  await page.route('**/api/backoffice/recovery', (route) =>
    route.fulfill({ json: { success: true, recovery: { ...open, ...counts, ...confirmations } } }),
  )
}

const commands = /^(FUND NOW|WITHDRAW|Deposit Funds|Withdraw Funds|Internal Transfer)$/
const both = { accounts: true, payouts: true }

test('every page tells the client what is unavailable, and no page offers a form that would be rejected', async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: portalUrl() })
  const page = await context.newPage()
  const now: { stopped: Stopped | null } = { stopped: both }
  await reportStopped(page, '/api/settings', now)
  await page.clock.install()
  const client = await newClient()
  await makeApprovedBank(await runningProduct(), client)
  await openPageAsClient(page, '/trading-accounts', client)
  const banner = page.getByText(/^We are checking our records\. Deposits, withdrawals and transfers are not available/)
  await expect(banner).toContainText('Your money is safe.')
  await expectAccessible(page)
  for (const [address, title] of [
    ['/deposit-funds', 'Deposits are unavailable at the moment'],
    ['/withdraw-funds', 'Withdrawals are unavailable at the moment'],
    ['/internal-transfer', 'Transfers are unavailable at the moment'],
  ] as const) {
    await page.goto(address)
    await expect(page.getByText(title)).toBeVisible()
    await expect(banner).toBeVisible()
    await expect(page.getByText(/We are checking our records/)).toHaveCount(1)
    await expect(page.getByRole('main').getByRole('button')).toHaveCount(0)
    await expectAccessible(page)
  }
  for (const list of ['deposits', 'withdrawals', 'transfers']) {
    await page.goto(`/transactions-history?list=${list}`)
    await expect(page.getByRole('heading', { name: /^No .+ yet$/ })).toBeVisible()
    await expect(page.getByRole('main').getByRole('link', { name: commands })).toHaveCount(0)
  }
  await expectAccessible(page)
  const account = await createFundedAccount(client, '500.00')
  await page.goto(`/trading-accounts/MT5/${account.number}`)
  await expect(page.getByRole('button', { name: 'SETTINGS' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: commands })).toHaveCount(0)
  const fresh = await createOpenAccount(client)
  await readHistory(fresh)
  await page.goto(`/trading-accounts/MT5/${fresh.number}`)
  await expect(page.getByText('The curve starts with your first deposit')).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: commands })).toHaveCount(0)
  await page.goto('/internal-transfer')
  now.stopped = { accounts: false, payouts: true }
  await page.clock.runFor(21_000)
  await expect(page.getByText(/^We are checking our records with the bank\. Payouts take longer/)).toBeVisible()
  await expect(page.getByText('Transfers are unavailable at the moment')).toHaveCount(0)
  now.stopped = null
  await page.clock.runFor(21_000)
  await expect(page.getByText(/^We are checking our records/)).toHaveCount(0)
  await page.goto('/transactions-history?list=withdrawals')
  await expect(page.getByRole('main').getByRole('link', { name: 'Withdraw Funds' })).toBeVisible()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.close()
})

test('Cancel is disabled with the reason during recovery, and enabled again afterwards', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: portalUrl() })
  const page = await context.newPage()
  const client = await newClient()
  const account = await createFundedAccount(client, '500.00')
  await makeApprovedBank(await runningProduct(), client)
  const id = await createWithdrawalRequest(client, account, '20.00')
  const now = { stopped: true }
  await page.route('**/api/accounts/getTransferTimeline/**', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), cancelStopped: now.stopped } })
  })
  await page.clock.install()
  await openAsClient(page, client, `/transactions-history?list=withdrawals&record=${id}`)
  const cancel = page.getByRole('button', { name: 'Cancel withdrawal' })
  await expect(cancel).toHaveAccessibleDescription(/^You cannot cancel this request while we check our records/)
  await expect(cancel).toHaveAttribute('aria-disabled', 'true')
  await expectAccessible(page)
  await cancel.press('Enter')
  await expect(page.getByRole('button', { name: 'Keep request' })).toHaveCount(0)
  now.stopped = false
  await page.clock.runFor(16_000)
  await expect(cancel).not.toHaveAttribute('aria-disabled', 'true')
  await cancel.press('Enter')
  await expect(page.getByRole('button', { name: 'Keep request' })).toBeVisible()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.close()
})

test('every page tells staff what is stopped and links to Recovery', async ({ browser }) => {
  const now: { stopped: Stopped | null } = { stopped: both }
  const { page } = await openPageAsStaff(browser, 'finance', 'Mira Okonjo', '/office/my-security')
  await reportStopped(page, '/api/backoffice/current', now)
  await page.goto('/office/corrections')
  const banner = page.getByText('Recovery is in progress. Payments, credits and decisions about money are stopped.')
  await expect(banner).toBeVisible()
  const ask = page.getByRole('button', { name: 'Request correction…' })
  await expect(ask).toHaveAccessibleDescription('Recovery is in progress. This is available again once it is complete.')
  await expect(ask).toHaveAttribute('aria-disabled', 'true')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Open Recovery' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Recovery' })).toBeVisible()
  await expect(banner).toBeVisible()
  now.stopped = null
  // Returning to the window checks who is signed in; the stream of changes does so when recovery closes.
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await expect(banner).toHaveCount(0)
})

test('on a phone a finding shows its type, and an account without a record links to its decision', async ({
  browser,
}) => {
  const { page } = await openPageAsStaff(browser, 'finance', 'Mira Okonjo', '/office/my-security')
  await page.setViewportSize({ width: 390, height: 844 })
  const id = '6f1f2a54-6f0e-4b43-9c5e-0d2b5a1c7e10'
  const at = 1_795_000_000
  const account = { platform: 'MT5', accountNumber: '500123', group: 'real-std-EUR', source: 'deal', openedAt: null }
  const item = { id, state: 'open', action: null }
  await reportRecovery(page, [{ ...account, foundAt: at, disabledAt: at, item }])
  const found = { kind: 'account-found', state: 'open', platform: 'MT5', accountNumber: '500123', ticket: 'account' }
  const facts = {
    comment: '',
    amount: '250.00',
    currency: 'EUR',
    dealAt: at,
    reference: '',
    leg: '',
    subject: 'account',
  }
  await page.route('**/api/backoffice/recovery/items?*', (route) =>
    route.fulfill({
      json: {
        success: true,
        rows: [{ id, version: 1, foundAt: at, ...found, ...facts, record: null, client: null }],
        next: null,
      },
    }),
  )
  await page.goto('/office/recovery')
  const findings = page.getByRole('table', { name: 'Findings awaiting a decision' })
  await expect(findings.getByText('Account without a record').filter({ visible: true })).toBeVisible()
  await expect(page.getByRole('table', { name: 'Bank accounts' }).getByText('No bank accounts')).toBeVisible()
  const accounts = page.getByRole('table', { name: 'Accounts without a record' })
  await expect(accounts.getByRole('link', { name: 'Decide' })).toBeVisible()
  await expect(accounts.getByRole('link', { name: 'Decide' })).toHaveAttribute('href', new RegExp(`${id}$`))
  await expect(page.getByText('Confirm the bank only if it has no unposted payment order.')).toBeVisible()
  await expectOneLineOnPhone(page, page.getByRole('button', { name: 'Confirm bank' }))
  await expectAccessible(page)
})

/** The statements of an account, with the keyboard, for its client and for staff (requirements 24.33, 24.34). */
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { run, sql } from '#server/db/sql.ts'
import { expectAccessible } from './accessible.ts'
import { clientAtPage } from './clients.ts'
import { expect } from './expect.ts'
import { test } from './fixtures.ts'
import { press } from './keyboard.ts'
import { newClient, openedAccount, type LiveAccount } from './pending-requests.ts'
import { runningProduct } from './running.ts'
import { staffAt } from './staff.ts'

const end = (balance: string) => ({ balance, credit: '0', floating: '0' })
const facts = (from: string, to: string, amount: string) => ({
  opening: end(from),
  closing: end(to),
  rows: { deposits: amount },
  trades: [],
  movements: [{ ticket: '7001', ms: '1777600000000', row: 'deposits', reference: 'D 11AA 22BB', amount }],
  positions: [],
  positionsMs: null,
  offsetMinutes: 180,
})

/**
 * Makes April with two editions, May that is being checked, June that is not due. The API's own tests cover their
 * rendering.
 */
async function withStatements({ number }: LiveAccount): Promise<void> {
  const { pool } = (await runningProduct()).dependencies
  const [past, later] = [sql`now() - interval '1 day'`, sql`now() + interval '1 day'`]
  await run(
    pool,
    sql`insert into month_ends (account_id, month, noted_at, due_at, look_at, edition, problem, tries)
      select a.id, m.month::date, ${past}, m.due, m.look, m.edition, m.problem, 0 from trading_accounts a,
        (values ('2026-04-01', ${past}, null::timestamptz, 2, null),
          ('2026-05-01', ${past}, ${later}, 0, 'not-agreed'), ('2026-06-01', ${later}, ${later}, 0, null))
          m (month, due, look, edition, problem)
      where a.login = ${number}`,
  )
  for (const [edition, amount] of [
    [1, '25000'],
    [2, '30000'],
  ] as const)
    await run(
      pool,
      sql`insert into account_statements (account_id, month, edition, drawn_at, facts, fingerprint, file)
        select a.id, '2026-04-01', ${edition}, ${past}, ${JSON.stringify(facts('0', amount, amount))}::text::jsonb,
          ${String(edition)}, null from trading_accounts a where a.login = ${number}`,
    )
}

/** Returns the file that a button saves. */
async function saved(page: Page, name: string): Promise<Buffer> {
  const downloading = page.waitForEvent('download')
  await press(page, page.getByRole('button', { name, exact: true }))
  return readFile(await (await downloading).path())
}

async function expectStatements(page: Page): Promise<void> {
  const list = page.getByRole('list', { name: 'Statements' })
  await expect(list).toContainText('June 2026available from')
  await expect(list).toContainText('May 2026being checked')
  await expect(list).toContainText('April 2026closing balance · edition 2')
  await expect(list.getByRole('button', { name: /May|June/ })).toHaveCount(0)
  await expectAccessible(page)
  expect((await saved(page, 'Statement April 2026, CSV')).toString()).toContain('300.00')
  expect((await saved(page, 'Statement April 2026, edition 1, CSV')).toString()).toContain('250.00')
  expect((await saved(page, 'Statement 2026, PDF')).subarray(0, 5).toString()).toBe('%PDF-')
}

test('by keyboard alone a client saves a month, its earlier edition and a year', async ({ page }) => {
  const client = await clientAtPage(page, '/trading-accounts')
  const account = await openedAccount(client)
  await withStatements(account)
  await page.goto(`/trading-accounts/MT5/${account.number}`)
  await expectStatements(page)
})

test('by keyboard alone a clerk saves the same', async ({ browser }) => {
  const account = await openedAccount(await newClient())
  await withStatements(account)
  const { page } = await staffAt(browser, 'operations', 'Anton Reis', `/office/accounts/MT5/${account.number}`)
  await expectStatements(page)
})

/** A payout that the bank returns is told of by staff and by a statement, and is in the books once. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importStatement } from '#contract/office/deposits.ts'
import { approveWithdrawal, payWithdrawal, returnWithdrawal } from '#contract/office/withdrawals.ts'
import { requestWithdrawal } from '#contract/withdrawals.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { row, sql } from '#server/db/sql.ts'
import {
  approvedBank,
  fundedAccount,
  settleOperations,
  startServerWithPlatform,
  type ServerWithPlatform,
} from '#tests/funded-account.ts'
import { call, makeClient, makeStaff, type TestServer } from '#tests/make.ts'

let place: ServerWithPlatform
let server: TestServer
beforeAll(async () => {
  place = await startServerWithPlatform()
  server = place.server
})
afterAll(() => place.stop())

/** A withdrawal of 250 EUR that was sent to the client's bank. */
async function paidOut() {
  const client = await makeClient(server)
  const { login } = await fundedAccount(server, client, 100_000n)
  const body = {
    accountPlatform: 'MT5',
    accountNumber: login,
    paymentGatewayService: 'bank',
    withdrawalType: 'wire',
    withdrawalPaymentName: 'Bank Transfer',
    withdrawalCurrency: 'EUR',
    withdrawalAmount: '250',
    bankId: await approvedBank(server, client),
  }
  const { id } = (await call(server, requestWithdrawal, { as: client, body })).answer
  const now = () =>
    row<{ reference: string; version: number; state: string }>(
      server.parts.pool,
      sql`select reference, version, state from withdrawals where id = ${id}`,
    )
  const decide = async (endpoint: Endpoint, role: 'operations' | 'finance', more = {}) => {
    const version = (await now())?.version
    const as = await makeStaff(server, [role])
    expect((await call(server, endpoint, { as, params: { id }, body: { version, ...more } })).status).toBe(200)
    await settleOperations(server)
  }
  await decide(approveWithdrawal, 'operations')
  await decide(payWithdrawal, 'finance')
  return {
    reference: (await now())?.reference ?? '',
    state: async () => (await now())?.state,
    comesBack: () => decide(returnWithdrawal, 'finance', { reason: 'The account is closed.' }),
  }
}

async function bring(bankId: string, reference: string) {
  const { IBAN: bankAccount } = (await server.parts.settings.get('wireAccounts')).EUR
  const csv = `Date;Amount;Payer;Reference;Id\n2026-06-19;250.00;Example Bank AG;Return ${reference};${bankId}`
  const as = await makeStaff(server, ['operations'])
  const body = { bankAccount, filename: 'statement.csv', csv }
  expect((await call(server, importStatement, { as, body })).status).toBe(201)
}

const lineOf = (bankId: string) =>
  row<{ state: string; waits: boolean }>(
    server.parts.pool,
    sql`select l.state, exists (select from work_items w where w.record = l.id and w.closed_at is null) as waits
        from bank_lines l where bank_id = ${bankId}`,
  )

/** What the books hold at the bank, and of that without an owner, in cents. */
async function books() {
  const found = await row<{ bank: bigint; unowned: bigint }>(
    server.parts.pool,
    sql`select coalesce(sum(balance_minor) filter (where kind = 'bank'), 0)::bigint as bank,
          coalesce(-sum(balance_minor) filter (where kind = 'arrived_unmatched'), 0)::bigint as unowned
        from ledger_accounts where currency = 'EUR'`,
  )
  if (!found) throw new Error('no books')
  return found
}

test('where staff say so first, the line that comes later is known, and a second one is not', async () => {
  const payout = await paidOut()
  const before = await books()
  await payout.comesBack()
  const after = { bank: before.bank + 25_000n, unowned: before.unowned }
  expect(await books()).toEqual(after)
  await bring('A-1', payout.reference)
  expect(await lineOf('A-1')).toEqual({ state: 'came_back', waits: false })
  expect(await books()).toEqual(after)
  await bring('A-2', payout.reference)
  expect(await lineOf('A-2')).toEqual({ state: 'unmatched', waits: true })
  expect(await books()).toEqual({ bank: after.bank + 25_000n, unowned: after.unowned + 25_000n })
})

test('where the statement comes first, its line waits and is taken by the return', async () => {
  const payout = await paidOut()
  const before = await books()
  await bring('B-1', payout.reference)
  expect(await lineOf('B-1')).toEqual({ state: 'unmatched', waits: true })
  expect(await books()).toEqual({ bank: before.bank + 25_000n, unowned: before.unowned + 25_000n })
  await payout.comesBack()
  expect(await payout.state()).toBe('returned')
  expect(await lineOf('B-1')).toEqual({ state: 'came_back', waits: false })
  expect(await books()).toEqual({ bank: before.bank + 25_000n, unowned: before.unowned })
})

/** A payout that the bank returns is told of by staff and by a statement, and is in the books once. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importStatement, typeLine } from '#contract/office/deposits.ts'
import { row, sql } from '#server/db/sql.ts'
import { transaction } from '#server/db/transaction.ts'
import { startServerWithPlatform, type ServerWithPlatform } from '#tests/funded-account.ts'
import { call, makeStaff, type TestServer } from '#tests/make.ts'
import { paidWithdrawal } from '#tests/paid-withdrawal.ts'
import { post } from './post.ts'

let place: ServerWithPlatform
let server: TestServer
beforeAll(async () => {
  place = await startServerWithPlatform()
  server = place.server
})
afterAll(() => place.stop())

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
  const payout = await paidWithdrawal(server)
  const before = await books()
  await payout.comeBack()
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
  const payout = await paidWithdrawal(server)
  const before = await books()
  await bring('B-1', payout.reference)
  expect(await lineOf('B-1')).toEqual({ state: 'unmatched', waits: true })
  expect(await books()).toEqual({ bank: before.bank + 25_000n, unowned: before.unowned + 25_000n })
  await payout.comeBack()
  expect(await payout.state()).toBe('returned')
  expect(await lineOf('B-1')).toEqual({ state: 'came_back', waits: false })
  expect(await books()).toEqual({ bank: before.bank + 25_000n, unowned: before.unowned })
})

test('where both are told of at once, the second waits for the first, and it is booked once', async () => {
  const payout = await paidWithdrawal(server)
  const before = await books()
  const told: Promise<unknown>[] = []
  const inTransit = { kind: 'payout_in_transit', currency: 'EUR' } as const
  const beside = transaction(server.parts.jobs, async (tx) => {
    // Whoever posts to the same account waits: the return has chosen where the money is, and comes no further.
    const [minor, kind] = [1n, 'beside']
    const postings = [
      { account: inTransit, minor },
      { account: { kind: 'fees', currency: 'EUR' } as const, minor: -minor },
    ]
    await post(tx, { ref: kind, kind, at: server.clock.now(), postings })
    told.push(payout.comeBack())
    await waitingFor(1)
    told.push(bring('C-1', payout.reference))
    await waitingFor(2)
    throw new Error('not kept')
  })
  await expect(beside).rejects.toThrow('not kept')
  await Promise.all(told)
  expect(await lineOf('C-1')).toEqual({ state: 'came_back', waits: false })
  expect(await books()).toEqual({ bank: before.bank + 25_000n, unowned: before.unowned })
})

test('a line typed by hand is known as well', async () => {
  const { IBAN: bankAccount } = (await server.parts.settings.get('wireAccounts')).EUR
  const payout = await paidWithdrawal(server)
  await payout.comeBack()
  const after = await books()
  const as = await makeStaff(server, ['operations'])
  const paid = { amount: '250.00', currency: 'EUR', payer: 'Example Bank AG', remittance: `back ${payout.reference}` }
  const body = { bankAccount, bankId: 'D-1', ...paid, bookedOn: '2026-06-18' } as const
  expect((await call(server, typeLine, { as, body })).answer.state).toBe('came_back')
  expect(await lineOf('D-1')).toEqual({ state: 'came_back', waits: false })
  expect(await books()).toEqual(after)
})

/** Until so many of the server's connections wait for another's lock. */
async function waitingFor(count: number): Promise<void> {
  await expect
    .poll(async () => {
      const found = await row<{ waiting: number }>(
        server.parts.jobs,
        sql`select count(*)::int as waiting from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return found?.waiting
    })
    .toBe(count)
}

import { describe, expect, test } from 'vitest'
import { clientMoneyCsv, getClientMoneyView } from '#contract/office/accounting.ts'
import { importStatement, enterBankTransaction } from '#contract/office/bank-lines.ts'
import * as firmMoney from '#contract/office/firm-money.ts'
import { row, rows, run, sql, transaction } from '#server/db/sql.ts'
import { brokenInvariants } from '#server/ledger/invariants.ts'
import { fetchSnapshot } from '#server/ledger/account-snapshot.ts'
import { platformForFile, staffForFile } from '../../../tests/for-file.ts'
import { makeFundedAccount } from '../../../tests/funded-account.ts'
import { waitForBlockedConnections } from '../../../tests/lock-waits.ts'
import { call, makeClient, makeStaff, type MadeStaff } from '../../../tests/factories.ts'

const place = platformForFile()
const { server } = place
const operations = staffForFile(server, ['operations'])
const finance = staffForFile(server, ['finance'])
const second = staffForFile(server, ['finance'])
const firmIban = 'DE91100000000123456789'

async function euroView() {
  const { currencies } = (await call(server, getClientMoneyView, { as: finance })).answer
  const found = currencies.find(({ currency }) => currency === 'EUR')
  if (!found) throw new Error('no euros')
  return found
}

function firmMoneyIn({ own }: Awaited<ReturnType<typeof euroView>>): bigint {
  return own.find(({ code }) => code === 'firm-money')?.amount ?? 0n
}

function propose(amount: string, changes: { lineId?: string; currency?: string } = {}, as = finance) {
  const body = { amount, currency: 'EUR', reason: 'Shortfall of the day', ...changes }
  return call(server, firmMoney.proposeFirmMoney, { as, body })
}

function confirm(id: string, as = second) {
  return call(server, firmMoney.confirmFirmMoney, { as, params: { id }, body: { version: 1 } })
}

function importLines(...lines: string[]) {
  const csv = ['Date;Amount;Payer;Reference;Id', ...lines].join('\n')
  const body = { bankAccount: firmIban, filename: 'statement.csv', csv }
  return call(server, importStatement, { as: operations, body })
}

async function lineOf(bankId: string) {
  const found = await row<{ id: string; state: string }>(
    server.dependencies.pool,
    sql`select id, state from bank_lines where bank_id = ${bankId}`,
  )
  if (!found) throw new Error('no such line')
  return found
}

async function stateOf(id: string) {
  return (
    await row<{ state: string }>(server.dependencies.pool, sql`select state from firm_money_moves where id = ${id}`)
  )?.state
}

/** Creates a client with trading gains, so that the client money requirement exceeds the resource. */
async function makeWinningClient(profit: string): Promise<void> {
  const client = await makeClient(server)
  const { id: accountId, login } = await makeFundedAccount(server, client, 0n)
  await place.platform.turn('market/open', { login, profit })
  await place.platform.turn('market/close', { login })
  const account = { accountId, platform: 'MT5', login, currency: 'EUR' } as const
  await fetchSnapshot(server.dependencies.pool, server.dependencies, account, server.clock.now())
}

test('a currency without a posting lists the account of the settings, in the file too', async () => {
  const { currencies } = (await call(server, getClientMoneyView, { as: finance })).answer
  const places = currencies.find(({ currency }) => currency === 'USD')?.places
  expect(places?.find(({ code }) => code === 'bank')).toMatchObject({ name: 'GB82WEST12345698765432', held: 0n })
  const file = (await call(server, clientMoneyCsv, { as: finance })).bytes.toString()
  expect(file).toContain('USD,bank,Client money account ending 5432,GB82WEST12345698765432,,0.00')
})

describe('firm money', () => {
  test('covers a shortfall: proposed by one person, confirmed by another and posted when the bank shows its reference', async () => {
    await makeWinningClient('300.00')
    const before = await euroView()
    const { id, reference } = (await propose('300.00')).answer
    expect((await confirm(id, finance)).failure.code).toBe('own-act')
    expect((await confirm(id, operations)).failure.code).toBe('wrong-role')
    expect((await confirm(id)).answer.state).toBe('processing')
    expect((await euroView()).difference).toBe(before.difference)
    await importLines(`2026-06-18;300.00;The firm;${reference};OWN-1`)
    expect([await stateOf(id), (await lineOf('OWN-1')).state]).toEqual(['approved', 'own_money'])
    const after = await euroView()
    expect(after.difference - before.difference).toBe(30_000n)
    expect([after.unexplained, firmMoneyIn(after) - firmMoneyIn(before)]).toEqual([0n, 30_000n])
    const waiting = await rows(
      server.dependencies.pool,
      sql`select id from work_items where record in (${id}, ${(await lineOf('OWN-1')).id}) and closed_at is null`,
    )
    expect(waiting).toEqual([])
  })

  test('is also posted by a bank transaction that is entered manually', async () => {
    const { id, reference } = (await propose('20.00')).answer
    await confirm(id)
    const paid = { amount: '20.00', currency: 'EUR', payer: 'The firm', remittance: `own funds ${reference}` }
    const body = { bankAccount: firmIban, bankId: 'OWN-T', ...paid, payerAccount: '', bookedOn: '2026-06-18' }
    expect((await call(server, enterBankTransaction, { as: operations, body })).answer.state).toBe('own_money')
    expect(await stateOf(id)).toBe('approved')
  })

  test('can be taken out only up to the excess, even when two transfers are confirmed concurrently', async () => {
    const { difference } = await euroView()
    expect((await propose('-1000000.00')).failure.code).toBe('more-than-firms-own')
    const arrival = (await propose('500.00')).answer
    expect((await confirm(arrival.id)).status).toBe(200)
    await importLines(`2026-06-18;500.00;The firm;${arrival.reference};OWN-2`)
    const surplus = difference + 50_000n
    const most = `-${(Number(surplus) / 100).toFixed(2)}`
    const both = [(await propose(most)).answer, (await propose(most)).answer]
    const confirmed: ReturnType<typeof confirm>[] = []
    await transaction(server.dependencies.jobs, async (tx) => {
      await run(tx, sql`select 1 from firm_money_moves where id = any (${both.map(({ id }) => id)}::uuid[]) for update`)
      confirmed.push(...both.map(({ id }) => confirm(id)))
      await waitForBlockedConnections(server.dependencies.pool, 2)
    })
    const replies = await Promise.all(confirmed)
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(replies.find(({ status }) => status === 409)?.failure.code).toBe('more-than-firms-own')
    const [one] = both.filter((_, place) => replies[place]?.status === 200)
    await importLines(`2026-06-18;${most};The firm;${one?.reference};OWN-3`)
    expect(await stateOf(one?.id ?? '')).toBe('approved')
    const after = await euroView()
    expect([after.difference, after.unexplained]).toEqual([0n, 0n])
  })

  test('explains an unallocated receipt and an outgoing bank payment without a request', async () => {
    await importLines('2026-06-18;80.00;The firm;own funds;OWN-4', '2026-06-18;-30.00;The firm;fees taken;OWN-5')
    const [arrived, left] = [await lineOf('OWN-4'), await lineOf('OWN-5')]
    expect((await propose('81.00', { lineId: arrived.id })).failure.code).toBe('line-differs')
    const moves = [
      (await propose('80.00', { lineId: arrived.id })).answer,
      (await propose('-30.00', { lineId: left.id })).answer,
    ]
    expect((await propose('80.00', { lineId: arrived.id })).failure.code).toBe('line-not-free')
    const before = await euroView()
    for (const { id } of moves) expect((await confirm(id)).answer.state).toBe('approved')
    expect([(await lineOf('OWN-4')).state, (await lineOf('OWN-5')).state]).toEqual(['own_money', 'own_money'])
    const differences = await rows(
      server.dependencies.pool,
      sql`select state from differences where record = ${left.id}`,
    )
    expect(differences).toEqual([{ state: 'explained' }])
    const after = await euroView()
    // The unallocated receipt had counted towards the requirement, the unknown payment still towards the resource.
    expect([after.owed - before.owed, after.held - before.held, after.unexplained]).toEqual([-8_000n, -3_000n, 0n])
  })

  test('can be rejected with a reason even after confirmation, and is not confirmed with a transaction used meanwhile', async () => {
    const { id } = (await propose('10.00')).answer
    await confirm(id)
    const refuse = (as: MadeStaff, reason = 'It was never paid.') =>
      call(server, firmMoney.rejectFirmMoney, { as, params: { id }, body: { version: 2, reason } })
    expect((await refuse(finance)).failure.code).toBe('own-act')
    expect((await refuse(second, '')).failure.code).toBe('reason-required')
    expect((await refuse(second)).answer.state).toBe('rejected')

    const line = { bankAccount: firmIban, bankId: 'OWN-6', amount: '15.00', currency: 'EUR', payer: 'Somebody' }
    const body = { ...line, payerAccount: '', remittance: '', bookedOn: '2026-06-18' }
    const typed = (await call(server, enterBankTransaction, { as: operations, body })).answer
    const move = (await propose('15.00', { lineId: typed.id })).answer
    await server.dependencies.pool.query(`update bank_lines set state = 'sent_back' where id = $1`, [typed.id])
    expect((await confirm(move.id)).failure.code).toBe('line-not-free')
    await server.dependencies.pool.query(`update bank_lines set state = 'unmatched' where id = $1`, [typed.id])
    expect((await confirm(move.id)).answer.state).toBe('approved')
  })

  test('can be read by finance and auditors, and neither read nor proposed by operations', async () => {
    const { id } = (await propose('10.00')).answer
    for (const as of [finance, await makeStaff(server, ['auditor'])]) {
      const { rows: found } = (await call(server, firmMoney.listFirmMoney, { as })).answer
      expect(found[0]).toMatchObject({ id, state: 'pending', amount: 1_000n, why: 'Shortfall of the day' })
      const { move } = (await call(server, firmMoney.getFirmMoney, { as, params: { id } })).answer
      expect(move).toMatchObject({ id, bankAccount: firmIban })
    }
    expect((await call(server, firmMoney.listFirmMoney, { as: operations })).status).toBe(403)
    expect((await propose('10.00', {}, operations)).status).toBe(403)
  })
})

describe('the balance stated by the bank', () => {
  const balances = 'Date;Amount;Payer;Reference;Id;Opening balance;Closing balance'
  const stated = (lines: readonly string[], changes: object = {}, as = operations) => {
    const csv = [balances, ...lines].join('\n')
    const body = { bankAccount: firmIban, filename: 'balances.csv', csv, ...changes }
    return call(server, importStatement, { as, body })
  }
  const heldAtBank = async () => (await euroView()).places.find(({ code }) => code === 'bank')?.held ?? 0n
  const decimal = (minor: bigint) => (Number(minor) / 100).toFixed(2)
  const openRows = () =>
    rows<{ ours: bigint; theirs: bigint }>(
      server.dependencies.pool,
      sql`select ours_minor as ours, theirs_minor as theirs from differences where kind = 'bank-balance' and state = 'open'`,
    )

  test('must equal the opening balance plus the transactions, otherwise nothing is imported', async () => {
    const reply = await stated(['2026-06-19;10.00;A;x;BAL-0;100.00;111,00'])
    expect([reply.status, reply.failure.code]).toEqual([422, 'statement-balance'])
    expect(reply.failure.error).toContain('The difference is 1.00\u00a0EUR')
    expect(await rows(server.dependencies.pool, sql`select id from bank_lines where bank_id = 'BAL-0'`)).toEqual([])
    const two = await stated(['2026-06-19;1.00;A;x;BAL-0;1.00;2.00', '2026-06-19;1.00;A;x;BAL-00;;3.00'])
    expect(two.failure.code).toBe('statement-invalid')
    const line = ['2026-06-19;1.00;A;x;BAL-0;;2.00']
    expect((await stated(line, { closing: '3.00' })).failure.errors['closing']).toContain('a different balance')
    expect((await stated(['2026-06-19;1.00;A;x;BAL-0;;'], { opening: '3.00' })).failure.code).toBe('required')
  })

  test('is shown with the ledger balance and its time, and is a discrepancy until a newer balance agrees', async () => {
    const before = await heldAtBank()
    const closing = before + 1_000n
    await stated([`2026-06-19;10.00;A;x;BAL-1;${decimal(before)};${decimal(closing)}`])
    const last = { account: firmIban, on: '2026-06-19', readAt: server.clock.now() }
    expect((await euroView()).statements).toEqual([{ ...last, closing, booked: closing }])
    expect(await openRows()).toEqual([])

    await stated([`2026-06-19;5.00;A;x;BAL-2;;`], { closing: decimal(closing + 700n) })
    expect(await openRows()).toEqual([{ ours: closing + 500n, theirs: closing + 700n }])
    expect((await euroView()).statements).toEqual([{ ...last, closing: closing + 700n, booked: closing + 500n }])
    await stated([`2026-06-18;1.00;A;x;BAL-3;;`], { closing: '1.00' })
    expect(await openRows()).toHaveLength(1)
    await stated([`2026-06-19;2.00;A;x;BAL-4;;`], { closing: decimal(closing + 800n) })
    expect(await openRows()).toEqual([])
  })
})

test('no invariant of money or states is broken after these tests', async () => {
  expect(await brokenInvariants(server.dependencies.jobs, server.clock.now())).toEqual([])
})

/** The card provider pays out what it holds, and debits what it returned to cardholders (requirements 24.151, 24.152). */
import { describe, expect, test } from 'vitest'
import { checkCreditCardPayment, requestCreditCardPayment } from '#contract/deposits.ts'
import { getClientMoneyView } from '#contract/office/accounting.ts'
import {
  confirmSettlement,
  getBankLine,
  importStatement,
  proposeSettlement,
  rejectSettlement,
} from '#contract/office/bank-lines.ts'
import { proposeFirmMoney } from '#contract/office/firm-money.ts'
import { listInbox } from '#contract/office/inbox.ts'
import { requireRow, row, rows, run, sql, transaction } from '#server/db/sql.ts'
import { brokenInvariants } from '#server/ledger/invariants.ts'
import { sendWebhook } from '#tests/card-provider.ts'
import { call, makeClient } from '#tests/factories.ts'
import { cardsForFile, staffForFile } from '#tests/for-file.ts'
import { cardBody, makeFundedAccount, settleOperations } from '#tests/funded-account.ts'
import { waitForBlockedConnections } from '#tests/lock-waits.ts'

const { server, cards } = cardsForFile()
const finance = staffForFile(server, ['finance'])
const second = staffForFile(server, ['finance'])
const operations = staffForFile(server, ['operations'])
const firmIban = 'DE91100000000123456789'

/** Credits a card payment, and returns its id at the provider. */
async function creditCardPayment(amount: string): Promise<string> {
  const client = await makeClient(server)
  const account = await makeFundedAccount(server, client, 0n)
  const body = cardBody(account, amount)
  const { id, REF } = (await call(server, requestCreditCardPayment, { as: client, body })).answer
  const { checkout } = await requireRow<{ checkout: string }>(server.dependencies.pool)`
    select provider_id as checkout from deposits where id = ${id}`
  await cards.turn('act', { id: checkout, action: 'pay' })
  await call(server, checkCreditCardPayment, { as: client, body: { REF } })
  await settleOperations(server)
  return checkout
}

async function chargeBack(checkout: string): Promise<void> {
  await cards.turn('act', { id: checkout, action: 'chargeback' })
  await sendWebhook(server, checkout)
}

async function arrive(bankId: string, amount: string): Promise<string> {
  const csv = `Date;Amount;Payer;Reference;Id\n2026-06-18;${amount};Card provider;Settlement ${bankId};${bankId}`
  const body = { bankAccount: firmIban, filename: 'statement.csv', csv }
  expect((await call(server, importStatement, { as: operations, body })).status).toBe(201)
  const { id } = await requireRow<{ id: string }>(server.dependencies.pool)`
    select id from bank_lines where bank_id = ${bankId}`
  return id
}

const propose = (id: string, fee = '0', { version = 1, as = finance } = {}) =>
  call(server, proposeSettlement, { as, params: { id }, body: { version, fee, reason: 'Settlement report' } })
const confirm = (id: string, { version = 2, as = second } = {}) =>
  call(server, confirmSettlement, { as, params: { id }, body: { version } })

async function euro() {
  const { currencies } = (await call(server, getClientMoneyView, { as: finance })).answer
  const found = currencies.find(({ currency }) => currency === 'EUR')
  if (!found) throw new Error('no euros')
  const place = (code: string) =>
    found.places.filter((one) => one.code === code).reduce((sum, one) => sum + (one.held ?? 0n), 0n)
  const { owed, held, difference, standing, own } = found
  const fees = own.find(({ code }) => code === 'fees')?.amount ?? 0n
  return { owed, held, difference, standing, fees, bank: place('bank'), provider: place('provider') }
}

const waitsFor = (id: string) =>
  row<{ state: string }>(
    server.dependencies.pool,
    sql`select state from work_items where kind = 'bank_line' and record = ${id} and closed_at is null`,
  )

/** Settles all that earlier tests left at the provider, so that the next one begins with 0. */
async function settleAll(bankId: string): Promise<void> {
  const { provider } = await euro()
  if (provider <= 0n) return
  const line = await arrive(bankId, `${provider / 100n}.${String(provider % 100n).padStart(2, '0')}`)
  await propose(line)
  expect((await confirm(line)).status).toBe(200)
}

describe('a payout of the card provider', () => {
  test('is settled by two people: the money moves from provider to bank and none of it becomes the firm’s', async () => {
    await creditCardPayment('100.00')
    const before = await euro()
    const line = await arrive('PSP-1', '100.00')
    expect((await propose(line, '0.00', { as: operations })).failure.code).toBe('wrong-role')
    expect((await propose(line)).answer.state).toBe('settlement_proposed')
    expect(await waitsFor(line)).toEqual({ state: 'settlement_proposed' })
    const mine = async (as: typeof finance) => {
      const { items } = (await call(server, listInbox, { as, query: { kind: 'bank_line', mine: 'true' } })).answer
      return items.some(({ record }) => record === line)
    }
    expect([await mine(finance), await mine(second)]).toEqual([false, true])
    expect((await confirm(line, { as: finance })).failure.code).toBe('own-act')
    const own = { as: finance, params: { id: line }, body: { version: 2, reason: 'Mine' } }
    expect((await call(server, rejectSettlement, own)).failure.code).toBe('own-act')
    expect((await confirm(line, { version: 1 })).failure.code).toBe('stale-page')
    expect((await confirm(line)).answer.state).toBe('card_settlement')
    expect((await confirm(line, { version: 3 })).failure.code).toBe('decided-by')

    const after = await euro()
    expect(after).toEqual({ ...before, bank: before.bank + 10_000n, provider: before.provider - 10_000n })
    expect(await waitsFor(line)).toBeNull()
    const taking = { amount: '-100.00', currency: 'EUR', reason: 'Surplus' }
    const taken = await call(server, proposeFirmMoney, { as: finance, body: taking })
    expect(taken.failure.code).toBe('more-than-firms-own')
    const shown = (await call(server, getBankLine, { as: second, params: { id: line } })).answer
    expect(shown.line.settlement).toEqual({
      gross: 10_000n,
      fee: 0n,
      proposedBy: { id: finance.id, name: expect.any(String) },
    })
    expect(shown.timeline.map(({ verb }) => verb).slice(0, 2)).toEqual(['confirmSettlement', 'proposeSettlement'])
    expect(await brokenInvariants(server.dependencies.pool, server.clock.now())).toEqual([])
  })

  test('less charges leaves clients’ money as owed, and the firm pays the charges in', async () => {
    await settleAll('PSP-2-BEFORE')
    await creditCardPayment('200.00')
    const before = await euro()
    const line = await arrive('PSP-2', '196.60')
    await propose(line, '3.40')
    expect((await confirm(line)).status).toBe(200)
    const after = await euro()
    expect([after.owed, after.provider, after.bank - before.bank]).toEqual([before.owed, 0n, 19_660n])
    expect([after.difference - before.difference, after.fees - before.fees]).toEqual([-340n, -340n])
    expect(after.standing).toBe('explained')
  })

  test('is at most what the provider holds in the currency', async () => {
    await settleAll('PSP-3-BEFORE')
    await creditCardPayment('50.00')
    const line = await arrive('PSP-3', '50.00')
    const over = await propose(line, '0.01')
    expect([over.status, over.failure]).toMatchObject([
      409,
      { code: 'settlement-over-balance', errors: { fee: expect.stringContaining('50.00') } },
    ])
    expect((await propose(line, '-0.01')).failure.code).toBe('amount-invalid')
    const csv = 'Date;Amount;Payer;Reference;Id\n2026-06-18;50.00;Card provider;Settlement;PSP-GBP'
    const bankAccount = (await server.dependencies.settings.get('wireAccounts')).GBP.IBAN
    await call(server, importStatement, { as: operations, body: { bankAccount, filename: 's.csv', csv } })
    const pounds = await requireRow<{ id: string }>(server.dependencies.pool)`
      select id from bank_lines where bank_id = 'PSP-GBP'`
    expect((await propose(pounds.id)).failure.code).toBe('settlement-over-balance')
  })

  test('is not confirmed if a chargeback came after the proposal', async () => {
    await settleAll('PSP-4-BEFORE')
    const checkout = await creditCardPayment('60.00')
    const line = await arrive('PSP-4', '60.00')
    await propose(line)
    await chargeBack(checkout)
    const late = await confirm(line)
    expect([late.status, late.failure.code]).toEqual([409, 'settlement-over-balance'])
    expect(await waitsFor(line)).toEqual({ state: 'settlement_proposed' })
  })

  test('that is rejected is unmatched again', async () => {
    await settleAll('PSP-5-BEFORE')
    await creditCardPayment('70.00')
    const line = await arrive('PSP-5', '70.00')
    await propose(line)
    const body = { version: 2, reason: 'The report shows charges.' }
    const rejected = await call(server, rejectSettlement, { as: second, params: { id: line }, body })
    expect(rejected.answer.state).toBe('unmatched')
    expect(await waitsFor(line)).toEqual({ state: 'unmatched' })
    const { settlement } = (await call(server, getBankLine, { as: finance, params: { id: line } })).answer.line
    expect(settlement).toBeNull()
    expect((await propose(line, '0', { version: 3 })).answer.state).toBe('settlement_proposed')
    expect((await confirm(line, { version: 4 })).status).toBe(200)
  })

  test('and another one settle together no more than the provider holds, even if confirmed concurrently', async () => {
    await settleAll('PSP-6-BEFORE')
    await creditCardPayment('80.00')
    const lines = [await arrive('PSP-6', '80.00'), await arrive('PSP-7', '80.00')]
    for (const line of lines) expect((await propose(line)).status).toBe(200)
    const confirmed: ReturnType<typeof confirm>[] = []
    await transaction(server.dependencies.jobs, async (tx) => {
      await run(tx, sql`select 1 from bank_lines where id = any (${lines}::uuid[]) for update`)
      confirmed.push(...lines.map((line) => confirm(line)))
      await waitForBlockedConnections(server.dependencies.pool, 2)
    })
    const replies = await Promise.all(confirmed)
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(replies.find(({ status }) => status === 409)?.failure.code).toBe('settlement-over-balance')
    expect((await euro()).provider).toBe(0n)
  })
})

describe('a debit of the card provider', () => {
  const discrepancyOf = (line: string) =>
    rows<{ state: string }>(
      server.dependencies.pool,
      sql`select state from differences where kind = 'bank-outgoing' and record = ${line}`,
    )

  test('settles the chargebacks of settled payments, and explains the outgoing payment', async () => {
    await settleAll('PSP-8-BEFORE')
    const checkout = await creditCardPayment('90.00')
    await settleAll('PSP-8')
    await chargeBack(checkout)
    const before = await euro()
    expect(before.provider).toBe(-9_000n)
    const line = await arrive('PSP-9', '-115.00')
    await propose(line, '25.00')
    expect((await confirm(line)).answer.state).toBe('card_settlement')
    const after = await euro()
    expect([after.provider, after.bank - before.bank, after.fees - before.fees]).toEqual([0n, -11_500n, -2_500n])
    expect(after.owed).toBe(before.owed)
    expect(await discrepancyOf(line)).toEqual([{ state: 'explained' }])
    expect(await brokenInvariants(server.dependencies.pool, server.clock.now())).toEqual([])
  })

  test('is at most what the provider returned to cardholders and has not debited', async () => {
    const { open } = await requireRow<{ open: bigint }>(server.dependencies.pool)`
      select ((select sum(refunded_minor) from deposits where type <> 'wire')
        + (select sum(least(amount_minor + settlement_fee_minor, 0)) from bank_lines where state = 'card_settlement'))::bigint as open`
    const beyond = open + 1n
    const line = await arrive('PSP-10', `-${beyond / 100n}.${String(beyond % 100n).padStart(2, '0')}`)
    expect((await propose(line)).failure.code).toBe('settlement-over-returns')
    expect((await propose(line, '0.01')).status).toBe(200)
    const body = { version: 2, reason: 'It is not theirs.' }
    const rejected = await call(server, rejectSettlement, { as: second, params: { id: line }, body })
    expect([rejected.answer.state, await waitsFor(line)]).toEqual(['unmatched', null])
    expect(await discrepancyOf(line)).toEqual([{ state: 'open' }])
  })
})

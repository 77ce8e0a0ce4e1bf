/**
 * Recovered deals that two people reverse, or that they adopt although amount or account differ: the operation is not
 * sent again, and nothing stays in progress (requirements 24.141, 24.143).
 */
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import * as accounting from '#contract/office/accounting.ts'
import { dropRecoveryItem, getRecoveryItem } from '#contract/office/recovery.ts'
import { matchLine } from '#contract/office/bank-lines.ts'
import { retryJob } from '#contract/office/records.ts'
import { requestReversal, reverseWithdrawal } from '#contract/office/withdrawals.ts'
import { requestTransfer } from '#contract/transfers.ts'
import type { BankLineId } from '#rules/ids.ts'
import { money } from '#rules/money.ts'
import type { BalanceLeg } from '#rules/references.ts'
import { compareAll } from '#server/features/reconciliation/compare.ts'
import { row, rows, run, transaction } from '#server/db/sql.ts'
import { fetchSnapshot } from '#server/ledger/account-snapshot.ts'
import { bookDeal } from '#server/ledger/booked-deals.ts'
import { brokenInvariants } from '#server/ledger/invariants.ts'
import { dealRef } from '#server/ledger/platform-deals.ts'
import { accountLiability } from '#server/ledger/post.ts'
import { platformComment, referenceOfLine } from '#server/ledger/references.ts'
import { allAcknowledged } from '#tests/acknowledged.ts'
import { makeApprovedWithdrawal, makeUndebitedWithdrawal } from '#tests/approved-withdrawal.ts'
import { call, makeClient, makeStaff, newReference, type MadeStaff } from '#tests/factories.ts'
import { platformForFile } from '#tests/for-file.ts'
import { makeFundedAccount, settleOperations, transferBody } from '#tests/funded-account.ts'
import { importBankLines, findOpenRecoveryItem, runRecover, settleRecoveryItem } from '#tests/recovered.ts'
import { openRecovery, requireStatusCheck } from './open-recovery.ts'

const { server, platform } = platformForFile({ now: new Date() })
let two: readonly [MadeStaff, MadeStaff]
const turn = (name: string, fields: object = {}) => platform.turn(name, fields)
const reverse = { action: 'reverse' }

// The clock of a test may end their sessions.
beforeEach(async () => {
  two = [await makeStaff(server, ['finance']), await makeStaff(server, ['finance'])]
})
afterEach(async () => {
  await turn('reset')
  await endRecovery()
})

type Account = Pick<Awaited<ReturnType<typeof makeFundedAccount>>, 'id' | 'login'>

/** Executes an operation of ours on the platform without a record of it; returns its ticket. */
async function lostDeal(
  { login }: Account,
  shown: string,
  leg: BalanceLeg,
  minor: bigint,
  generation = 0,
): Promise<string> {
  const ref = platformComment({ key: server.dependencies.keys.reference.bytes, shown, leg, generation })
  const amount = money(minor, 'EUR')
  return (await server.dependencies.platforms.MT5.applyBalance({ ref, login, amount, checkMargin: false })).ticket
}

/** Opens recovery and finds what the platform has and this database does not. */
async function beginRecovery(): Promise<void> {
  const now = server.clock.now()
  const since = new Date(now.getTime() - 1_200_000)
  await transaction(server.dependencies.jobs, (tx) => openRecovery(tx, { sign: 'unknown-reference', since, now }))
  await run(server.dependencies.pool)`update sessions set ended_at = null`
  await runRecover(server)
}

async function endRecovery(): Promise<void> {
  const now = server.clock.now()
  await run(server.dependencies.pool)`
    update recovery set accounts_open_at = ${now}, payouts_open_at = ${now}, closed_at = ${now} where closed_at is null`
}

/** Returns the amount owed to the client in the ledger, and the account's balance on the platform. */
async function bothSides({ id: accountId, login }: Account) {
  const { pool, platforms } = server.dependencies
  const { balance } = await platforms.MT5.getAccount(login)
  return [await accountLiability(pool, { accountId }), balance.minor]
}

/** Advances the clocks of server and platform by a day. */
async function nextDay(): Promise<void> {
  server.clock.turn(86_400)
  await turn('clock', { at: server.clock.now().getTime() / 1000 })
  two = [await makeStaff(server, ['finance']), await makeStaff(server, ['finance'])]
}

/** Returns what was posted as the account's trading result: only its first balance, as nothing is traded. */
async function tradingResult({ id }: Account): Promise<bigint | undefined> {
  const found = await row<{ sum: bigint }>(server.dependencies.pool)`
    select coalesce(sum(p.minor), 0)::bigint as sum from postings p join ledger_accounts l on l.id = p.ledger_account
      where l.kind = 'trading_result' and l.trading_account = ${id}`
  return found?.sum
}

/** Returns the balance that screens show, as of the last reading and later postings. */
async function storedBalance({ id }: Account): Promise<bigint | undefined> {
  const stored = await row<{ balance: bigint }>(server.dependencies.pool)`
    select balance_minor as balance from platform_figures where account_id = ${id}`
  return stored?.balance
}

/** Advances the clock until everything due has been queried, sent and posted, and reads the balances. */
async function settleEverything(accounts: readonly Account[]): Promise<void> {
  for (let times = 0; times < 4; times += 1) {
    await settleOperations(server)
    server.clock.turn(61)
  }
  const { dependencies, clock } = server
  for (const { id: accountId, login } of accounts)
    await fetchSnapshot(
      dependencies.pool,
      dependencies,
      { accountId, platform: 'MT5', login, currency: 'EUR' },
      clock.now(),
    )
}

const legsOf = (shown: string) =>
  rows<{ leg: string; state: string }>(server.dependencies.pool)`
    select payload ->> 'leg' as leg, state from operations where shown = ${shown} order by created_at, id`

/** Proposes a credit of 7 EUR; returns its id, the reference and a function that reads the correction's state. */
async function pendingCorrection(account: Account) {
  const body = { accountId: account.id, amount: '7.00', currency: 'EUR', reason: 'goodwill' } as const
  const { id } = (await call(server, accounting.requestCorrection, { as: two[0], body })).answer
  const read = () =>
    row<{ state: string; reference: string }>(server.dependencies.pool)`
      select state, reference from corrections where id = ${id}`
  return { id, reference: (await read())?.reference ?? '', state: async () => (await read())?.state }
}

/** Has two people credit 7 EUR. */
async function approvedCorrection(account: Account) {
  const correction = await pendingCorrection(account)
  const decision = { as: two[1], params: { id: correction.id }, body: { version: 1, note: '' } }
  const approved = await call(server, accounting.approveCorrection, decision)
  expect(approved.status, approved.bytes.toString()).toBe(200)
  return correction
}

/** Opens recovery as if the operation had not been committed yet. */
async function beginRecoveryBeside(reference: string): Promise<void> {
  const { pool } = server.dependencies
  const operation = await row<{ written: unknown }>(pool)`
    delete from operations o where shown = ${reference} returning to_jsonb(o) as written`
  await beginRecovery()
  await run(pool)`
    insert into operations select (jsonb_populate_record(null::operations, ${JSON.stringify(operation?.written)}::text::jsonb)).*`
}

const correctionOf = (reference: string) => ({ leg: 'correction', reference })

test.each(['waiting', 'unknown'])(
  'an operation that is %s ends when the deal with its reference is reversed',
  async (state) => {
    const account = await makeFundedAccount(server, await makeClient(server), 100_000n)
    const { pool } = server.dependencies
    const correction = await approvedCorrection(account)
    const { reference } = correction
    await lostDeal(account, reference, 'correction', 700n)
    await beginRecoveryBeside(reference)
    await run(pool)`update operations set state = ${state}, sent_at = created_at where shown = ${reference}`
    const settled = await settleRecoveryItem(server, correctionOf(reference), two, reverse)
    expect(settled.status, settled.bytes.toString()).toBe(200)
    await settleOperations(server)
    await endRecovery()
    await settleEverything([account])
    expect(await legsOf(reference)).toEqual([{ leg: 'correction', state: 'refused' }])
    expect([await correction.state(), await bothSides(account)]).toEqual(['rejected', [100_000n, 100_000n]])
    expect(await brokenInvariants(pool, server.clock.now())).toEqual([])
  },
)

test('an operation with another amount also ends when the deal is reversed', async () => {
  const account = await makeFundedAccount(server, await makeClient(server), 100_000n)
  const correction = await approvedCorrection(account)
  const { reference } = correction
  await lostDeal(account, reference, 'correction', 900n)
  await beginRecovery()
  expect(await findOpenRecoveryItem(server, correctionOf(reference))).toMatchObject({ kind: 'mismatch' })
  expect((await settleRecoveryItem(server, correctionOf(reference), two, reverse)).status).toBe(200)
  await settleOperations(server)
  await endRecovery()
  await settleEverything([account])
  expect([await correction.state(), await bothSides(account)]).toEqual(['rejected', [100_000n, 100_000n]])
})

/** Compares ledger and platform, and returns the discrepancies of an account. */
async function foundByComparison({ id }: Account) {
  const { clock, dependencies } = server
  // A comparison leaves out operations that were settled just now.
  clock.turn(180)
  await compareAll(dependencies, { identity: { kind: 'clock' }, now: clock.now(), reference: 'compare' })
  return rows<{ id: string; version: number; kind: string; state: string }>(dependencies.pool)`
    select id, version, kind, state from differences where account_id = ${id}`
}

/** Lets recovery find the differing deal of a request, and two people adopt it. */
async function adoptMismatch(reference: string, leg: BalanceLeg = 'correction'): Promise<void> {
  await beginRecovery()
  expect(await findOpenRecoveryItem(server, { leg, reference })).toMatchObject({ kind: 'mismatch' })
  const settled = await settleRecoveryItem(server, { leg, reference }, two)
  expect(settled.status, settled.bytes.toString()).toBe(200)
  await settleOperations(server)
  await endRecovery()
}

describe('an adopted deal of another amount', () => {
  test.each(['waiting', 'unknown'])('settles an operation that is %s, and the difference is posted', async (state) => {
    const account = await makeFundedAccount(server, await makeClient(server), 100_000n)
    const { pool } = server.dependencies
    const correction = await approvedCorrection(account)
    const { reference } = correction
    await lostDeal(account, reference, 'correction', 900n)
    await run(pool)`update operations set state = ${state}, sent_at = created_at where shown = ${reference}`
    await adoptMismatch(reference)
    expect(await storedBalance(account)).toBe(100_900n)
    await settleEverything([account])
    expect(await legsOf(reference)).toEqual([{ leg: 'correction', state: 'done' }])
    expect([await correction.state(), await bothSides(account)]).toEqual(['approved', [100_900n, 100_900n]])
    expect(await brokenInvariants(pool, server.clock.now())).toEqual([])
    expect(await foundByComparison(account)).toEqual([])
  })

  test('is posted once if two people posted it before its reference could be read', async () => {
    const account = await makeFundedAccount(server, await makeClient(server), 100_000n)
    const { pool } = server.dependencies
    const correction = await approvedCorrection(account)
    const ticket = await lostDeal(account, correction.reference, 'correction', 900n)
    const now = server.clock.now()
    const deal = { subject: 'difference', record: randomUUID(), ref: dealRef('MT5', ticket) } as const
    await transaction(pool, (tx) =>
      bookDeal(tx, { ...deal, accountId: account.id, amount: money(900n, 'EUR') }, 'corrections', now),
    )
    await adoptMismatch(correction.reference)
    expect(await storedBalance(account)).toBe(100_900n)
    await settleEverything([account])
    expect([await correction.state(), await bothSides(account)]).toEqual(['approved', [100_900n, 100_900n]])
    expect(await foundByComparison(account)).toEqual([])
  })

  test('ends a request that is not approved yet', async () => {
    const account = await makeFundedAccount(server, await makeClient(server), 100_000n)
    const correction = await pendingCorrection(account)
    await lostDeal(account, correction.reference, 'correction', 900n)
    await adoptMismatch(correction.reference)
    await settleEverything([account])
    expect(await legsOf(correction.reference)).toEqual([])
    expect([await correction.state(), await bothSides(account)]).toEqual(['rejected', [100_900n, 100_900n]])
    expect(await foundByComparison(account)).toEqual([])
  })

  test('of a debit lets the withdrawal continue, and a bank transaction that paid it is matched', async () => {
    const withdrawal = await makeUndebitedWithdrawal(server)
    const { reference, account } = withdrawal
    await lostDeal(account, reference, 'withdrawal-debit', -24_000n)
    await importBankLines(server, two[0], [{ amount: '-250.00', remittance: reference }])
    await adoptMismatch(reference, 'withdrawal-debit')
    expect(await withdrawal.now()).toMatchObject({ state: 'paid' })
    await settleEverything([account])
    const [owed, there] = await bothSides(account)
    expect(owed).toBe(there)
    expect(await brokenInvariants(server.dependencies.pool, server.clock.now())).toEqual([])
  })

  test('cannot be adopted if its request was approved and would continue in addition', async () => {
    const withdrawal = await makeApprovedWithdrawal(server)
    const { reference, account } = withdrawal
    await lostDeal(account, reference, 'withdrawal-reversal', 24_900n)
    await beginRecovery()
    const before = await bothSides(account)
    const { id, version } = await findOpenRecoveryItem(server, { leg: 'withdrawal-reversal', reference })
    const confirmed = await settleRecoveryItem(server, { leg: 'withdrawal-reversal', reference }, two)
    expect(confirmed.failure).toMatchObject({ code: 'recovery-decided' })
    expect(await bothSides(account)).toEqual(before)
    expect(await withdrawal.now()).toMatchObject({ state: 'approved' })
    const drop = { params: { id }, body: { version: version + 1, reason: 'It must be reversed.' } }
    expect((await call(server, dropRecoveryItem, { as: two[0], ...drop })).status).toBe(200)
    const reversed = await settleRecoveryItem(server, { leg: 'withdrawal-reversal', reference }, two, reverse)
    expect(reversed.status, reversed.bytes.toString()).toBe(200)
    await settleEverything([account])
    expect(await bothSides(account)).toEqual([75_000n, 75_000n])
  })
})

test.each(['waiting', 'unknown'])(
  'an operation that is %s ends when a deal of another account with its reference is adopted',
  async (state) => {
    const client = await makeClient(server)
    const account = await makeFundedAccount(server, client, 100_000n)
    const other = await makeFundedAccount(server, client, 50_000n)
    const correction = await approvedCorrection(account)
    const { reference } = correction
    await lostDeal(other, reference, 'correction', 700n)
    await beginRecovery()
    const { id } = await findOpenRecoveryItem(server, correctionOf(reference))
    const { item } = (await call(server, getRecoveryItem, { as: two[0], params: { id } })).answer
    expect(item.operation).toMatchObject({ amount: 700n, platform: 'MT5', accountNumber: account.login })
    await run(server.dependencies.pool)`
      update operations set state = ${state}, sent_at = created_at where shown = ${reference}`
    await adoptMismatch(reference)
    await settleEverything([account, other])
    expect(await legsOf(reference)).toEqual([{ leg: 'correction', state: 'refused' }])
    expect(await correction.state()).toBe('rejected')
    expect([await bothSides(account), await bothSides(other)]).toEqual([
      [100_000n, 100_000n],
      [50_700n, 50_700n],
    ])
    expect(await foundByComparison(other)).toEqual([])
  },
)

test('a deal cannot be reversed while its operation is being sent', async () => {
  const account = await makeFundedAccount(server, await makeClient(server), 100_000n)
  const { pool } = server.dependencies
  const { reference } = await approvedCorrection(account)
  await lostDeal(account, reference, 'correction', 700n)
  await beginRecoveryBeside(reference)
  const now = server.clock.now()
  const until = new Date(now.getTime() + 45_000)
  await run(pool)`
    update operations set state = 'sending', sent_at = ${now}, lease_until = ${until} where shown = ${reference}`
  const confirmed = await settleRecoveryItem(server, correctionOf(reference), two, reverse)
  expect(confirmed.failure).toMatchObject({ code: 'recovery-sending' })
  expect(await bothSides(account)).toEqual([100_000n, 100_700n])
})

/** Makes a client with two accounts who has requested a transfer of 7 EUR. */
async function pendingTransfer() {
  const client = await makeClient(server)
  const source = await makeFundedAccount(server, client, 100_000n)
  const destination = await makeFundedAccount(server, client, 50_000n)
  const body = transferBody(source, destination, '7')
  const requested = await call(server, requestTransfer, { as: client, body })
  expect(requested.status, requested.bytes.toString()).toBe(201)
  const { reference } = requested.answer
  expect(await stateOfTransfer(reference)).toBe('pending')
  return { source, destination, reference }
}

async function stateOfTransfer(reference: string): Promise<string | undefined> {
  const found = await row<{ state: string }>(server.dependencies.pool)`
    select state from transfers where reference = ${reference}`
  return found?.state
}

/** Makes a withdrawal whose reversal is recorded, and was executed on the platform by a later attempt. */
async function withLaterReversal(state: 'waiting' | 'sending', leaseUntil: Date | null = null) {
  const { id, reference, account, now } = await makeApprovedWithdrawal(server)
  const params = { id }
  const request = { version: (await now()).version, reason: 'The bank refused it.' }
  expect((await call(server, requestReversal, { as: two[0], params, body: request })).status).toBe(200)
  const confirmation = { version: (await now()).version, note: '' }
  expect((await call(server, reverseWithdrawal, { as: two[1], params, body: confirmation })).status).toBe(200)
  await lostDeal(account, reference, 'withdrawal-reversal', 25_000n, 1)
  await run(server.dependencies.pool)`
    update operations set ask_first = true, state = ${state}, lease_until = ${leaseUntil}
      where shown = ${reference} and state = 'waiting'`
  return { account, reference }
}

/** Makes a client with two accounts and a lost transfer between them, debited on the platform. */
async function lostTransfer() {
  const client = await makeClient(server)
  const source = await makeFundedAccount(server, client, 100_000n)
  const destination = await makeFundedAccount(server, client, 50_000n)
  const reference = newReference()
  await lostDeal(source, reference, 'transfer-withdraw', -700n)
  return { source, destination, reference }
}

/** Has two people reverse the second leg and adopt the first one. */
async function withSecondLegReversed() {
  const transfer = await lostTransfer()
  const { destination, reference } = transfer
  await lostDeal(destination, reference, 'transfer-deposit', 700n)
  await beginRecovery()
  expect((await settleRecoveryItem(server, { leg: 'transfer-deposit', reference }, two, reverse)).status).toBe(200)
  await settleOperations(server)
  const adopted = await settleRecoveryItem(server, { leg: 'transfer-withdraw', reference }, two)
  expect(adopted.status, adopted.bytes.toString()).toBe(200)
  return transfer
}

const asBefore = [
  [100_000n, 100_000n],
  [50_000n, 50_000n],
]
const creditedBack = [
  { leg: 'transfer-withdraw', state: 'done' },
  { leg: 'transfer-deposit', state: 'refused' },
  { leg: 'transfer-compensate', state: 'done' },
]

test('a second leg is not sent under the reference of a reversed deal, and the transfer is credited back', async () => {
  const { source, destination, reference } = await withSecondLegReversed()
  await endRecovery()
  await settleEverything([source, destination])
  expect([await bothSides(source), await bothSides(destination)]).toEqual(asBefore)
  expect(await legsOf(reference)).toEqual(creditedBack)
  expect(await brokenInvariants(server.dependencies.pool, server.clock.now())).toEqual([])
})

/** Retries the newest operation of a leg, as staff do. */
async function retryLeg(shown: string, leg: BalanceLeg): Promise<void> {
  const failed = await row<{ id: string }>(server.dependencies.pool)`
    select id from operations where shown = ${shown} and payload ->> 'leg' = ${leg} order by generation desc limit 1`
  const as = await makeStaff(server, ['operations'])
  const params = { source: 'operation', id: failed?.id ?? '' } as const
  const retried = await call(server, retryJob, { as, params, body: { reason: 'It is not there.' } })
  expect(retried.status, retried.bytes.toString()).toBe(200)
}

test('a second leg is not settled with the reversed deal if its status is queried first', async () => {
  const { source, destination, reference } = await withSecondLegReversed()
  await transaction(server.dependencies.jobs, (tx) => requireStatusCheck(tx))
  await endRecovery()
  await settleEverything([source, destination])
  expect((await legsOf(reference)).at(-1)).toEqual({ leg: 'transfer-deposit', state: 'unknown' })
  await retryLeg(reference, 'transfer-deposit')
  await settleEverything([source, destination])
  expect([await bothSides(source), await bothSides(destination)]).toEqual(asBefore)
  expect(await legsOf(reference)).toEqual(creditedBack)
})

test('a retried leg has a new reference, which a reversed deal does not block', async () => {
  const { source, destination, reference } = await lostTransfer()
  await lostDeal(source, reference, 'transfer-compensate', 700n)
  await beginRecovery()
  expect((await settleRecoveryItem(server, { leg: 'transfer-compensate', reference }, two, reverse)).status).toBe(200)
  const named = { destinationId: destination.id }
  const adopted = await settleRecoveryItem(server, { leg: 'transfer-withdraw', reference }, two, named)
  expect(adopted.status, adopted.bytes.toString()).toBe(200)
  await endRecovery()
  await turn('refuse', { retcode: 10019, login: destination.login })
  await settleEverything([source, destination])
  expect((await legsOf(reference)).at(-1)).toEqual({ leg: 'transfer-compensate', state: 'refused' })
  await retryLeg(reference, 'transfer-compensate')
  await settleEverything([source, destination])
  expect((await legsOf(reference)).at(-1)).toEqual({ leg: 'transfer-compensate', state: 'done' })
  expect([await bothSides(source), await bothSides(destination)]).toEqual(asBefore)
})

/** Has two people in finance decide on an account's discrepancy. */
async function settleDiscrepancy(
  account: Account,
  proposal: 'reverse' | 'book-correction' | 'explain',
  kind = 'second-deal',
): Promise<void> {
  const found = (await foundByComparison(account)).find((one) => one.state === 'open')
  expect(found?.kind).toBe(kind)
  const { id, version } = found ?? { id: '', version: 0 }
  const [first, second] = [await makeStaff(server, ['finance']), await makeStaff(server, ['finance'])]
  const body = { proposal, reason: 'It was rejected.', version }
  const proposed = await call(server, accounting.proposeDifference, { as: first, params: { id }, body })
  expect(proposed.status, proposed.bytes.toString()).toBe(200)
  const confirmation = { version: version + 1, note: '' }
  const confirmed = await call(server, accounting.confirmDifference, { as: second, params: { id }, body: confirmation })
  expect(confirmed.status, confirmed.bytes.toString()).toBe(200)
}

/** Has staff send a leg again that the platform rejected, but executed. */
async function resentBesideDeal(minor = 700n, decided = async (_ticket: string, _source: Account) => {}) {
  const transfer = await lostTransfer()
  const { source, destination, reference } = transfer
  await beginRecovery()
  const named = { destinationId: destination.id }
  const adopted = await settleRecoveryItem(server, { leg: 'transfer-withdraw', reference }, two, named)
  expect(adopted.status, adopted.bytes.toString()).toBe(200)
  await endRecovery()
  for (const { login } of [destination, source]) await turn('refuse', { retcode: 10019, login })
  await settleEverything([source, destination])
  expect((await legsOf(reference)).at(-1)).toEqual({ leg: 'transfer-compensate', state: 'refused' })
  await decided(await lostDeal(source, reference, 'transfer-compensate', minor), source)
  await retryLeg(reference, 'transfer-compensate')
  await settleEverything([])
  expect((await legsOf(reference)).at(-1)).toEqual({ leg: 'transfer-compensate', state: 'waiting' })
  return transfer
}

test('both legs of a transfer that was not approved are posted if both amounts differ', async () => {
  const { source, destination, reference } = await pendingTransfer()
  await lostDeal(source, reference, 'transfer-withdraw', -650n)
  await lostDeal(destination, reference, 'transfer-deposit', 650n)
  await beginRecovery()
  for (const leg of ['transfer-withdraw', 'transfer-deposit']) {
    const adopted = await settleRecoveryItem(server, { leg, reference }, two)
    expect(adopted.status, adopted.bytes.toString()).toBe(200)
  }
  await endRecovery()
  await settleEverything([source, destination])
  expect(await stateOfTransfer(reference)).toBe('rejected')
  expect([await tradingResult(source), await tradingResult(destination)]).toEqual([100_000n, 50_000n])
  expect([await bothSides(source), await bothSides(destination)]).toEqual([
    [99_350n, 99_350n],
    [50_650n, 50_650n],
  ])
})

test('a second leg of another amount is adopted after the first one, and not sent again', async () => {
  const { source, destination, reference } = await pendingTransfer()
  await lostDeal(source, reference, 'transfer-withdraw', -700n)
  await lostDeal(destination, reference, 'transfer-deposit', 650n)
  await beginRecovery()
  const { id, version } = await findOpenRecoveryItem(server, { leg: 'transfer-deposit', reference })
  const early = await settleRecoveryItem(server, { leg: 'transfer-deposit', reference }, two)
  expect(early.failure).toMatchObject({ code: 'recovery-debit-first' })
  const drop = { params: { id }, body: { version: version + 1, reason: 'The debit comes first.' } }
  expect((await call(server, dropRecoveryItem, { as: two[0], ...drop })).status).toBe(200)
  for (const leg of ['transfer-withdraw', 'transfer-deposit']) {
    const adopted = await settleRecoveryItem(server, { leg, reference }, two)
    expect(adopted.status, adopted.bytes.toString()).toBe(200)
  }
  await endRecovery()
  await settleEverything([source, destination])
  expect(await stateOfTransfer(reference)).toBe('approved')
  expect([await tradingResult(source), await tradingResult(destination)]).toEqual([100_000n, 50_000n])
  expect([await bothSides(source), await bothSides(destination)]).toEqual([
    [99_300n, 99_300n],
    [50_650n, 50_650n],
  ])
  expect(await brokenInvariants(server.dependencies.pool, server.clock.now())).toEqual([])
})

test.each(['waiting', 'sending'] as const)(
  'an earlier attempt that is %s is not sent once a later one is adopted',
  async (state) => {
    const { account, reference } = await withLaterReversal(state)
    await beginRecovery()
    const adopted = await settleRecoveryItem(server, { leg: 'withdrawal-reversal', reference }, two)
    expect(adopted.status, adopted.bytes.toString()).toBe(200)
    await endRecovery()
    await settleEverything([account])
    expect((await legsOf(reference)).slice(1)).toEqual([
      { leg: 'withdrawal-reversal', state: 'refused' },
      { leg: 'withdrawal-reversal', state: 'done' },
    ])
    expect(await bothSides(account)).toEqual([100_000n, 100_000n])
  },
)

test('a later attempt is not adopted while a server is sending an earlier one', async () => {
  const { reference } = await withLaterReversal('sending', new Date(server.clock.now().getTime() + 45_000))
  await beginRecovery()
  const adopted = await settleRecoveryItem(server, { leg: 'withdrawal-reversal', reference }, two)
  expect(adopted.failure).toMatchObject({ code: 'recovery-sending' })
})

test('an operation that was sent before is settled with its late deal, not sent again', async () => {
  await nextDay()
  const account = await makeFundedAccount(server, await makeClient(server), 100_000n)
  const { reference, state } = await approvedCorrection(account)
  await lostDeal(account, reference, 'correction', 700n)
  // As after two queries that did not find it, and Try again on the next day.
  await run(server.dependencies.pool)`update operations set sent_at = created_at where shown = ${reference}`
  await nextDay()
  await settleEverything([])
  expect([await state(), await bothSides(account)]).toEqual(['approved', [100_700n, 100_700n]])
})

describe('a resent operation whose rejected attempt the platform has executed', () => {
  test('is sent once two people have reversed the deal', async () => {
    const { source, destination, reference } = await resentBesideDeal()
    await settleDiscrepancy(source, 'reverse')
    await settleEverything([source, destination])
    expect((await legsOf(reference)).at(-1)).toEqual({ leg: 'transfer-compensate', state: 'done' })
    expect([await bothSides(source), await bothSides(destination)]).toEqual(asBefore)
    expect(await brokenInvariants(server.dependencies.pool, server.clock.now())).toEqual([])
  })

  test('is settled with the deal if two people posted it', async () => {
    const { source, destination, reference } = await resentBesideDeal()
    await settleDiscrepancy(source, 'book-correction')
    await settleEverything([source, destination])
    expect((await legsOf(reference)).at(-1)).toEqual({ leg: 'transfer-compensate', state: 'done' })
    expect([await bothSides(source), await bothSides(destination)]).toEqual(asBefore)
    const { pool } = server.dependencies
    expect(await stateOfTransfer(reference)).toBe('rejected')
    expect(await brokenInvariants(pool, server.clock.now())).toEqual([])
  })

  test('is settled with a posted deal of another amount, and the difference is posted', async () => {
    const { source, destination, reference } = await resentBesideDeal(650n)
    await settleDiscrepancy(source, 'book-correction')
    await settleEverything([source, destination])
    expect((await legsOf(reference)).at(-1)).toEqual({ leg: 'transfer-compensate', state: 'done' })
    expect([await bothSides(source), await tradingResult(source)]).toEqual([[99_950n, 99_950n], 100_000n])
    expect(await stateOfTransfer(reference)).toBe('rejected')
    expect(await brokenInvariants(server.dependencies.pool, server.clock.now())).toEqual([])
  })

  test('is sent once two people have explained a deal that was posted before its reference could be read', async () => {
    const { source, reference } = await resentBesideDeal(700n, async (ticket, account) => {
      await turn('deals/garble', { ticket, fields: { Comment: 'Rebate' } })
      await settleDiscrepancy(account, 'book-correction', 'platform-only')
      await turn('deals/garble', { ticket, fields: {} })
    })
    await settleDiscrepancy(source, 'explain', 'posted-second-deal')
    await settleEverything([source])
    expect((await legsOf(reference)).at(-1)).toEqual({ leg: 'transfer-compensate', state: 'done' })
    expect(await bothSides(source)).toEqual([100_700n, 100_700n])
  })

  test('is settled with its own deal if that arrives late, and not sent again', async () => {
    const { source, destination, reference } = await resentBesideDeal()
    await lostDeal(source, reference, 'transfer-compensate', 700n, 1)
    await settleEverything([])
    expect((await legsOf(reference)).at(-1)).toEqual({ leg: 'transfer-compensate', state: 'done' })
    await settleDiscrepancy(source, 'reverse')
    await settleEverything([source, destination])
    expect([await bothSides(source), await bothSides(destination)]).toEqual(asBefore)
  })

  test('is not sent before the platform has executed a reversal that two people decided in recovery', async () => {
    const { source, destination, reference } = await lostTransfer()
    await lostDeal(source, reference, 'transfer-compensate', 700n)
    await beginRecovery()
    expect((await settleRecoveryItem(server, { leg: 'transfer-compensate', reference }, two, reverse)).status).toBe(200)
    await turn('refuse', { retcode: 10019, login: source.login })
    await settleOperations(server)
    const named = { destinationId: destination.id }
    expect((await settleRecoveryItem(server, { leg: 'transfer-withdraw', reference }, two, named)).status).toBe(200)
    await endRecovery()
    await turn('refuse', { retcode: 10019, login: destination.login })
    await settleEverything([source, destination])
    await retryLeg(reference, 'transfer-compensate')
    await settleEverything([source, destination])
    expect((await legsOf(reference)).at(-1)).toEqual({ leg: 'transfer-compensate', state: 'waiting' })
    const reversal = await row<{ shown: string }>(server.dependencies.pool)`
      select shown from operations where subject = 'recovery_item' and target = ${`MT5:${source.login}`}`
    await retryLeg(reversal?.shown ?? '', 'deal-reversal')
    await settleEverything([source, destination])
    expect((await legsOf(reference)).at(-1)).toEqual({ leg: 'transfer-compensate', state: 'done' })
    expect([await bothSides(source), await bothSides(destination)]).toEqual(asBefore)
  })
})

test('no operation is sent while two people decide on a deal of its request', async () => {
  const account = await makeFundedAccount(server, await makeClient(server), 100_000n)
  const { reference } = await approvedCorrection(account)
  await lostDeal(account, reference, 'correction', 900n)
  await beginRecoveryBeside(reference)
  await endRecovery()
  await settleEverything([])
  expect(await legsOf(reference)).toEqual([{ leg: 'correction', state: 'waiting' }])
})

test('a bank transaction whose credit was reversed is matched under the next reference', async () => {
  const account = await makeFundedAccount(server, await makeClient(server), 100_000n)
  const operations = await makeStaff(server, ['operations'])
  await importBankLines(server, operations, [{ amount: '7.00', remittance: 'deposit', bankId: 'S-1' }])
  const { pool, keys } = server.dependencies
  const line = await row<{ id: BankLineId; bankAccount: string; bankId: string }>(pool)`
    select id, bank_account as "bankAccount", bank_id as "bankId" from bank_lines where remittance = 'deposit'`
  if (!line) throw new Error('no bank transaction')
  const shown = referenceOfLine(keys.reference.bytes, newReference().slice(0, 2), line, 0)
  await lostDeal(account, shown, 'deposit-credit', 700n)
  await beginRecovery()
  expect((await settleRecoveryItem(server, { leg: 'deposit-credit', reference: shown }, two, reverse)).status).toBe(200)
  await settleOperations(server)
  await endRecovery()
  const body = { version: 1, accountId: account.id, ...allAcknowledged }
  const matched = await call(server, matchLine, { as: operations, params: { id: line.id }, body })
  expect(matched.status, matched.bytes.toString()).toBe(200)
  await settleEverything([account])
  expect(
    await rows(pool)`select state, reference = ${shown} as old from deposits where account_id = ${account.id}`,
  ).toEqual([{ state: 'approved', old: false }])
  expect(await bothSides(account)).toEqual([100_700n, 100_700n])
})

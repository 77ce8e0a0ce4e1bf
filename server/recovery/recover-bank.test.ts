/**
 * What recovery adopts from the bank: payouts that statements show, returns and reversals, transactions of bank
 * transfers (requirements 20.14).
 */
import { afterAll, beforeAll, expect } from 'vitest'
import { requestWirePayment } from '#contract/deposits.ts'
import * as bankLines from '#contract/office/bank-lines.ts'
import { confirmPayoutBatch, getPayoutBatch } from '#contract/office/payout-batches.ts'
import * as withdrawals from '#contract/office/withdrawals.ts'
import { confirmRecoveryItem, getRecoveryItem, proposeRecoveryItem } from '#contract/office/recovery.ts'
import { row, rows, run, sql } from '#server/db/sql.ts'
import { brokenInvariants } from '#server/ledger/invariants.ts'
import { allAcknowledged } from '../../tests/acknowledged.ts'
import { makeApprovedWithdrawal, type ApprovedWithdrawal } from '../../tests/approved-withdrawal.ts'
import { copyDatabase } from '../../tests/database.ts'
import { platformForFile, staffForFile } from '../../tests/for-file.ts'
import {
  makeApprovedBank,
  makeFundedAccount,
  settleOperations,
  wireBody,
  withdrawalBody,
} from '../../tests/funded-account.ts'
import { call, makeClient, makeStaff, type MadeClient, type MadeStaff, type TestServer } from '../../tests/factories.ts'
import { makePaidWithdrawal, type PaidWithdrawal } from '../../tests/paid-withdrawal.ts'
import { createBatchOf, createPaidBatch, createReleasedBatch } from '../../tests/payout-batches.ts'
import {
  deleteDatabaseIdentity,
  importBankLines,
  findOpenRecoveryItem,
  startRecoveringServer,
  runRecover,
  settleRecoveryItem,
} from '../../tests/recovered.ts'
import { story } from '../../tests/story.ts'
import { cancelWithdrawal, requestWithdrawal } from '#contract/withdrawals.ts'

const { server: before } = platformForFile()
let restored: TestServer
const operations = staffForFile(before, ['operations'])
const twoOfFinance = [staffForFile(before, ['finance']), staffForFile(before, ['finance'])] as const
let paid: ApprovedWithdrawal
let inBatch: ApprovedWithdrawal
let batchId: string
let pending: { id: string; reference: string }
let returned: PaidWithdrawal
let reversed: ApprovedWithdrawal
let wire: { id: string; reference: string }
/** The payer entered no reference. */
let silent: { id: string; reference: string }
let unannounced: { lineId: string; reference: string }
let account: { id: string; login: string }
let client: MadeClient
/** In a batch that was released before the copy, and not confirmed. */
let sent: { withdrawal: ApprovedWithdrawal; batch: string }
/** Pending, without a deal, and the bank shows a debit for it. */
let doubtful: { id: string; reference: string }

async function stateOf(table: 'withdrawals' | 'deposits' | 'bank_lines', id: string): Promise<string | undefined> {
  const { rows: found } = await restored.dependencies.pool.query<{ state: string }>(
    `select state from ${table} where id = $1`,
    [id],
  )
  return found[0]?.state
}

async function receivedAmounts(id: string) {
  return row(
    restored.dependencies.pool,
    sql`select received_minor as received, fee_minor as fee from deposits where id = ${id}`,
  )
}

/** Returns the transactions, as the copy has them. */
async function lineOf(server: TestServer, remittance: string): Promise<{ id: string; version: number; state: string }> {
  const line = await row<{ id: string; version: number; state: string }>(
    server.dependencies.pool,
    sql`select id, version, state from bank_lines where remittance = ${remittance} order by created_at desc limit 1`,
  )
  if (!line) throw new Error(`no line ${remittance}`)
  return line
}

beforeAll(async () => {
  client = await makeClient(before)
  account = await makeFundedAccount(before, client, 100_000n)
  paid = await makeApprovedWithdrawal(before)
  inBatch = await makeApprovedWithdrawal(before)
  batchId = await createBatchOf(before, [inBatch.id])
  const bankId = await makeApprovedBank(before, client)
  const ask = async (amount: string) =>
    (await call(before, requestWithdrawal, { as: client, body: withdrawalBody(account, bankId, amount) })).answer
  pending = await ask('90')
  doubtful = await ask('95')
  const waiting = await makeApprovedWithdrawal(before)
  sent = { withdrawal: waiting, batch: await createReleasedBatch(before, [waiting.id]) }
  returned = await makePaidWithdrawal(before)
  reversed = await makeApprovedWithdrawal(before)
  const announce = async (amount: string) => {
    const reply = await call(before, requestWirePayment, { as: client, body: wireBody(account, amount) })
    expect(reply.status, reply.bytes.toString()).toBe(201)
    const announced = await row<{ id: string; reference: string }>(
      before.dependencies.pool,
      sql`select id, reference from deposits where client_id = ${client.id} order by requested_at desc, id desc limit 1`,
    )
    return announced ?? { id: '', reference: '' }
  }
  wire = await announce('300')
  silent = await announce('310')
  // Announced for another amount, with a fee that was not deducted from the received one.
  await run(
    before.dependencies.pool,
    sql`update deposits set fee_minor = 100, amount_minor = amount_minor + 5000 where id in (${wire.id}, ${silent.id})`,
  )
  await importBankLines(before, operations, [{ amount: '77.00', remittance: 'no reference', bankId: 'LOST-MATCH' }])

  const copy = await copyDatabase(before.database)
  await deleteDatabaseIdentity(copy)
  before.clock.turn(30)
  await call(before, withdrawals.approveWithdrawal, {
    as: operations,
    params: { id: pending.id },
    body: { version: 1, ...allAcknowledged },
  })
  await settleOperations(before)
  await createPaidBatch(before, [paid.id, pending.id])
  await returned.comeBack()
  for (const [endpoint, as, reason] of [
    [withdrawals.requestReversal, twoOfFinance[0], { reason: 'Wrong account' }],
    [withdrawals.reverseWithdrawal, twoOfFinance[1], {}],
  ] as const) {
    const { version } = await reversed.now()
    const reply = await call(before, endpoint, { as, params: { id: reversed.id }, body: { version, ...reason } })
    expect(reply.status, reply.bytes.toString()).toBe(200)
  }
  await importBankLines(before, operations, [{ amount: '300.00', remittance: wire.reference, bankId: 'WIRE' }])
  await importBankLines(before, operations, [{ amount: '310.00', remittance: 'thank you', bankId: 'SILENT' }])
  for (const [one, remittance] of [
    [wire, wire.reference],
    [silent, 'thank you'],
  ] as const) {
    const line = await lineOf(before, remittance)
    const match = { as: operations, params: { id: line.id }, body: { version: 1, depositId: one.id } }
    expect((await call(before, bankLines.matchLine, match)).status).toBe(200)
  }
  const free = await lineOf(before, 'no reference')
  const give = { as: operations, params: { id: free.id }, body: { version: 1, accountId: account.id } }
  expect((await call(before, bankLines.matchLine, give)).status).toBe(200)
  await settleOperations(before)
  await settleOperations(before)
  const made = await row<{ reference: string }>(
    before.dependencies.pool,
    sql`select reference from deposits where bank_line = ${free.id}`,
  )
  unannounced = { lineId: free.id, reference: made?.reference ?? '' }

  restored = await startRecoveringServer(before, copy)
  restored.clock.turn(30)
})
afterAll(() => restored.stop())

story('recovery adopts what statements, returns and bank transfers show of the lost time', (step) => {
  step('the deals of lost decisions, returns and credits become items for two people', async () => {
    await runRecover(restored)
    const items = await rows<{ kind: string; leg: string }>(
      restored.dependencies.pool,
      sql`select kind, leg from recovery_items where state = 'open'`,
    )
    expect(items.map(({ kind, leg }) => `${kind} ${leg}`).toSorted()).toEqual([
      'decision-lost deposit-credit',
      'decision-lost deposit-credit',
      'decision-lost withdrawal-debit',
      'decision-lost withdrawal-return',
      'decision-lost withdrawal-reversal',
      'request-lost deposit-credit',
    ])
  })

  step(
    'a statement marks approved withdrawals as paid, even in an unreleased batch, and no earlier states',
    async () => {
      await importBankLines(restored, operations, [
        { amount: '-250.00', remittance: `Payout ${paid.reference}` },
        { amount: '-250.00', remittance: inBatch.reference },
        { amount: '-90.00', remittance: pending.reference },
        { amount: '-250.00', remittance: sent.withdrawal.reference },
        { amount: '-95.00', remittance: doubtful.reference },
      ])
      expect(await stateOf('withdrawals', paid.id)).toBe('paid')
      expect(await stateOf('withdrawals', inBatch.id)).toBe('paid')
      expect(await stateOf('withdrawals', pending.id)).toBe('pending')
      const left = await row<{ live: boolean }>(
        restored.dependencies.pool,
        sql`select live from payout_batch_payments where batch_id = ${batchId}`,
      )
      expect(left?.live).toBe(false)
      const posted = await rows(
        restored.dependencies.pool,
        sql`select 1 from entries where ref = ${`withdrawal-paid:${paid.id}`}`,
      )
      expect(posted).toHaveLength(1)
    },
  )

  step(
    'a request for which the bank shows a payment cannot be cancelled, even without a deal at the platform',
    async () => {
      const { cleared } = await runRecover(restored)
      expect(cleared).toBe(0)
      const cancelled = await call(restored, cancelWithdrawal, { as: client, body: { id: doubtful.id } })
      expect(cancelled.failure.code).toBe('money-stopped')
    },
  )

  step('a pending withdrawal becomes paid once two people have decided on its debit', async () => {
    const reply = await settleRecoveryItem(
      restored,
      { leg: 'withdrawal-debit', reference: pending.reference },
      twoOfFinance,
    )
    expect(reply.status, reply.bytes.toString()).toBe(200)
    expect(await stateOf('withdrawals', pending.id)).toBe('paid')
    const open = await rows(
      restored.dependencies.pool,
      sql`select 1 from differences where record = ${pending.id} and state in ('open', 'proposed')`,
    )
    expect(open).toEqual([])
  })

  step('a returned payout and a reversal are credited once, with the deal that the platform already has', async () => {
    for (const [leg, { id, reference }] of [
      ['withdrawal-return', returned],
      ['withdrawal-reversal', reversed],
    ] as const) {
      const reply = await settleRecoveryItem(restored, { leg, reference }, twoOfFinance)
      expect(reply.status, reply.bytes.toString()).toBe(200)
      expect(await stateOf('withdrawals', id)).toBe('returned')
    }
  })

  step('a bank transfer is adopted before its transaction is imported, and matched when it is', async () => {
    const look = { leg: 'deposit-credit', reference: wire.reference }
    const reply = await settleRecoveryItem(restored, look, twoOfFinance)
    expect(reply.status, reply.bytes.toString()).toBe(200)
    expect(await stateOf('deposits', wire.id)).toBe('approved')
    await importBankLines(restored, operations, [{ amount: '300.00', remittance: wire.reference, bankId: 'WIRE' }])
    expect((await lineOf(restored, wire.reference)).state).toBe('matched')
    expect(await receivedAmounts(wire.id)).toEqual({ received: 30_000n, fee: 0n })
    const finding = await row<{ state: string }>(
      restored.dependencies.pool,
      sql`select state from recovery_items where kind = 'line-missing' and record = ${wire.id}`,
    )
    expect(finding?.state).toBe('settled')
  })

  step('a transaction without its reference is shown to two people, who may leave it for later', async () => {
    const { id } = await findOpenRecoveryItem(restored, { leg: 'deposit-credit', reference: silent.reference })
    await importBankLines(restored, operations, [{ amount: '310.00', remittance: 'thank you', bankId: 'SILENT' }])
    const { lines } = (await call(restored, getRecoveryItem, { as: twoOfFinance[0], params: { id } })).answer.item
    expect(lines.map(({ remittance, named }) => [remittance, named])).toEqual([['thank you', false]])
    const reply = await settleRecoveryItem(
      restored,
      { leg: 'deposit-credit', reference: silent.reference },
      twoOfFinance,
    )
    expect(reply.status, reply.bytes.toString()).toBe(200)
    expect((await lineOf(restored, 'thank you')).state).toBe('unmatched')
  })

  step('the transaction of an unannounced deposit is recognised by the derived reference', async () => {
    const { id } = await findOpenRecoveryItem(restored, { leg: 'deposit-credit', reference: unannounced.reference })
    const { lines } = (await call(restored, getRecoveryItem, { as: twoOfFinance[0], params: { id } })).answer.item
    expect(lines).toMatchObject([{ id: unannounced.lineId, named: true }])
    const look = { leg: 'deposit-credit', reference: unannounced.reference }
    const reply = await settleRecoveryItem(restored, look, twoOfFinance, { depositType: 'wire' })
    expect(reply.status, reply.bytes.toString()).toBe(200)
    expect(await stateOf('bank_lines', unannounced.lineId)).toBe('matched')
  })

  step('a transaction that arrives without its reference can only be linked by two people', async () => {
    const { id } = await findOpenRecoveryItem(restored, { leg: 'bank-line', reference: silent.reference })
    const line = await lineOf(restored, 'thank you')
    const alone = { as: operations, params: { id: line.id }, body: { version: line.version, depositId: silent.id } }
    expect((await call(restored, bankLines.matchLine, alone)).failure.code).toBe('line-of-adopted')
    const toAccount = { ...alone, body: { version: line.version, accountId: account.id } }
    expect((await call(restored, bankLines.matchLine, toAccount)).failure.code).toBe('line-of-adopted')
    const shown = async () =>
      (await call(restored, getRecoveryItem, { as: twoOfFinance[0], params: { id } })).answer.item
    expect(await shown()).toMatchObject({
      kind: 'line-missing',
      platform: 'bank',
      lines: [{ id: line.id, named: false }],
    })
    const propose = async (body: object) =>
      call(restored, proposeRecoveryItem, {
        as: twoOfFinance[0],
        params: { id },
        body: {
          version: (await shown()).version,
          reason: 'Payer and day are those of the client',
          action: 'adopt',
          ...body,
        },
      })
    expect((await propose({})).failure.code).toBe('required')
    expect((await propose({ lineId: silent.id })).failure.code).toBe('recovery-line-needed')
    expect((await propose({ action: 'reverse', lineId: line.id })).failure.code).toBe('recovery-choice')
    expect((await propose({ lineId: line.id })).status).toBe(200)
    const { version } = await shown()
    const confirm = (as: MadeStaff) => call(restored, confirmRecoveryItem, { as, params: { id }, body: { version } })
    expect((await confirm(twoOfFinance[0])).failure.code).toBe('own-act')
    expect((await lineOf(restored, 'thank you')).state).toBe('unmatched')
    const done = await confirm(twoOfFinance[1])
    expect(done.status, done.bytes.toString()).toBe(200)
    expect((await lineOf(restored, 'thank you')).state).toBe('matched')
    expect(await stateOf('deposits', silent.id)).toBe('approved')
    expect(await receivedAmounts(silent.id)).toEqual({ received: 31_000n, fee: 0n })
  })

  step(
    'then accounts open, no transaction is credited again, and the ledger equals the one before the loss',
    async () => {
      const report = await runRecover(restored)
      expect([report.holds, report.accountsOpened]).toEqual([[], true])
      for (const remittance of [wire.reference, 'no reference', 'thank you']) {
        const { id, version } = await lineOf(restored, remittance)
        const body = { version, accountId: account.id }
        const again = await call(restored, bankLines.matchLine, { as: operations, params: { id }, body })
        expect(again.status).toBe(409)
      }
      const sum = async (server: TestServer, kind: string) =>
        (
          await row<{ sum: bigint }>(
            server.dependencies.pool,
            sql`select coalesce(sum(balance_minor), 0)::bigint as sum from ledger_accounts where kind = ${kind}`,
          )
        )?.sum ?? 0n
      for (const kind of ['client', 'fees', 'corrections'])
        expect(await sum(restored, kind), kind).toBe(await sum(before, kind))
      // The copy knows of two further payments at the bank.
      expect(await sum(restored, 'bank')).toBe((await sum(before, 'bank')) - 50_000n)
      expect(await sum(restored, 'arrived_unmatched')).toBe(await sum(before, 'arrived_unmatched'))
      expect(await brokenInvariants(restored.dependencies.pool, restored.clock.now())).toEqual([])
    },
  )

  step(
    'a batch released before the copy is confirmed without a second payment of what the statement showed',
    async () => {
      const { pool } = restored.dependencies
      const now = restored.clock.now()
      await pool.query('update recovery set payouts_open_at = $1', [now])
      const params = { id: sent.batch }
      const { version } = (await call(restored, getPayoutBatch, { as: twoOfFinance[0], params })).answer.batch
      const as = await makeStaff(restored, ['finance'])
      const reply = await call(restored, confirmPayoutBatch, { as, params, body: { version } })
      expect(reply.status, reply.bytes.toString()).toBe(200)
      expect(await stateOf('withdrawals', sent.withdrawal.id)).toBe('paid')
      expect(await brokenInvariants(pool, now)).toEqual([])
    },
  )
})

/**
 * Payouts on a bank statement: a debit for an unpaid withdrawal, and one without a record (requirements 8.11, 20.2).
 */
import { randomUUID } from 'node:crypto'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { importStatement, sendBackLine } from '#contract/office/bank-lines.ts'
import * as batches from '#contract/office/payout-batches.ts'
import * as stops from '#contract/office/payout-stops.ts'
import { referenceFrom } from '#rules/references.ts'
import { rows, sql } from '#server/db/sql.ts'
import { brokenInvariants } from '#server/ledger/invariants.ts'
import { recoveryOf } from '#server/recovery/stopped-money.ts'
import { makeApprovedWithdrawal } from '../../../../tests/approved-withdrawal.ts'
import { platformForFile, staffForFile } from '../../../../tests/for-file.ts'
import { settleOperations } from '../../../../tests/funded-account.ts'
import { endRecovery } from '../../../../tests/end-recovery.ts'
import { applySetting, call, type MadeStaff } from '../../../../tests/factories.ts'
import { createBatchOf, createPaidBatch, releaseBatch, createReleasedBatch } from '../../../../tests/payout-batches.ts'

const place = platformForFile()
const { server } = place
const importer = staffForFile(server, ['operations', 'finance'], { name: 'Tom Reyes' })
const finance = staffForFile(server, ['finance'], { name: 'Johanna Meier' })
const second = staffForFile(server, ['finance'], { name: 'Nina Aziz' })
afterAll(async () => {
  expect(await brokenInvariants(server.dependencies.pool, server.clock.now())).toEqual([])
})

/** Imports a statement with one transaction of the firm's account in EUR. */
async function statement(amount: string, remittance: string) {
  const day = server.clock.now().toISOString().slice(0, 10)
  const csv = `Date;Amount;Payer;IBAN;Reference;Id\n${day};${amount};Bank;;${remittance};${randomUUID()}`
  const body = { bankAccount: 'DE91100000000123456789', filename: `${randomUUID()}.csv`, csv }
  const reply = await call(server, importStatement, { as: importer, body })
  expect(reply.status).toBe(201)
}

const create = (ids: readonly string[]) =>
  call(server, batches.createPayoutBatch, { as: finance, body: { currency: 'EUR', withdrawals: [...ids] } })
const openStops = async (as = finance) => (await call(server, stops.listPayoutStops, { as })).answer.rows
const openDifferences = (record: string) =>
  rows<{ kind: string; state: string }>(
    server.dependencies.pool,
    sql`select kind, state from differences where record = ${record} order by found_at`,
  )

test('a debit for an unpaid withdrawal opens a discrepancy and keeps the withdrawal out of every batch', async () => {
  const payment = await makeApprovedWithdrawal(server)
  await statement('-250.00', payment.reference)
  expect(await openDifferences(payment.id)).toEqual([{ kind: 'payout-not-paid', state: 'open' }])
  const reply = await create([payment.id])
  expect([reply.status, reply.failure.code]).toEqual([409, 'all-left-out'])
  expect(await openStops()).toEqual([])
})

test('a debit before the confirmation of its batch is a discrepancy, which the confirmation clears', async () => {
  const payment = await makeApprovedWithdrawal(server)
  const id = await createReleasedBatch(server, [payment.id])
  await statement('-250.00', payment.reference)
  expect(await openDifferences(payment.id)).toEqual([{ kind: 'payout-not-paid', state: 'open' }])
  const { version } = (await call(server, batches.getPayoutBatch, { as: finance, params: { id } })).answer.batch
  expect(
    (await call(server, batches.confirmPayoutBatch, { as: finance, params: { id }, body: { version } })).status,
  ).toBe(200)
  expect(await openDifferences(payment.id)).toEqual([{ kind: 'payout-not-paid', state: 'gone' }])
  const late = await makeApprovedWithdrawal(server)
  await createPaidBatch(server, [late.id])
  await statement('-250.00', late.reference)
  expect(await openDifferences(late.id)).toEqual([])
})

test('a debit with an invented reference stops payouts only, until two people in finance other than the importer explain it', async () => {
  const payment = await makeApprovedWithdrawal(server)
  const created = await createBatchOf(server, [(await makeApprovedWithdrawal(server)).id])
  const reference = referenceFrom('CR', Buffer.from('12345'))
  await statement('-77.00', `Payout ${reference}`)
  expect((await create([payment.id])).failure).toMatchObject({ code: 'payouts-stopped', values: { reference } })
  expect((await releaseBatch(server, created, second)).failure.code).toBe('payouts-stopped')
  // Approvals, debits on the platform and deposits continue, and recovery is not open.
  expect((await (await makeApprovedWithdrawal(server)).now()).state).toBe('approved')
  expect(await recoveryOf(server.dependencies.pool)).toBeNull()
  const [stop] = await openStops()
  const id = stop?.id ?? ''
  const explain = { version: 1, reason: 'A clerk mistyped the reference of an invoice.' }
  const own = await call(server, stops.explainPayoutStop, { as: importer, params: { id }, body: explain })
  expect([own.status, own.failure.code]).toEqual([403, 'own-import'])
  expect((await call(server, stops.explainPayoutStop, { as: finance, params: { id }, body: explain })).status).toBe(200)
  expect((await create([payment.id])).failure.code).toBe('payouts-stopped')
  const lift = (as: MadeStaff, version = 2) =>
    call(server, stops.liftPayoutStop, { as, params: { id }, body: { version } })
  expect((await lift(importer)).failure.code).toBe('own-import')
  expect((await lift(finance)).failure.code).toBe('own-act')
  const reason = 'This does not explain it.'
  expect(
    (await call(server, stops.reopenPayoutStop, { as: second, params: { id }, body: { version: 2, reason } })).status,
  ).toBe(200)
  await call(server, stops.explainPayoutStop, { as: finance, params: { id }, body: { ...explain, version: 3 } })
  expect((await lift(second, 4)).answer.state).toBe('lifted')
  expect(await openStops()).toEqual([])
  expect((await create([payment.id])).status).toBe(201)
})

test.each([
  ['has a wrong check character', 'CR-0000000Z'],
  ['is not written as ours', referenceFrom('CR', Buffer.from('54321')).replace('-', ' ')],
  ['has another prefix', referenceFrom('ZZ', Buffer.from('54321'))],
])('a debit whose reference %s does not stop payouts', async (_case, reference) => {
  await statement('-12.00', reference)
  expect(await openStops()).toEqual([])
})

test('a receipt of one cent with an invented reference changes nothing, nor does its return to the sender', async () => {
  const reference = referenceFrom('CR', Buffer.from('98765'))
  await statement('0.01', reference)
  expect(await openStops()).toEqual([])
  const [line] = await rows<{ id: string }>(
    server.dependencies.pool,
    sql`select id from bank_lines where remittance = ${reference} and amount_minor = 1`,
  )
  const body = { version: 1, reason: 'No one we know.' }
  expect((await call(server, sendBackLine, { as: finance, params: { id: line?.id ?? '' }, body })).status).toBe(200)
  await statement('-0.01', reference)
  expect(await openStops()).toEqual([])
})

test('a debit with a reference of a prefix that the firm used before stops payouts too', async () => {
  const firm = await server.dependencies.settings.get('firm')
  for (const referencePrefix of ['NW', 'NX']) await applySetting(server, 'firm', { ...firm, referencePrefix })
  for (const prefix of ['CR', 'NW', 'ZZ']) await statement('-99.00', referenceFrom(prefix, Buffer.from('past!')))
  const found = await openStops()
  expect(found.map(({ reference }) => reference.slice(0, 2))).toEqual(['CR', 'NW'])
  for (const { id } of found) {
    const reason = 'A payment of the firm.'
    await call(server, stops.explainPayoutStop, { as: finance, params: { id }, body: { version: 1, reason } })
    const lifted = await call(server, stops.liftPayoutStop, {
      as: second,
      params: { id },
      body: { version: 2, note: '' },
    })
    expect(lifted.status).toBe(200)
  }
  await applySetting(server, 'firm', firm)
})

test('a debit that two people identify as a payout lost from our records opens recovery', async () => {
  onTestFinished(() => endRecovery(server, [importer, finance, second]))
  await statement('-99.00', referenceFrom('CR', Buffer.from('lost!')))
  const [stop] = await openStops()
  const id = stop?.id ?? ''
  const reason = 'The bank executed it on the day of the failure.'
  await call(server, stops.explainPayoutStop, { as: finance, params: { id }, body: { version: 1, reason } })
  const by = (as: MadeStaff) =>
    call(server, stops.recoverPayoutStop, { as, params: { id }, body: { version: 2, reason } })
  expect((await by(finance)).failure.code).toBe('own-act')
  expect((await by(second)).answer.state).toBe('recovery')
  // Two banking days before the debit of Friday 19 June, in London; an hour before what is known until then.
  const since = new Date('2026-06-16T22:00:00Z')
  expect(await recoveryOf(server.dependencies.pool)).toMatchObject({ sign: 'batch', since })
  await settleOperations(server)
})

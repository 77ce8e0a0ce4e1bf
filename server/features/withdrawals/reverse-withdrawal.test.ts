/** A debited withdrawal that is not paid is credited to its account again by two people (requirements 9.8). */
import { afterAll, expect, test } from 'vitest'
import { getTransferTimeline } from '#contract/history.ts'
import { confirmDifference, listDifferences, proposeDifference } from '#contract/office/accounting.ts'
import { createPayoutBatch, payoutList } from '#contract/office/payout-batches.ts'
import * as office from '#contract/office/withdrawals.ts'
import { rows, run, sql } from '#server/db/sql.ts'
import { brokenInvariants } from '#server/ledger/invariants.ts'
import { accountLiability } from '#server/ledger/post.ts'
import { payoutsFor } from '#server/ledger/returned-payouts.ts'
import { makeApprovedWithdrawal, type ApprovedWithdrawal } from '../../../tests/approved-withdrawal.ts'
import { platformForFile, staffForFile } from '../../../tests/for-file.ts'
import { settleOperations } from '../../../tests/funded-account.ts'
import { mailsTo } from '../../../tests/mails.ts'
import { call, applySetting, type MadeStaff } from '../../../tests/factories.ts'
import { createBatchOf } from '../../../tests/payout-batches.ts'
import { importBankLines } from '../../../tests/recovered.ts'

const place = platformForFile()
const { server } = place
const finance = staffForFile(server, ['finance'], { name: 'Johanna Meier' })
const operations = staffForFile(server, ['operations'])
const second = staffForFile(server, ['finance'], { name: 'Nina Aziz' })
afterAll(async () => {
  expect(await brokenInvariants(server.dependencies.pool, server.clock.now())).toEqual([])
})

const step = async (
  endpoint: typeof office.requestReversal | typeof office.dropReversal | typeof office.reverseWithdrawal,
  { id, now }: ApprovedWithdrawal,
  as: MadeStaff,
) => {
  const { version } = await now()
  const words = endpoint === office.reverseWithdrawal ? { note: '' } : { reason: 'The client may not be paid.' }
  return call(server, endpoint as typeof office.requestReversal, {
    as,
    params: { id },
    body: { version, ...words } as never,
  })
}
const readyIds = async () =>
  (await call(server, payoutList, { as: finance, params: { currency: 'EUR' } })).answer.rows.map(({ id }) => id)

test('two people credit the whole debit to the account again, including its fee, as it was never paid out', async () => {
  const methods = await server.dependencies.settings.get('methods')
  const fee = { percent: '0', flat: '5.00' }
  await applySetting(server, 'methods', { ...methods, withdrawal: methods.withdrawal.map((one) => ({ ...one, fee })) })
  const payment = await makeApprovedWithdrawal(server, '105')
  await applySetting(server, 'methods', methods)
  const { client, account, id, reference } = payment
  const before = await accountLiability(server.dependencies.pool, { accountId: account.id })
  expect((await step(office.requestReversal, payment, finance)).answer.state).toBe('approved')
  expect(await readyIds()).not.toContain(id)
  const body = { currency: 'EUR' as const, withdrawals: [id] }
  expect((await call(server, createPayoutBatch, { as: second, body })).failure.code).toBe('nothing-to-pay')
  const again = await step(office.requestReversal, payment, second)
  expect([again.status, again.failure.code]).toEqual([409, 'reversal-asked'])
  const own = await step(office.reverseWithdrawal, payment, finance)
  expect([own.status, own.failure.code]).toEqual([403, 'own-act'])
  expect((await step(office.reverseWithdrawal, payment, second)).answer.state).toBe('returned')
  await settleOperations(server)
  expect((await accountLiability(server.dependencies.pool, { accountId: account.id })) - before).toBe(10_500n)
  const deals = await place.platform.read<{ amount: string }[]>(`deals?login=${account.login}&action=2`)
  expect(deals.map(({ amount }) => Number(amount)).slice(-2)).toEqual([-105, 105])
  const sums = await rows<{ kind: string; sum: bigint }>(
    server.dependencies.pool,
    sql`select l.kind, sum(p.minor)::bigint as sum from postings p join entries e on e.id = p.entry_id
          join ledger_accounts l on l.id = p.ledger_account where e.record = ${id} group by l.kind`,
  )
  expect(Object.fromEntries(sums.map(({ kind, sum }) => [kind, sum]))).toEqual({
    client: 0n,
    fees: 0n,
    payout_in_transit: 0n,
  })
  const kept = await rows(server.dependencies.pool, sql`select state, paid_at from withdrawals where id = ${id}`)
  expect(kept).toEqual([{ state: 'returned', paid_at: null }])
  // A bank transaction does not match it as a returned payout.
  const line = { amountMinor: 10_000n, currency: 'EUR' } as const
  expect(await payoutsFor(server.dependencies.pool, line, [reference], server.clock.now())).toEqual([])
  expect((await mailsTo(server, client.email)).at(-1)).toMatchObject({ kind: 'withdrawal-reversed' })
  const params = { list: 'withdrawals' as const, id }
  const texts = (await call(server, getTransferTimeline, { as: client, params })).answer.timeline.map(
    ({ text }) => text,
  )
  expect(texts.join('\n')).toContain('Not paid out')
  expect(texts.join('\n')).not.toContain('may not be paid')
})

test('a withdrawal whose reversal is dropped is ready for payout again', async () => {
  const payment = await makeApprovedWithdrawal(server)
  await step(office.requestReversal, payment, finance)
  expect((await step(office.dropReversal, payment, second)).status).toBe(200)
  expect(await readyIds()).toContain(payment.id)
  const none = await step(office.reverseWithdrawal, payment, second)
  expect([none.status, none.failure.code]).toEqual([409, 'reversal-not-asked'])
})

test('a withdrawal in a batch that is not void cannot be reversed', async () => {
  const payment = await makeApprovedWithdrawal(server)
  await createBatchOf(server, [payment.id])
  const refused = await step(office.requestReversal, payment, finance)
  expect([refused.status, refused.failure.code]).toEqual([409, 'in-payout-batch'])
  const page = await call(server, office.getOfficeWithdrawal, { as: finance, params: { id: payment.id } })
  expect(page.answer.withdrawal.verbs.find(({ verb }) => verb === 'askReversal')?.refusal?.code).toBe('in-payout-batch')
})

test('a withdrawal that the bank shows as paid is neither requested for reversal nor reversed, until two people decide', async () => {
  const payment = await makeApprovedWithdrawal(server)
  const { reference, id } = payment
  const requested = await makeApprovedWithdrawal(server)
  await step(office.requestReversal, requested, finance)
  await importBankLines(server, operations, [
    { amount: '-250.00', remittance: reference },
    { amount: '-250.00', remittance: requested.reference },
  ])
  const refused = [
    await step(office.requestReversal, payment, finance),
    await step(office.reverseWithdrawal, requested, second),
  ]
  expect(refused.map(({ status, failure }) => [status, failure.code])).toEqual([
    [409, 'payout-not-paid'],
    [409, 'payout-not-paid'],
  ])
  const refusalOf = async (verb: string, of: ApprovedWithdrawal, as: MadeStaff) => {
    const page = await call(server, office.getOfficeWithdrawal, { as, params: { id: of.id } })
    return page.answer.withdrawal.verbs.find((one) => one.verb === verb)?.refusal?.code
  }
  expect(await refusalOf('askReversal', payment, finance)).toBe('payout-not-paid')
  expect(await refusalOf('reverse', requested, second)).toBe('payout-not-paid')
  expect((await step(office.dropReversal, requested, second)).status).toBe(200)

  const { rows: found } = (await call(server, listDifferences, { as: finance, query: { state: 'open' } })).answer
  const params = { id: found.find(({ record }) => record === id)?.id ?? '' }
  const proposal = { version: 1, proposal: 'explain' as const, reason: 'The bank has returned the payment.' }
  expect((await call(server, proposeDifference, { as: finance, params, body: proposal })).status).toBe(200)
  const confirmed = { version: 2, note: '' }
  expect((await call(server, confirmDifference, { as: second, params, body: confirmed })).status).toBe(200)
  expect((await step(office.requestReversal, payment, finance)).status).toBe(200)
})

test('a suspended client’s debited withdrawal can be reversed', async () => {
  const payment = await makeApprovedWithdrawal(server)
  await run(server.dependencies.pool, sql`update clients set state = 'suspended' where id = ${payment.client.id}`)
  await step(office.requestReversal, payment, finance)
  expect((await step(office.reverseWithdrawal, payment, second)).answer.state).toBe('returned')
  await settleOperations(server)
})

/** Separation of duties for payouts (requirements 19.18): different people create, release and confirm a batch. */
import { holdPayments } from '#contract/office/client-decisions.ts'
import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { officeEndpoints } from '#contract/endpoints.ts'
import { listInbox } from '#contract/office/inbox.ts'
import * as batches from '#contract/office/payout-batches.ts'
import { decisionTimesReport } from '#contract/office/reports.ts'
import { getOfficeWithdrawal, returnWithdrawal } from '#contract/office/withdrawals.ts'
import { getTransferHistory } from '#contract/history.ts'
import { dayIn, isoDay } from '#rules/dates.ts'
import { run, rows, sql } from '#server/db/sql.ts'
import { deleteStrayFiles } from '#server/features/files/jobs.ts'
import { brokenInvariants } from '#server/ledger/invariants.ts'
import { compareReleasedBatches } from '#server/recovery/released-batches.ts'
import { recoveryOf } from '#server/recovery/stopped-money.ts'
import { makeApprovedWithdrawal } from '../../../../tests/approved-withdrawal.ts'
import { platformForFile, staffForFile } from '../../../../tests/for-file.ts'
import { overrideBlock } from '../../../../tests/overrides.ts'
import { settleOperations } from '../../../../tests/funded-account.ts'
import { endRecovery } from '../../../../tests/end-recovery.ts'
import { madeBank } from '../../../../tests/bank-details.ts'
import { call, makeStaff, applySetting, type MadeStaff } from '../../../../tests/factories.ts'
import { createBatchOf, createPaidBatch, releaseBatch, createReleasedBatch } from '../../../../tests/payout-batches.ts'
import { unreleasableBatches } from './queries.ts'

const place = platformForFile()
const { server } = place
const operations = staffForFile(server, ['operations'], { name: 'Tom Reyes' })
const finance = staffForFile(server, ['finance'], { name: 'Johanna Meier' })
const second = staffForFile(server, ['finance'], { name: 'Nina Aziz' })
const administrator = staffForFile(server, ['administrator'], { name: 'Ruth Kessler' })
afterAll(async () => {
  expect(await brokenInvariants(server.dependencies.pool, server.clock.now())).toEqual([])
})
const payoutSettings = { recoveryBankingDays: 2, cutOff: { EUR: '14:00', GBP: '', USD: '' } }

beforeEach(() => applySetting(server, 'payouts', { ...payoutSettings, byUninvolved: true }))

const batchOf = async (id: string) =>
  (await call(server, batches.getPayoutBatch, { as: finance, params: { id } })).answer.batch

type Step =
  | typeof batches.confirmPayoutBatch
  | typeof batches.discardPayoutBatch
  | typeof batches.requestVoidPayoutBatch
  | typeof batches.confirmVoidPayoutBatch
  | typeof batches.dropVoidPayoutBatch
  | typeof batches.closePayoutBatch

async function takeStep(endpoint: Step, id: string, as: MadeStaff) {
  const { version } = await batchOf(id)
  const takesReason = 'reason' in endpoint.body.shape
  const body = { version, ...(takesReason ? { reason: 'The bank says so.' } : {}) }
  return call(server, endpoint as typeof batches.discardPayoutBatch, { as, params: { id }, body: body as never })
}

const saveFile = (id: string, as = finance) => call(server, batches.payoutFile, { as, params: { id } })
/** Returns whether current checks are shown, which can stop a payment until its batch is released. */
const hasChecks = async (id: string) =>
  (await call(server, getOfficeWithdrawal, { as: finance, params: { id } })).answer.withdrawal.decisionChecks.length > 0
const readyIds = async () =>
  (await call(server, batches.payoutList, { as: operations, params: { currency: 'EUR' } })).answer.rows.map(
    ({ id }) => id,
  )
const suspend = (client: { id: string }, state = 'suspended') =>
  run(server.dependencies.pool, sql`update clients set state = ${state} where id = ${client.id}`)

test('three people take a payment from approval to paid, each step is in the audit log, and it is in one batch only', async () => {
  const payment = await makeApprovedWithdrawal(server, '250', { first: operations })
  expect(await readyIds()).toContain(payment.id)
  const id = await createBatchOf(server, [payment.id], { creator: operations })
  expect(await readyIds()).not.toContain(payment.id)
  const again = { currency: 'EUR' as const, withdrawals: [payment.id] }
  expect((await call(server, batches.createPayoutBatch, { as: finance, body: again })).failure.code).toBe(
    'nothing-to-pay',
  )
  const created = await batchOf(id)
  expect(created).toMatchObject({ state: 'created', count: 1, total: 25_000n, sha256: null, fileName: null })
  expect((await saveFile(id)).failure.code).toBe('batch-not-released')
  expect((await releaseBatch(server, id, administrator)).answer.state).toBe('released')
  const released = await batchOf(id)
  expect(released).toMatchObject({ state: 'released', sha256: created.draft?.sha256, draft: null })
  const file = await saveFile(id)
  const text = file.bytes.toString()
  expect(createHash('sha256').update(text).digest('hex')).toBe(released.sha256)
  expect(text).toContain(`${released.number},${payment.reference},Hannah Brandt,${madeBank.bankIBAN}`)
  expect(String(file.headers['content-disposition'])).toContain(`payout-EUR-${released.number}.csv`)
  expect((await payment.now()).state).toBe('approved')
  expect((await takeStep(batches.confirmPayoutBatch, id, finance)).answer.state).toBe('sent')
  expect((await payment.now()).state).toBe('paid')
  const page = await call(server, getOfficeWithdrawal, { as: finance, params: { id: payment.id } })
  expect(page.answer.withdrawal).toMatchObject({ batch: { id, state: 'sent' }, paidBy: { id: finance.id } })
  const logged = await rows<{ verb: string; actor: string }>(
    server.dependencies.pool,
    sql`select verb, actor_id as actor from events where kind = 'payout_batch' and record = ${id} order by id`,
  )
  expect(logged).toEqual([
    { verb: 'create', actor: operations.id },
    { verb: 'release', actor: administrator.id },
    { verb: 'export', actor: finance.id },
    { verb: 'confirm', actor: finance.id },
  ])
})

test('adding a debited payment to a batch counts as the decision of its work item in the turnaround report (requirements 24.3)', async () => {
  const day = isoDay(dayIn(server.clock.now(), 'Europe/London'))
  const query = { from: day, to: day }
  const decided = async () =>
    (await call(server, decisionTimesReport, { as: finance, query })).answer.rows.find(
      ({ kind }) => kind === 'withdrawal',
    )?.decided ?? 0
  const { id } = await makeApprovedWithdrawal(server, '250', { first: operations })
  const before = await decided()
  await createBatchOf(server, [id], { creator: operations })
  expect(await decided()).toBe(before + 1)
})

describe('a single person cannot pay out money', () => {
  test('as no endpoint marks a withdrawal as paid and an administrator cannot take all steps', async () => {
    expect(officeEndpoints.filter(({ path }) => /withdrawals\/.*pay|payouts\/.*file/.test(path))).toEqual([])
    const alone = await makeStaff(server, ['administrator'])
    const { id: withdrawal, now } = await makeApprovedWithdrawal(server, '250', { first: alone })
    const id = await createBatchOf(server, [withdrawal], { creator: alone })
    const reply = await releaseBatch(server, id, alone)
    expect([reply.status, reply.failure.code]).toEqual([403, 'own-batch'])
    const { verbs } = (await call(server, batches.getPayoutBatch, { as: alone, params: { id } })).answer.batch
    expect(verbs.find(({ verb }) => verb === 'release')?.refusal?.code).toBe('own-batch')
    expect((await takeStep(batches.confirmPayoutBatch, id, alone)).status).toBe(409)
    expect((await now()).state).toBe('approved')
  })

  test.each([
    [
      'the first approval',
      async () => makeApprovedWithdrawal(server, '250', { first: administrator }),
      () => administrator,
    ],
    ['the second approval', async () => makeApprovedWithdrawal(server, '12000', { second }), () => second],
  ])('and the person who gave %s can release only if the firm’s setting allows it', async (_case, make, who) => {
    const { id: withdrawal } = await make()
    const id = await createBatchOf(server, [withdrawal], { creator: operations })
    const refused = await releaseBatch(server, id, who())
    expect([refused.status, refused.failure.code]).toEqual([403, 'approved-in-batch'])
    expect(await isCountedInInbox(who(), id)).toBe(false)
    await applySetting(server, 'payouts', { ...payoutSettings, byUninvolved: false })
    expect(await isCountedInInbox(who(), id)).toBe(true)
    expect((await releaseBatch(server, id, who())).status).toBe(200)
  })

  test('as the releaser cannot confirm; the creator can', async () => {
    const { id: withdrawal } = await makeApprovedWithdrawal(server)
    const id = await createReleasedBatch(server, [withdrawal], { creator: finance, releaser: second })
    const own = await takeStep(batches.confirmPayoutBatch, id, second)
    expect([own.status, own.failure.code]).toEqual([403, 'own-release'])
    expect((await takeStep(batches.confirmPayoutBatch, id, finance)).status).toBe(200)
  })

  test('and cannot act on a payment to a client with their own email address', async () => {
    const { id: withdrawal, client } = await makeApprovedWithdrawal(server)
    const self = await makeStaff(server, ['finance'], { email: client.email })
    const body = { currency: 'EUR' as const, withdrawals: [withdrawal] }
    expect((await call(server, batches.createPayoutBatch, { as: self, body })).failure.code).toBe('own-request')
    const id = await createBatchOf(server, [withdrawal], { creator: finance })
    expect((await releaseBatch(server, id, self)).failure.code).toBe('own-request')
    const codeOf = async (decision: Parameters<typeof takeStep>[0]) => (await takeStep(decision, id, self)).failure.code
    expect(await codeOf(batches.discardPayoutBatch)).toBe('own-request')
    expect((await releaseBatch(server, id, second)).status).toBe(200)
    expect(await codeOf(batches.confirmPayoutBatch)).toBe('own-request')
    expect(await codeOf(batches.requestVoidPayoutBatch)).toBe('own-request')
    const { verbs } = (await call(server, batches.getPayoutBatch, { as: self, params: { id } })).answer.batch
    const possible = verbs.filter(({ refusal }) => refusal?.code !== 'wrong-state')
    expect(possible.map(({ verb, refusal }) => [verb, refusal?.code])).toEqual([
      ['confirm', 'own-request'],
      ['askVoid', 'own-request'],
    ])
  })
})

/** Returns whether the inbox counts a batch among those that a person can decide. */
async function isCountedInInbox(as: MadeStaff, id: string): Promise<boolean> {
  const query = { kind: 'payout_batch', mine: 'true', size: '100' }
  const { items } = (await call(server, listInbox, { as, query })).answer
  return items.some(({ record, mine }) => record === id && mine)
}

/** Returns whether list and page allow a person to release a batch, and the error of the release. */
async function releasePermissionOf(as: MadeStaff, id: string) {
  const query = { state: 'created', direction: 'desc' } as const
  const { rows: listed } = (await call(server, batches.listPayoutBatches, { as, query })).answer
  const { verbs } = (await call(server, batches.getPayoutBatch, { as, params: { id } })).answer.batch
  const { failure } = await releaseBatch(server, id, as)
  const page = verbs.find(({ verb }) => verb === 'release')?.refusal?.code
  return [listed.find((one) => one.id === id)?.mayRelease, page, failure.code]
}

test('list and page show who cannot release a batch: those who overrode a block, and a payee', async () => {
  const { id: withdrawal, client } = await makeApprovedWithdrawal(server, '250', { first: operations })
  const overrider = await makeStaff(server, ['finance'])
  await overrideBlock(server.dependencies.pool, overrider, 'withdrawal', withdrawal)
  const id = await createBatchOf(server, [withdrawal], { creator: operations })
  expect(await releasePermissionOf(overrider, id)).toEqual([false, 'own-override', 'own-override'])
  const payee = await makeStaff(server, ['finance'], { email: client.email })
  expect(await releasePermissionOf(payee, id)).toEqual([false, 'own-request', 'own-request'])
  const readers = [overrider, payee, operations, second]
  expect(await Promise.all(readers.map((as) => isCountedInInbox(as, id)))).toEqual([false, false, false, true])
  expect((await releaseBatch(server, id, second)).status).toBe(200)
})

describe('releasing a batch', () => {
  test('requires exactly the count, total and hash that the page shows', async () => {
    const { id: withdrawal } = await makeApprovedWithdrawal(server)
    const id = await createBatchOf(server, [withdrawal])
    for (const changes of [{ count: 2 }, { total: '250.01' }, { sha256: 'a'.repeat(64) }]) {
      const reply = await releaseBatch(server, id, second, changes)
      expect([reply.status, reply.failure.code, reply.failure.values]).toEqual([
        409,
        'batch-changed',
        { count: 1, total: '250.00\u00A0EUR' },
      ])
    }
    expect((await batchOf(id)).state).toBe('created')
  })

  test('leaves out payments blocked since its creation, and requires the page with the new total', async () => {
    const good = await makeApprovedWithdrawal(server, '30')
    const blocked = await makeApprovedWithdrawal(server, '40')
    const id = await createBatchOf(server, [good.id, blocked.id])
    const { draft: seen } = await batchOf(id)
    await suspend(blocked.client)
    const old = { count: seen?.count, total: '70.00', sha256: seen?.sha256 }
    expect((await releaseBatch(server, id, second, old)).failure.code).toBe('batch-changed')
    const { payments, draft } = await batchOf(id)
    expect(draft).toMatchObject({ count: 1, total: 3_000n })
    expect(payments.find((one) => one.id === blocked.id)).toMatchObject({
      inFile: false,
      blocks: [{ code: 'client-status' }],
    })
    expect((await releaseBatch(server, id, second)).status).toBe(200)
    const after = await batchOf(id)
    expect([after.count, after.total, after.payments.filter(({ inFile }) => inFile).map((one) => one.id)]).toEqual([
      1,
      3_000n,
      [good.id],
    ])
    expect((await saveFile(id)).bytes.toString()).not.toContain(blocked.reference)
    await takeStep(batches.confirmPayoutBatch, id, finance)
    expect([(await good.now()).state, (await blocked.now()).state]).toEqual(['paid', 'approved'])
    expect(await readyIds()).toContain(blocked.id)
    await suspend(blocked.client, 'approved')
  })

  test.each(['suspended', 'closed', 'rejected'])(
    'leaves out payments of a client who is %s, and so does the creation of a batch',
    async (state) => {
      const { id: withdrawal, client, reference } = await makeApprovedWithdrawal(server)
      const id = await createBatchOf(server, [withdrawal])
      await suspend(client, state)
      expect((await releaseBatch(server, id, second)).failure.code).toBe('nothing-to-pay')
      expect((await takeStep(batches.discardPayoutBatch, id, finance)).answer.state).toBe('void')
      const body = { currency: 'EUR' as const, withdrawals: [withdrawal] }
      const none = await call(server, batches.createPayoutBatch, { as: finance, body })
      expect([none.failure.code, none.failure.values]).toEqual(['all-left-out', { references: reference }])
      const good = await makeApprovedWithdrawal(server, '20')
      const both = { currency: 'EUR' as const, withdrawals: [withdrawal, good.id] }
      const some = (await call(server, batches.createPayoutBatch, { as: finance, body: both })).answer
      expect([some.count, some.leftOut]).toMatchObject([
        1,
        [{ reference, client: 'Hannah Brandt', blocks: [{ code: 'client-status' }] }],
      ])
      await suspend(client, 'approved')
    },
  )

  test('leaves out payments of a client whose payments are on hold, and so does the creation of a batch', async () => {
    const { id: withdrawal, client, reference } = await makeApprovedWithdrawal(server)
    const id = await createBatchOf(server, [withdrawal])
    const as = await makeStaff(server, ['compliance'])
    const body = { reason: 'A report is being written.' }
    expect((await call(server, holdPayments, { as, params: { id: client.id }, body })).status).toBe(201)
    expect((await releaseBatch(server, id, second)).failure.code).toBe('nothing-to-pay')
    expect((await takeStep(batches.discardPayoutBatch, id, finance)).answer.state).toBe('void')
    const again = { currency: 'EUR' as const, withdrawals: [withdrawal] }
    const none = await call(server, batches.createPayoutBatch, { as: finance, body: again })
    expect([none.failure.code, none.failure.values]).toEqual(['all-left-out', { references: reference }])
    const { pool } = server.dependencies
    await run(
      pool,
      sql`update payment_holds set lifted_at = ${server.clock.now()}, lifted_by = ${as.id} where client_id = ${client.id}`,
    )
    expect((await call(server, batches.createPayoutBatch, { as: finance, body: again })).status).toBe(201)
  })

  test('succeeds for one of two simultaneous requests', async () => {
    const { id: withdrawal } = await makeApprovedWithdrawal(server)
    const id = await createBatchOf(server, [withdrawal])
    const replies = await Promise.all([releaseBatch(server, id, finance), releaseBatch(server, id, second)])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })
})

describe('voiding a batch', () => {
  test('that was not released needs one person in finance, and its payments can be in another batch', async () => {
    const { id: withdrawal } = await makeApprovedWithdrawal(server)
    const id = await createBatchOf(server, [withdrawal])
    expect((await takeStep(batches.discardPayoutBatch, id, operations)).failure.code).toBe('wrong-role')
    expect((await takeStep(batches.discardPayoutBatch, id, finance)).answer.state).toBe('void')
    expect(await readyIds()).toContain(withdrawal)
    await createPaidBatch(server, [withdrawal])
  })

  test('that was released needs two people, who state that the bank executed none of it', async () => {
    const { id: withdrawal, now } = await makeApprovedWithdrawal(server)
    const id = await createBatchOf(server, [withdrawal])
    expect(await hasChecks(withdrawal)).toBe(true)
    const releaser = await makeStaff(server, ['finance'])
    expect((await releaseBatch(server, id, releaser)).answer.state).toBe('released')
    expect(await hasChecks(withdrawal)).toBe(false)
    expect((await takeStep(batches.discardPayoutBatch, id, finance)).status).toBe(409)
    expect((await takeStep(batches.requestVoidPayoutBatch, id, finance)).answer.state).toBe('void_requested')
    expect(await readyIds()).not.toContain(withdrawal)
    expect((await takeStep(batches.confirmPayoutBatch, id, administrator)).status).toBe(409)
    expect((await saveFile(id)).failure.code).toBe('batch-void')
    expect(await hasChecks(withdrawal)).toBe(false)
    const own = await takeStep(batches.confirmVoidPayoutBatch, id, finance)
    expect([own.status, own.failure.code]).toEqual([403, 'own-act'])
    expect((await takeStep(batches.dropVoidPayoutBatch, id, second)).answer.state).toBe('released')
    expect((await saveFile(id)).status).toBe(200)
    await takeStep(batches.requestVoidPayoutBatch, id, finance)
    expect((await takeStep(batches.confirmVoidPayoutBatch, id, second)).answer.state).toBe('void')
    expect((await now()).state).toBe('approved')
    expect(await readyIds()).toContain(withdrawal)
    expect(await hasChecks(withdrawal)).toBe(true)
    // Its payments can be in another batch now: a second copy of the file would pay them twice.
    expect((await saveFile(id)).failure.code).toBe('batch-void')
    expect((await batchOf(id)).fileName).toBeNull()
  })
})

test('a returned payout marks its batch, which is closed once all of its payments have been returned', async () => {
  const one = await makeApprovedWithdrawal(server, '50')
  const other = await makeApprovedWithdrawal(server, '60')
  const id = await createPaidBatch(server, [one.id, other.id])
  const comeBack = async ({ id: withdrawal, now }: typeof one) => {
    const { version } = await now()
    const body = { version, reason: 'The account is closed.' }
    expect((await call(server, returnWithdrawal, { as: finance, params: { id: withdrawal }, body })).status).toBe(200)
    await settleOperations(server)
  }
  await comeBack(one)
  expect((await batchOf(id)).state).toBe('partly_returned')
  await comeBack(other)
  expect((await batchOf(id)).state).toBe('closed')
  const { answer } = await call(server, getTransferHistory, { as: one.client })
  expect(answer.withdrawals).toMatchObject([{ id: one.id, status: 'returned' }])
  const third = await createPaidBatch(server, [(await makeApprovedWithdrawal(server)).id])
  expect((await takeStep(batches.closePayoutBatch, third, finance)).answer.state).toBe('closed')
})

test('a file that would differ from the released one is not served', async () => {
  const { id: withdrawal } = await makeApprovedWithdrawal(server)
  const id = await createReleasedBatch(server, [withdrawal])
  await run(
    server.dependencies.pool,
    sql`update withdrawals set bank = jsonb_set(bank, '{iban}', '"GB82WEST12345698765432"') where id = ${withdrawal}`,
  )
  expect((await saveFile(id)).failure.code).toBe('batch-file-differs')
})

test('the list shows pending batches and finds one by its number or by a reference in it', async () => {
  const { id: withdrawal, reference } = await makeApprovedWithdrawal(server)
  const id = await createBatchOf(server, [withdrawal])
  const { number } = await batchOf(id)
  const found = async (query: Record<string, string>) =>
    (await call(server, batches.listPayoutBatches, { as: operations, query })).answer.rows.map((row) => row.id)
  expect(await found({ q: number })).toEqual([id])
  expect(await found({ q: reference })).toEqual([id])
  expect(await found({ state: 'void', q: number })).toEqual([])
  const auditor = await makeStaff(server, ['auditor'])
  const page = await call(server, batches.getPayoutBatch, { as: auditor, params: { id } })
  expect(page.answer.batch.payments[0]?.iban).toMatch(/^•+2051$/)
  const compliance = await makeStaff(server, ['compliance'])
  expect((await call(server, batches.listPayoutBatches, { as: compliance })).status).toBe(403)
})

test('the overview counts payments without a batch and batches at each step; the list marks those one may release', async () => {
  const overview = async (as = finance) => (await call(server, batches.payoutOverview, { as })).answer
  const before = await overview()
  const sumOf = ({ ready }: typeof before) => ready.find(({ currency }) => currency === 'EUR') ?? { count: 0, sum: 0n }
  const { id: withdrawal } = await makeApprovedWithdrawal(server, '250', { first: operations })
  const approved = await overview()
  expect(sumOf(approved)).toMatchObject({ count: sumOf(before).count + 1, sum: sumOf(before).sum + 25_000n })
  const id = await createBatchOf(server, [withdrawal], { creator: operations })
  expect(await overview()).toMatchObject({ ready: before.ready, toRelease: before.toRelease + 1 })
  const row = async (as: MadeStaff, state: string) =>
    (
      await call(server, batches.listPayoutBatches, { as, query: { state, direction: 'desc' } as never })
    ).answer.rows.find((one) => one.id === id)
  expect((await row(administrator, 'created'))?.mayRelease).toBe(true)
  expect((await row(operations, 'created'))?.mayRelease).toBe(false)
  const { draft, payments } = await batchOf(id)
  expect([draft?.held === null, payments[0]?.approvals]).toEqual([false, 1])
  const shown = await call(server, batches.getPayoutBatch, { as: operations, params: { id } })
  expect(shown.answer.batch.draft?.held).toBeNull()
  await releaseBatch(server, id, administrator)
  expect(await row(administrator, 'created')).toBeUndefined()
  expect(await row(administrator, batches.withBank)).toMatchObject({ state: 'released', mayRelease: false })
  expect(await overview()).toMatchObject({ toRelease: before.toRelease, withBank: before.withBank + 1 })
  const compliance = await makeStaff(server, ['compliance'])
  expect((await call(server, batches.payoutOverview, { as: compliance })).status).toBe(403)
})

test('a batch that no active person can release says so on its page, and the doctor reports it', async () => {
  onTestFinished(async () => {
    await run(server.dependencies.pool, sql`update staff set state = 'active' where state = 'deactivated'`)
  })
  const { id: withdrawal } = await makeApprovedWithdrawal(server)
  const id = await createBatchOf(server, [withdrawal], { creator: finance })
  const found = async () => (await unreleasableBatches(server.dependencies.pool, true)).map((one) => one.id)
  expect([(await batchOf(id)).nobodyCanRelease, (await found()).includes(id)]).toEqual([false, false])
  // Deactivation ends their sessions.
  await run(
    server.dependencies.pool,
    sql`update staff set state = 'deactivated' where roles && array['finance', 'administrator'] and id <> ${finance.id}`,
  )
  expect([(await batchOf(id)).nobodyCanRelease, (await found()).includes(id)]).toEqual([true, true])
})

test('so does a batch if the only other person in finance overrode a block on a payment', async () => {
  onTestFinished(async () => {
    await run(server.dependencies.pool, sql`update staff set state = 'active' where state = 'deactivated'`)
  })
  const { id: withdrawal } = await makeApprovedWithdrawal(server, '250', { first: operations })
  const id = await createBatchOf(server, [withdrawal], { creator: finance })
  const overrider = await makeStaff(server, ['finance'])
  await overrideBlock(server.dependencies.pool, overrider, 'withdrawal', withdrawal)
  await run(
    server.dependencies.pool,
    sql`update staff set state = 'deactivated'
      where roles && array['finance', 'administrator'] and id <> all (${[finance.id, overrider.id]}::uuid[])`,
  )
  const found = (await unreleasableBatches(server.dependencies.pool, true)).map((one) => one.id)
  expect([(await batchOf(id)).nobodyCanRelease, found.includes(id)]).toEqual([true, true])
})

test('a released batch is kept in the file store; one known only to the file store opens recovery', async () => {
  const { id: withdrawal, reference } = await makeApprovedWithdrawal(server)
  const id = await createBatchOf(server, [withdrawal])
  const { files, pool } = server.dependencies
  expect(await files.get(`payout-batch-${id}`)).toBeNull()
  await releaseBatch(server, id, await makeStaff(server, ['finance']))
  const { number, sha256 } = await batchOf(id)
  const kept = JSON.parse(String(await files.get(`payout-batch-${id}`))) as object
  expect(kept).toMatchObject({ id, number, sha256, references: [reference] })
  const years = new Date(server.clock.now().getTime() + 3 * 366 * 86_400_000)
  await deleteStrayFiles(server.dependencies, years)
  expect(await files.get(`payout-batch-${id}`)).not.toBeNull()
  expect(await compareReleasedBatches(pool, files)).toEqual([])
  const lost = { ...kept, id: randomUUID(), number: 'PB-009999' }
  await files.put(`payout-batch-${lost.id}`, Buffer.from(JSON.stringify(lost)))
  expect(await compareReleasedBatches(pool, files)).toMatchObject([{ id: lost.id }])
  const other = await makeApprovedWithdrawal(server)
  const body = { currency: 'EUR' as const, withdrawals: [other.id] }
  const reply = await call(server, batches.createPayoutBatch, { as: finance, body })
  expect([reply.status, reply.failure.code]).toEqual([503, 'money-stopped-office'])
  expect(await recoveryOf(pool)).toMatchObject({ sign: 'batch' })
  // Once recovery has handled the batch, it is no longer a sign of data loss.
  expect(await compareReleasedBatches(pool, files)).toEqual([])
  await endRecovery(server, [operations, finance, second, administrator])
  expect((await call(server, batches.createPayoutBatch, { as: finance, body })).status).toBe(201)
})

/**
 * Signs of loss from batches (requirements 20.7, 20.8): at every start from the file store, at the first release from
 * the bank.
 */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { getPayoutBatch } from '#contract/office/payout-batches.ts'
import { row, run, sql } from '#server/db/sql.ts'
import { makeApprovedWithdrawal } from '../../tests/approved-withdrawal.ts'
import { copyDatabase, type TestDatabase } from '../../tests/database.ts'
import { startServerWithPlatform, type ServerWithPlatform } from '../../tests/funded-account.ts'
import { call, makeStaff, startTestServer, type MadeStaff, type TestServer } from '../../tests/factories.ts'
import { createBatchOf, createPaidBatch, releaseBatch, createReleasedBatch } from '../../tests/payout-batches.ts'
import { deleteDatabaseIdentity } from '../../tests/recovered.ts'
import { until } from '../../tests/until.ts'
import { recoveryOf } from './stopped-money.ts'

let place: ServerWithPlatform
let server: TestServer
let releaser: MadeStaff
beforeEach(async () => {
  place = await startServerWithPlatform()
  server = place.server
  releaser = await makeStaff(server, ['finance'])
})
afterEach(() => place.stop())

async function startServerOn(database: TestDatabase): Promise<TestServer> {
  const env = { ...server.env, DATABASE_URL: database.url, DATABASE_OWNER_URL: database.ownerUrl }
  return startTestServer({ beside: { ...server, database, env } })
}

const stateOf = async ({ dependencies }: TestServer, id: string) =>
  (await row<{ state: string }>(dependencies.pool, sql`select state from payout_batches where id = ${id}`))?.state

async function settleRecovery({ dependencies, clock }: TestServer): Promise<void> {
  const now = clock.now()
  await run(
    dependencies.pool,
    sql`update recovery set accounts_open_at = ${now}, payouts_open_at = ${now}, closed_at = ${now}`,
  )
  await run(dependencies.pool, sql`update work_items set closed_at = ${now} where kind = 'recovery'`)
}

test('a server that starts on a copy finds a batch that only the file store has, and opens recovery without a request', async () => {
  const { id: withdrawal } = await makeApprovedWithdrawal(server)
  const id = await createBatchOf(server, [withdrawal])
  const copy = await copyDatabase(server.database)
  await deleteDatabaseIdentity(copy)
  expect((await releaseBatch(server, id, releaser)).status).toBe(200)
  const restored = await startServerOn(copy)
  try {
    expect(await stateOf(restored, id)).toBe('created')
    await until(async () => (await recoveryOf(restored.dependencies.pool)) !== null)
    expect(await recoveryOf(restored.dependencies.pool)).toMatchObject({ sign: 'batch' })
    // Numbers of the lost time are not reused.
    const next = sql`select last_value::int as next from payout_batches_number_seq`
    const [old, now] = await Promise.all(
      [server, restored].map(({ dependencies }) => row<{ next: number }>(dependencies.pool, next)),
    )
    expect(now?.next).toBe((old?.next ?? 0) + 1_000)
  } finally {
    await restored.stop()
  }
  // The original’s own data is not a sign of loss.
  expect(await recoveryOf(server.dependencies.pool)).toBeNull()
})

test('the first release after a start requires the latest batch number at the bank, and the next one does not', async () => {
  const restarted = await startTestServer({ beside: server })
  try {
    const id = await createBatchOf(restarted, [(await makeApprovedWithdrawal(restarted)).id])
    const shown = (await call(restarted, getPayoutBatch, { as: releaser, params: { id } })).answer.batch
    expect(shown.asksBankNumber).toBe(true)
    for (const bankNumber of ['', 'forty-one']) {
      const withoutNumber = await releaseBatch(restarted, id, releaser, { bankNumber })
      expect([withoutNumber.status, withoutNumber.failure.code]).toEqual([400, 'bank-number-needed'])
    }
    expect(await stateOf(restarted, id)).toBe('created')
    restarted.clock.turn(1)
    expect((await releaseBatch(restarted, id, releaser)).status).toBe(200)
    const next = await createBatchOf(restarted, [(await makeApprovedWithdrawal(restarted)).id])
    expect((await releaseBatch(restarted, next, releaser, { bankNumber: '' })).status).toBe(200)
  } finally {
    await restarted.stop()
  }
})

test('a number at the bank that differs from ours opens recovery, unless recovery has already settled it', async () => {
  await createPaidBatch(server, [(await makeApprovedWithdrawal(server)).id], { releaser })
  const restarted = await startTestServer({ beside: server })
  try {
    const id = await createBatchOf(restarted, [(await makeApprovedWithdrawal(restarted)).id])
    const { number } = (await call(restarted, getPayoutBatch, { as: releaser, params: { id } })).answer.batch
    // The bank cannot have this number from us, because the batch was never released.
    const other = await releaseBatch(restarted, id, releaser, { bankNumber: number })
    expect([other.status, other.failure.code]).toEqual([503, 'money-stopped-office'])
    expect(await recoveryOf(restarted.dependencies.pool)).toMatchObject({ sign: 'batch', payoutsOpenAt: null })
    expect(await stateOf(restarted, id)).toBe('created')
    restarted.clock.turn(60)
    await settleRecovery(restarted)
    const as = await makeStaff(restarted, ['finance'])
    restarted.clock.turn(60)
    expect((await releaseBatch(restarted, id, as, { bankNumber: 'PB-000900' })).status).toBe(200)
  } finally {
    await restarted.stop()
  }
  // After another start, the bank still shows what recovery has settled.
  const again = await startTestServer({ beside: server })
  try {
    const creator = await makeStaff(again, ['operations'])
    const as = await makeStaff(again, ['finance'])
    const id = await createBatchOf(again, [(await makeApprovedWithdrawal(again)).id], { creator })
    expect((await releaseBatch(again, id, as, { bankNumber: '900' })).status).toBe(200)
    const released = await createReleasedBatch(again, [(await makeApprovedWithdrawal(again)).id], {
      creator,
      releaser: as,
    })
    expect(await stateOf(again, released)).toBe('released')
    expect(await recoveryOf(again.dependencies.pool)).toBeNull()
  } finally {
    await again.stop()
  }
})

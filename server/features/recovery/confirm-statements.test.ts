/** What people confirm in recovery counts only for the loss that they knew (requirements 20.16, 20.18, 24.207). */
import { beforeEach, expect, test } from 'vitest'
import {
  confirmAccess,
  confirmBank,
  confirmBankBalance,
  getRecovery,
  typeBankBalance,
} from '#contract/office/recovery.ts'
import { row, sql, transaction } from '#server/db/sql.ts'
import { openRecovery } from '#server/recovery/open-recovery.ts'
import type { RecoverySign } from '#server/recovery/stopped-money.ts'
import { endRecovery } from '#tests/end-recovery.ts'
import { call, staffTokenFor, type MadeStaff } from '#tests/factories.ts'
import { serverForFile, staffForFile } from '#tests/for-file.ts'
import { waitForBlockedConnections } from '#tests/lock-waits.ts'

const server = serverForFile()
const first = staffForFile(server, ['finance'])
const other = staffForFile(server, ['finance'])
const third = staffForFile(server, ['finance'])
const compliance = staffForFile(server, ['compliance'])
const administrator = staffForFile(server, ['administrator'])
const everybody = [first, other, third, compliance, administrator]

const signFound = (sign: RecoverySign) => {
  const now = server.clock.now()
  return transaction(server.dependencies.jobs, (tx) => openRecovery(tx, { sign, since: now, now }))
}
const shown = async () => (await call(server, getRecovery, { as: first })).answer.recovery
const bankBy = (as: MadeStaff) => call(server, confirmBank, { as, body: {} })
const accessBy = (as: MadeStaff) => call(server, confirmAccess, { as, body: {} })

beforeEach(async () => {
  await endRecovery(server, everybody)
  await signFound('lost-event')
})

/** Waits until the last day that statements must cover has ended, and gives each account a confirmed balance. */
async function coverEveryAccount(): Promise<void> {
  const banks = (await shown())?.bankAccounts ?? []
  server.clock.set(new Date(`${banks[0]?.neededTo}T24:00:00Z`))
  for (const one of everybody) Object.assign(one, await staffTokenFor(server, one))
  for (const { account, currency, neededTo: on } of banks) {
    const body = { account, currency, closing: '0', on }
    expect((await call(server, typeBankBalance, { as: first, body })).status).toBe(200)
    expect((await call(server, confirmBankBalance, { as: other, body: { account, closing: '0', on } })).status).toBe(
      200,
    )
  }
}

/** Sends the calls of several people while recovery is locked, so that each waits for it. Returns their responses. */
async function together<T>(people: readonly MadeStaff[], send: (as: MadeStaff) => Promise<T>): Promise<T[]> {
  const { pool, jobs } = server.dependencies
  const sent = await transaction(jobs, async (tx) => {
    await row(tx, sql`select from recovery where closed_at is null for update`)
    const responses = people.map(send)
    await waitForBlockedConnections(pool, people.length)
    return { responses }
  })
  return Promise.all(sent.responses)
}

test('an entered balance is confirmed as shown: one entered since then is not', async () => {
  const banks = (await shown())?.bankAccounts ?? []
  server.clock.set(new Date(`${banks[0]?.neededTo}T24:00:00Z`))
  for (const person of everybody) Object.assign(person, await staffTokenFor(server, person))
  const [{ account, currency, neededTo } = { account: '', currency: 'EUR', neededTo: '' } as const] = banks
  const enter = (closing: string, on = neededTo) =>
    call(server, typeBankBalance, { as: first, body: { account, currency, closing, on } })
  const confirm = (closing: string, on = neededTo) =>
    call(server, confirmBankBalance, { as: other, body: { account, closing, on } })
  const typed = async () => (await shown())?.bankAccounts.find((one) => one.account === account)?.typed
  await enter('100')
  expect(await typed()).toMatchObject({ closing: 10_000n, on: neededTo, by: { id: first.id } })
  await enter('900')
  for (const response of [await confirm('100'), await confirm('900', '2026-06-19')])
    expect([response.status, response.failure.code]).toEqual([409, 'stale-page'])
  expect(await typed()).toMatchObject({ confirmedBy: null })
  expect((await confirm('900')).status).toBe(200)
  expect(await typed()).toMatchObject({ closing: 90_000n, confirmedBy: { id: other.id } })
})

test('after a further sign of loss, bank, balances and access are confirmed again, and payouts open', async () => {
  await coverEveryAccount()
  for (const as of [first, other]) expect((await bankBy(as)).status).toBe(200)
  expect((await accessBy(compliance)).status).toBe(200)
  const opened = await shown()
  expect(opened?.payoutsOpenAt).not.toBeNull()

  await signFound('batch')
  const stopped = await shown()
  expect(stopped).toMatchObject({ payoutsOpenAt: null, accessCompliance: null, bankFirst: null, bankSecond: null })
  expect(stopped?.bankAccounts.filter(({ typed, complete }) => typed !== null || complete)).toEqual([])
  const neededTo = (of: typeof stopped) => of?.bankAccounts[0]?.neededTo ?? ''
  expect(neededTo(stopped) > neededTo(opened), 'statements extend past the further sign').toBe(true)
  expect((await bankBy(third)).failure.code).toBe('recovery-statements')

  await coverEveryAccount()
  for (const as of [first, other]) expect((await bankBy(as)).status).toBe(200)
  for (const as of [compliance, administrator]) expect((await accessBy(as)).status).toBe(200)
  expect(await shown()).toMatchObject({
    bankSecond: { by: { id: other.id } },
    accessCompliance: { by: { id: compliance.id } },
  })
  expect((await shown())?.payoutsOpenAt).not.toBeNull()
})

test('people who confirm at the same time count as two, and a third learns that it has been confirmed', async () => {
  await coverEveryAccount()
  expect((await together([first, other], bankBy)).map(({ status }) => status)).toEqual([200, 200])
  const late = await bankBy(third)
  expect([late.status, late.failure.code]).toEqual([409, 'said-before'])
  expect((await together([compliance, administrator], accessBy)).map(({ status }) => status)).toEqual([200, 200])
  expect(await shown()).toMatchObject({ accountsOpenAt: null, accessCompliance: {}, accessAdministrator: {} })
})

/**
 * Two people reverse a recovered deal on its platform; a debit only once the bank cannot have paid it (requirements
 * 20.15).
 */
import { afterAll, beforeAll, expect } from 'vitest'
import { approveCorrection, requestCorrection } from '#contract/office/accounting.ts'
import * as recoveryCalls from '#contract/office/recovery.ts'
import { approveWithdrawal } from '#contract/office/withdrawals.ts'
import { requestWithdrawal } from '#contract/withdrawals.ts'
import { row, sql } from '#server/db/sql.ts'
import { brokenInvariants } from '#server/ledger/invariants.ts'
import { allAcknowledged } from '../../tests/acknowledged.ts'
import { copyDatabase } from '../../tests/database.ts'
import { platformForFile, staffForFile } from '../../tests/for-file.ts'
import { makeApprovedBank, makeFundedAccount, settleOperations, withdrawalBody } from '../../tests/funded-account.ts'
import { call, makeClient, staffTokenFor, type MadeStaff, type TestServer } from '../../tests/factories.ts'
import {
  deleteDatabaseIdentity,
  importBankLines,
  findOpenRecoveryItem,
  startRecoveringServer,
  runRecover,
  settleRecoveryItem,
} from '../../tests/recovered.ts'
import { story } from '../../tests/story.ts'

const { server: before } = platformForFile()
let restored: TestServer
const operations = staffForFile(before, ['operations'])
let twoOfFinance: readonly [MadeStaff, MadeStaff] = [
  staffForFile(before, ['finance']),
  staffForFile(before, ['finance']),
]
let account: { id: string; login: string }
let debit: { id: string; reference: string }
let paidOut: { id: string; reference: string }
let correction: { id: string; reference: string }

const reverse = { action: 'reverse' }

beforeAll(async () => {
  const client = await makeClient(before)
  account = await makeFundedAccount(before, client, 100_000n)
  const bankId = await makeApprovedBank(before, client)
  const ask = async (amount: string) =>
    (await call(before, requestWithdrawal, { as: client, body: withdrawalBody(account, bankId, amount) })).answer
  debit = await ask('60')
  paidOut = await ask('70')
  const body = { accountId: account.id, amount: '5', currency: 'EUR', reason: 'Charged twice' } as const
  const { id } = (await call(before, requestCorrection, { as: twoOfFinance[0], body })).answer
  const asked = await row<{ reference: string }>(
    before.dependencies.pool,
    sql`select reference from corrections where id = ${id}`,
  )
  correction = { id, reference: asked?.reference ?? '' }
  const copy = await copyDatabase(before.database)
  await deleteDatabaseIdentity(copy)
  before.clock.turn(30)
  for (const one of [debit, paidOut]) {
    const body = { version: 1, ...allAcknowledged }
    const reply = await call(before, approveWithdrawal, { as: operations, params: { id: one.id }, body })
    expect(reply.status, reply.bytes.toString()).toBe(200)
    await settleOperations(before)
  }
  expect(
    (await call(before, approveCorrection, { as: twoOfFinance[1], params: { id }, body: { version: 1 } })).status,
  ).toBe(200)
  await settleOperations(before)
  restored = await startRecoveringServer(before, copy)
  restored.clock.turn(30)
  await runRecover(restored)
})
afterAll(() => restored.stop())

const itemQuery = (leg: string, { reference }: { reference: string }) => ({ leg, reference })
const signInAgain = async (one: MadeStaff) => ({ ...one, ...(await staffTokenFor(restored, one)) })
const stateOf = async (table: 'withdrawals' | 'corrections', id: string) =>
  (await restored.dependencies.pool.query<{ state: string }>(`select state from ${table} where id = $1`, [id])).rows[0]
    ?.state
const atPlatform = async () => (await restored.dependencies.platforms.MT5.getAccount(account.login)).balance.minor
async function expectLedgerAgrees(): Promise<void> {
  const owed = await row<{ owed: bigint }>(
    restored.dependencies.pool,
    sql`select -sum(balance_minor)::bigint as owed from ledger_accounts where kind = 'client' and trading_account = ${account.id}`,
  )
  expect(owed?.owed).toBe(await atPlatform())
}

story('two people reverse recovered deals, and recovery ends with equal totals', (step) => {
  step(
    'a credit is reversed at the platform while everything else is stopped, and its request is rejected',
    async () => {
      const balanceBefore = await atPlatform()
      const reply = await settleRecoveryItem(restored, itemQuery('correction', correction), twoOfFinance, reverse)
      expect(reply.status, reply.bytes.toString()).toBe(200)
      expect(await stateOf('corrections', correction.id)).toBe('rejected')
      const early = await runRecover(restored)
      expect(early.holds.some((one) => one.includes('Reversals being sent'))).toBe(true)
      await settleOperations(restored)
      expect(await atPlatform()).toBe(balanceBefore - 500n)
    },
  )

  step('a debit is not reversed until statements cover the gap, nor if one of them shows its payment', async () => {
    const propose = async (one: { reference: string }) => {
      const { id, version } = await findOpenRecoveryItem(restored, itemQuery('withdrawal-debit', one))
      const body = { version, action: 'reverse' as const, reason: 'Not wanted' }
      return (await call(restored, recoveryCalls.proposeRecoveryItem, { as: twoOfFinance[0], params: { id }, body }))
        .failure.code
    }
    expect(await propose(debit)).toBe('recovery-uncovered')
    await importBankLines(restored, operations, [{ amount: '-70.00', remittance: paidOut.reference }])
    const shown = await call(restored, recoveryCalls.getRecovery, { as: twoOfFinance[0] })
    const lastDay = shown.answer.recovery?.bankAccounts[0]?.neededTo
    // Only a day that has ended has a closing balance.
    restored.clock.set(new Date(`${lastDay}T24:00:00Z`))
    twoOfFinance = [await signInAgain(twoOfFinance[0]), await signInAgain(twoOfFinance[1])]
    for (const { account: bank, currency, neededTo } of shown.answer.recovery?.bankAccounts ?? []) {
      const body = { account: bank, closing: '100', currency, on: neededTo }
      expect((await call(restored, recoveryCalls.typeBankBalance, { as: twoOfFinance[0], body })).status).toBe(200)
      const confirmed = await call(restored, recoveryCalls.confirmBankBalance, {
        as: twoOfFinance[1],
        body: { account: bank, closing: '100', on: neededTo },
      })
      expect(confirmed.status).toBe(200)
    }
    expect(await propose(paidOut)).toBe('recovery-paid-out')
    const reply = await settleRecoveryItem(restored, itemQuery('withdrawal-debit', debit), twoOfFinance, reverse)
    expect(reply.status, reply.bytes.toString()).toBe(200)
    expect(await stateOf('withdrawals', debit.id)).toBe('rejected')
    const balanceBefore = await atPlatform()
    await settleOperations(restored)
    expect(await atPlatform()).toBe(balanceBefore + 6_000n)
  })

  step('afterwards the ledger and the platform agree, every deal has a record, and accounts open', async () => {
    expect((await settleRecoveryItem(restored, itemQuery('withdrawal-debit', paidOut), twoOfFinance)).status).toBe(200)
    expect(await stateOf('withdrawals', paidOut.id)).toBe('paid')
    await expectLedgerAgrees()
    const report = await runRecover(restored)
    expect([report.holds, report.items, report.accountsOpened]).toEqual([[], 0, true])
    // The clock was advanced by days in which no mail was sent.
    const broken = await brokenInvariants(restored.dependencies.pool, restored.clock.now())
    expect(broken.filter(({ what }) => !what.startsWith('mail operation was left alone'))).toEqual([])
  })
})

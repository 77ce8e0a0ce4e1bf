/** Deals without a request: the account is blocked until two people have decided (requirements 18.2, 18.3). */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as office from '#contract/office/accounting.ts'
import { listInbox } from '#contract/office/inbox.ts'
import { money } from '#rules/money.ts'
import type { AccountId } from '#rules/ids.ts'
import { rows, sql } from '#server/db/sql.ts'
import { brokenInvariants } from '#server/ledger/invariants.ts'
import { cachedSnapshot, fetchSnapshot } from '#server/ledger/account-snapshot.ts'
import { accountLiability } from '#server/ledger/post.ts'
import { recoveryOf } from '#server/recovery/stopped-money.ts'
import { platformComment } from '#server/ledger/references.ts'
import {
  makeFundedAccount,
  settleOperations,
  startServerWithPlatform,
  type ServerWithPlatform,
} from '../../../tests/funded-account.ts'
import { call, makeClient, makeStaff, newReference, type MadeStaff, type TestServer } from '../../../tests/factories.ts'
import { compareAll } from './compare.ts'

let place: ServerWithPlatform
let server: TestServer
let first: MadeStaff
let second: MadeStaff
let auditor: MadeStaff
let account: { id: AccountId; login: string }
beforeAll(restartPlace)
afterAll(() => place.stop())
async function restartPlace(): Promise<void> {
  // The simulated platform dates its deals with the real time.
  place = await startServerWithPlatform({ now: new Date() })
  server = place.server
  await freshStaff()
}
/** Signs staff in again, because advancing the clock by days and opening recovery end their sessions. */
async function freshStaff(): Promise<void> {
  first = await makeStaff(server, ['finance'], { name: 'Johanna Meier' })
  second = await makeStaff(server, ['finance'])
  auditor = await makeStaff(server, ['auditor'])
}
/** Restarts server and platform for tests that need clock, ledger and platform unchanged and change them for others. */
function useSeparatePlace(): void {
  const renew = () => place.stop().then(restartPlace)
  beforeAll(renew)
  afterAll(renew)
}
beforeEach(async () => {
  account = await makeFundedAccount(server, await makeClient(server), 100_000n)
})

const key = () => server.dependencies.keys.reference.bytes
const stored = async () => (await cachedSnapshot(server.dependencies.pool, account.id, 'EUR'))?.balance.minor
const clientLiability = () => accountLiability(server.dependencies.pool, { accountId: account.id })
const applyDeal = (ref: string, minor: bigint) =>
  server.dependencies.platforms.MT5.applyBalance({
    ref,
    login: account.login,
    amount: money(minor, 'EUR'),
    checkMargin: false,
  })
const read = () => {
  const login = { accountId: account.id, platform: 'MT5', login: account.login, currency: 'EUR' } as const
  return fetchSnapshot(server.dependencies.pool, server.dependencies, login, server.clock.now())
}
async function makeTrade(profit: string): Promise<void> {
  await place.platform.turn('market/open', { login: account.login, profit, notional: '0' })
  await place.platform.turn('market/close', { login: account.login })
}
const listedDiscrepancies = async (state?: 'open') =>
  (
    await call(server, office.listDifferences, {
      as: auditor,
      query: { q: account.login, ...(state ? { state } : {}) },
    })
  ).answer.rows
async function onlyDiscrepancy() {
  const [found, ...more] = await listedDiscrepancies()
  expect(more).toEqual([])
  if (!found) throw new Error('there is no difference')
  return found
}
const detail = async (id: string, as = second) =>
  (await call(server, office.getDifference, { as, params: { id } })).answer.difference
const propose = async (proposal: string, as = first) => {
  const { id, version } = await onlyDiscrepancy()
  return call(server, office.proposeDifference, {
    as,
    params: { id },
    body: { version, proposal, reason: 'rebate of October' },
  })
}
const confirm = async (as = second) => {
  const { id, version } = await onlyDiscrepancy()
  return call(server, office.confirmDifference, { as, params: { id }, body: { version, note: '' } })
}
/** Requests a correction, which is rejected if the account is blocked. */
async function correction() {
  const body = { accountId: account.id, amount: '1.00', currency: 'EUR', reason: 'goodwill' }
  const { id } = (await call(server, office.requestCorrection, { as: first, body })).answer
  return call(server, office.approveCorrection, { as: second, params: { id }, body: { version: 1, note: '' } })
}

describe('a dealer’s rebate', () => {
  test('is not booked as a trading result: nothing is posted, and the account is blocked, despite trades since', async () => {
    await applyDeal('Rebate-October', 700n)
    await makeTrade('40.00')
    await read()
    expect(await clientLiability()).toBe(100_000n)
    expect(await onlyDiscrepancy()).toMatchObject({
      kind: 'platform-only',
      state: 'open',
      accountNumber: account.login,
      theirs: 700n,
      holds: true,
    })
    expect((await correction()).failure.code).toBe('checks-block')
    await read()
    expect(await listedDiscrepancies()).toHaveLength(1)
    expect(await brokenInvariants(server.dependencies.pool, server.clock.now())).toEqual([])
  })

  test.each([
    ['book-correction', 'corrections'],
    ['book-result', 'trading_result'],
  ])(
    'with the decision %s is booked in the ledger only, by two people, then the trading result after it',
    async (proposal, against) => {
      await applyDeal('REBATE', 700n)
      await makeTrade('40.00')
      await read()
      expect((await propose(proposal)).answer.state).toBe('proposed')
      expect((await confirm(first)).failure.code).toBe('own-act')
      expect(await clientLiability()).toBe(100_000n)
      expect((await correction()).failure.code).toBe('checks-block')
      expect((await confirm()).answer.state).toBe('settled')
      expect(await clientLiability()).toBe(100_700n)
      const { facts } = await onlyDiscrepancy()
      const entry = await rows<{ kind: string; minor: bigint }>(
        server.dependencies.pool,
        sql`select l.kind, p.minor from entries e join postings p on p.entry_id = e.id join ledger_accounts l on l.id = p.ledger_account
          where e.ref = ${`deal:MT5:${facts['ticket']}`} order by p.minor desc`,
      )
      expect(entry).toEqual([
        { kind: against, minor: 700n },
        { kind: 'client', minor: -700n },
      ])
      await read()
      expect(await clientLiability()).toBe(104_700n)
      expect(await place.platform.read<unknown[]>(`deals?login=${account.login}&action=2`)).toHaveLength(2)
      expect((await correction()).status).toBe(200)
      await settleOperations(server)
      expect(await brokenInvariants(server.dependencies.pool, server.clock.now())).toEqual([])
    },
  )

  test('can be reversed on the platform under its own reference, which later readings recognise', async () => {
    await applyDeal('REBATE', 700n)
    await read()
    await propose('reverse')
    expect((await confirm()).answer.state).toBe('processing')
    expect((await correction()).failure.code).toBe('checks-block')
    await settleOperations(server)
    expect(await onlyDiscrepancy()).toMatchObject({ state: 'settled' })
    await read()
    expect(await clientLiability()).toBe(100_000n)
    const deals = await place.platform.read<{ amount: string }[]>(`deals?login=${account.login}&action=2`)
    expect(deals.map(({ amount }) => Number(amount))).toEqual([1000, 7, -7])
    await makeTrade('5.00')
    await read()
    expect(await clientLiability()).toBe(100_500n)
    expect(await brokenInvariants(server.dependencies.pool, server.clock.now())).toEqual([])
  })

  test.each([
    ['book-correction', 100_800n],
    ['reverse', 100_100n],
  ])('with the decision %s is in the stored balances once it is in the ledger', async (proposal, minor) => {
    await correction()
    await place.platform.turn('drop-after', { login: account.login })
    await settleOperations(server)
    await applyDeal('REBATE', 700n)
    const at = { identity: { kind: 'clock' as const }, now: server.clock.now() }
    await compareAll(server.dependencies, at)
    expect(await stored()).toBe(100_000n)
    server.clock.turn(180)
    await settleOperations(server)
    expect(await stored()).toBe(100_100n)
    await propose(proposal)
    expect((await confirm()).status).toBe(200)
    await settleOperations(server)
    expect([await onlyDiscrepancy(), await stored(), await clientLiability()]).toMatchObject([
      { state: 'settled' },
      minor,
      minor,
    ])
    await read()
    expect([await stored(), await clientLiability()]).toEqual([minor, minor])
  })

  test('is open again if the platform rejects the reversal, and can be reversed once more', async () => {
    await applyDeal('REBATE', 700n)
    await read()
    await propose('reverse')
    await place.platform.turn('refuse', { retcode: 8 })
    await confirm()
    await settleOperations(server)
    expect(await onlyDiscrepancy()).toMatchObject({ state: 'open', proposal: null })
    await propose('reverse')
    await confirm()
    await settleOperations(server)
    expect(await onlyDiscrepancy()).toMatchObject({ state: 'settled' })
    await read()
    expect(await clientLiability()).toBe(100_000n)
  })

  test('cannot be explained by one person alone, and is proposed by finance only', async () => {
    await applyDeal('REBATE', 700n)
    await read()
    const { id, version } = await onlyDiscrepancy()
    const explain = (as: MadeStaff) =>
      call(server, office.explainDifference, { as, params: { id }, body: { version, reason: 'a rebate' } })
    expect((await explain(first)).failure.code).toBe('two-people-decide')
    expect((await explain(auditor)).failure.code).toBe('wrong-role')
    expect((await propose('book-result', auditor)).failure.code).toBe('wrong-role')
    expect((await propose('explain')).failure.code).toBe('unknown-value')
    const { verbs, proposals } = await detail(id)
    const refused = verbs.flatMap(({ verb, refusal }) => (refusal ? [[verb, refusal.code]] : []))
    expect(refused).toContainEqual(['explain', 'two-people-decide'])
    expect(proposals).toEqual(['book-correction', 'book-result', 'reverse'])
  })

  test('is open again after its proposal is rejected, and the inbox shows it to those who may decide', async () => {
    await applyDeal('REBATE', 700n)
    await read()
    const { id } = await onlyDiscrepancy()
    const waitsFor = async (as: MadeStaff) => {
      const { items } = (await call(server, listInbox, { as, query: { kind: 'difference', mine: 'true' } })).answer
      return items.some(({ record }) => record === id)
    }
    expect([await waitsFor(first), await waitsFor(second)]).toEqual([true, true])
    await propose('book-result')
    expect([await waitsFor(first), await waitsFor(second)]).toEqual([false, true])
    const { version } = await onlyDiscrepancy()
    const reject = { as: first, params: { id }, body: { version, reason: 'wrong account' } }
    expect((await call(server, office.rejectDifference, reject)).answer.state).toBe('open')
    expect((await confirm()).failure.code).toBe('decided-by')
    expect(await waitsFor(first)).toBe(true)
    expect(await clientLiability()).toBe(100_000n)
  })
})

describe('after 60 days of reconciliation', () => {
  useSeparatePlace()

  test('a dealer’s rebate is still an open discrepancy', async () => {
    await applyDeal('REBATE', 700n)
    const compared = () => call(server, office.reconcileNow, { as: first })
    server.clock.turn(300)
    await compared()
    expect(await onlyDiscrepancy()).toMatchObject({ kind: 'platform-only', state: 'open' })
    server.clock.turn(60 * 86_400)
    await freshStaff()
    await compared()
    expect(await onlyDiscrepancy()).toMatchObject({ kind: 'platform-only', state: 'open' })
    expect(await clientLiability()).toBe(100_000n)
  })
})

describe('a deal without a request', () => {
  test.each([
    ['with a foreign comment', () => 'Rebate-October'],
    ['with a forged comment in our format', () => `${newReference()}-W0-0123456789ABCD`],
    [
      'with a comment derived with another key',
      () => platformComment({ key: randomBytes(32), shown: newReference(), leg: 'deposit-credit', generation: 0 }),
    ],
  ])('%s is a discrepancy for two people and does not open recovery', async (_, comment) => {
    await applyDeal(comment(), 700n)
    await read()
    expect(await onlyDiscrepancy()).toMatchObject({ kind: 'platform-only', state: 'open' })
    expect(await recoveryOf(server.dependencies.pool)).toBeNull()
    expect(await clientLiability()).toBe(100_000n)
  })

  test('under a reference that already has a deal is a discrepancy of the kind second-deal', async () => {
    await correction()
    await settleOperations(server)
    const [operation] = await rows<{ ref: string }>(
      server.dependencies.pool,
      sql`select ref from operations where subject = 'correction' and target = ${`MT5:${account.login}`}`,
    )
    await applyDeal(operation?.ref ?? '', 100n)
    await read()
    expect(await onlyDiscrepancy()).toMatchObject({ kind: 'second-deal', state: 'open', theirs: 100n })
    expect(await recoveryOf(server.dependencies.pool)).toBeNull()
    expect(await clientLiability()).toBe(100_100n)
  })
})

describe('a sign that the platform is ahead of our records', () => {
  useSeparatePlace()

  test('a verified reference without a record opens recovery: it is neither posted nor listed as a discrepancy', async () => {
    await applyDeal(platformComment({ key: key(), shown: newReference(), leg: 'deposit-credit', generation: 0 }), 700n)
    await read()
    expect(await recoveryOf(server.dependencies.pool)).toMatchObject({ sign: 'unknown-reference' })
    expect(await clientLiability()).toBe(100_000n)
    await freshStaff()
    expect(await listedDiscrepancies()).toEqual([])
  })
})

describe('a sign that an operation is ahead of its record', () => {
  useSeparatePlace()

  test('a deal with the reference of an operation recorded as not sent opens recovery', async () => {
    const body = { accountId: account.id, amount: '7.00', currency: 'EUR', reason: 'goodwill' }
    const { id } = (await call(server, office.requestCorrection, { as: first, body })).answer
    await call(server, office.approveCorrection, { as: second, params: { id }, body: { version: 1, note: '' } })
    const [waiting] = await rows<{ ref: string }>(
      server.dependencies.pool,
      sql`select ref from operations where record = ${id} and state = 'waiting'`,
    )
    await applyDeal(waiting?.ref ?? '', 700n)
    await read()
    expect(await recoveryOf(server.dependencies.pool)).toMatchObject({ sign: 'waiting-reference' })
    expect(await clientLiability()).toBe(100_000n)
  })
})

import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import * as office from '#contract/office/accounting.ts'
import { getTransferTimeline } from '#contract/history.ts'
import { getClientExposure } from '#contract/office/client-tabs.ts'
import { getOfficeDeposit, listOfficeDeposits } from '#contract/office/deposits.ts'
import { searchAudit } from '#contract/office/records.ts'
import { exportList } from '#contract/office/list-export.ts'
import { requestWithdrawal } from '#contract/withdrawals.ts'
import type { AccountId, DepositId } from '#rules/ids.ts'
import { requireRow, row, rows, run, sql } from '#server/db/sql.ts'
import { brokenInvariants } from '#server/ledger/invariants.ts'
import { checkInvariants } from '#server/features/reconciliation/jobs.ts'
import { Unavailable } from '#server/integrations/errors.ts'
import { accountLiability } from '#server/ledger/post.ts'
import { call, makeClient, makeStaff, type MadeClient, type MadeStaff } from '../../../tests/factories.ts'
import { clientForFile, platformForFile, staffForFile } from '../../../tests/for-file.ts'
import { makeApprovedBank, makeFundedAccount, settleOperations, withdrawalBody } from '../../../tests/funded-account.ts'

// The simulated platform uses the real time for its deals.
const place = platformForFile({ now: new Date() })
const { server } = place
const requester = staffForFile(server, ['finance'], { name: 'Johanna Meier' })
const decider = staffForFile(server, ['finance'])
const operations = staffForFile(server, ['operations'])
const auditor = staffForFile(server, ['auditor'])
const client = clientForFile(server)
let account: { id: AccountId; login: string }
beforeAll(async () => {
  account = await makeFundedAccount(server, client, 100_000n)
})

const requestCorrectionOf = (as: MadeStaff, amount: string, changes: object = {}) =>
  call(server, office.requestCorrection, {
    as,
    body: { accountId: account.id, amount, currency: 'EUR', reason: 'booked twice by the bank', ...changes },
  })
const approve = (as: MadeStaff, id: string, version = 1) =>
  call(server, office.approveCorrection, { as, params: { id }, body: { version, note: '' } })
const correctionPage = async (id: string) =>
  (await call(server, office.getCorrection, { as: auditor, params: { id } })).answer.correction

describe('a correction', () => {
  test('is posted on the platform and in the ledger once another person has approved it, and the client is emailed', async () => {
    const account = await makeFundedAccount(server, client, 100_000n)
    const { id } = (await requestCorrectionOf(requester, '-25.50', { accountId: account.id })).answer
    expect(await accountLiability(server.dependencies.pool, { accountId: account.id })).toBe(100_000n)
    expect((await approve(requester, id)).failure.code).toBe('own-act')
    expect((await approve(decider, id)).answer.state).toBe('processing')
    await settleOperations(server)
    expect(await accountLiability(server.dependencies.pool, { accountId: account.id })).toBe(97_450n)
    expect(await correctionPage(id)).toMatchObject({
      state: 'approved',
      ledgerBefore: 100_000n,
      ledgerAfter: 97_450n,
      platformBalance: 97_450n,
    })
    const mails = await rows(
      server.dependencies.pool,
      sql`select 1 from operations where kind = 'mail' and record = ${id}`,
    )
    expect(mails).toHaveLength(1)
    expect(await brokenInvariants(server.dependencies.pool, server.clock.now())).toEqual([])
  })

  test('is rejected in another currency, for an unknown account or a zero amount, and from roles other than finance', async () => {
    expect((await requestCorrectionOf(requester, '10', { currency: 'USD' })).failure.code).toBe('other-currency')
    expect((await requestCorrectionOf(requester, '10', { accountId: 'nowhere' })).failure.code).toBe('account-unknown')
    expect((await requestCorrectionOf(requester, '0')).failure.code).toBe('amount-invalid')
    expect((await requestCorrectionOf(operations, '10')).failure.code).toBe('wrong-role')
    expect((await requestCorrectionOf(auditor, '10')).failure.code).toBe('wrong-role')
  })

  test('cannot debit more than the account has, and can then be rejected', async () => {
    const { id } = (await requestCorrectionOf(requester, '-5000')).answer
    expect((await approve(decider, id)).failure.code).toBe('available-fell')
    const rejected = await call(server, office.rejectCorrection, {
      as: decider,
      params: { id },
      body: { version: 1, reason: 'wrong account' },
    })
    expect(rejected.answer.state).toBe('rejected')
    expect((await approve(decider, id)).status).toBe(409)
  })

  test('cannot be approved while the account is missing on the platform, and can be once it is restored', async () => {
    const own = await makeFundedAccount(server, await makeClient(server), 10_000n)
    const { id } = (await requestCorrectionOf(requester, '5', { accountId: own.id })).answer
    await place.platform.turn('accounts/delete', { login: own.login })
    const refused = await approve(decider, id)
    expect([refused.status, refused.failure.code]).toEqual([409, 'account-not-on-platform'])
    await place.platform.turn('accounts/restore', { login: own.login })
    expect((await approve(decider, id)).status).toBe(200)
    await settleOperations(server)
  })

  test('cannot debit money that is reserved for a request', async () => {
    const saver = await makeClient(server)
    const own = await makeFundedAccount(server, saver, 10_000n)
    const asked = await call(server, requestWithdrawal, {
      as: saver,
      body: withdrawalBody(own, await makeApprovedBank(server, saver), '90'),
    })
    expect(asked.status).toBe(201)
    const of = async (amount: string) => (await requestCorrectionOf(requester, amount, { accountId: own.id })).answer.id
    expect((await approve(decider, await of('-10.01'))).failure.code).toBe('available-fell')
    expect((await approve(decider, await of('-10'))).status).toBe(200)
    await settleOperations(server)
    expect(await accountLiability(server.dependencies.pool, { accountId: own.id })).toBe(9_000n)
  })

  test('cannot be requested for a client with the email address of the staff member', async () => {
    const self = await makeClient(server, { email: requester.email })
    const own = await makeFundedAccount(server, self, 1_000n)
    expect((await requestCorrectionOf(requester, '10', { accountId: own.id })).failure.code).toBe('own-request')
  })

  test('is posted once when two approvals arrive concurrently', async () => {
    const third = await makeStaff(server, ['administrator'])
    const before = await accountLiability(server.dependencies.pool, { accountId: account.id })
    const { id } = (await requestCorrectionOf(requester, '1')).answer
    const tries = await Promise.all([approve(decider, id), approve(third, id)])
    expect(tries.map(({ status }) => status).toSorted()).toEqual([200, 409])
    await settleOperations(server)
    expect(await accountLiability(server.dependencies.pool, { accountId: account.id })).toBe(before + 100n)
  })
})

/** Creates an approved deposit of 500.00 to an account. */
async function insertDeposit(at: { id: string }, type: 'wire' | 'cc_gcen' = 'wire') {
  const now = server.clock.now()
  const { id, reference } = await requireRow<{ id: DepositId; reference: string }>(server.dependencies.pool)`
    insert into deposits (client_id, account_id, type, method, gateway, amount_minor, received_minor, currency, reference,
        state, provider, card_type, requested_at, expires_at, approved_at)
      select client_id, id, ${type}, ${type === 'wire' ? 'Bank Transfer' : 'cc_gcen'}, 'bank', 50000, 50000, currency,
          ${randomUUID()}, 'approved', ${type === 'wire' ? null : 'gcen'}, ${type === 'wire' ? null : 114}, ${now}, ${now}, ${now}
        from trading_accounts where id = ${at.id} returning id, reference`
  return { id, reference }
}

async function holdPayments({ id }: MadeClient) {
  await run(
    server.dependencies.pool,
    sql`insert into payment_holds (client_id, reason, set_by, from_at)
        values (${id}, 'A report is being written.', ${decider.id}, ${server.clock.now()})`,
  )
}

async function setSanctionFlag({ id }: MadeClient) {
  await run(
    server.dependencies.pool,
    sql`insert into client_flags (client_id, flag, note, set_by, set_at)
        values (${id}, 'sanction', 'x', ${decider.id}, ${server.clock.now()})`,
  )
}

describe('a correction that returns a deposit', () => {
  const left = async (id: AccountId) => {
    const { deposits } = (await call(server, office.listReturnableDeposits, { as: auditor, params: { id } })).answer
    return deposits.map((one) => [one.reference, one.left])
  }

  test('names the deposit on its page, in the list, in the export and in the audit log', async () => {
    const own = await makeFundedAccount(server, await makeClient(server), 50_000n)
    const deposit = await insertDeposit(own)
    expect(await left(own.id)).toEqual([[deposit.reference, 50_000n]])
    const { id } = (await requestCorrectionOf(requester, '-200.25', { accountId: own.id, depositId: deposit.id }))
      .answer
    expect((await correctionPage(id)).deposit).toEqual(deposit)
    const { rows: listed } = (await call(server, office.listCorrections, { as: auditor, query: { q: own.login } }))
      .answer
    expect(listed.map((one) => one.deposit)).toEqual([deposit])
    const file = await call(server, exportList, {
      as: auditor,
      params: { list: 'corrections' },
      query: { q: own.login },
    })
    expect(file.bytes.toString()).toContain(deposit.reference)
    const query = { record: id }
    const { rows: events } = (await call(server, searchAudit, { as: auditor, query })).answer
    expect(events).toMatchObject([{ after: { deposit: deposit.reference } }])
    expect(await left(own.id)).toEqual([[deposit.reference, 29_975n]])
  })

  test('must be a debit of no more than is left of a deposit to the same account', async () => {
    const own = await makeFundedAccount(server, await makeClient(server), 60_000n)
    const { id: depositId } = await insertDeposit(own)
    const of = (amount: string, changes: object = {}) =>
      requestCorrectionOf(requester, amount, { accountId: own.id, depositId, ...changes })
    const { id } = (await of('-300')).answer
    const more = (await of('-200.01')).failure
    expect([more.code, more.values, Object.keys(more.errors ?? {})]).toEqual([
      'more-than-deposit-left',
      { left: '200.00\u00A0EUR' },
      ['amount'],
    ])
    expect((await of('10')).failure.code).toBe('return-is-debit')
    expect((await of('-10', { accountId: account.id })).failure.code).toBe('deposit-not-of-account')
    expect((await of('-10', { depositId: 'nowhere' })).failure.code).toBe('deposit-not-of-account')
    // The amount of a rejected correction is available again.
    const params = { id }
    await call(server, office.rejectCorrection, { as: decider, params, body: { version: 1, reason: 'wrong deposit' } })
    const both = await Promise.all([of('-500'), of('-500')])
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 400])
    expect(await left(own.id)).toEqual([])
  })

  describe.each([
    ['payments on hold', 'Payments on hold', holdPayments],
    ['a sanctions flag', 'Screening', setSanctionFlag],
  ] as const)('of a client with %s', (_what, check, stop) => {
    test('is refused at the request and at the approval', async () => {
      const [held, other] = [await makeClient(server), await makeClient(server)]
      const own = await makeFundedAccount(server, held, 60_000n)
      const { id: depositId } = await insertDeposit(own)
      const refund = () => requestCorrectionOf(requester, '-200', { accountId: own.id, depositId })
      const before = (await refund()).answer.id
      await stop(held)
      const refused = await refund()
      expect([refused.status, refused.failure.code, refused.failure.values['check']]).toEqual([
        409,
        'checks-block',
        check,
      ])
      expect(await left(own.id)).toMatchObject([[expect.any(String), 30_000n]])
      const approval = await approve(decider, before)
      expect([approval.failure.code, approval.failure.values['check']]).toEqual(['checks-block', check])
      expect((await correctionPage(before)).state).toBe('pending')
      const free = await makeFundedAccount(server, other, 60_000n)
      const ofOther = { accountId: free.id, depositId: (await insertDeposit(free)).id }
      expect((await requestCorrectionOf(requester, '-200', ofOther)).status).toBe(201)
    })

    test('is not stopped where the provider has returned the money, like another debit or a credit', async () => {
      const held = await makeClient(server)
      const own = await makeFundedAccount(server, held, 60_000n)
      const { id: depositId } = await insertDeposit(own, 'cc_gcen')
      await stop(held)
      await run(server.dependencies.pool, sql`update deposits set refunded_minor = 20000 where id = ${depositId}`)
      const of = (amount: string, changes: object = {}) =>
        requestCorrectionOf(requester, amount, { accountId: own.id, ...changes })
      const chargedBack = (await of('-200', { depositId })).answer.id
      expect((await of('-0.01', { depositId })).failure.code).toBe('checks-block')
      for (const id of [chargedBack, (await of('-10')).answer.id, (await of('10')).answer.id])
        expect((await approve(decider, id)).status).toBe(200)
      await settleOperations(server)
    })
  })

  test.each(['wire', 'cc_gcen'] as const)('of type %s is counted as refunded no more than once', async (type) => {
    const own = await makeClient(server)
    const to = await makeFundedAccount(server, own, 50_000n)
    const deposit = await insertDeposit(to, type)
    const { id } = (await requestCorrectionOf(requester, '-200.25', { accountId: to.id, depositId: deposit.id })).answer
    const refunded = async () => {
      const { currencies } = (await call(server, getClientExposure, { as: auditor, params: { id: own.id } })).answer
      const query = { q: to.login, state: 'all', dated: 'refunded', from: '2020-01-01' } as const
      const listed = (await call(server, listOfficeDeposits, { as: auditor, query })).answer.rows
      const shown = (await call(server, getOfficeDeposit, { as: auditor, params: { id: deposit.id } })).answer.deposit
      return [currencies[0]?.lifetime.refunded, listed.map((one) => one.refunded), shown.refunded]
    }
    expect(await refunded()).toEqual([0n, [], 0n])
    expect((await approve(decider, id)).status).toBe(200)
    await settleOperations(server)
    // For a card deposit only the provider's record of the refund counts.
    expect(await refunded()).toEqual(type === 'wire' ? [20_025n, [20_025n], 20_025n] : [0n, [], 0n])
    // The deposit of this test has no other steps.
    const params = { list: 'deposits', id: deposit.id } as const
    const reply = await call(server, getTransferTimeline, { as: own, params })
    const steps = reply.status === 404 ? [] : reply.answer.timeline.map(({ text }) => text)
    expect(steps).toEqual(type === 'wire' ? ['Returned to you: 200.25\u00a0EUR'] : [])
    expect(await accountLiability(server.dependencies.pool, { accountId: to.id })).toBe(29_975n)
    expect(await brokenInvariants(server.dependencies.pool, server.clock.now())).toEqual([])
  })
})

test('one idempotency key creates two requests when two people use it, and one when one person repeats it', async () => {
  const body = { accountId: account.id, amount: '1.00', currency: 'EUR', reason: 'goodwill' }
  const headers = { 'idempotency-key': 'theirs' }
  const ids = []
  for (const as of [requester, decider, requester])
    ids.push((await call(server, office.requestCorrection, { as, body, headers })).answer.id)
  expect([new Set(ids).size, ids[2]]).toEqual([2, ids[0]])
})

describe('reconciliation', () => {
  test('opens a discrepancy for an operation that only the ledger has, and clears it once both sides agree', async () => {
    const at = server.clock.now()
    const payload = JSON.stringify({ accountId: account.id, minor: '0' })
    await run(
      server.dependencies.pool,
      sql`insert into operations (kind, ref, target, payload, state, result, created_at, settled_at)
          values ('balance', 'NEVER-HAPPENED', ${`MT5:${account.login}`}, ${payload}::jsonb, 'done', '{"done":{"ticket":"1"}}', ${at}, ${at})`,
    )
    server.clock.turn(120)
    await call(server, office.reconcileNow, { as: decider })
    const kinds = async () =>
      (
        await call(server, office.listDifferences, { as: auditor, query: { q: 'never-happened', state: 'open' } })
      ).answer.rows.map(({ kind }) => kind)
    expect(await kinds()).toEqual(['ledger-only'])
    await run(server.dependencies.pool, sql`delete from operations where ref = 'NEVER-HAPPENED'`)
    server.clock.turn(61)
    await call(server, office.reconcileNow, { as: decider })
    expect(await kinds()).toEqual([])
  })
})

test('a reconciliation queries no account of an unavailable platform and shows how many were not compared', async () => {
  const { MT5 } = server.dependencies.platforms
  const { health, bulk } = MT5
  const { readAccounts } = bulk
  let asked = 0
  MT5.health = () => Promise.reject(new Unavailable('silent'))
  bulk.readAccounts = (...accounts) => {
    asked += 1
    return readAccounts.apply(bulk, accounts)
  }
  const run = () => call(server, office.reconcileNow, { as: decider })
  const shown = async () => (await call(server, office.listDifferences, { as: decider })).answer.lastRun
  try {
    server.clock.turn(61)
    const silent = await run()
    expect([silent.status, silent.failure.code, asked]).toEqual([503, 'platform-unavailable', 0])
    const none = await shown()
    expect([none?.accounts, (none?.unread ?? 0) > 0]).toEqual([0, true])
    MT5.health = health.bind(MT5)
    server.clock.turn(61)
    const { accounts, unread } = (await run()).answer
    expect([accounts, unread]).toEqual([none?.unread, 0])
    expect(await shown()).toMatchObject({ accounts, unread: 0 })
  } finally {
    MT5.health = health.bind(MT5)
    bulk.readAccounts = readAccounts.bind(bulk)
  }
})

test('the nightly check opens one discrepancy for a broken invariant and clears it once the invariant is met', async () => {
  const now = server.clock.now()
  const id = randomUUID()
  await run(
    server.dependencies.pool,
    sql`insert into operations (id, kind, ref, target, payload, next_try_at, created_at)
        values (${id}, 'mail', ${`mail-${id}`}, 'mail', '{}', null, ${now})`,
  )
  await checkInvariants(server.dependencies, now)
  await checkInvariants(server.dependencies, now)
  const raised = () =>
    rows<{ state: string }>(
      server.dependencies.pool,
      sql`select state from differences where kind = 'invariant' and record = ${id}`,
    )
  expect(await raised()).toEqual([{ state: 'open' }])
  await run(server.dependencies.pool, sql`delete from operations where id = ${id}`)
  await checkInvariants(server.dependencies, now)
  expect(await raised()).toEqual([{ state: 'gone' }])
})

describe('client money', () => {
  const euro = async () => {
    const { currencies } = (await call(server, office.getClientMoneyView, { as: auditor })).answer
    const found = currencies.find(({ currency }) => currency === 'EUR')
    if (!found) throw new Error('no column in EUR')
    return found
  }
  const ownOf = ({ own }: Awaited<ReturnType<typeof euro>>) => own.reduce((sum, { amount }) => sum + amount, 0n)

  test('shows the requirement against the resource and the postings that explain the difference', async () => {
    const found = await row<{ owed: bigint }>(
      server.dependencies.pool,
      sql`select -sum(balance_minor)::bigint as owed from ledger_accounts where kind = 'client' and currency = 'EUR'`,
    )
    const column = await euro()
    expect(column.owed).toBe(found?.owed)
    expect([ownOf(column), column.unexplained]).toEqual([column.difference, 0n])
    expect((await call(server, office.getClientMoneyView, { as: operations })).failure.code).toBe('wrong-role')
  })

  test('shows the currency as open while a discrepancy has no explanation', async () => {
    const before = await euro()
    const id = randomUUID()
    await run(
      server.dependencies.pool,
      sql`insert into differences (id, kind, account_id, theirs_minor, facts, fingerprint, state, found_at)
          values (${id}, 'platform-only', ${account.id}, 1500, '{}'::jsonb, ${id}, 'open', now())`,
    )
    expect(await euro()).toMatchObject({
      standing: 'open',
      openDifferences: before.openDifferences + 1,
      unexplained: 0n,
    })
    await run(server.dependencies.pool, sql`delete from differences where id = ${id}`)
  })

  test('is exported with one row per place of the money and a total row with its status', async () => {
    const linesIn = async (language: string) => {
      const headers = { 'accept-language': language }
      const csv = await call(server, office.clientMoneyCsv, { as: decider, headers })
      return csv.bytes.toString().trim().split('\n')
    }
    const [head, ...lines] = await linesIn('en')
    expect(head).toBe('currency,place,place_text,name,owed,held,own,difference,unexplained,standing,standing_text')
    const total = /^EUR,total,Total,,.*,0\.00,(agrees,reconciled|explained,explained by postings|open,under review)$/
    expect(lines.filter((line) => total.test(line))).toHaveLength(1)
    expect((await linesIn('de')).filter((line) => line.startsWith('EUR,set-aside,Für Auszahlungen'))).toHaveLength(1)
  })
})

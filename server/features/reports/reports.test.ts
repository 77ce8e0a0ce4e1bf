import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import * as office from '#contract/office/records.ts'
import type { StaffRole } from '#rules/actors.ts'
import { canRead, type Area } from '#rules/permissions.ts'
import { recordEvent } from '#server/db/events.ts'
import { row, run, sql } from '#server/db/sql.ts'
import { transaction } from '#server/db/transaction.ts'
import { post } from '#server/ledger/post.ts'
import { approvedBank } from '../../../tests/funded-account.ts'
import {
  call,
  makeAccount,
  makeClient,
  makeStaff,
  setInForce,
  startTestServer,
  type MadeClient,
  type MadeStaff,
  type TestServer,
} from '../../../tests/factories.ts'

let server: TestServer
let finance: MadeStaff
let auditor: MadeStaff
let operations: MadeStaff
let client: MadeClient
beforeAll(async () => {
  server = await startTestServer()
  finance = await makeStaff(server, ['finance'], { name: '=Johanna' })
  auditor = await makeStaff(server, ['auditor'])
  operations = await makeStaff(server, ['operations'])
  client = await makeClient(server, { surname: '+Brandt' })
  const account = await makeAccount(server, client)
  // 23:30 UTC on the 18th is the 19th in London's summer.
  await run(
    server.dependencies.pool,
    sql`insert into deposits (client_id, account_id, type, method, gateway, amount_minor, received_minor, currency, reference, state, requested_at, expires_at, approved_at)
    values (${client.id}, ${account.id}, 'wire', 'Bank Transfer', 'bank', 50000, 49000, 'EUR', ${randomUUID()}, 'approved', '2026-06-18T10:00Z', '2026-07-18T10:00Z', '2026-06-18T23:30Z')`,
  )
  // 100.00 with a fee of 2.00, sent to the bank on the first of May and returned on the third.
  await run(
    server.dependencies.pool,
    sql`insert into withdrawals (client_id, account_id, bank_id, bank, type, method, amount_minor, fee_minor, currency, reference, state, figures, requested_at, paid_at, returned_at)
    values (${client.id}, ${account.id}, ${await approvedBank(server, client)}, '{}'::jsonb, 'wire', 'Bank Transfer', 10000, 200, 'EUR', ${randomUUID()}, 'returned', '{}'::jsonb, '2026-04-30T10:00Z', '2026-05-01T10:00Z', '2026-05-03T10:00Z')`,
  )
  await run(
    server.dependencies.pool,
    sql`insert into work_items (kind, record, state, due_at, created_at, closed_at)
    values ('deposit', ${randomUUID()}, 'pending', '2026-06-18T12:00Z', '2026-06-18T10:00Z', '2026-06-18T13:00Z')`,
  )
  const acting = { kind: 'staff', id: finance.id, roles: ['finance'] } as const
  await transaction(server.dependencies.pool, (tx) =>
    recordEvent(
      tx,
      { identity: acting, now: server.clock.now() },
      { kind: 'withdrawal', action: 'confirm', record: randomUUID(), from: 'second_approval', to: 'processing' },
    ),
  )
})
afterAll(() => server.stop())

const june = { from: '2026-06-01', to: '2026-06-30' }

describe('reports', () => {
  test('sum funding by the firm’s day, currency and method', async () => {
    const { answer } = await call(server, office.fundingReport, { as: finance, query: june })
    expect(answer.rows).toEqual([
      {
        day: '2026-06-19',
        currency: 'EUR',
        method: 'Bank Transfer',
        deposits: 1,
        deposited: 49_000n,
        refunded: 0n,
        withdrawals: 0,
        withdrawn: 0n,
        returned: 0n,
        net: 49_000n,
      },
    ])
    expect(answer.sums).toEqual([
      { currency: 'EUR', deposited: 49_000n, refunded: 0n, withdrawn: 0n, returned: 0n, net: 49_000n },
    ])
  })

  test('keep what a day said of a payout that the bank returns later, and tell of it on the day of its return', async () => {
    const query = { from: '2026-05-01', to: '2026-05-31' }
    const { answer } = await call(server, office.fundingReport, { as: finance, query })
    expect(
      answer.rows.map(({ day, withdrawals, withdrawn, returned }) => [day, withdrawals, withdrawn, returned]),
    ).toEqual([
      ['2026-05-01', 1, 9_800n, 0n],
      ['2026-05-03', 0, 0n, 9_800n],
    ])
    expect(answer.sums).toEqual([
      { currency: 'EUR', deposited: 0n, refunded: 0n, withdrawn: 9_800n, returned: 9_800n, net: 0n },
    ])
  })

  test('keep what a day said of a card payment, and take off what goes back to the payer on the day on which it does', async () => {
    const account = await makeAccount(server, client)
    const deposit = await row<{ id: string }>(
      server.dependencies.pool,
      sql`insert into deposits (client_id, account_id, type, method, gateway, amount_minor, received_minor, refunded_minor, currency, reference, state, provider, card_type, requested_at, expires_at, approved_at)
      values (${client.id}, ${account.id}, 'cc_gcen', 'Credit/Debit Card', 'gcen', 10000, 10000, 4000, 'EUR', ${randomUUID()}, 'approved', 'cards', 1, '2026-03-01T10:00Z', '2026-03-01T12:00Z', '2026-03-01T10:01Z') returning id`,
    )
    const record = deposit?.id ?? ''
    const cards = { kind: 'provider', currency: 'EUR', name: 'cards' } as const
    await transaction(server.dependencies.pool, (tx) =>
      post(tx, {
        ref: `refunded:${record}:4000`,
        kind: 'refunded',
        subject: 'deposit',
        record,
        at: new Date('2026-03-09T10:00Z'),
        postings: [
          { account: { kind: 'corrections', currency: 'EUR' }, minor: 4_000n },
          { account: cards, minor: -4_000n },
        ],
      }),
    )
    const query = { from: '2026-03-01', to: '2026-03-31' }
    const { answer } = await call(server, office.fundingReport, { as: finance, query })
    expect(
      answer.rows.map(({ day, deposits, deposited, refunded, net }) => [day, deposits, deposited, refunded, net]),
    ).toEqual([
      ['2026-03-01', 1, 10_000n, 0n, 10_000n],
      ['2026-03-09', 0, 0n, 4_000n, -4_000n],
    ])
    expect(answer.sums).toEqual([
      { currency: 'EUR', deposited: 10_000n, refunded: 4_000n, withdrawn: 0n, returned: 0n, net: 6_000n },
    ])
  })

  test('name a payment method in the reader’s language', async () => {
    const headers = { 'accept-language': 'de' }
    const { answer } = await call(server, office.fundingReport, { as: finance, query: june, headers })
    expect(answer.rows.map(({ method }) => method)).toEqual(['Banküberweisung'])
  })

  test('say how long decisions took, and who decided', async () => {
    const times = (await call(server, office.decisionTimesReport, { as: auditor, query: june })).answer.rows
    expect(times).toContainEqual({
      kind: 'deposit',
      decided: 1,
      late: 1,
      medianSeconds: 10_800,
      ninetiethSeconds: 10_800,
      longestSeconds: 10_800,
    })
    const people = (await call(server, office.approvalsReport, { as: auditor, query: june })).answer.rows
    expect(people).toContainEqual({
      staff: { id: finance.id, name: '=Johanna' },
      kind: 'withdrawal',
      approved: 1,
      rejected: 0,
      other: 0,
    })
  })

  test('come as CSV with formulas disarmed', async () => {
    const csv = async (report: string) =>
      (await call(server, office.reportCsv, { as: finance, params: { report }, query: june })).bytes.toString()
    expect(await csv('funding')).toContain('2026-06-19,EUR,Bank Transfer,1,490.00,0.00,0,0.00,0.00,490.00')
    expect(await csv('approvals')).toContain("'=Johanna,withdrawal,Withdrawal,1,0,0")
    expect(await csv('decision-times')).toContain('deposit,Deposit,1,1,10800')
  })

  test('refuse days that cannot be, and anyone who may not read them', async () => {
    const failing = async (query: Record<string, string>) =>
      (await call(server, office.fundingReport, { as: finance, query })).failure.code
    expect(await failing({ from: '2026-06-30', to: '2026-06-01' })).toBe('date-invalid')
    expect(await failing({ from: '2026-02-30', to: '2026-06-01' })).toBe('date-invalid')
    expect(await failing({ from: '2001-01-01', to: '2026-06-01' })).toBe('date-invalid')
    expect((await call(server, office.fundingReport, { as: operations, query: june })).failure.code).toBe('wrong-role')
  })
})

const areas: Partial<Record<(typeof office.exportedLists)[number], Area>> = {
  documents: 'documents',
  professional: 'professional',
  'profile-changes': 'profileChanges',
  corrections: 'corrections',
  'firm-money': 'clientMoney',
  reconciliation: 'reconciliation',
  staff: 'staff',
  'failed-jobs': 'failedJobs',
}

describe.each(office.exportedLists)('the list %s', (list) => {
  test('comes as CSV to the person who may read it, and to no other person', async () => {
    for (const [as, roles] of [
      [finance, ['finance']],
      [operations, ['operations']],
      [auditor, ['auditor']],
    ] as [MadeStaff, StaffRole[]][]) {
      const { status } = await call(server, office.exportList, { as, params: { list } })
      expect(status).toBe(canRead(areas[list] ?? 'inbox', roles) ? 200 : 403)
    }
  })
})

test('an export names payment methods in the reader’s language', async () => {
  const asked = { as: finance, params: { list: 'deposits' }, query: { state: 'approved' } }
  const csv = (
    await call(server, office.exportList, { ...asked, headers: { 'accept-language': 'de' } })
  ).bytes.toString()
  expect(csv).toContain(',Banküberweisung,')
  expect(csv).not.toContain('Bank Transfer')
})

test.each([
  ['en', 'approved,Approved', 'operations finance,"Operations clerk, Finance supervisor"', 'withdrawal,Withdrawal,1'],
  ['de', 'approved,Genehmigt', 'operations finance,"Sachbearbeitung, Leitung Finanzen"', 'withdrawal,Auszahlung,1'],
])(
  'an export says beside each code what it means, in the reader’s language: %s',
  async (language, state, roles, kind) => {
    const headers = { 'accept-language': language }
    const asked = { as: finance, params: { list: 'deposits' }, query: { state: 'approved' }, headers }
    const [heading, line] = (await call(server, office.exportList, asked)).bytes.toString().split('\n')
    expect(heading).toContain(',state,state_text,')
    expect(line).toContain(`,${state},`)
    await makeStaff(server, ['operations', 'finance'])
    const administrator = await makeStaff(server, ['administrator'])
    const staff = await call(server, office.exportList, { as: administrator, params: { list: 'staff' }, headers })
    expect(staff.bytes.toString()).toContain(roles)
    const approvals = { as: finance, params: { report: 'approvals' }, query: june, headers }
    expect((await call(server, office.reportCsv, approvals)).bytes.toString()).toContain(kind)
  },
)

test('an export takes the list’s filters', async () => {
  const csv = async (query: Record<string, string>) =>
    (await call(server, office.exportList, { as: finance, params: { list: 'deposits' }, query })).bytes.toString()
  expect(await csv({ state: 'approved', currency: 'EUR', q: 'brandt' })).toContain('490.00')
  expect(await csv({ state: 'rejected' })).not.toContain('490.00')
  expect(
    (
      await call(server, office.exportList, { as: finance, params: { list: 'clients' }, query: { q: '+Brandt' } })
    ).bytes.toString(),
  ).toContain('Hannah +Brandt')
  expect(
    (await call(server, office.exportList, { as: finance, params: { list: 'clients' }, query: { currency: 'EUR' } }))
      .failure.code,
  ).toBe('unknown-value')
})

test('so many files may one person take out in an hour, and no more; looking on goes on', async () => {
  const limits = await server.dependencies.settings.get('rateLimits')
  await setInForce(server, 'rateLimits', { ...limits, exportsPerHour: 3 })
  onTestFinished(() => setInForce(server, 'rateLimits', limits))
  const [busy, other] = [await makeStaff(server, ['finance']), await makeStaff(server, ['finance'])]
  const take = (as: MadeStaff) => call(server, office.reportCsv, { as, params: { report: 'funding' }, query: june })
  const taken = await Promise.all(Array.from({ length: 5 }, () => take(busy)))
  expect(taken.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 429, 429])
  expect(Number(taken.find(({ status }) => status === 429)?.headers['retry-after'])).toBeGreaterThan(0)
  const list = () => call(server, office.exportList, { as: busy, params: { list: 'withdrawals' } })
  expect((await list()).failure.code).toBe('too-many')
  expect((await call(server, office.fundingReport, { as: busy, query: june })).status).toBe(200)
  expect((await take(other)).status).toBe(200)
})

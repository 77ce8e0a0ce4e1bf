import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { listOfficeDeposits } from '#contract/office/deposits.ts'
import { exportedLists, exportList } from '#contract/office/list-export.ts'
import * as office from '#contract/office/reports.ts'
import { listOfficeWithdrawals } from '#contract/office/withdrawals.ts'
import type { StaffRole } from '#rules/actors.ts'
import { canRead, type Area } from '#rules/permissions.ts'
import { recordEvent } from '#server/db/events.ts'
import { row, run, sql, transaction } from '#server/db/sql.ts'
import { lists } from '#server/features/reports/exported-lists.ts'
import { post } from '#server/ledger/post.ts'
import { clientForFile, serverForFile, staffForFile } from '../../../tests/for-file.ts'
import { makeApprovedBank } from '../../../tests/funded-account.ts'
import { call, makeAccount, makeClient, makeStaff, applySetting, type MadeStaff } from '../../../tests/factories.ts'
import { insertOverrides, monthOfOverrides } from '../../../tests/overrides.ts'

const server = serverForFile()
const finance = staffForFile(server, ['finance'], { name: '=Johanna' })
const auditor = staffForFile(server, ['auditor'])
const operations = staffForFile(server, ['operations'])
const client = clientForFile(server, { surname: '+Brandt' })
beforeAll(async () => {
  const account = await makeAccount(server, client)
  // 23:30 UTC on the 18th is already the 19th in London, during summer time.
  await run(
    server.dependencies.pool,
    sql`insert into deposits (client_id, account_id, type, method, gateway, amount_minor, received_minor, currency, reference, state, requested_at, expires_at, approved_at)
    values (${client.id}, ${account.id}, 'wire', 'Bank Transfer', 'bank', 50000, 49000, 'EUR', ${randomUUID()}, 'approved', '2026-06-18T10:00Z', '2026-07-18T10:00Z', '2026-06-18T23:30Z')`,
  )
  // 100.00 with a fee of 2.00, debited on 1 May, sent to the bank on 2 May and returned on 3 May.
  await run(
    server.dependencies.pool,
    sql`insert into withdrawals (client_id, account_id, bank_id, bank, type, method, amount_minor, fee_minor, currency, reference, state, figures, requested_at, approved_at, paid_at, returned_at)
    values (${client.id}, ${account.id}, ${await makeApprovedBank(server, client)}, '{}'::jsonb, 'wire', 'Bank Transfer', 10000, 200, 'EUR', ${randomUUID()}, 'returned', '{}'::jsonb, '2026-04-30T10:00Z', '2026-05-01T10:00Z', '2026-05-02T10:00Z', '2026-05-03T10:00Z')`,
  )
  await run(
    server.dependencies.pool,
    sql`insert into work_items (kind, record, state, due_at, created_at, closed_at, closed_by)
      values ('deposit', ${randomUUID()}, 'pending', '2026-06-18T12:00Z', '2026-06-18T10:00Z', '2026-06-18T13:00Z', ${finance.id})`,
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

const june = { from: '2026-06-01', to: '2026-06-30' }

/** Returns the rows of the EUR funding report with payments: day, and the amount of each flow. */
async function stepsOf(query: { from: string; to: string; by?: string }) {
  const { answer } = await call(server, office.fundingReport, { as: finance, query })
  const [euros] = answer.currencies
  const moved = (euros?.steps ?? []).filter((step) =>
    [step.deposits, step.refunds, step.withdrawals, step.returned].some(({ count }) => count > 0),
  )
  return {
    sum: euros?.sum,
    before: euros?.before,
    all: euros?.steps,
    steps: moved.map(({ day, deposits, refunds, withdrawals, returned, net }) => [
      day,
      deposits.amount,
      refunds.amount,
      withdrawals.amount,
      returned.amount,
      net,
    ]),
  }
}

describe('the funding report', () => {
  test('sums by the firm’s day and by payment method, and includes days without payments', async () => {
    const { answer } = await call(server, office.fundingReport, { as: finance, query: june })
    expect(answer.before).toEqual({ from: '2026-05-02', to: '2026-05-31' })
    expect(answer.currencies).toHaveLength(1)
    expect(answer.currencies[0]?.methods.map(({ method, net }) => [method, net])).toEqual([['Bank Transfer', 49_000n]])
    const { steps, all, sum, before } = await stepsOf(june)
    expect(steps).toEqual([['2026-06-19', 49_000n, 0n, 0n, 0n, 49_000n]])
    expect(all?.map(({ day }) => day)).toHaveLength(30)
    expect(sum).toMatchObject({ deposits: { count: 1, amount: 49_000n }, net: 49_000n })
    expect(before).toMatchObject({ withdrawals: { count: 0 }, returned: { count: 1, amount: 9_800n }, net: 9_800n })
  })

  test('sums by weeks from Monday and by months, the first from the first day of the period', async () => {
    const query = { from: '2026-04-30', to: '2026-06-30' }
    expect((await stepsOf({ ...query, by: 'week' })).steps).toEqual([
      ['2026-04-30', 0n, 0n, 10_000n, 9_800n, -200n],
      ['2026-06-15', 49_000n, 0n, 0n, 0n, 49_000n],
    ])
    expect((await stepsOf({ ...query, by: 'week' })).all?.slice(0, 3).map(({ day }) => day)).toEqual([
      '2026-04-30',
      '2026-05-04',
      '2026-05-11',
    ])
    expect((await stepsOf({ ...query, by: 'month' })).all?.map(({ day, net }) => [day, net])).toEqual([
      ['2026-04-30', 0n],
      ['2026-05-01', -200n],
      ['2026-06-01', 49_000n],
    ])
  })

  test('has the same weeks and months in its CSV file, with a line for each one with payments', async () => {
    const csv = async (by: string) => {
      const query = { from: '2026-04-30', to: '2026-06-30', by }
      const file = await call(server, office.reportCsv, { as: finance, params: { report: 'funding' }, query })
      return file.bytes.toString().trim().split('\n')
    }
    const heading = 'day,currency,method,deposits,deposited,refunded,withdrawals,withdrawn,returned,net'
    expect(await csv('week')).toEqual([
      heading,
      '2026-04-30,EUR,Bank Transfer,0,0.00,0.00,1,100.00,98.00,-2.00',
      '2026-06-15,EUR,Bank Transfer,1,490.00,0.00,0,0.00,0.00,490.00',
    ])
    expect(await csv('month')).toEqual([
      heading,
      '2026-05-01,EUR,Bank Transfer,0,0.00,0.00,1,100.00,98.00,-2.00',
      '2026-06-01,EUR,Bank Transfer,1,490.00,0.00,0,0.00,0.00,490.00',
    ])
  })

  test('keeps a payout on its day even if the bank returns it later, and counts the return on its own day', async () => {
    const { steps, sum } = await stepsOf({ from: '2026-05-01', to: '2026-05-31' })
    expect(steps).toEqual([
      ['2026-05-01', 0n, 0n, 10_000n, 0n, -10_000n],
      ['2026-05-03', 0n, 0n, 0n, 9_800n, 9_800n],
    ])
    expect(sum).toMatchObject({ withdrawals: { count: 1, amount: 10_000n }, returned: { amount: 9_800n }, net: -200n })
  })

  test('counts a withdrawal once it is debited, before payout, and a reversal with its fee', async () => {
    const debited = async (state: string, at: string, returnedAt: string | null) =>
      run(server.dependencies.pool)`
        insert into withdrawals (client_id, account_id, bank_id, bank, type, method, amount_minor, fee_minor, currency, reference, state,
            figures, requested_at, approved_at, returned_at)
          values (${client.id}, ${(await makeAccount(server, client)).id}, ${await makeApprovedBank(server, client)}, '{}'::jsonb, 'wire',
            'Bank Transfer', 10000, 200, 'EUR', ${randomUUID()}, ${state}, '{}'::jsonb, ${at}, ${at}, ${returnedAt})`
    await debited('approved', '2026-02-02T10:00Z', null)
    await debited('returned', '2026-02-03T10:00Z', '2026-02-05T10:00Z')
    expect((await stepsOf({ from: '2026-02-01', to: '2026-02-28' })).steps).toEqual([
      ['2026-02-02', 0n, 0n, 10_000n, 0n, -10_000n],
      ['2026-02-03', 0n, 0n, 10_000n, 0n, -10_000n],
      ['2026-02-05', 0n, 0n, 0n, 10_000n, 10_000n],
    ])
  })

  test('keeps a card payment on its day and deducts a refund on the day of the refund', async () => {
    const account = await makeAccount(server, client)
    const deposit = await row<{ id: string }>(
      server.dependencies.pool,
      sql`insert into deposits (client_id, account_id, type, method, gateway, amount_minor, received_minor, refunded_minor, currency, reference, state, provider, card_type, requested_at, expires_at, approved_at)
      values (${client.id}, ${account.id}, 'cc_gcen', 'Credit/Debit Card', 'gcen', 10000, 10000, 4000, 'EUR', ${randomUUID()}, 'approved', 'cards', 1, '2026-03-01T10:00Z', '2026-03-01T12:00Z', '2026-03-01T10:01Z') returning id`,
    )
    const record = deposit?.id ?? ''
    const cards = { kind: 'provider', currency: 'EUR', name: 'cards' } as const
    await transaction(server.dependencies.pool, (tx) =>
      post(
        tx,
        new Date('2026-03-09T10:00Z'),
        { ref: `refunded:${record}:4000`, kind: 'refunded', subject: 'deposit', record },
        [
          { account: { kind: 'corrections', currency: 'EUR' }, minor: 4_000n },
          { account: cards, minor: -4_000n },
        ],
      ),
    )
    const { steps, sum } = await stepsOf({ from: '2026-03-01', to: '2026-03-31' })
    expect(steps).toEqual([
      ['2026-03-01', 10_000n, 0n, 0n, 0n, 10_000n],
      ['2026-03-09', 0n, 4_000n, 0n, 0n, -4_000n],
    ])
    expect(sum).toMatchObject({ deposits: { count: 1 }, refunds: { count: 1, amount: 4_000n }, net: 6_000n })
    const refunded = async (from: string, to: string) =>
      (
        await call(server, listOfficeDeposits, { as: finance, query: { state: 'all', dated: 'refunded', from, to } })
      ).answer.rows.map(({ id }) => id)
    expect(await refunded('2026-03-09', '2026-03-09')).toEqual([record])
    expect(await refunded('2026-03-01', '2026-03-08')).toEqual([])
  })

  test.each([
    ['deposits', listOfficeDeposits, 'credited', { from: '2026-06-19', to: '2026-06-19' }, 1],
    ['deposits', listOfficeDeposits, 'credited', { from: '2026-06-18', to: '2026-06-18' }, 0],
    ['withdrawals', listOfficeWithdrawals, 'debited', { from: '2026-05-01', to: '2026-05-31' }, 1],
    ['withdrawals', listOfficeWithdrawals, 'debited', { from: '2026-04-30', to: '2026-04-30' }, 0],
    ['returned', listOfficeWithdrawals, 'returned', { from: '2026-05-03', to: '2026-05-03' }, 1],
    ['returned', listOfficeWithdrawals, 'returned', { from: '2026-05-01', to: '2026-05-02' }, 0],
  ] as const)('counts the same %s as the list that it links to', async (flow, list, dated, days, count) => {
    const { sum } = await stepsOf(days)
    expect(sum?.[flow].count ?? 0).toBe(count)
    const query = { state: 'all', currency: 'EUR', dated, ...days }
    expect((await call(server, list, { as: finance, query })).answer.rows).toHaveLength(count)
    const name = list === listOfficeDeposits ? 'deposits' : 'withdrawals'
    const file = await call(server, exportList, { as: finance, params: { list: name }, query })
    expect(file.bytes.toString().trim().split('\n')).toHaveLength(count + 1)
  })

  test('names payment methods in the reader’s language', async () => {
    const headers = { 'accept-language': 'de' }
    const { answer } = await call(server, office.fundingReport, { as: finance, query: june, headers })
    expect(answer.currencies[0]?.methods.map(({ method }) => method)).toEqual(['Banküberweisung'])
  })
})

test('the turnaround report shows by queue how long decisions took and how many were late, with target and previous period', async () => {
  const of = async (query: typeof june) =>
    (await call(server, office.decisionTimesReport, { as: auditor, query })).answer.rows.find(
      ({ kind }) => kind === 'deposit',
    )
  const row = await of(june)
  expect(row).toMatchObject({ decided: 1, late: 1, longestSeconds: 10_800, target: { number: 24, unit: 'hours' } })
  for (const seconds of [row?.medianSeconds, row?.ninetiethSeconds]) {
    expect((seconds ?? 0) / 10_800).toBeGreaterThan(0.95)
    // Never above the longest time, although the middle of its bucket is.
    expect(seconds).toBeLessThanOrEqual(10_800)
  }
  const none = { decided: 0, late: 0, medianSeconds: null, ninetiethSeconds: null }
  expect(row?.before).toEqual(none)
  // A queue with decisions in the previous period only.
  const july = { from: '2026-07-01', to: '2026-07-30' }
  expect(await of(july)).toMatchObject({ ...none, longestSeconds: 0, before: { decided: 1, late: 1 } })
  const csv = await call(server, office.reportCsv, { as: auditor, params: { report: 'decision-times' }, query: july })
  expect(csv.bytes.toString()).toMatch(/^deposit,Deposit,0,0,,,,24,hours,1,1,\d+,\d+$/m)
  expect(await of({ from: '2026-08-01', to: '2026-08-30' })).toBeUndefined()
})

test('the conversion report counts the steps reached by clients who began in the period, compared with the previous one', async () => {
  const beginning = await makeClient(server)
  await run(
    server.dependencies.pool,
  )`update clients set created_at = '2025-11-10T10:00Z', registered_at = '2025-11-11T10:00Z',
    documents_sent_at = null, approved_at = null where id = ${beginning.id}`
  const steps = async (from: string, to: string) =>
    (await call(server, office.conversionReport, { as: finance, query: { from, to } })).answer.rows.map(
      ({ step, clients, before }) => [step, clients, before],
    )
  expect(await steps('2025-11-01', '2025-11-30')).toEqual([
    ['began', 1, 0],
    ['confirmed', 1, 0],
    ['completed', 1, 0],
    ['documents', 0, 0],
    ['approved', 0, 0],
    ['funded', 0, 0],
  ])
  expect((await steps('2025-12-01', '2025-12-30')).slice(0, 2)).toEqual([
    ['began', 0, 1],
    ['confirmed', 0, 1],
  ])
  // A document that expires later empties the time of sending.
  await run(server.dependencies.pool)`update clients set approved_at = '2025-11-12T10:00Z' where id = ${beginning.id}`
  expect((await steps('2025-11-01', '2025-11-30')).slice(3, 5)).toEqual([
    ['documents', 1, 0],
    ['approved', 1, 0],
  ])
})

describe('decisions by person', () => {
  const byPerson = (as: MadeStaff) => call(server, office.approvalsReport, { as, query: june })
  const readable = async (as: MadeStaff) => (await call(server, office.listReports, { as })).answer.reports
  const off = { shown: false, documents: '', clients: '', money: '', enquiries: '', other: '' }

  test('are hidden from everyone until the settings show them', async () => {
    const administrator = await makeStaff(server, ['administrator'])
    for (const as of [administrator, finance, auditor]) {
      expect((await byPerson(as)).failure.code).toBe('wrong-role')
      expect(await readable(as)).not.toContain('approvals')
    }
    const params = { report: 'approvals' }
    expect((await call(server, office.reportCsv, { as: administrator, params, query: june })).failure.code).toBe(
      'wrong-role',
    )
  })

  test('are then visible to administrators, and to the head of a queue for that queue only', async () => {
    const administrator = await makeStaff(server, ['administrator'])
    const [head, other] = [await makeStaff(server, ['finance']), await makeStaff(server, ['compliance'])]
    await applySetting(server, 'decisionsByPerson', { ...off, shown: true, money: head.email, clients: other.email })
    onTestFinished(() => applySetting(server, 'decisionsByPerson', off))
    const decided = {
      staff: { id: finance.id, name: '=Johanna' },
      kind: 'withdrawal',
      approved: 1,
      rejected: 0,
      other: 0,
      before: { approved: 0, rejected: 0, other: 0 },
    }
    for (const as of [administrator, head]) {
      expect((await byPerson(as)).answer.rows).toContainEqual(decided)
      expect(await readable(as)).toContain('approvals')
    }
    expect((await byPerson(other)).answer.rows).toEqual([])
    for (const as of [finance, auditor]) expect((await byPerson(as)).failure.code).toBe('wrong-role')
    expect((await byPerson(operations)).failure.code).toBe('wrong-role')
    // A person with decisions in the previous period only is listed too.
    const july = { as: head, query: { from: '2026-07-01', to: '2026-07-30' } }
    const { before, rows: later } = (await call(server, office.approvalsReport, july)).answer
    expect(before).toEqual({ from: '2026-06-01', to: '2026-06-30' })
    expect(later).toContainEqual({ ...decided, approved: 0, before: { approved: 1, rejected: 0, other: 0 } })
    const file = await call(server, office.reportCsv, { ...july, params: { report: 'approvals' } })
    expect(file.bytes.toString()).toContain("'=Johanna,withdrawal,Withdrawal,0,0,0,1,0,0")
  })
})

test('approving or rejecting a last balance counts as approved or rejected, for its bank account too', async () => {
  await applySetting(server, 'decisionsByPerson', {
    shown: true,
    documents: '',
    clients: '',
    money: '',
    enquiries: '',
    other: '',
  })
  onTestFinished(() =>
    applySetting(server, 'decisionsByPerson', {
      shown: false,
      documents: '',
      clients: '',
      money: '',
      enquiries: '',
      other: '',
    }),
  )
  const decider = await makeStaff(server, ['compliance'])
  const at = new Date('2026-06-10T10:00Z')
  const auditContext = {
    now: at,
    identity: { kind: 'staff', id: decider.id, roles: ['compliance'] },
  } as const
  const verbs = ['approveLastBalance', 'rejectLastBalance', 'approveWithPayout', 'rejectWithPayout', 'hold'] as const
  for (const action of verbs)
    await transaction(server.dependencies.pool, (tx) =>
      recordEvent(tx, auditContext, {
        kind: 'withdrawal',
        record: randomUUID(),
        action,
        from: 'pending',
        to: 'approved',
      }),
    )
  const as = await makeStaff(server, ['administrator'])
  const { rows: counted } = (await call(server, office.approvalsReport, { as, query: june })).answer
  expect(counted.find(({ staff }) => staff.id === decider.id)).toMatchObject({ approved: 2, rejected: 2, other: 1 })
})

describe('reports', () => {
  test('are exported as CSV with formulas neutralised', async () => {
    await applySetting(server, 'decisionsByPerson', {
      shown: true,
      documents: '',
      clients: '',
      money: finance.email,
      enquiries: '',
      other: '',
    })
    const csv = async (report: string) =>
      (await call(server, office.reportCsv, { as: finance, params: { report }, query: june })).bytes.toString()
    expect(await csv('funding')).toContain('2026-06-19,EUR,Bank Transfer,1,490.00,0.00,0,0.00,0.00,490.00')
    expect(await csv('approvals')).toContain("'=Johanna,withdrawal,Withdrawal,1,0,0,0,0,0")
    expect(await csv('decision-times')).toMatch(/deposit,Deposit,1,1,\d+,\d+,10800,24,hours,0,0,,/)
    expect(await csv('conversion')).toContain('confirmed,Email confirmed,')
    await applySetting(server, 'decisionsByPerson', {
      shown: false,
      documents: '',
      clients: '',
      money: '',
      enquiries: '',
      other: '',
    })
  })

  test('reject invalid dates and roles without permission', async () => {
    const failing = async (query: Record<string, string>) =>
      (await call(server, office.fundingReport, { as: finance, query })).failure.code
    expect(await failing({ from: '2026-06-30', to: '2026-06-01' })).toBe('date-invalid')
    expect(await failing({ from: '2026-02-30', to: '2026-06-01' })).toBe('date-invalid')
    expect(await failing({ from: '2001-01-01', to: '2026-06-01' })).toBe('date-invalid')
    expect((await call(server, office.fundingReport, { as: operations, query: june })).failure.code).toBe('wrong-role')
  })
})

const areas: Partial<Record<(typeof exportedLists)[number], Area>> = {
  documents: 'documents',
  professional: 'professional',
  'profile-changes': 'profileChanges',
  enquiries: 'enquiries',
  'payout-batches': 'payouts',
  corrections: 'corrections',
  'firm-money': 'clientMoney',
  reconciliation: 'reconciliation',
  staff: 'staff',
  'failed-jobs': 'failedJobs',
}

describe.each(exportedLists)('the list %s', (list) => {
  test('is exported as CSV for roles that may read it, and for no other role', async () => {
    for (const [as, roles] of [
      [finance, ['finance']],
      [operations, ['operations']],
      [auditor, ['auditor']],
    ] as [MadeStaff, StaffRole[]][]) {
      const { status } = await call(server, exportList, { as, params: { list } })
      expect(status).toBe(canRead(areas[list] ?? 'inbox', roles) ? 200 : 403)
    }
  })
})

test.each(exportedLists)('the export of %s accepts every filter of its list', (list) => {
  const fieldsOf = (query: z.ZodMiniType) =>
    Object.keys(z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' }).properties ?? {})
  const accepted = fieldsOf(exportList.query)
  const page = ['cursor', 'size']
  const filters = fieldsOf(lists[list].query).filter((name) => !page.includes(name))
  expect(filters.length).toBeGreaterThan(0)
  expect(filters.filter((name) => !accepted.includes(name))).toEqual([])
})

test('client approvals and newly assigned items can be exported as CSV', async () => {
  const file = (list: 'clients' | 'inbox', query: Record<string, string>) =>
    call(server, exportList, { as: auditor, params: { list }, query })
  expect((await file('clients', { toApprove: 'true' })).status).toBe(200)
  expect((await file('inbox', { mine: 'false', newlyAssigned: 'true' })).status).toBe(200)
})

test('an export names payment methods in the reader’s language', async () => {
  const asked = { as: finance, params: { list: 'deposits' }, query: { state: 'approved' } }
  const csv = (await call(server, exportList, { ...asked, headers: { 'accept-language': 'de' } })).bytes.toString()
  expect(csv).toContain(',Banküberweisung,')
  expect(csv).not.toContain('Bank Transfer')
})

test.each([
  ['en', 'approved,Approved', 'operations finance,"Operations clerk, Finance supervisor"', 'deposit,Deposit,1'],
  ['de', 'approved,Gutgeschrieben', 'operations finance,"Sachbearbeitung, Leitung Finanzen"', 'deposit,Einzahlung,1'],
])('an export adds the label of each code in the reader’s language: %s', async (language, state, roles, kind) => {
  const headers = { 'accept-language': language }
  const asked = { as: finance, params: { list: 'deposits' }, query: { state: 'approved' }, headers }
  const [heading, line] = (await call(server, exportList, asked)).bytes.toString().split('\n')
  expect(heading).toContain(',state,state_text,')
  expect(line).toContain(`,${state},`)
  await makeStaff(server, ['operations', 'finance'])
  const administrator = await makeStaff(server, ['administrator'])
  const staff = await call(server, exportList, { as: administrator, params: { list: 'staff' }, headers })
  expect(staff.bytes.toString()).toContain(roles)
  const times = { as: finance, params: { report: 'decision-times' }, query: june, headers }
  expect((await call(server, office.reportCsv, times)).bytes.toString()).toContain(kind)
})

test('an export applies the filters of its list', async () => {
  const csv = async (query: Record<string, string>) =>
    (await call(server, exportList, { as: finance, params: { list: 'deposits' }, query })).bytes.toString()
  expect(await csv({ state: 'approved', currency: 'EUR', q: 'brandt' })).toContain('490.00')
  expect(await csv({ state: 'rejected' })).not.toContain('490.00')
  expect(
    (
      await call(server, exportList, { as: finance, params: { list: 'clients' }, query: { q: '+Brandt' } })
    ).bytes.toString(),
  ).toContain('Hannah +Brandt')
  expect(
    (await call(server, exportList, { as: finance, params: { list: 'clients' }, query: { currency: 'EUR' } })).failure
      .code,
  ).toBe('unknown-value')
})

test('exports are limited per person and hour; reading reports is not', async () => {
  const limits = await server.dependencies.settings.get('rateLimits')
  await applySetting(server, 'rateLimits', { ...limits, exportsPerHour: 3 })
  onTestFinished(() => applySetting(server, 'rateLimits', limits))
  const [busy, other] = [await makeStaff(server, ['finance']), await makeStaff(server, ['finance'])]
  const take = (as: MadeStaff) => call(server, office.reportCsv, { as, params: { report: 'funding' }, query: june })
  const taken = await Promise.all(Array.from({ length: 5 }, () => take(busy)))
  expect(taken.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 429, 429])
  expect(Number(taken.find(({ status }) => status === 429)?.headers['retry-after'])).toBeGreaterThan(0)
  const list = () => call(server, exportList, { as: busy, params: { list: 'withdrawals' } })
  expect((await list()).failure.code).toBe('too-many')
  expect((await call(server, office.fundingReport, { as: busy, query: june })).status).toBe(200)
  expect((await take(other)).status).toBe(200)
})

test('the overrides page shows the newest ones with the total number, and the file contains all', async () => {
  await insertOverrides(server.dependencies.pool, finance, office.overridesMax + 1)
  const query = monthOfOverrides
  const { rows, checks } = (await call(server, office.overridesReport, { as: finance, query })).answer
  expect([rows.length, rows[0]?.reason]).toEqual([office.overridesMax, `Reason ${office.overridesMax + 1}`])
  expect(checks.map(({ count }) => count)).toEqual([office.overridesMax + 1])
  const file = await call(server, office.reportCsv, { as: finance, params: { report: 'overrides' }, query })
  const lines = file.bytes.toString().trimEnd().split('\n')
  expect(lines).toHaveLength(office.overridesMax + 2)
  expect(lines.at(-1)).toContain('Reason 1,')
})

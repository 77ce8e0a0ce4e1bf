/** Amount and currency filters of back-office lists: rows, exported file and errors (requirements 24.6). */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { listDifferences } from '#contract/office/accounting.ts'
import { listFirmMoney } from '#contract/office/firm-money.ts'
import { listInbox } from '#contract/office/inbox.ts'
import { exportList } from '#contract/office/list-export.ts'
import { listPayoutBatches } from '#contract/office/payout-batches.ts'
import { listRecoveryItems } from '#contract/office/recovery.ts'
import { listStaff } from '#contract/office/staff.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { officeEndpoints } from '#contract/endpoints.ts'
import { row, type Sql, sql } from '#server/db/sql.ts'
import { call, makeStaff } from '../../tests/factories.ts'
import { serverForFile, staffForFile } from '../../tests/for-file.ts'

const server = serverForFile()
const administrator = staffForFile(server, ['administrator'])

async function insert(statement: Sql): Promise<string> {
  const made = await row<{ id: string }>(server.dependencies.pool, statement)
  if (!made) throw new Error('nothing was written')
  return made.id
}

const at = new Date('2026-06-01T12:00:00Z')

/** Each list with a function that writes a row with an amount in minor units. */
const lists = [
  {
    list: 'firm-money',
    endpoint: listFirmMoney,
    signed: true,
    make: (minor: bigint, currency: string) =>
      insert(sql`insert into firm_money_moves (reference, amount_minor, currency, state, reason, asked_by, asked_at)
        values (${randomUUID()}, ${minor}, ${currency}, 'rejected', 'Fees', ${administrator.id}, ${at}) returning id`),
    query: {},
  },
  {
    list: 'reconciliation',
    endpoint: listDifferences,
    signed: true,
    make: (minor: bigint, currency: string) =>
      insert(sql`insert into differences (kind, facts, fingerprint, state, ours_minor, theirs_minor, currency, found_at)
        values ('balance-differs', '{}', ${randomUUID()}, 'gone', 500000, ${500_000n + minor}, ${currency}, ${at}) returning id`),
    query: {},
  },
  {
    list: 'recovery',
    endpoint: listRecoveryItems,
    signed: true,
    make: (minor: bigint, currency: string) =>
      insert(sql`insert into recovery_items (kind, platform, login, ticket, comment, amount_minor, currency, deal_at, reference,
            leg, state, found_at)
        values ('decision-lost', 'MT5', '6001', ${randomUUID()}, '', ${minor}, ${currency}, ${at}, 'x', 'correction', 'settled', ${at})
        returning id`),
    query: {},
  },
  {
    list: 'payout-batches',
    endpoint: listPayoutBatches,
    signed: false,
    make: (minor: bigint, currency: string) =>
      insert(sql`insert into payout_batches (currency, state, count, total_minor, created_at)
        values (${currency}, 'created', 1, ${minor}, ${at}) returning id`),
    query: { state: 'all' },
  },
] as const

describe.each(lists)('the list $list', ({ list, endpoint, signed, make, query }) => {
  test('compares amounts only in the given currency, and its file has the same rows', async () => {
    const made = new Map<string, string>()
    const amounts = [...(signed ? [-20_000n] : []), 9_999n, 10_000n, 20_000n, 20_001n]
    for (const currency of ['EUR', 'USD'])
      for (const minor of amounts) made.set(await make(minor, currency), `${currency} ${minor}`)
    const shown = async (filters: Record<string, string>) => {
      const asked = { as: administrator, query: { ...query, size: '100', ...filters } }
      const { rows } = (await call(server, endpoint as typeof listFirmMoney, asked)).answer
      return rows.flatMap(({ id }) => made.get(id) ?? []).toSorted()
    }
    const filed = async (filters: Record<string, string>) => {
      const asked = { as: administrator, params: { list }, query: { ...query, ...filters } }
      return (await call(server, exportList, asked)).bytes.toString().trim().split('\n').length - 1
    }
    const between = { currency: 'EUR', amountFrom: '100', amountTo: '200.00' }
    expect(await shown(between)).toEqual(['EUR 10000', 'EUR 20000'])
    expect(await filed(between)).toBe(2)
    const over = { currency: 'USD', amountFrom: '200.01' }
    expect(await shown(over)).toEqual(['USD 20001'])
    expect(await filed(over)).toBe(1)
    expect(await shown({ currency: 'GBP' })).toEqual([])
    expect(await shown({ currency: 'USD' })).toHaveLength(amounts.length)
    if (signed) expect(await shown({ currency: 'EUR', amountTo: '-0.01' })).toEqual(['EUR -20000'])
  })
})

const filtersOf = (endpoint: Endpoint) =>
  endpoint.query
    ? Object.keys(z.toJSONSchema(endpoint.query, { io: 'input', unrepresentable: 'any' }).properties ?? {})
    : []
const filtered = officeEndpoints.filter(
  (endpoint) => endpoint.path !== exportList.path && filtersOf(endpoint).includes('amountFrom'),
)
/** Lists of amounts that can be negative. */
const signedLists = [
  'listBankLines',
  'listCorrections',
  'listDifferences',
  'listFirmMoney',
  'listInbox',
  'listRecoveryItems',
]

describe.each(filtered.map((endpoint) => [endpoint.name, endpoint] as const))('%s', (name, endpoint) => {
  const refused = async (query: Record<string, string>) => {
    const { status, failure } = await call(server, endpoint as typeof listFirmMoney, { as: administrator, query })
    return { status, code: failure.code, errors: failure.errors }
  }

  test.each(['ten', '1e309', '1e3', 'Infinity', 'NaN', '1,000', '0x10', '10.001', '99999999999999', ' ', '--5'])(
    'rejects the amount %o at its field and says what to enter',
    async (amount) => {
      const example = expect.stringContaining('for example 10000 or 10000.50') as string
      for (const field of ['amountFrom', 'amountTo']) {
        const { status, code, errors } = await refused({ currency: 'EUR', [field]: amount })
        expect([status, code, errors]).toEqual([400, 'filter-amount-invalid', { [field]: example }])
      }
    },
  )

  test('accepts a negative amount only if the list has such amounts', async () => {
    const asked = { as: administrator, query: { currency: 'EUR', amountFrom: '-5' } }
    const answered = await call(server, endpoint as typeof listFirmMoney, asked)
    if (signedLists.includes(name)) expect(answered.status).toBe(200)
    else expect([answered.status, answered.failure.code]).toEqual([400, 'filter-amount-negative'])
  })

  test('requires a currency for a range, except the inbox, which compares amounts in any currency', async () => {
    const query = { amountFrom: '100' }
    if (name === listInbox.name) expect((await call(server, listInbox, { as: administrator, query })).status).toBe(200)
    else
      expect(await refused(query)).toEqual({
        status: 400,
        code: 'filter-currency-missing',
        errors: { currency: expect.stringContaining('Choose a currency') as string },
      })
  })
})

test('all lists with amounts have these filters', () => {
  expect(filtered.map(({ name }) => name)).toEqual(
    expect.arrayContaining([...signedLists, 'listPayoutBatches', 'listOfficeDeposits', 'listOfficeWithdrawals']),
  )
})

test.each([
  [{ amountFrom: '1e309', currency: 'EUR' }, 'filter-amount-invalid', 'amountFrom'],
  [{ amountTo: '5' }, 'filter-currency-missing', 'currency'],
  [{ amountTo: '-5', currency: 'EUR' }, 'filter-amount-negative', 'amountTo'],
  [{ currency: 'ABC' }, 'unknown-value', 'currency'],
])('the export rejects %o with the same error as its list', async (query, code, field) => {
  const { status, failure } = await call(server, exportList, {
    as: administrator,
    params: { list: 'withdrawals' },
    query,
  })
  expect([status, failure.code, Object.keys(failure.errors ?? {})]).toEqual([400, code, [field]])
})

test('staff are listed and exported by status, role and search term', async () => {
  const [finance, other] = [
    await makeStaff(server, ['finance'], { name: 'Zoe Aster' }),
    await makeStaff(server, ['operations'], { name: 'Zoe Birch' }),
  ]
  const both = async (query: Record<string, string>) => {
    const { rows } = (await call(server, listStaff, { as: administrator, query })).answer
    const file = await call(server, exportList, { as: administrator, params: { list: 'staff' }, query })
    const lines = file.bytes.toString().trim().split('\n').slice(1)
    expect(lines.map((line) => line.split(',')[0])).toEqual(rows.map(({ name }) => name))
    return rows.map(({ id }) => id)
  }
  expect(await both({ q: 'zoe ' })).toEqual([finance.id, other.id])
  expect(await both({ q: 'zoe ', role: 'finance' })).toEqual([finance.id])
  expect(await both({ q: 'zoe ', state: 'deactivated' })).toEqual([])
  expect(await both({ q: 'zoe ', direction: 'desc' })).toEqual([other.id, finance.id])
  const page = async (cursor: Record<string, string> = {}) =>
    (await call(server, listStaff, { as: administrator, query: { q: 'zoe ', size: '1', ...cursor } })).answer
  const first = await page()
  const second = await page({ cursor: first.next ?? '' })
  expect([...first.rows, ...second.rows].map(({ id }) => id)).toEqual([finance.id, other.id])
  expect(second.next).toBeNull()
  expect((await call(server, listStaff, { as: administrator, query: { role: 'boss' } })).failure.code).toBe(
    'unknown-value',
  )
})

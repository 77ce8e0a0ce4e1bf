/**
 * Every sortable list of the back office: each column in both directions, days, words and states, page by page while
 * rows are added. The lists are derived from the contract, so that a new one cannot be left out.
 */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import { officeEndpoints } from '#contract/endpoints.ts'
import { row, run, sql, type Sql } from '#server/db/sql.ts'
import { call, makeAccount, makeClient, type MadeAccount, type MadeClient } from '../../tests/factories.ts'
import { serverForFile, staffForFile } from '../../tests/for-file.ts'

const server = serverForFile()
const staff = staffForFile(server, ['administrator'])
const auditor = staffForFile(server, ['auditor'])

interface Made {
  readonly at: Date
  /** In minor units. */
  readonly amount: number
  /** Found by a search in the list. */
  readonly word: string
}

interface Owner {
  readonly client: MadeClient
  readonly account: MadeAccount
}

interface List {
  /** Writes one row and returns the id by which the list shows it. */
  make(made: Made, owner: Owner): Promise<string>
  /** Filters in addition to the search term, which excludes the rows of other tests. */
  readonly query?: Readonly<Record<string, string>>
  /** A state that none of the rows has. */
  readonly otherState?: string
  readonly idOf?: (listed: Listed) => string
  readonly readBy?: Readonly<Record<string, (listed: Listed) => unknown>>
  /** True if the list is small enough to be sorted when read. */
  readonly small?: true
}

type Listed = Readonly<Record<string, unknown>>

async function insert(statement: Sql): Promise<string> {
  const made = await row<{ id: string }>(server.dependencies.pool, statement)
  if (!made) throw new Error('nothing was written')
  return made.id
}

const clientOf = (listed: Listed) => listed['client'] as { id: string; number: string; name: string }
const all = { query: { state: 'all' } }

const lists: Readonly<Record<string, List>> = {
  searchClients: {
    make: async ({ at }, { client }) => {
      await run(server.dependencies.pool, sql`update clients set registered_at = ${at} where id = ${client.id}`)
      return client.id
    },
    idOf: (listed) => clientOf(listed).id,
    readBy: {
      number: (listed) => Number(clientOf(listed).number),
      name: (listed) => clientOf(listed).name.split(' ').toReversed().join(' ').toLowerCase(),
    },
    otherState: 'closed',
  },
  listDocumentCases: {
    make: async ({ at }, { client }) => {
      await run(server.dependencies.pool, sql`update clients set documents_sent_at = ${at} where id = ${client.id}`)
      await insert(
        sql`insert into documents (client_id, kind, state, country, document_number, expiry_date, created_at)
            values (${client.id}, 'passport', 'pending_approval', 'DE', 'C01', '2030-01-01', ${at}) returning id`,
      )
      await insert(
        sql`insert into work_items (kind, record, client_id, state, due_at, created_at)
            values ('document', ${client.id}, ${client.id}, 'pending_approval', ${at}, ${at}) returning id`,
      )
      return client.id
    },
    idOf: (listed) => clientOf(listed).id,
    otherState: 'expired',
  },
  listAccountRequests: {
    ...all,
    make: ({ at }, { client }) =>
      insert(
        sql`insert into trading_accounts (client_id, request_type, platform, acc_type, currency, leverage, state, requested_at)
            values (${client.id}, 'live', 'MT5', 'Standard', 'EUR', 30, 'rejected', ${at}) returning id`,
      ),
    otherState: 'processing',
  },
  listLeverageRequests: {
    ...all,
    make: ({ at }, { client, account }) =>
      insert(
        sql`insert into leverage_requests (client_id, account_id, from_leverage, to_leverage, state, requested_at)
            values (${client.id}, ${account.id}, 30, 20, 'rejected', ${at}) returning id`,
      ),
    otherState: 'approved',
  },
  listOfficeBankDetails: {
    ...all,
    make: ({ at }, { client }) => insertBank(client, at),
    otherState: 'approved',
  },
  listProfessional: {
    ...all,
    make: ({ at }, { client }) =>
      insert(
        sql`insert into professional_applications (client_id, answers, state, submitted_at)
            values (${client.id}, ${JSON.stringify(answers)}::text::jsonb, 'rejected', ${at}) returning id`,
      ),
    otherState: 'more_asked',
  },
  listProfileChanges: {
    ...all,
    make: ({ at }, { client }) =>
      insert(
        sql`insert into profile_changes (client_id, field, from_value, to_value, state, requested_at)
            values (${client.id}, 'surname', 'Brandt', 'Keller', 'rejected', ${at}) returning id`,
      ),
    otherState: 'approved',
  },
  listOfficeEnquiries: {
    ...all,
    make: ({ at }, { client }) =>
      insert(
        sql`insert into enquiries (reference, client_id, language, topic, complaint, state, asked_at, due_at, changed_at)
            values (${randomUUID()}, ${client.id}, 'en', 'other', false, 'closed', ${at}, ${at}, ${at}) returning id`,
      ),
    otherState: 'answered',
  },
  listOfficeDeposits: {
    ...all,
    make: ({ at, amount }, { client, account }) =>
      insert(
        sql`insert into deposits (client_id, account_id, type, method, gateway, amount_minor, currency, reference, state,
              requested_at, expires_at)
            values (${client.id}, ${account.id}, 'wire', 'Bank Transfer', 'bank', ${amount}, 'EUR', ${randomUUID()},
              'rejected', ${at}, ${at}) returning id`,
      ),
    otherState: 'approved',
  },
  listBankLines: {
    make: async ({ at, amount, word }) => insertLine(at, amount, word),
    otherState: 'sent_back',
  },
  listOfficeWithdrawals: {
    ...all,
    make: async ({ at, amount }, { client, account }) =>
      insert(
        sql`insert into withdrawals (client_id, account_id, bank_id, bank, type, method, amount_minor, currency, reference,
              state, figures, requested_at)
            values (${client.id}, ${account.id}, ${await insertBank(client, at)}, '{"iban": "DE02120300000000202051"}',
              'wire', 'Bank Transfer', ${amount}, 'EUR', ${randomUUID()}, 'rejected', '{}', ${at}) returning id`,
      ),
    otherState: 'returned',
  },
  listOfficeTransfers: {
    ...all,
    make: async ({ at, amount }, { client, account }) => {
      const other = await makeAccount(server, client, { login: nextLogin() })
      return insert(
        sql`insert into transfers (client_id, source_account, destination_account, amount_minor, currency, rate,
              arrives_minor, arrives_currency, reference, state, figures, requested_at)
            values (${client.id}, ${account.id}, ${other.id}, ${amount}, 'EUR', '1', ${amount}, 'EUR', ${randomUUID()},
              'rejected', '{}', ${at}) returning id`,
      )
    },
    otherState: 'approved',
  },
  listCorrections: {
    make: ({ at, amount }, { account }) =>
      insert(
        sql`insert into corrections (account_id, amount_minor, currency, reference, state, reason, asked_by, asked_at)
            values (${account.id}, ${amount}, 'EUR', ${randomUUID()}, 'rejected', 'Booked twice', ${staff.id}, ${at}) returning id`,
      ),
    otherState: 'approved',
  },
  listStaff: {
    make: ({ at, amount, word }) =>
      insert(
        sql`insert into staff (email, name, roles, state, created_at)
            values (${`${randomUUID()}@example.com`}, ${`${word} ${amount}`}, array['operations'], 'active', ${at})
            returning id`,
      ),
    otherState: 'deactivated',
    small: true,
  },
  listPayoutBatches: {
    make: async ({ at, word }, { client, account }) => {
      const reference = word.toUpperCase()
      const known = await row<{ id: string }>(
        server.dependencies.pool,
        sql`select id from withdrawals where reference = ${reference}`,
      )
      const withdrawal = known?.id ?? (await withdrawalOf(client, account, reference, at))
      return insert(
        sql`with batch as (insert into payout_batches (currency, state, count, total_minor, created_at)
              values ('EUR', 'created', 0, 0, ${at}) returning id)
            insert into payout_batch_payments (batch_id, withdrawal_id, live) select id, ${withdrawal}::uuid, false from batch
            returning batch_id as id`,
      )
    },
    otherState: 'sent',
  },
  listFirmMoney: {
    make: ({ at, amount, word }) =>
      insert(
        sql`insert into firm_money_moves (reference, amount_minor, currency, state, reason, asked_by, asked_at)
            values (${randomUUID()}, ${amount}, 'EUR', 'rejected', ${word}, ${staff.id}, ${at}) returning id`,
      ),
    otherState: 'approved',
  },
  listRecoveryItems: {
    make: ({ at, amount, word }, { client, account }) =>
      insert(
        sql`insert into recovery_items (kind, platform, login, ticket, comment, amount_minor, currency, deal_at, reference,
              leg, account_id, client_id, state, found_at)
            values ('decision-lost', 'MT5', ${account.login}, ${randomUUID()}, ${word}, ${amount}, 'EUR', ${at}, 'x',
              'correction', ${account.id}, ${client.id}, 'open', ${at}) returning id`,
      ),
    otherState: 'settled',
  },
  listDifferences: {
    make: ({ at, word }, { account }) =>
      insert(
        sql`insert into differences (kind, account_id, facts, fingerprint, state, found_at)
            values ('balance-differs', ${account.id}, jsonb_build_object('told', ${word}::text), ${randomUUID()}, 'gone', ${at})
            returning id`,
      ),
    otherState: 'explained',
  },
  listFailedJobs: {
    make: ({ at, word }, { client }) =>
      insert(
        sql`insert into operations (kind, ref, target, payload, state, parked_at, client_id, created_at)
            values ('mail', ${`${word}-${randomUUID()}`}, 'mail', '{}', 'unknown', ${at}, ${client.id}, ${at}) returning id`,
      ),
    small: true,
  },
  searchAudit: {
    make: ({ at, word }) =>
      insert(
        sql`insert into events (at, kind, verb, actor, reason) values (${at}, 'listing', 'test', 'clock', ${word})
            returning id::text as id`,
      ),
  },
}

let lastLogin = 6_000_000
const nextLogin = () => String((lastLogin += 1))

const answers = { question01: 'No', question02: '0-10', question03: 'No', question04: 'No' }

async function withdrawalOf(client: MadeClient, account: MadeAccount, reference: string, at: Date): Promise<string> {
  return insert(
    sql`insert into withdrawals (client_id, account_id, bank_id, bank, type, method, amount_minor, currency, reference,
          state, figures, requested_at)
        values (${client.id}, ${account.id}, ${await insertBank(client, at)}, '{"iban": "DE02120300000000202051"}',
          'wire', 'Bank Transfer', 100, 'EUR', ${reference}, 'rejected', '{}', ${at}) returning id`,
  )
}

function insertBank(client: MadeClient, at: Date): Promise<string> {
  return insert(
    sql`insert into bank_details (client_id, bank_name, bank_address, bank_country, currency, iban, swift, state, added_at)
        values (${client.id}, 'Bank', 'Berlin', 'DE', 'EUR', 'DE02120300000000202051', 'BYLADEM1001', 'rejected', ${at})
        returning id`,
  )
}

function insertLine(at: Date, amount: number, word: string): Promise<string> {
  return insert(
    sql`insert into bank_lines (bank_account, bank_id, amount_minor, currency, payer, remittance, booked_on, state, created_at)
        values ('DE01', ${randomUUID()}, ${amount}, 'EUR', ${word}, '', ${at.toISOString().slice(0, 10)}::date, 'rejected',
          ${at}) returning id`,
  )
}

const sorting = officeEndpoints
  .filter((endpoint) => endpoint.method === 'GET' && endpoint.produces === 'application/json')
  .map((endpoint) => ({ endpoint, sorts: wordsOf(endpoint, 'sort') }))
  .filter(({ sorts }) => sorts.length > 0)

/** Returns the allowed words of a field of a call's query. */
function wordsOf(endpoint: Endpoint, field: string): readonly string[] {
  const { properties = {} } = z.toJSONSchema(endpoint.query, { io: 'input' }) as {
    properties?: Record<string, { enum?: string[] }>
  }
  return properties[field]?.enum ?? []
}

function acceptsField(endpoint: Endpoint, field: string): boolean {
  return field in ((z.toJSONSchema(endpoint.query, { io: 'input' }).properties ?? {}) as object)
}

function listOf({ name }: Endpoint): List {
  const list = lists[name]
  if (!list) throw new Error(`${name} is not tested`)
  return list
}

test('every sortable list is tested here', () => {
  expect(sorting.map(({ endpoint }) => endpoint.name).toSorted()).toEqual(Object.keys(lists).toSorted())
})

test('a list with a fixed order accepts neither a sort column nor a direction', () => {
  // Exceptions: the export of any list, and closed trades, which are ordered by time in either direction.
  const ordered = ['exportList', 'getOfficeTrades']
  const halves = officeEndpoints.filter(
    (endpoint) =>
      !ordered.includes(endpoint.name) && acceptsField(endpoint, 'direction') !== acceptsField(endpoint, 'sort'),
  )
  expect(halves.map(({ name }) => name)).toEqual([])
})

describe.each(sorting)('$endpoint.name', ({ endpoint, sorts }) => {
  const list = listOf(endpoint)
  const idOf = list.idOf ?? ((listed: Listed) => String(listed['id']))
  const word = `zq${endpoint.name.toLowerCase()}`
  const filters = { ...list.query, q: word }
  const made: string[] = []
  const day = (place: number) => new Date(Date.UTC(2026, 3, 1 + place, 10))
  /** Two of them have the same time and amount, so that the id decides. */
  const places = [4, 1, 3, 3, 0, 2]

  const make = async (place: number) => {
    const client = await makeClient(server, { surname: `${word}${'acegik'[place] ?? 'z'}` })
    const owner = { client, account: await makeAccount(server, client, { login: nextLogin() }) }
    return list.make({ at: day(place), amount: 1000 + 10 * (5 - place), word }, owner)
  }
  beforeAll(async () => {
    for (const place of places) made.push(await make(place))
  })

  const read = async (query: Readonly<Record<string, string>>) => {
    const { rows, next } = (await call(server, endpoint, { as: auditor, query })).answer as {
      rows: Listed[]
      next: string | null
    }
    return { rows, next }
  }
  const idsOf = async (query: Readonly<Record<string, string>>) => (await read(query)).rows.map(idOf)

  const cases = sorts.flatMap((sort) => (['asc', 'desc'] as const).map((direction) => ({ sort, direction })))
  test.each(cases)(
    'sorts by $sort $direction, page by page, without gaps or repeats while rows are added',
    async ({ sort, direction }) => {
      const valueOf = list.readBy?.[sort] ?? ((listed: Listed) => listed[sort])
      const seen: Listed[] = []
      let cursor: string | null = null
      do {
        const page: Awaited<ReturnType<typeof read>> = await read({
          ...filters,
          sort,
          direction,
          size: '2',
          ...(cursor === null ? {} : { cursor }),
        })
        seen.push(...page.rows)
        cursor = page.next
        if (seen.length === 2) for (const place of [0, 4]) await make(place)
      } while (cursor !== null)
      const ids = seen.map(idOf)
      expect(new Set(ids).size).toBe(ids.length)
      expect(ids).toEqual(expect.arrayContaining(made))
      const values = seen.map((one) => comparable(valueOf(one)))
      const sorted = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
      expect(values).toEqual(direction === 'asc' ? sorted : sorted.toReversed())
    },
  )

  test('filters by a date range that includes both days', async () => {
    const found = await idsOf({ ...filters, from: '2026-04-02', to: '2026-04-03', size: '100' })
    const [, second, , , , third] = made
    expect(found).toEqual(expect.arrayContaining([second, third]))
    for (const place of [0, 2, 3, 4]) expect(found).not.toContain(made[place])
  })

  test('finds rows by a search term, and none by another', async () => {
    expect(await idsOf({ ...list.query, q: word.toUpperCase(), size: '100' })).toEqual(expect.arrayContaining(made))
    expect(await idsOf({ ...list.query, q: `no${word}` })).toEqual([])
  })

  test.runIf(wordsOf(endpoint, 'state').length > 0)('filters by one status', async () => {
    expect(await idsOf({ q: word, state: list.otherState ?? '' })).toEqual([])
    const states = wordsOf(endpoint, 'state').filter((state) => state !== 'all')
    const found = await Promise.all(states.map((state) => idsOf({ q: word, state, size: '100' })))
    expect(found.flat()).toEqual(expect.arrayContaining(made))
  })

  test('rejects an unknown sort column, and a cursor that is forged or of another order', async () => {
    const { next } = await read({ ...filters, size: '1' })
    const refused = async (query: Record<string, string>) =>
      (await call(server, endpoint, { as: auditor, query: { ...filters, ...query } })).failure.code
    expect(await refused({ sort: 'password_hash' })).toBe('unknown-value')
    const [sort = ''] = sorts
    for (const direction of ['asc', 'desc']) {
      const other = (await read({ ...filters, size: '1', sort, direction })).next ?? ''
      expect(await refused({ sort, direction: direction === 'asc' ? 'desc' : 'asc', cursor: other })).toBe(
        'cursor-invalid',
      )
    }
    for (const cursor of ['forged', next?.slice(0, -9) ?? '', Buffer.from('[1,2,3,4,5]').toString('base64url')]) {
      expect(await refused({ cursor })).toBe('cursor-invalid')
    }
    const place = JSON.parse(Buffer.from(next ?? '', 'base64url').toString()) as unknown[]
    for (const value of ['2026-02-30T00:00:00.000000Z', '0000-01-01T00:00:00.000000Z', '2026-02-30', 'a\0']) {
      const cursor = Buffer.from(JSON.stringify(place.with(3, value))).toString('base64url')
      const { status } = await call(server, endpoint, { as: auditor, query: { ...filters, size: '1', cursor } })
      expect([200, 400], value).toContain(status)
    }
  })

  test('uses a prepared statement for a request without filters', async () => {
    const statements = await pagesRead(() => call(server, endpoint, { as: auditor }))
    expect(statements).toMatchObject([{ name: expect.any(String) as string }])
  })

  test.skipIf(list.small)('has an index for each sort order, for pending items and for all', async () => {
    const own: Record<string, string>[] = wordsOf(endpoint, 'state').includes('all') ? [{}, { state: 'all' }] : [{}]
    const statements = await pagesRead(async () => {
      for (const filter of own) for (const one of cases) await read({ ...filter, ...one, size: '100' })
    })
    expect(statements.length).toBe(own.length * cases.length)
    for (const statement of statements) expect(await planOf(statement)).not.toMatch(/^\s*(->\s+)?Sort$/m)
  })
})

function comparable(value: unknown): number | string {
  if (value instanceof Date) return value.getTime()
  return typeof value === 'string' ? value : Number(value)
}

interface PageRead {
  readonly name?: string
  readonly text: string
  readonly values: unknown[]
}

/** Returns the statements that read a page of a list. */
async function pagesRead(work: () => Promise<unknown>): Promise<PageRead[]> {
  const query = vi.spyOn(server.dependencies.pool, 'query')
  await work()
  const asked: unknown[] = query.mock.calls.map(([one]) => one)
  query.mockRestore()
  return asked.filter((one): one is PageRead => (one as PageRead).text?.includes('"placeValue"') ?? false)
}

/** Returns the database's plan for a list that is too long to be sorted when read. */
async function planOf({ text, values }: PageRead): Promise<string> {
  const client = await server.dependencies.pool.connect()
  try {
    await client.query('begin')
    await client.query('set local enable_seqscan = off; set local enable_sort = off; set local enable_bitmapscan = off')
    const plan = await client.query<{ 'QUERY PLAN': string }>({ text: `explain (costs off) ${text}`, values })
    return plan.rows.map((line) => line['QUERY PLAN']).join('\n')
  } finally {
    await client.query('rollback')
    client.release()
  }
}

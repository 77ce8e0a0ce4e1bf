/** Any list of the back office as CSV: who may read the list may export it; formulas are disarmed (attack E3). */
import { stringify } from 'csv-stringify/sync'
import type { exportedLists, exportList as endpoint } from '#contract/office/records.ts'
import { mayRead, type Area } from '#rules/permissions.ts'
import { decimalOf } from '#rules/money.ts'
import { record } from '../../db/events.ts'
import { empty, raw, rows, sql, type Sql } from '../../db/sql.ts'
import { transaction } from '../../db/transaction.ts'
import { Bytes } from '../../http/bytes.ts'
import { staffOf, type Call } from '../../http/call.ts'
import { Problem } from '../../http/problem.ts'
import { between, wordsPattern } from '../../office/lists.ts'
import type { Parts } from '../../parts.ts'
import { safeCell } from '../../wording.ts'
import { readableKinds } from '../inbox/queries.ts'

type List = (typeof exportedLists)[number]

interface Exported {
  readonly area: Area
  /** Aliased `t`, with `c` for the client where there is one and `a` for the account. */
  readonly from: string
  readonly at: string
  /** Heading to expression; amounts end in `_minor` and become decimals. All of it is source code, no value. */
  readonly columns: Readonly<Record<string, string>>
}

const client = { client: 'c.number', client_name: "c.name || ' ' || c.surname", email: 'c.email' }
const ofClient = (table: string) => `${table} t join clients c on c.id = t.client_id`
const ofAccount = (table: string, column = 'account_id') =>
  `${ofClient(table)} join trading_accounts a on a.id = t.${column}`
const lastFour = 'right(coalesce(t.iban, t.account_number), 4)'

const lists: Readonly<Record<List, Exported>> = {
  inbox: {
    area: 'inbox',
    from: 'work_items t left join clients c on c.id = t.client_id left join staff s on s.id = t.assignee',
    at: 't.due_at',
    columns: {
      kind: 't.kind',
      state: 't.state',
      ...client,
      due: 't.due_at',
      since: 't.created_at',
      assignee: 's.name',
      facts: 't.summary::text',
    },
  },
  clients: {
    area: 'clients',
    from: 'clients t',
    at: 't.created_at',
    columns: {
      number: 't.number',
      name: "t.name || ' ' || t.surname",
      email: 't.email',
      state: 't.state',
      client_status: 't.client_status',
      country: 't.country',
      registered: 't.registered_at',
      approved: 't.approved_at',
    },
  },
  documents: {
    area: 'documents',
    from: ofClient('documents'),
    at: 't.created_at',
    columns: {
      ...client,
      kind: 't.kind',
      state: 't.state',
      country: 't.country',
      date: 't.expiry_date',
      sent: 't.sent_at',
      decided: 't.decided_at',
      reason: 't.reason',
    },
  },
  'account-requests': {
    area: 'accountRequests',
    from: ofClient('trading_accounts'),
    at: 't.requested_at',
    columns: {
      ...client,
      state: 't.state',
      request: 't.request_type',
      platform: 't.platform',
      type: 't.acc_type',
      currency: 't.currency',
      leverage: 't.leverage',
      number: 't.login',
      requested: 't.requested_at',
      decided: 't.decided_at',
      reason: 't.reason',
    },
  },
  'leverage-requests': {
    area: 'leverageRequests',
    from: ofAccount('leverage_requests'),
    at: 't.requested_at',
    columns: {
      ...client,
      account: 'a.login',
      currency: 'a.currency',
      from: 't.from_leverage',
      to: 't.to_leverage',
      state: 't.state',
      requested: 't.requested_at',
      decided: 't.decided_at',
      reason: 't.reason',
    },
  },
  'bank-details': {
    area: 'bankDetails',
    from: ofClient('bank_details'),
    at: 't.added_at',
    columns: {
      ...client,
      bank: 't.bank_name',
      country: 't.bank_country',
      currency: 't.currency',
      last_four: lastFour,
      state: 't.state',
      added: 't.added_at',
      decided: 't.decided_at',
      reason: 't.reason',
    },
  },
  deposits: {
    area: 'deposits',
    from: ofAccount('deposits'),
    at: 't.requested_at',
    columns: {
      reference: 't.reference',
      ...client,
      account: 'a.login',
      method: 't.method',
      announced_minor: 't.amount_minor',
      received_minor: 't.received_minor',
      fee_minor: 't.fee_minor',
      currency: 't.currency',
      state: 't.state',
      requested: 't.requested_at',
      approved: 't.approved_at',
      comment: 't.comment',
    },
  },
  'bank-lines': {
    area: 'deposits',
    from: 'bank_lines t',
    at: 't.created_at',
    columns: {
      bank_account: 't.bank_account',
      bank_id: 't.bank_id',
      amount_minor: 't.amount_minor',
      currency: 't.currency',
      payer: 't.payer',
      remittance: 't.remittance',
      booked: 't.booked_on',
      state: 't.state',
      reason: 't.reason',
    },
  },
  withdrawals: {
    area: 'withdrawals',
    from: ofAccount('withdrawals'),
    at: 't.requested_at',
    columns: {
      reference: 't.reference',
      ...client,
      account: 'a.login',
      amount_minor: 't.amount_minor',
      fee_minor: 't.fee_minor',
      currency: 't.currency',
      state: 't.state',
      requested: 't.requested_at',
      approved: 't.approved_at',
      paid: 't.paid_at',
      comment: 't.comment',
    },
  },
  transfers: {
    area: 'transfers',
    from: `${ofAccount('transfers', 'source_account')} join trading_accounts b on b.id = t.destination_account`,
    at: 't.requested_at',
    columns: {
      reference: 't.reference',
      ...client,
      from: 'a.login',
      to: 'b.login',
      amount_minor: 't.amount_minor',
      currency: 't.currency',
      rate: 't.rate',
      arrives_minor: 't.arrives_minor',
      arrives_currency: 't.arrives_currency',
      state: 't.state',
      requested: 't.requested_at',
      comment: 't.comment',
    },
  },
  professional: {
    area: 'professional',
    from: ofClient('professional_applications'),
    at: 't.submitted_at',
    columns: { ...client, state: 't.state', submitted: 't.submitted_at', decided: 't.decided_at', reason: 't.reason' },
  },
  'profile-changes': {
    area: 'profileChanges',
    from: ofClient('profile_changes'),
    at: 't.requested_at',
    columns: {
      ...client,
      field: 't.field',
      from: 't.from_value',
      to: 't.to_value',
      state: 't.state',
      requested: 't.requested_at',
      decided: 't.decided_at',
      reason: 't.reason',
    },
  },
  corrections: {
    area: 'corrections',
    from: 'corrections t join trading_accounts a on a.id = t.account_id join clients c on c.id = a.client_id join staff s on s.id = t.asked_by',
    at: 't.asked_at',
    columns: {
      ...client,
      account: 'a.login',
      amount_minor: 't.amount_minor',
      currency: 't.currency',
      state: 't.state',
      why: 't.reason',
      asked_by: 's.name',
      asked: 't.asked_at',
      decided: 't.decided_at',
    },
  },
  reconciliation: {
    area: 'reconciliation',
    from: 'differences t left join trading_accounts a on a.id = t.account_id left join clients c on c.id = a.client_id',
    at: 't.found_at',
    columns: {
      kind: 't.kind',
      ...client,
      account: 'a.login',
      ours_minor: 't.ours_minor',
      theirs_minor: 't.theirs_minor',
      currency: 't.currency',
      state: 't.state',
      found: 't.found_at',
      reason: 't.reason',
      facts: 't.facts::text',
    },
  },
  staff: {
    area: 'staff',
    from: 'staff t',
    at: 't.created_at',
    columns: {
      name: 't.name',
      email: 't.email',
      roles: "array_to_string(t.roles, ' ')",
      state: 't.state',
      second_factor: "case when t.factor_confirmed_at is null then 'no' else 'yes' end",
      created: 't.created_at',
      last_sign_in: 't.last_sign_in_at',
    },
  },
  'failed-jobs': {
    area: 'failedJobs',
    from: 'operations t left join clients c on c.id = t.client_id',
    at: 't.created_at',
    columns: {
      kind: "coalesce(t.payload ->> 'leg', t.kind)",
      state: 't.state',
      ref: 't.ref',
      target: 't.target',
      ...client,
      tries: 't.tries',
      asked: 't.asked',
      last_error: 't.last_error',
      written: 't.created_at',
      parked: 't.parked_at',
    },
  },
}

const rowsMax = 20_000

export async function exportList(parts: Parts, call: Call<typeof endpoint>): Promise<Bytes> {
  const { list } = call.params
  const exported = lists[list]
  const { roles } = staffOf(call)
  if (!mayRead(exported.area, roles)) throw new Problem('wrong-role')
  const columns = Object.entries(exported.columns)
  const { timeZone } = await parts.settings.get('firm')
  const { from, until } = between(call.query, timeZone)
  const found = await rows<Record<string, unknown>>(
    parts.pool,
    sql`select ${raw(columns.map(([name, expression]) => `${expression} as "${name}"`).join(', '))} from ${raw(exported.from)}
        where true ${onlyOf(list, roles)} ${filterOf(exported, call)}
          ${from ? sql`and ${raw(exported.at)} >= ${from}` : empty} ${until ? sql`and ${raw(exported.at)} < ${until}` : empty}
        order by ${raw(exported.at)} ${raw(list === 'inbox' ? 'asc' : 'desc')}, t.id limit ${rowsMax}`,
  )
  const heading = columns.map(([name]) => name.replace(/_minor$/, ''))
  const lines = found.map((row) => columns.map(([name]) => cellOf(name, row[name])))
  const { cursor: _cursor, size: _size, ...asked } = call.query
  await transaction(parts.pool, (tx) =>
    record(tx, call.act, { kind: 'list', verb: 'export', details: { list, rows: lines.length, filter: asked } }),
  )
  return new Bytes(
    stringify(lines, { header: true, columns: heading }),
    `${list}-${call.now.toISOString().slice(0, 10)}.csv`,
  )
}

/** What a list holds by its nature, before anybody filters. */
function onlyOf(list: List, roles: Parameters<typeof readableKinds>[0]): Sql {
  if (list === 'inbox') return sql`and t.closed_at is null and t.kind = any (${readableKinds(roles)}::text[])`
  if (list === 'failed-jobs') return sql`and t.parked_at is not null and t.state in ('waiting', 'sending', 'unknown')`
  return empty
}

function filterOf({ columns }: Exported, call: Call<typeof endpoint>): Sql {
  const { state, currency, kind, q } = call.query
  const words = wordsPattern(q)
  const only = (name: string, value: string | undefined) => {
    const expression = columns[name]
    if (value === undefined) return empty
    if (expression === undefined) throw new Problem('unknown-value', { field: name })
    return sql`and ${raw(expression)} = ${value}`
  }
  const searched = ['reference', 'client_name', 'name', 'email', 'account', 'number', 'payer', 'remittance'].flatMap(
    (name) => columns[name] ?? [],
  )
  const anywhere = searched.map((expression) => `coalesce((${expression})::text, '')`).join(` || ' ' || `)
  return sql`${only('state', state)} ${only('currency', currency)} ${only('kind', kind)}
    ${words === null || anywhere === '' ? empty : sql`and lower(${raw(anywhere)}) like ${words}`}`
}

/** Amounts are numbers of our own; everything else is text that a person may have typed. */
function cellOf(name: string, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'bigint') return name.endsWith('_minor') ? decimalOf(value) : String(value)
  if (value instanceof Date) return value.toISOString()
  return safeCell(String(value as string | number | boolean))
}

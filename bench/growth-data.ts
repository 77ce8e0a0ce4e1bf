/** A firm with this number of clients and the data of several years: for each list some finished rows. */
import type pg from 'pg'
import { dropIndexes } from './context.ts'
import { makeClients } from './users.ts'

/**
 * The number of pending items of each list. It is the same in a small and a large firm, because a firm decides what it
 * receives however long its past is: what is compared is the cost of the past, and of a day's larger number of records.
 */
const pendingPerList = 100

/** The rows of each list are spread evenly over five years: a day of a large firm has more of them. */
const rowInterval = (count: number) => `(interval '1800 days' / ${count})`

const accountIdSql = `('00000000-0000-7000-9000-' || lpad(n::text, 12, '0'))::uuid`
const bankIdSql = `('00000000-0000-7000-a000-' || lpad(n::text, 12, '0'))::uuid`

/** The number of rows of a list: one for each client, for each row of the history, or for every ten clients. */
type Amount = 'rows' | 'clients' | 'tenth'

/**
 * Each uses row `n` of client `c`, whose account is `c.account`; `state` is pending for the last rows, `done` is the
 * time of the decision and `at` that of the request.
 */
const firmLists: readonly {
  amount: Amount
  into: string
  select: string
  kind?: string
  waits?: string
  done: string
}[] = [
  {
    amount: 'rows',
    into: `deposits (client_id, account_id, type, method, gateway, amount_minor, currency, reference, state, requested_at,
      expires_at, approved_at)`,
    select: `c.id, c.account, 'wire', 'Bank Transfer', 'bank', 10000 + n % 5000, 'EUR', 'B' || n, state, at,
      at + interval '60 days', done`,
    kind: 'deposit',
    done: 'approved',
  },
  {
    amount: 'clients',
    into: `withdrawals (client_id, account_id, bank_id, bank, type, method, amount_minor, currency, reference, state, figures,
      requested_at, approved_at)`,
    select: `c.id, c.account, c.bank, '{"bankName":"Example Bank AG","iban":"DE02120300000000202051"}', 'wire',
      'Bank Transfer', 10000 + n % 5000, 'EUR', 'W' || n, state, '{}', at, done`,
    kind: 'withdrawal',
    done: 'paid',
  },
  {
    amount: 'clients',
    into: `transfers (client_id, source_account, destination_account, amount_minor, currency, rate, arrives_minor,
      arrives_currency, reference, figures, state, requested_at, approved_at)`,
    select: `c.id, c.account, c.beside, 10000 + n % 5000, 'EUR', '1', 10000 + n % 5000, 'EUR', 'T' || n, '{}', state, at,
      done`,
    kind: 'transfer',
    done: 'approved',
  },
  {
    amount: 'tenth',
    into: `leverage_requests (client_id, account_id, from_leverage, to_leverage, state, requested_at, decided_at)`,
    select: `c.id, c.account, 30, 20, state, at, done`,
    kind: 'leverage_request',
    done: 'approved',
  },
  {
    amount: 'tenth',
    into: `profile_changes (client_id, field, from_value, to_value, state, requested_at, decided_at)`,
    select: `c.id, 'surname', 'Former', 'Latter', state, at, done`,
    kind: 'profile_change',
    done: 'approved',
  },
  {
    amount: 'tenth',
    into: `enquiries (client_id, reference, language, topic, complaint, asked_at, due_at, changed_at, state)`,
    select: `c.id, 'Q' || n, 'en', 'payments', n % 10 = 0, at, at + interval '2 days', at, state`,
    kind: 'enquiry',
    waits: 'open',
    done: 'closed',
  },
  {
    amount: 'tenth',
    into: `professional_applications (client_id, answers, state, submitted_at, decided_at)`,
    select: `c.id, '{}', state, at, done`,
    kind: 'professional',
    done: 'rejected',
  },
  {
    amount: 'tenth',
    into: `bank_lines (bank_account, bank_id, amount_minor, currency, payer, remittance, booked_on, state, created_at)`,
    select: `'DE-EUR', 'L' || n, 10000 + n % 5000, 'EUR', c.surname, 'B' || n, at::date, state, at`,
    waits: 'unmatched',
    done: 'matched',
  },
]

/** Fills an empty database with `clients` clients and `rows` deposits, distributed evenly. */
export async function makeFirm(superuser: pg.Client, clients: number, rows: number): Promise<void> {
  await superuser.query('set session_replication_role = replica')
  const makeIndexes = await dropIndexes(superuser, '%')
  await makeClients(superuser, clients)
  await superuser.query(`create table bench_clients as
    select id, surname, row_number() over (order by id) as n from clients`)
  await superuser.query(`create unique index on bench_clients (n)`)
  await superuser.query(
    `update clients c set created_at = at, registered_at = at, documents_sent_at = at, identity_approved_at = at,
       address_approved_at = at, approved_at = at
     from (select id, now() - (${clients} - n) * ${rowInterval(clients)} as at from bench_clients) b where b.id = c.id`,
  )
  await insertHoldings(superuser, clients)
  const amounts = { rows: Math.max(rows, pendingPerList), clients, tenth: Math.ceil(clients / 10) }
  for (const { amount, into, select, kind, waits = 'pending', done } of firmLists) {
    await superuser.query(insertOfList(into, select, amounts[amount], clients, waits, done))
    if (kind) await superuser.query(insertOfWorkItems(kind, into.slice(0, into.indexOf(' ')), waits))
  }
  await insertHistory(superuser)
  await superuser.query('drop table bench_clients')
  await makeIndexes()
  await superuser.query('reset session_replication_role')
  await superuser.query('vacuum analyze')
  await superuser.query('checkpoint')
}

/** Inserts two accounts, bank details and an identity document for each client. */
async function insertHoldings(superuser: pg.Client, clients: number): Promise<void> {
  const others = accountIdSql.replace('9000', '9001')
  for (const [id, login] of [
    [accountIdSql, `(10000000 + n)::text`],
    [others, `(50000000 + n)::text`],
  ])
    await superuser.query(
      `insert into trading_accounts (id, client_id, request_type, platform, acc_type, currency, leverage, state, login,
         requested_at) select ${id}, id, 'live', 'MT5', 'Standard', 'EUR', 30, 'approved', ${login},
         now() - (${clients} - n) * ${rowInterval(clients)} from bench_clients`,
    )
  // Read tomorrow by the clock, so no platform is queried while calls are timed.
  await superuser.query(
    `insert into platform_figures (account_id, balance_minor, credit_minor, equity_minor, margin_minor, free_margin_minor,
       profit_minor, open_positions, leverage, read_at)
     select id, 100000, 0, 100000, 0, 100000, 0, 0, 30, now() + interval '1 day' from trading_accounts`,
  )
  await superuser.query(
    `insert into bank_details (id, client_id, bank_name, bank_address, bank_country, currency, iban, swift, state, added_at)
     select ${bankIdSql}, id, 'Example Bank AG', 'Berlin', 'DE', 'EUR', 'DE' || lpad(n::text, 20, '0'), 'EXAMDEFF',
       case when n > ${clients} - ${pendingPerList} then 'pending' else 'approved' end,
       now() - (${clients} - n) * ${rowInterval(clients)} from bench_clients`,
  )
  await superuser.query(
    `insert into documents (client_id, kind, state, country, document_number, expiry_date, sent_at, created_at)
     select id, 'passport', case when n > ${clients} - ${pendingPerList} then 'pending_approval' else 'approved' end, 'DE',
       'C' || n, '2035-01-01', at, at
       from (select id, n, now() - (${clients} - n) * ${rowInterval(clients)} as at from bench_clients) b`,
  )
}

/** Returns the insert of one list's rows over all clients, in the order of their time; the last ones are pending. */
function insertOfList(
  into: string,
  select: string,
  count: number,
  clients: number,
  waits: string,
  done: string,
): string {
  return `insert into ${into} select ${select} from (
      select n, case when n > ${count} - ${pendingPerList} then '${waits}' else '${done}' end as state,
        case when n > ${count} - ${pendingPerList} then null else now() - (${count} - n) * ${rowInterval(count)} end as done,
        now() - (${count} - n) * ${rowInterval(count)} - interval '1 day' as at
      from generate_series(1, ${count}) n) r
    join (select id, surname, n as place, ${accountIdSql} as account, ${accountIdSql.replace('9000', '9001')} as beside,
      ${bankIdSql} as bank from bench_clients) c on c.place = 1 + r.n % ${clients}`
}

function insertOfWorkItems(kind: string, table: string, waits: string): string {
  return `insert into work_items (kind, record, client_id, state, due_at, created_at)
    select '${kind}', id, client_id, state, now() + interval '1 day', now() from ${table} where state = '${waits}'`
}

/** Inserts the resulting data: closed items, events with their seals, notices, mails. */
async function insertHistory(superuser: pg.Client): Promise<void> {
  await superuser.query(
    `with decider as (insert into staff (email, name, roles, state, created_at)
       values ('bench-decider@example.com', 'Decider', '{operations}', 'active', now()) returning id)
     insert into work_items (kind, record, client_id, state, due_at, created_at, closed_at, closed_by)
     select 'withdrawal', w.id, client_id, 'pending', requested_at + interval '1 day', requested_at, approved_at, decider.id
     from withdrawals w, decider where approved_at is not null`,
  )
  await superuser.query(
    `insert into events (at, kind, record, client_id, verb, from_state, to_state, actor, actor_id)
     select requested_at, 'withdrawal', id, client_id, 'request', null, 'pending', 'client', client_id from withdrawals
     union all
     select requested_at, 'transfer', id, client_id, 'request', null, 'pending', 'client', client_id from transfers`,
  )
  await superuser.query(
    `insert into event_seals (number, event_id, hash) select id, id, sha256(id::text::bytea) from events`,
  )
  await superuser.query(
    `insert into notices (client_id, kind, facts, at, read_at) select client_id, 'withdrawal-paid', '{}', approved_at,
       approved_at from withdrawals where approved_at is not null`,
  )
}

import { failedMax } from '#contract/office/failed-count.ts'
import { listFailedJobs, type FailedSource, type FailedJob } from '#contract/office/records.ts'
import type { ClientId } from '#rules/ids.ts'
import { pipelinedRows } from '../../db/pipelined-reader.ts'
import { limitTo, row, run, sql, type Connection, type Sql, type Transaction } from '../../db/sql.ts'
import { uuidOrNull } from '../../db/ids.ts'
import { clientsNamed, wordsPattern } from '../../office/lists.ts'
import { listing, whereEquals, type Columns } from '../../office/listing.ts'
import { unreadableAccounts } from '../../ledger/unreadable-accounts.ts'
import { incompleteAccounts } from '../trading-history/queries.ts'

export interface FailedRow extends Omit<FailedJob, 'client' | 'meaning' | 'refusal'> {
  readonly clientId: ClientId | null
  readonly leg: string | null
  readonly target: string | null
  readonly asked: number
  readonly askedFirstAt: Date | null
  readonly parkedAt: Date | null
  readonly sentAt: Date | null
  readonly inInbox: boolean
}

const inInbox = sql`exists (select from work_items w where w.kind = 'operation' and w.record = o.id and w.closed_at is null)`

const accountOf = sql`jsonb_build_object('platform', a.platform, 'number', a.login)`

function operationRows(which: Sql): Sql {
  return sql`select o.id::text as id, 'operation' as source, o.kind, o.state, o.ref, o.tries, o.last_error as "lastError",
      o.created_at as "firstAt", greatest(o.sent_at, o.settled_at, o.parked_at) as "lastAt", o.subject, o.record,
      (select ${accountOf} from trading_accounts a where a.id = o.record and o.subject = 'account' and a.login is not null) as account,
      o.client_id as "clientId", coalesce(o.payload ->> 'leg', case when o.kind = 'mail' then o.payload ->> 'kind' end) as leg,
      o.target, o.asked, o.asked_first_at as "askedFirstAt", o.parked_at as "parkedAt", o.sent_at as "sentAt",
      case when o.parked_at is null then o.next_try_at end as "nextTryAt", ${inInbox} as "inInbox"
    from operations o where ${which}`
}

function jobRows(which: Sql): Sql {
  return sql`select j.id::text as id, 'job' as source, t.identifier as kind, 'dead' as state, null::text as ref, j.attempts::int as tries,
      j.last_error as "lastError", j.created_at as "firstAt", j.updated_at as "lastAt", 'operation' as subject,
      (j.payload ->> 'id')::uuid as record, null::jsonb as account, null::uuid as "clientId", null::text as leg, null::text as target, 0 as asked,
      null::timestamptz as "askedFirstAt", null::timestamptz as "parkedAt", null::timestamptz as "sentAt",
      null::timestamptz as "nextTryAt", false as "inInbox"
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where j.attempts >= j.max_attempts and ${which}`
}

/** Returns the query for statements that are being checked. */
function statementRows(which: Sql): Sql {
  return sql`select m.account_id || '_' || to_char(m.month, 'YYYY-MM') as id, 'statement' as source, 'draw-statement' as kind,
      m.problem as state, a.platform || ' ' || a.login || ' ' || to_char(m.month, 'YYYY-MM') as ref, m.tries,
      null::text as "lastError", m.due_at as "firstAt", null::timestamptz as "lastAt", 'account' as subject, a.id as record, ${accountOf} as account,
      a.client_id as "clientId", null::text as leg, a.platform || ':' || a.login as target, 0 as asked,
      null::timestamptz as "askedFirstAt", null::timestamptz as "parkedAt", null::timestamptz as "sentAt",
      m.look_at as "nextTryAt", false as "inInbox"
    from month_ends m join trading_accounts a on a.id = m.account_id where m.problem is not null and ${which}`
}

/** Returns the query for accounts with a deal that cannot be read; the last error names the field and value. */
function tradeHistoryRows(which: Sql): Sql {
  return sql`select a.id::text as id, 'trades' as source, 'read-trades' as kind, 'unreadable' as state,
      a.platform || ' ' || a.login as ref, 0 as tries, a.unreadable::text as "lastError",
      (a.unreadable ->> 'at')::timestamptz as "firstAt", null::timestamptz as "lastAt", 'account' as subject, a.id as record, ${accountOf} as account,
      a."clientId", null::text as leg, a.platform || ':' || a.login as target, 0 as asked,
      null::timestamptz as "askedFirstAt", null::timestamptz as "parkedAt", null::timestamptz as "sentAt",
      a."nextTryAt", false as "inInbox"
    from (${incompleteAccounts(which)}) a`
}

/** Returns the query for accounts with other data that cannot be read; the last error names the field and value. */
function unreadableAccountRows(which: Sql): Sql {
  return sql`select a.id::text as id, 'account' as source,
      case when a.unreadable ? 'deal' then 'compare-account' else 'read-account' end as kind,
      case when a.unreadable ? 'deal' then 'unreadable' else 'account-unreadable' end as state,
      a.platform || ' ' || a.login as ref, 0 as tries, a.unreadable::text as "lastError", a.since as "firstAt",
      null::timestamptz as "lastAt", 'account' as subject, a.id as record, ${accountOf} as account, a."clientId",
      null::text as leg, a.platform || ':' || a.login as target, 0 as asked, null::timestamptz as "askedFirstAt",
      null::timestamptz as "parkedAt", null::timestamptz as "sentAt", a."nextTryAt", false as "inInbox"
    from (${unreadableAccounts(which)}) a`
}

/** Statements are checked every hour: a report that arrives late is not a failure. */
const isCheckedOften = sql`m.tries >= 3`

const isParked = sql`o.parked_at is not null and o.state in ('waiting', 'sending', 'unknown')`
/** More attempts than a healthy integration needs. These continue automatically; staff see them when a client asks. */
const isTriedOften = sql`o.parked_at is null and (o.state = 'unknown' or (o.state in ('waiting', 'sending') and o.tries >= 3))`
/** No worker handles its kind: it has never been attempted. */
const isNotTried = sql`o.parked_at is null and o.state in ('waiting', 'sending') and o.tries < 3 and ${inInbox}`
const isRefused = sql`o.state = 'refused' and o.id in
  (select w.record from work_items w where w.kind = 'operation' and w.closed_at is null)`

const failedRows = sql`(${operationRows(isParked)} union all ${operationRows(isTriedOften)} union all ${operationRows(isNotTried)} union all ${operationRows(isRefused)} union all ${jobRows(sql`true`)}
    union all ${statementRows(isCheckedOften)} union all ${tradeHistoryRows(sql`true`)}
    union all ${unreadableAccountRows(sql`true`)}) f`

/** Counts what the listing contains, up to a number, as an expression of a larger statement. */
export const failedCount = (most: number): Sql =>
  sql`(select count(*)::int from (select from ${failedRows} ${limitTo(most)}) counted)`

export async function failedOperations(connection: Connection): Promise<number> {
  const [found] = await pipelinedRows<{ count: number }>(connection, sql`select ${failedCount(failedMax + 1)} as count`)
  return found?.count ?? 0
}

export const failedColumns: Columns<FailedRow> = sql`f.*`

/**
 * The listing, newest first: parked operations, operations delayed by an integration, rejected ones with a work item,
 * failed jobs of the queue, statements that have not been created, and accounts with unreadable data or an unreadable
 * deal.
 */
export const failedListing = listing(listFailedJobs, {
  name: 'failed-jobs',
  tables: failedRows,
  id: { by: 'f.id', type: 'text' },
  sorts: { firstAt: { by: 'f."firstAt"', type: 'timestamptz' } },
  at: { by: 'f."firstAt"', type: 'timestamptz' },
  standard: () => ({ sort: 'firstAt', direction: 'desc' }),
  where: ({ source }) => [whereEquals('f.source', source)],
  finds: (words) => sql`(lower(f.ref) like ${wordsPattern(words)} or lower(f.kind) like ${wordsPattern(words)}
    or lower(f."lastError") like ${wordsPattern(words)} or lower(f.target) like ${wordsPattern(words)}
    or f."clientId" in (${clientsNamed(words)}))`,
})

/** Returns one row of the listing, or null; an operation is found in any later state too. */
export function failedById(connection: Connection, source: FailedSource, id: string): Promise<FailedRow | null> {
  const wanted = {
    operation: () => operationRows(sql`o.id = ${uuidOrNull(id)}::uuid`),
    job: () => jobRows(sql`j.id::text = ${id}`),
    trades: () => tradeHistoryRows(sql`a.id = ${uuidOrNull(id)}::uuid`),
    account: () => unreadableAccountRows(sql`a.id = ${uuidOrNull(id)}::uuid`),
    statement: () => {
      const [account = '', month = ''] = id.split('_')
      return statementRows(sql`m.account_id = ${uuidOrNull(account)}::uuid and to_char(m.month, 'YYYY-MM') = ${month}`)
    },
  }
  return row<FailedRow>(connection, wanted[source]())
}

/** Schedules an immediate check of an account's monthly statement. Returns false if it has been created. */
export async function scheduleStatementCheck(tx: Transaction, id: string, now: Date): Promise<boolean> {
  const [account = '', month = ''] = id.split('_')
  const woken = await run(tx)`
    update month_ends set look_at = ${now} where account_id = ${uuidOrNull(account)}::uuid
      and to_char(month, 'YYYY-MM') = ${month} and problem is not null`
  return woken > 0
}

/** Lists stuck work, one row each: cause, effect on the client, next attempt, and remedy. */
import { row, rows, sql, type Connection, type Sql } from '../db/sql.ts'
import { meaningOf } from '../features/failed-operations/meaning.ts'
import { answerText } from '../office/answer-text.ts'
import { overdueDailyTasks } from './overdue-daily-tasks.ts'
import {
  accountsIncomplete,
  accountsNotRead,
  accountsUnreadable,
  groupsUnreadable,
  groupsWithoutReports,
} from './stalled-accounts.ts'
import { batchesWithoutReleaser, checkoutsWithoutResponse, ratesOutOfDate } from './stalled-payments.ts'
import { countedRow, moreRow, type Stalled } from './stalled-rows.ts'

/** The texts of the codes of `meaningOf`. */
const effects: Readonly<Record<string, string>> = {
  'withdrawal-waits': 'The client sees the withdrawal as processing. The money is reserved but not paid out.',
  'return-not-credited': 'A payout was returned or reversed. The money is not on the client’s account yet.',
  'deposit-not-credited': 'The client has paid. The money is not on the account yet.',
  'transfer-waits': 'The client sees the transfer as processing. No money has moved.',
  'transfer-under-way': 'The money has left one account but is not on the other yet.',
  'demo-without-balance': 'The demo account is open and empty.',
  'correction-waits': 'The correction is approved but not posted.',
  'account-waits': 'The client is waiting for the account.',
  'leverage-waits': 'The previous leverage still applies.',
  'status-waits': 'The account is not in the group of the client category yet.',
  'mail-not-sent': 'The email has not been delivered.',
  'nothing-yet': 'None. The sweep processes the operation without its job.',
  waits: 'A requested operation is not complete.',
}

interface Operation {
  id: string
  kind: string
  leg: string | null
  ref: string
  state: string
  tries: number
  asked: number
  lastError: string | null
  parked: boolean
  nextTryAt: Date | null
  /** The state of its open item in the inbox; null without one. */
  item: string | null
  /** The total number, including those beyond the limit. */
  of: bigint
}

const oldMs = 2 * 60_000
/** More attempts than a working integration requires. */
const manyAttempts = 2
/** No worker processed it: its integration's circuit breaker is open, and another operation is the probe. */
const overdueMs = 10_000
const rowsMax = 200

/** Returns everything that is stalled now. */
export async function findStalled(connection: Connection, now: Date): Promise<Stalled[]> {
  return [
    ...(await stalledOperations(connection, now)),
    ...(await stalledMails(connection, now)),
    ...(await failedJobs(connection)),
    ...(await overdueDailyTasks(connection, now)),
    ...(await batchesWithoutReleaser(connection, now)),
    ...(await ratesOutOfDate(connection, now)),
    ...(await groupsWithoutReports(connection)),
    ...(await groupsUnreadable(connection)),
    ...(await accountsUnreadable(connection)),
    ...(await accountsNotRead(connection)),
    ...(await accountsIncomplete(connection)),
    ...(await checkoutsWithoutResponse(connection)),
    ...(await otherStalledItems(connection, now)),
  ]
}

/**
 * Returns the condition of operations that are not done and have failed, are old, or have waited longer than a working
 * integration takes.
 */
function isStalled(now: Date): Sql {
  return sql`o.state in ('waiting', 'sending', 'unknown') and (o.parked_at is not null or o.tries >= ${manyAttempts}
    or o.state = 'unknown' or o.next_try_at < ${new Date(now.getTime() - overdueMs)}
    or o.created_at < ${new Date(now.getTime() - oldMs)})`
}

async function stalledOperations(connection: Connection, now: Date): Promise<Stalled[]> {
  const found = await rows<Operation>(
    connection,
    sql`select o.id, o.kind, coalesce(o.payload ->> 'leg', null) as leg, o.ref, o.state, o.tries, o.asked, o.last_error as "lastError",
          o.parked_at is not null as parked, o.next_try_at as "nextTryAt", count(*) over () as of,
          (select w.state from work_items w where w.kind = 'operation' and w.record = o.id and w.closed_at is null) as item
        from operations o where (o.kind <> 'mail' and ${isStalled(now)})
          or (o.state = 'refused' and exists (select from work_items w where w.kind = 'operation' and w.record = o.id and w.closed_at is null))
        order by o.created_at limit ${rowsMax}`,
  )
  const entries = found.map((one) => ({
    what: `${one.leg ?? one.kind} ${one.ref} (${one.state}, attempts: ${one.tries}, queries: ${one.asked})`,
    cause: causeOf(one, now),
    effect: effects[meaningOf({ source: 'operation', kind: one.kind, leg: one.leg })] ?? '',
    next: one.parked || one.state === 'refused' ? 'none' : (one.nextTryAt?.toISOString() ?? 'none'),
    action: remedyFor(one),
    // A mailbox that rejects mail says nothing about the product.
    sick: one.parked || (one.state === 'refused' && one.kind !== 'mail') || one.tries > 3 || isUnsettled(one),
  }))
  return [...entries, ...moreRow(Number(found[0]?.of ?? 0) - found.length, 'operations')]
}

/** Returns the condition of operations that have an inbox item and rarely settle without a person. */
function isUnsettled({ item, state }: Operation): boolean {
  return state !== 'refused' && item !== null
}

function causeOf({ lastError, nextTryAt }: Pick<Operation, 'lastError' | 'nextTryAt'>, now: Date): string {
  if (lastError !== null) return answerText(lastError, 'en')
  return nextTryAt && nextTryAt.getTime() < now.getTime() - overdueMs
    ? 'Waiting until the platform or provider responds again.'
    : 'Not attempted yet.'
}

interface Mails extends Pick<Operation, 'id' | 'ref' | 'tries' | 'lastError' | 'parked' | 'nextTryAt'> {
  count: number
}

/** Groups stuck emails by their cause: all of them go through one mail server. */
async function stalledMails(connection: Connection, now: Date): Promise<Stalled[]> {
  const found = await rows<Mails>(
    connection,
    sql`select min(o.id::text) as id, min(o.ref) as ref, count(*)::int as count, max(o.tries) as tries, o.last_error as "lastError",
          o.parked_at is not null as parked, min(o.next_try_at) as "nextTryAt"
        from operations o where o.kind = 'mail' and ${isStalled(now)}
        group by o.last_error, o.parked_at is not null order by min(o.created_at)`,
  )
  return found.map((some) => {
    const { id, ref, count, tries, parked, nextTryAt } = some
    return {
      what: count === 1 ? `email ${ref} (attempts: ${tries})` : `emails: ${count} (attempts: up to ${tries})`,
      cause: causeOf(some, now),
      effect: count === 1 ? (effects['mail-not-sent'] ?? '') : 'The emails have not been delivered.',
      next: parked ? 'none' : (nextTryAt?.toISOString() ?? 'none'),
      action: parked
        ? `Fix the mail server, then: npm run operator -- retry ${count === 1 ? id : 'mails'}`
        : 'Fix the mail server if its response says so. The emails are then sent automatically.',
      sick: parked || tries > 3,
    }
  })
}

function remedyFor({ id, state, parked, kind, item }: Operation): string {
  if (state === 'refused')
    return kind === 'mail'
      ? `Ask the client to fix the mailbox, then: npm run operator -- retry ${id}. If the mailbox no longer exists, request an email change in the client’s profile.`
      : `Resolve the cause on the platform, then: npm run operator -- retry ${id}`
  if (item === 'not-settled') return `Resolve the cause of the error, then: npm run operator -- retry ${id}`
  if (item === 'kind-unknown') return 'Start the version that created it. No running server supports this type.'
  if (item === 'unknown-long') return `Check the platform or provider, then: npm run operator -- retry ${id}`
  if (!parked) return 'None. It is retried automatically. Check the platform or provider if it continues.'
  if (state === 'unknown')
    return `Search for the reference on the platform. If it is not there: npm run operator -- retry ${id}`
  return `npm run operator -- retry ${id}`
}

async function failedJobs(connection: Connection): Promise<Stalled[]> {
  const found = await rows<{ id: bigint; task: string; error: string | null; of: bigint }>(
    connection,
    sql`select j.id, t.identifier as task, j.last_error as error, count(*) over () as of from graphile_worker._private_jobs j
          join graphile_worker._private_tasks t on t.id = j.task_id where j.attempts >= j.max_attempts
        order by j.id limit ${rowsMax}`,
  )
  const entries = found.map(({ id, task, error }) => ({
    what: `job ${id} (${task})`,
    cause: (error ?? 'unknown').split('\n')[0] ?? '',
    effect: effects['nothing-yet'] ?? '',
    next: 'none',
    action: `npm run operator -- retry ${id}`,
    sick: true,
  }))
  return [...entries, ...moreRow(Number(found[0]?.of ?? 0) - found.length, 'jobs')]
}

async function otherStalledItems(connection: Connection, now: Date): Promise<Stalled[]> {
  const counts = await row<{
    quarantined: number
    unmatched: number
    differences: number
    overdue: number
    sealing: number
  }>(
    connection,
    sql`select (select count(*)::int from files where state = 'quarantined') as quarantined,
          (select count(*)::int from bank_lines where state = 'unmatched' and amount_minor > 0
            and created_at < ${new Date(now.getTime() - 5 * 86_400_000)}) as unmatched,
          (select count(*)::int from differences where state in ('open', 'proposed', 'processing')) as differences,
          (select count(*)::int from work_items where closed_at is null and due_at < ${now}) as overdue,
          (select count(*)::int from events e where e.at < ${new Date(now.getTime() - oldMs)}
            and not exists (select from event_seals s where s.event_id = e.id)) as sealing`,
  )
  if (!counts) return []
  return [
    ...countedRow(counts.quarantined, {
      what: 'files in quarantine',
      cause: 'The virus scan has not finished.',
      effect: 'Their documents cannot be approved.',
      next: 'within a minute',
      action: 'Check that the virus scanner at CLAMD_ADDRESS responds.',
    }),
    ...countedRow(counts.unmatched, {
      what: 'payments unmatched for 5 days',
      cause: 'There is no matching expected deposit.',
      effect: 'The money has been received but is not on a trading account.',
      next: 'none',
      action: 'Match them or return them to the sender in the back office, under Bank statements.',
    }),
    ...countedRow(counts.differences, {
      what: 'open discrepancies',
      cause: 'Ledger and platform, bank or card provider are not reconciled.',
      effect: 'Withdrawals and transfers of unreconciled accounts are not approved.',
      next: 'next reconciliation',
      action: 'Add explanations in the back office, under Reconciliation.',
    }),
    ...countedRow(counts.overdue, {
      what: 'overdue items in the inbox',
      cause: 'No decision yet.',
      effect: 'Clients wait longer than promised.',
      next: 'none',
      action: 'Open the inbox of the back office.',
    }),
    ...countedRow(
      counts.sealing,
      {
        what: 'unsealed events',
        cause: 'A transaction has been open for a long time, or no worker is running.',
        effect: 'None.',
        next: 'within a second',
        action: 'Check that a server with ROLE all or jobs runs.',
      },
      true,
    ),
  ]
}

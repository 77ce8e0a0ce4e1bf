/** What is stuck, one row each: cause, what it means for the client, the next try, and the one thing to do. */
import { row, rows, sql, type Connection, type Sql } from '../db/sql.ts'
import { meaningOf } from '../features/failed-operations/meaning.ts'
import { batchesNobodyCanRelease } from '../features/withdrawals/batches/queries.ts'
import { readSetting } from '../settings/settings.ts'

export interface Stalled {
  readonly what: string
  readonly cause: string
  readonly effect: string
  readonly next: string
  readonly action: string
  /** False for what only waits for people: the product itself is well. */
  readonly sick: boolean
}

/** The codes of `meaningOf` in words. */
const effects: Readonly<Record<string, string>> = {
  'withdrawal-waits': 'The client sees the withdrawal as processing; the money is set aside and not paid out.',
  'return-not-credited': 'A payout came back or was reversed; the client’s account does not show the money yet.',
  'deposit-not-credited': 'The client has paid, and the account does not show the money yet.',
  'transfer-waits': 'The client sees the transfer as processing; no money has moved.',
  'transfer-under-way': 'The money has left the one account and has not reached the other.',
  'demo-without-balance': 'The demo account is open and empty.',
  'correction-waits': 'The correction is approved and not booked.',
  'account-waits': 'The client waits for the account to be opened.',
  'leverage-waits': 'The client still trades at the old leverage.',
  'status-waits': 'The account is not yet in the group of the client’s status.',
  'mail-not-sent': 'The mail has not reached its reader.',
  'nothing-yet': 'None: the sweep drives the operation without its job.',
  waits: 'Something that was asked for is not done yet.',
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
  /** Of how many this is one, those beyond the limit too. */
  of: bigint
}

const oldMs = 2 * 60_000
/** Tries that an integration which is well does not need. */
const oftenTried = 2
/** No one came to it: its integration is in doubt, and another operation tries that one. */
const overdueMs = 10_000
const rowsMax = 200

/** Everything that is stuck now. */
export async function findStalled(connection: Connection, now: Date): Promise<Stalled[]> {
  return [
    ...(await operations(connection, now)),
    ...(await mails(connection, now)),
    ...(await jobs(connection)),
    ...(await lateTurns(connection, now)),
    ...(await batchesWithoutReleaser(connection, now)),
    ...(await others(connection, now)),
  ]
}

/** Not done, and tried, old or left lying longer than an integration that is well lets anything lie. */
function isStalled(now: Date): Sql {
  return sql`o.state in ('waiting', 'sending', 'unknown') and (o.parked_at is not null or o.tries >= ${oftenTried}
    or o.state = 'unknown' or o.next_try_at < ${new Date(now.getTime() - overdueMs)}
    or o.created_at < ${new Date(now.getTime() - oldMs)})`
}

async function operations(connection: Connection, now: Date): Promise<Stalled[]> {
  const found = await rows<Operation>(
    connection,
    sql`select o.id, o.kind, coalesce(o.payload ->> 'leg', null) as leg, o.ref, o.state, o.tries, o.asked, o.last_error as "lastError",
          o.parked_at is not null as parked, o.next_try_at as "nextTryAt", count(*) over () as of,
          (select w.state from work_items w where w.kind = 'operation' and w.record = o.id and w.closed_at is null) as item
        from operations o where (o.kind <> 'mail' and ${isStalled(now)})
          or (o.state = 'refused' and exists (select from work_items w where w.kind = 'operation' and w.record = o.id and w.closed_at is null))
        order by o.created_at limit ${rowsMax}`,
  )
  const told = found.map((one) => ({
    what: `${one.leg ?? one.kind} ${one.ref} (${one.state}, ${one.tries} tries, asked ${one.asked} times)`,
    cause: causeOf(one, now),
    effect: effects[meaningOf({ source: 'operation', kind: one.kind, leg: one.leg })] ?? '',
    next: one.parked || one.state === 'refused' ? 'none' : (one.nextTryAt?.toISOString() ?? 'none'),
    action: actionFor(one),
    // One mailbox that refuses mail says nothing about the product.
    sick: one.parked || (one.state === 'refused' && one.kind !== 'mail') || one.tries > 3 || isUnsettled(one),
  }))
  return [...told, ...more(Number(found[0]?.of ?? 0) - found.length, 'operations')]
}

/** It has an item in the inbox, and ends without a person only by chance. */
function isUnsettled({ item, state }: Operation): boolean {
  return state !== 'refused' && item !== null
}

function causeOf({ lastError, nextTryAt }: Pick<Operation, 'lastError' | 'nextTryAt'>, now: Date): string {
  if (lastError !== null) return lastError
  return nextTryAt && nextTryAt.getTime() < now.getTime() - overdueMs
    ? 'It waits until its outside answers others again.'
    : 'It has not been tried yet.'
}

/** What stands beyond the limit is counted, not left out unsaid. */
function more(count: number, what: string): Stalled[] {
  if (count <= 0) return []
  const others = { what: `${count} more ${what}`, cause: 'as above', effect: 'as above', next: 'as above' }
  return [{ ...others, action: 'Mend what stands above first, then look again.', sick: true }]
}

interface Mails {
  id: string
  ref: string
  count: number
  tries: number
  lastError: string | null
  parked: boolean
  nextTryAt: Date | null
}

/** One mail server stands behind all letters: those that stick for the same cause are one row. */
async function mails(connection: Connection, now: Date): Promise<Stalled[]> {
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
      what: count === 1 ? `mail ${ref} (${tries} tries)` : `${count} mails (up to ${tries} tries)`,
      cause: causeOf(some, now),
      effect: count === 1 ? (effects['mail-not-sent'] ?? '') : 'The mails have not reached their readers.',
      next: parked ? 'none' : (nextTryAt?.toISOString() ?? 'none'),
      action: parked
        ? `Mend the mail server, then: npm run operator -- retry ${count === 1 ? id : 'letters'}`
        : 'Mend the mail server, if its answer says so: then they go by themselves.',
      sick: parked || tries > 3,
    }
  })
}

function actionFor({ id, state, parked, kind, item }: Operation): string {
  if (state === 'refused')
    return kind === 'mail'
      ? `Have the client clear the cause at the mailbox, then: npm run operator -- retry ${id}. Where it is gone for good, staff ask for another address in the client’s profile.`
      : `Clear the cause on the platform, then: npm run operator -- retry ${id}`
  if (item === 'not-settled') return `Read the error and correct its cause, then: npm run operator -- retry ${id}`
  if (item === 'kind-unknown') return 'Start the version that wrote it: no server that runs knows this kind.'
  if (item === 'unknown-long') return `Look at the outside, then: npm run operator -- retry ${id}`
  if (!parked) return 'None: it is tried again by itself. Look at the outside if it stays.'
  if (state === 'unknown')
    return `Look on the platform for the reference; if it is not there: npm run operator -- retry ${id}`
  return `npm run operator -- retry ${id}`
}

async function jobs(connection: Connection): Promise<Stalled[]> {
  const found = await rows<{ id: bigint; task: string; error: string | null; of: bigint }>(
    connection,
    sql`select j.id, t.identifier as task, j.last_error as error, count(*) over () as of from graphile_worker._private_jobs j
          join graphile_worker._private_tasks t on t.id = j.task_id where j.attempts >= j.max_attempts
        order by j.id limit ${rowsMax}`,
  )
  const told = found.map(({ id, task, error }) => ({
    what: `job ${id} (${task})`,
    cause: (error ?? 'unknown').split('\n')[0] ?? '',
    effect: effects['nothing-yet'] ?? '',
    next: 'none',
    action: `npm run operator -- retry ${id}`,
    sick: true,
  }))
  return [...told, ...more(Number(found[0]?.of ?? 0) - found.length, 'jobs')]
}

/** A day and what a turn may take: the day's own work is done in its first minutes. */
const turnMsMax = 26 * 3_600_000

/** What is done once a day, and was not. Before the first turn the oldest key tells since when there was time for one. */
async function lateTurns(connection: Connection, now: Date): Promise<Stalled[]> {
  const last = await row<{ began: Date | null; compared: Date | null; forgot: Date | null; unread: number | null }>(
    connection,
    sql`select (select min(created_at) from keys) as began,
          (select max(at) from reconciliations where by_staff is null) as compared,
          (select max(at) from retention_runs) as forgot,
          (select unread from reconciliations order by at desc, id desc limit 1) as unread`,
  )
  if (!last) return []
  const { began, compared, forgot, unread } = last
  const turn = (what: string, chore: string, at: Date | null, effect: string): Stalled[] => {
    const since = at ?? began
    if (since === null || now.getTime() - since.getTime() < turnMsMax) return []
    return [
      {
        what: `${what}, last done: ${at?.toISOString() ?? 'never'}`,
        cause: `No server with ROLE all or jobs ran in a day’s first minutes, or it failed: its log says "a chore failed", chore "${chore}".`,
        effect,
        next: 'within ten minutes where such a server runs; where it failed, within the hour',
        action: 'Look whether a server with ROLE all or jobs runs, and at its log.',
        sick: true,
      },
    ]
  }
  return [
    ...turn('the daily comparison of the books', 'reconcile', compared, 'None, but what differs is not seen.'),
    ...turn('the daily forgetting', 'forget', forgot, 'None, but what the firm promised to forget is still kept.'),
    ...counted(unread ?? 0, {
      what: 'accounts that the last comparison could not read',
      cause: 'Their platform gave no answer.',
      effect: 'None, but what differs on them is not seen.',
      next: 'the next comparison',
      action: 'Compare now in the back office, under Reconciliation, once the platform answers.',
    }),
  ]
}

function counted(count: number, rest: Omit<Stalled, 'sick'>, sick = false): Stalled[] {
  return count === 0 ? [] : [{ ...rest, what: `${count} ${rest.what}`, sick }]
}

/** Payout batches that wait for somebody who is not there. */
async function batchesWithoutReleaser(connection: Connection, now: Date): Promise<Stalled[]> {
  const { value } = await readSetting(connection, 'payouts', now)
  const found = await batchesNobodyCanRelease(connection, value.byUninvolved)
  return found.map(({ number }) => ({
    what: `payout batch ${number}`,
    cause: 'No active person of finance or administrator may release it: they created it or approved a payment in it.',
    effect: 'The payouts in it do not leave.',
    next: 'none',
    action: 'Void it in the back office, add a person, or change the setting Payout batches.',
    sick: false,
  }))
}

async function others(connection: Connection, now: Date): Promise<Stalled[]> {
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
    ...counted(counts.quarantined, {
      what: 'files in quarantine',
      cause: 'The virus scanner has not passed them.',
      effect: 'Their documents cannot be approved.',
      next: 'within a minute',
      action: 'Look whether the virus scanner at CLAMD_ADDRESS answers.',
    }),
    ...counted(counts.unmatched, {
      what: 'payments without a deposit for 5 days',
      cause: 'No announced deposit fits.',
      effect: 'The money is with us and on no account.',
      next: 'none',
      action: 'Match them or send them back in the back office, under Bank statements.',
    }),
    ...counted(counts.differences, {
      what: 'open differences',
      cause: 'Ledger and platform, bank or card provider do not agree.',
      effect: 'Where an account differs from its platform, its withdrawals and transfers are not approved.',
      next: 'the next comparison',
      action: 'Explain them in the back office, under Reconciliation.',
    }),
    ...counted(counts.overdue, {
      what: 'items over their time in the inbox',
      cause: 'Nobody has decided on them.',
      effect: 'Clients wait longer than they were told.',
      next: 'none',
      action: 'Open the inbox of the back office.',
    }),
    ...counted(
      counts.sealing,
      {
        what: 'events without a seal',
        cause: 'A transaction has been open for long, or no worker runs.',
        effect: 'None.',
        next: 'within a second',
        action: 'Look whether a server with ROLE all or jobs runs.',
      },
      true,
    ),
  ]
}

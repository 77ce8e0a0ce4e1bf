/** The daily deletion: each class of expired data, and the clients whose legal record need not be kept any more. */
import type { Pool } from 'pg'
import { checkErasure, daysBefore, erasureMachine, retentionEnd, type RetentionTimes } from '#rules/retention.ts'
import type { ClientId } from '#rules/ids.ts'
import { applyTransition } from '../../db/transition.ts'
import { recordEvent, type AuditContext } from '../../db/events.ts'
import { raw, row, rows, run, sql, type Connection, type Sql, transaction, type Transaction } from '../../db/sql.ts'
import { forEachRow } from '../../jobs/each-row.ts'
import type { Dependencies } from '../../dependencies.ts'
import { grossClientBalance, openRequestsOf } from '../clients/queries.ts'
import { eraseClient, lockSubject, erasureSubjects, type ErasureSubject } from './erase-client.ts'
import { erasureOf } from './queries.ts'

const atOnce = 500

type PurgeDependencies = Pick<Dependencies, 'jobs' | 'files'> & { readonly log: Pick<Dependencies['log'], 'error'> }

interface PurgeResult {
  readonly counts: Readonly<Record<string, number>>
  readonly failed: readonly string[]
}

interface PurgeClass {
  readonly name: string
  readonly table: string
  readonly where: Sql
}

/** Returns the classes that consist only of rows, with the condition for expired rows. */
function purgeClasses(times: RetentionTimes, now: Date): PurgeClass[] {
  const before = (days: number) => daysBefore(now, days)
  const registrations = sql`client_id is null and created_at < ${before(times.registrationDays)}`
  const old = sql`select id from registrations where ${registrations}`
  return [
    {
      name: 'links',
      table: 'one_time_links',
      where: sql`coalesce(used_at, replaced_at, expires_at) < ${before(times.linkDays)} or registration_id in (${old})`,
    },
    {
      name: 'sessions',
      table: 'sessions',
      where: sql`coalesce(ended_at, ends_at) < ${before(times.sessionDays)} or registration_id in (${old})`,
    },
    { name: 'registrations', table: 'registrations', where: registrations },
    { name: 'notices', table: 'notices', where: sql`at < ${before(times.noticeDays)}` },
    {
      name: 'letters',
      table: 'operations',
      where: sql`client_id is null and kind in ('mail', 'password-reset') and state in ('done', 'refused')
        and settled_at < ${before(times.otherLetterDays)}
        and not exists (select from work_items w where w.kind = 'operation' and w.record = operations.id and w.closed_at is null)`,
    },
    {
      name: 'enquiries',
      table: 'enquiries',
      where: sql`client_id is null and (state = 'closed' or state = 'answered' and not complaint)
        and changed_at < ${before(times.enquiryDays)}`,
    },
    { name: 'files', table: 'files', where: sql`used_at is null and created_at < ${before(times.unusedFileDays)}` },
  ]
}

/**
 * Deletes expired data in portions and records the counts. Returns them and the classes of which an error kept data; a
 * concurrent server finds nothing left. With `dry` it only counts.
 */
export async function purgeExpired(
  parts: PurgeDependencies,
  times: RetentionTimes,
  auditContext: AuditContext,
  dry = false,
): Promise<PurgeResult> {
  const counts: Record<string, number> = {}
  const classes = purgeClasses(times, auditContext.now).map((one) => ({ ...one, id: one.name }))
  const failed = await forEachRow({ job: 'forget', rows: classes, log: parts.log }, async (forgetting) => {
    const count = dry ? await countOf(parts.jobs, forgetting) : await purgeRows(parts, forgetting)
    if (count > 0) counts[forgetting.name] = count
  })
  const due = await clientsDueForErasure(parts.jobs, times, auditContext.now)
  if (due.length > 0) {
    const erased = dry ? { count: due.length, isComplete: true } : await eraseAll(parts, due, times, auditContext)
    counts['clients'] = erased.count
    if (!erased.isComplete) failed.push('clients')
  }
  if (!dry) await recordRun(parts.jobs, { counts, failed }, auditContext)
  return { counts, failed }
}

async function countOf(pool: Pool, { table, where }: PurgeClass): Promise<number> {
  const found = await row<{ count: number }>(pool)`select count(*)::int as count from ${raw(table)} where ${where}`
  return found?.count ?? 0
}

async function purgeRows(parts: PurgeDependencies, { table, where }: PurgeClass): Promise<number> {
  for (let count = 0; ;) {
    const deleted = await rows<{ id: string }>(parts.jobs)`
      delete from ${raw(table)} where id in (select id from ${raw(table)} where ${where} limit ${atOnce}) and (${where})
        returning id`
    count += deleted.length
    // Bytes are deleted after their record: bytes left by a crash in between are later deleted as stray.
    if (table === 'files') for (const { id } of deleted) await parts.files.remove(id)
    if (deleted.length < atOnce) return count
  }
}

/**
 * Returns clients whose relationship ended longer ago than the record is kept, and those who never became customers.
 */
async function clientsDueForErasure(pool: Pool, times: RetentionTimes, now: Date): Promise<ErasureSubject[]> {
  const found = await rows<ErasureSubject>(
    pool,
    erasureSubjects(sql`c.erased_at is null and (
      (c.state in ('closed', 'rejected') and (exists (select from erasures s where s.id = c.id and s.state = 'approved')
        or exists (select from events e where e.kind = 'client' and e.record = c.id and e.verb in ('close', 'reject'))))
      or ${isUnfinished(times, now)})`),
  )
  const due: ErasureSubject[] = []
  for (const client of found) {
    const until = retentionEnd(client, times)
    if ((until === null || until <= now) && (await erasureProblem(pool, client, now)) === null) due.push(client)
  }
  return due
}

/**
 * Returns the condition of a client `c` whose registration has had no sign-in for its period. Sign-ins are read from the
 * event log, because sessions are deleted sooner.
 */
function isUnfinished({ unfinishedClientDays }: RetentionTimes, now: Date): Sql {
  const before = daysBefore(now, unfinishedClientDays)
  return sql`(c.state = 'registering' and c.created_at < ${before} and not exists (select from events e
    where e.client_id = c.id and e.kind = 'client' and e.verb like 'logIn%' and e.verb <> 'logInFailed' and e.at >= ${before}))`
}

/** Returns why an erasure is not possible yet: a balance or an open request. */
async function erasureProblem(connection: Connection, { id, state, erasedAt }: ErasureSubject, now: Date) {
  return checkErasure({
    state,
    isErased: erasedAt !== null,
    isAsked: false,
    owed: await grossClientBalance(connection, { clientId: id }),
    openRequests: await openRequestsOf(connection, id, now),
  })
}

async function eraseAll(
  parts: PurgeDependencies,
  due: readonly ErasureSubject[],
  times: RetentionTimes,
  auditContext: AuditContext,
): Promise<{ count: number; isComplete: boolean }> {
  let count = 0
  const failed = await forEachRow({ job: 'forget', rows: due, log: parts.log }, async ({ id }) => {
    const files = await transaction(parts.jobs, (tx) => eraseDue(tx, id, times, auditContext))
    if (files === null) return
    count += 1
    for (const file of files) await parts.files.remove(file)
  })
  return { count, isComplete: failed.length === 0 }
}

/**
 * Erases a due client and returns its files; null if it was erased or has signed in in the meantime, or a balance or an
 * open request prevents it.
 */
async function eraseDue(
  tx: Transaction,
  clientId: ClientId,
  times: RetentionTimes,
  auditContext: AuditContext,
): Promise<readonly string[] | null> {
  const client = await lockSubject(tx, clientId)
  if (!client) return null
  const until = retentionEnd(client, times)
  if ((await erasureProblem(tx, client, auditContext.now)) !== null || (until !== null && until > auditContext.now))
    return null
  if (client.state === 'registering' && !(await isStillUnfinished(tx, clientId, times, auditContext.now))) return null
  const erased = await eraseClient(tx, clientId, auditContext, 'everything')
  const asked = await erasureOf(tx, clientId)
  if (asked?.state !== 'approved') await beginByLaw(tx, clientId, auditContext)
  await applyTransition(tx, erasureMachine, auditContext, { id: clientId, clientId }, 'complete', {
    set: { erased: JSON.stringify(sumOf(asked?.erased ?? {}, erased.counts)) },
    workItem: null,
  })
  return erased.files
}

async function isStillUnfinished(tx: Transaction, clientId: ClientId, times: RetentionTimes, now: Date) {
  const found = await row(tx)`select from clients c where c.id = ${clientId} and ${isUnfinished(times, now)}`
  return found !== null
}

/** Begins the erasure of a client whose period is over. It replaces a pending erasure request. */
async function beginByLaw(tx: Transaction, clientId: ClientId, auditContext: AuditContext): Promise<void> {
  await run(tx)`delete from erasures where id = ${clientId}`
  await run(tx)`
    insert into erasures (id, asked_for, state, asked_at) values (${clientId}, 'law', 'approved', ${auditContext.now})`
  await recordEvent(tx, auditContext, {
    kind: erasureMachine.name,
    action: 'begin',
    record: clientId,
    clientId,
    to: 'approved',
  })
}

function sumOf(one: Readonly<Record<string, number>>, other: Readonly<Record<string, number>>): Record<string, number> {
  const kinds = new Set([...Object.keys(one), ...Object.keys(other)])
  return Object.fromEntries([...kinds].map((kind) => [kind, (one[kind] ?? 0) + (other[kind] ?? 0)]))
}

async function recordRun(pool: Pool, { counts, failed }: PurgeResult, auditContext: AuditContext): Promise<void> {
  await transaction(pool, async (tx) => {
    const inserted = await row<{ id: string }>(tx)`
      insert into retention_runs (at, counts, failed)
        values (${auditContext.now}, ${JSON.stringify(counts)}::text::jsonb, ${failed}::text[]) returning id`
    await recordEvent(tx, auditContext, {
      kind: 'retention',
      action: 'run',
      ...(inserted ? { record: inserted.id } : {}),
      details: { after: counts },
    })
  })
}

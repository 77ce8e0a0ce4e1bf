/**
 * The identity of the database. A promoted standby writes another timeline; a restored dump or a copy of another
 * cluster has another identifier, unless the operator declared a move (requirements 20.4).
 */
import type { ClientBase, Pool } from 'pg'
import { recordEvent, type AuditContext } from '../db/events.ts'
import { BadConfig } from '../config/read-variable.ts'
import { row, run, sql, type Connection, transaction, type Transaction, requireRow } from '../db/sql.ts'
import { requireStatusCheck, openRecovery } from './open-recovery.ts'

/** The database compared with the one recorded last. */
type DatabaseNews = 'first' | 'same' | 'failover' | 'moved' | 'other'

interface Identity {
  readonly systemIdentifier: bigint
  readonly databaseOid: bigint
  readonly timeline: string
}

/**
 * The control file's timeline changes only at the first checkpoint after a promotion; that of the log changes
 * immediately.
 */
const timelineNow = sql`left(pg_walfile_name(pg_current_wal_lsn()), 8)`

/** Returns the timeline that a connection writes, or null if it accepts no writes. */
export async function timelineOf(connection: Pick<ClientBase, 'query'>): Promise<string | null> {
  const { rows } = await connection.query<{ timeline: string | null }>(
    'select case when pg_is_in_recovery() then null else left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline',
  )
  return rows[0]?.timeline ?? null
}

/**
 * Records the database's identity and the effects of a change: recovery if it is another one, or, after a failover and
 * a planned move, the query of all unfinished operations. Two servers that detect it concurrently record it once.
 */
export function recordDatabaseChange(pool: Pool, now: Date): Promise<{ news: DatabaseNews; timeline: string }> {
  return transaction(pool, async (tx) => {
    const is = await identityOf(tx)
    const first = await run(tx)`insert into database_identity (system_identifier, database_oid, timeline, noted_at)
        values (${is.systemIdentifier}, ${is.databaseOid}, ${is.timeline}, ${now}) on conflict do nothing`
    if (first === 1) return { news: 'first', timeline: is.timeline }
    const was = await requireRow<Identity & { moving: boolean }>(tx)`
      select system_identifier as "systemIdentifier", database_oid as "databaseOid", timeline,
          coalesce(moving_event = (select max(id) from events), false) as moving
        from database_identity for update`
    const news = identityChangeOf(was, is)
    if (news !== 'same') await applyIdentityChange(tx, news, is, now)
    return { news, timeline: is.timeline }
  })
}

async function identityOf(tx: Transaction): Promise<Identity> {
  const found = await requireRow<Identity>(
    tx,
  )`select system_identifier as "systemIdentifier", ${timelineNow} as timeline,
        (select oid::bigint from pg_database where datname = current_database()) as "databaseOid"
      from pg_control_system()`
  return found
}

function identityChangeOf(was: Identity & { readonly moving: boolean }, is: Identity): DatabaseNews {
  if (was.systemIdentifier !== is.systemIdentifier || was.databaseOid !== is.databaseOid)
    return was.moving ? 'moved' : 'other'
  return was.timeline === is.timeline ? 'same' : 'failover'
}

async function applyIdentityChange(tx: Transaction, news: DatabaseNews, is: Identity, now: Date): Promise<void> {
  const since = await lastKnown(tx, now)
  await run(tx)`
    update database_identity set system_identifier = ${is.systemIdentifier}, database_oid = ${is.databaseOid},
      timeline = ${is.timeline}, noted_at = ${now}, moving_event = null`
  if (news === 'other') await openRecovery(tx, { sign: 'other-database', since, now })
  else await requireStatusOfUnfinished(tx, news, is, now)
}

/**
 * Marks all unfinished operations to be queried first. After a failover, one that the integration does not know is sent
 * again.
 */
async function requireStatusOfUnfinished(tx: Transaction, news: DatabaseNews, is: Identity, now: Date): Promise<void> {
  const auditContext: AuditContext = { identity: { kind: 'clock' }, now, reference: 'recovery' }
  await requireStatusCheck(tx, 'send')
  const action = news === 'moved' ? 'moved' : 'failover'
  await recordEvent(tx, auditContext, { kind: 'recovery', action, details: { timeline: is.timeline } })
}

const marginMs = 3_600_000

/** Returns from when on this database may know less than the integrations: an hour before its newest event. */
export async function lastKnown(tx: Transaction, now: Date): Promise<Date> {
  const newest = await row<{ at: Date }>(tx)`select at from events order by id desc limit 1`
  return new Date((newest?.at ?? now).getTime() - marginMs)
}

/** Records that a planned move follows. Until the next event, another database counts as this one. */
export async function recordPlannedMove(tx: Transaction, auditContext: AuditContext): Promise<void> {
  await recordEvent(tx, auditContext, { kind: 'recovery', action: 'moving' })
  await run(tx)`update database_identity set moving_event = (select max(id) from events)`
}

/**
 * The PostgreSQL setting that `operator restore` leaves in a restored cluster: every server that connects to it reads
 * it, on any machine (ADR 194).
 */
export const restoredBackupSetting = 'portal.restored_backup'
const restoredBackup = sql`nullif(current_setting('portal.restored_backup', true), '')`

/** Throws one sentence if a backup was restored and `operator restored` has not run since. */
export async function assertRestoreNoted(connection: Connection): Promise<void> {
  const found = await row<{ isNoted: boolean }>(connection)`select ${restoredBackup} is null
      or exists (select from database_identity where restored_backup = ${restoredBackup}) as "isNoted"`
  if (found?.isNoted) return
  throw new BadConfig(
    "This database was restored from a backup, and 'operator restored' has not run since. Stop all servers, run it with --yes, then start them.",
  )
}

/** Records the current database without comparing it with the previous one: the caller opens recovery. */
export async function recordIdentity(tx: Transaction, now: Date): Promise<void> {
  const is = await identityOf(tx)
  await run(tx)`insert into database_identity (system_identifier, database_oid, timeline, noted_at, restored_backup)
      values (${is.systemIdentifier}, ${is.databaseOid}, ${is.timeline}, ${now}, ${restoredBackup})
      on conflict (only_one) do update set system_identifier = excluded.system_identifier,
        database_oid = excluded.database_oid, timeline = excluded.timeline, noted_at = excluded.noted_at,
        moving_event = null, restored_backup = excluded.restored_backup`
}

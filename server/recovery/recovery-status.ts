/** Reads the state of database identity, servers, standbys and recovery, for the doctor and the metrics. */
import { rows, sql, type Connection, requireRow } from '../db/sql.ts'
import { platformReadings, type PlatformReading } from '../jobs/platform-days.ts'
import { unreadableAccounts } from '../ledger/unreadable-accounts.ts'
import { runningServers, type RunningServer } from './heartbeat.ts'
import { recoveryOf, type Recovery } from './stopped-money.ts'

/** A server sends a heartbeat every two seconds. */
const lateAfterMs = 10_000

/** What one statement reads. */
interface Facts {
  /**
   * The first 8 characters of the WAL file's name, now and as the servers recorded it; null if none has started yet.
   */
  readonly timeline: string
  readonly notedTimeline: string | null
  /** Whether system identifier and database oid are the recorded ones; null if none are recorded. */
  readonly isNotedDatabase: boolean | null
  /** The number of standbys that commits do not wait for. */
  readonly asynchronousStandbys: number
  readonly requestsToConfirm: number
  /** The number of missing confirmations of access and bank, of four. */
  readonly missingConfirmations: number
  /** The number of accounts with a deal that cannot be read (ADR 328). */
  readonly incompleteAccounts: number
  /** The number of accounts with unreadable parts (ADR 331). */
  readonly unreadableAccounts: number
}

export interface RecoveryStatus extends Facts {
  readonly servers: readonly (RunningServer & { readonly isLate: boolean })[]
  /** The age in seconds of the oldest among the servers' latest heartbeats; null without a running server. */
  readonly oldestBeatSeconds: number | null
  readonly recovery: Recovery | null
  /** Items that two people have not settled yet, by kind. */
  readonly openItems: Readonly<Record<string, number>>
  /** The newest reading of each platform; none before the first. */
  readonly platforms: readonly PlatformReading[]
}

export async function recoveryStatus(connection: Connection, now: Date): Promise<RecoveryStatus> {
  const recovery = await recoveryOf(connection)
  const facts = await requireRow<Facts>(
    connection,
  )`select left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline, i.timeline as "notedTimeline",
        i.system_identifier = c.system_identifier
          and i.database_oid = (select oid::bigint from pg_database where datname = current_database()) as "isNotedDatabase",
        (select count(*)::int from pg_stat_replication where coalesce(sync_state, 'async') in ('async', 'potential')
          and current_setting('synchronous_standby_names') = '') as "asynchronousStandbys",
        (select count(*)::int from recovery_confirmations
          where recovery = ${recovery?.id ?? null}::uuid and confirmed_at is null) as "requestsToConfirm",
        (select 4 - count(*)::int from recovery_statements where recovery = ${recovery?.id ?? null}::uuid)
          as "missingConfirmations",
        (select count(*)::int from account_histories where unreadable is not null) as "incompleteAccounts",
        (select count(*)::int from (${unreadableAccounts(sql`true`)}) u) as "unreadableAccounts"
      from pg_control_system() c left join database_identity i on true`
  const items = await rows<{ kind: string; count: number }>(connection)`
    select kind, count(*)::int as count from recovery_items where state <> 'settled' group by kind order by kind`
  const servers = (await runningServers(connection)).map((server) => ({
    ...server,
    isLate: ageMs(server, now) > lateAfterMs,
  }))
  const ages = servers.map((server) => ageMs(server, now)).filter(Number.isFinite)
  return {
    ...facts,
    servers,
    oldestBeatSeconds: ages.length === 0 ? null : Math.max(...ages) / 1000,
    recovery,
    openItems: Object.fromEntries(items.map(({ kind, count }) => [kind, count])),
    missingConfirmations: recovery ? facts.missingConfirmations : 0,
    platforms: await platformReadings(connection),
  }
}

/** Infinite for a server without a heartbeat. */
function ageMs({ at }: RunningServer, now: Date): number {
  return at === null ? Number.POSITIVE_INFINITY : Math.max(0, now.getTime() - at.getTime())
}

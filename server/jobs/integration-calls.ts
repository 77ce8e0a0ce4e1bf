/**
 * Health of the integrations, by the calls of all servers: the overview, the doctor and the metrics report the same
 * (requirements 24.4, ADR 302).
 */
import { minuteMs } from '#rules/dates.ts'
import type { Pool } from 'pg'
import { integrations, type IntegrationName, type IntegrationState, type Overview } from '#contract/office/overview.ts'
import type { Config } from '../config/config.ts'
import { rows, run, sql, type Connection, type Sql } from '../db/sql.ts'
import type { CallCounts } from '../integrations/call-counts.ts'
import { refundKinds } from './card-refund.ts'
import { repeat } from './repeat.ts'

const storeEveryMs = 5_000
/** The period in which calls and failures are counted. */
const recentMs = 15 * minuteMs
/** The period of the usual response time; calls are kept for it. */
const usualMs = 24 * 60 * minuteMs
/** After a failure an integration counts as not responding if it has not responded within this time before it. */
const silentMs = 2 * minuteMs
/** Longest wait of an operation at a working integration. */
const waitMsMax = 2 * minuteMs
/** Each platform is read every quarter of an hour (jobs/platform-days.ts); this one may be late. */
const readEveryMs = 20 * minuteMs
/** Shorter response times are never slow. */
const slowMsMin = 1_000
const slowTimes = 3
const countedMost = 10_000

/** Stores what this process counted, until the returned function is called. */
export function keepStoringCalls(
  pool: Pool,
  calls: CallCounts,
  onError: (error: Error) => void,
): { stop(): Promise<void> } {
  const store = () => storeCalls(pool, calls)
  const stop = repeat({ everyMs: storeEveryMs, run: store, onError })
  return {
    async stop() {
      await stop()
      await store().catch(onError)
    },
  }
}

/** Adds the counted calls to those of the other servers. Calls that could not be stored are lost. */
export async function storeCalls(pool: Pool, calls: CallCounts): Promise<void> {
  const taken = calls.take()
  if (taken.length === 0) return
  const newest = Math.max(...taken.map(({ minute }) => minute.getTime()))
  await run(pool)`
    with counted as (select name, minute, answers, failures, ms, answered_at, failed_at from unnest(
        ${taken.map(({ name }) => name)}::text[], ${taken.map(({ minute }) => minute)}::timestamptz[],
        ${taken.map(({ answers }) => answers)}::int[], ${taken.map(({ failures }) => failures)}::int[],
        ${taken.map(({ ms }) => Math.round(ms))}::bigint[], ${taken.map(({ answeredAt }) => answeredAt)}::timestamptz[],
        ${taken.map(({ failedAt }) => failedAt)}::timestamptz[])
        as c (name, minute, answers, failures, ms, answered_at, failed_at) order by name, minute),
      old as (delete from integration_calls where minute < ${new Date(newest - usualMs - recentMs)}),
      outcomes as (insert into integration_outcomes as o (name, answered_at, failed_at)
        select name, max(answered_at), max(failed_at) from counted group by name order by name
        on conflict (name) do update set answered_at = greatest(o.answered_at, excluded.answered_at),
          failed_at = greatest(o.failed_at, excluded.failed_at))
    insert into integration_calls as k (name, minute, answers, failures, ms)
      select name, minute, answers, failures, ms from counted
      on conflict (name, minute) do update set answers = k.answers + excluded.answers,
        failures = k.failures + excluded.failures, ms = k.ms + excluded.ms`
}

/** Returns the integrations that are configured; mail always, because mails wait for it. */
export function configuredIntegrations(config: Config): IntegrationName[] {
  const isConfigured: Readonly<Record<IntegrationName, boolean>> = {
    MT5: config.mt5 !== null,
    MT4: config.mt4 !== null,
    card: config.card !== null,
    mail: true,
    scanner: config.clamd !== null,
  }
  return integrations.filter((name) => isConfigured[name])
}

/** An integration with its calls of the last 15 minutes, and what waits for it; of the scanner, unscanned files. */
export type IntegrationHealth = NonNullable<Overview['integrations']>[number]

export type HealthRow = Omit<IntegrationHealth, 'state'>

export async function integrationHealth(
  connection: Connection,
  names: readonly IntegrationName[],
  now: Date,
): Promise<IntegrationHealth[]> {
  return (await rows<HealthRow>(connection, healthOf(names, now))).map((one) => withState(one, now))
}

/** Returns each of these integrations with its calls and pending work, as a statement or as part of a larger one. */
export function healthOf(names: readonly IntegrationName[], now: Date): Sql {
  const [recent, usual] = [new Date(now.getTime() - recentMs), new Date(now.getTime() - recentMs - usualMs)]
  return sql`select i.name, o.answered_at as "lastAnswer", o.failed_at as "lastFailure",
        c.answers, c.failures, c.average as "averageMs", c.usual as "usualMs", w.waiting, w.oldest as "oldestWaiting"
      from unnest(${[...names]}::text[]) with ordinality i (name, place)
        left join integration_outcomes o on o.name = i.name,
        lateral (select coalesce(sum(k.answers) filter (where k.minute > ${recent}), 0)::int as answers,
            coalesce(sum(k.failures) filter (where k.minute > ${recent}), 0)::int as failures,
            round(sum(k.ms) filter (where k.minute > ${recent}) / nullif(sum(k.answers) filter (where k.minute > ${recent}), 0))::int as average,
            round(sum(k.ms) filter (where k.minute <= ${recent}) / nullif(sum(k.answers) filter (where k.minute <= ${recent}), 0))::int as usual
          from integration_calls k where k.name = i.name and k.minute > ${usual} and k.minute <= ${now}) c,
        lateral (select count(*)::int as waiting, min(one.created_at) as oldest from (
            (select p.created_at from operations p where split_part(p.target, ':', 1) = i.name
              and p.state in ('waiting', 'sending', 'unknown')
              -- A refund that was sent may be open at the provider for days.
              and (p.sent_at is null or p.kind <> all (${[...refundKinds]}::text[])) order by p.created_at limit ${countedMost}::int)
            union all (select f.created_at from files f where i.name = 'scanner' and f.state = 'quarantined'
              limit ${countedMost}::int)) one) w
      order by i.place`
}

export function withState(one: HealthRow, now: Date): IntegrationHealth {
  return { ...one, state: stateOf(one, now) }
}

/** Returns the state that the calls prove: an integration without a recent response is not operational. */
function stateOf(health: HealthRow, now: Date): IntegrationState {
  const { name, lastAnswer, lastFailure, oldestWaiting, averageMs, usualMs: usual } = health
  const ageMs = (at: Date | null) => (at === null ? Number.POSITIVE_INFINITY : now.getTime() - at.getTime())
  const isRead = name === 'MT5' || name === 'MT4'
  const isFailing = lastFailure !== null && ageMs(lastAnswer) - ageMs(lastFailure) > silentMs
  // An old failure without a later attempt does not show that the integration does not respond now.
  const isCurrent = oldestWaiting !== null || ageMs(lastFailure) <= (isRead ? readEveryMs : recentMs)
  if (isFailing && isCurrent) return 'not-answering'
  const waitsLong = oldestWaiting !== null && ageMs(oldestWaiting) > waitMsMax
  if (waitsLong) return 'slow'
  if (lastAnswer === null && lastFailure === null) return 'unused'
  if (isRead && ageMs(lastAnswer) > readEveryMs) return 'out-of-date'
  if (ageMs(lastAnswer) > recentMs && !isRead) return 'idle'
  const isSlow = averageMs !== null && usual !== null && averageMs > Math.max(slowMsMin, slowTimes * usual)
  return isSlow ? 'slow' : 'operational'
}

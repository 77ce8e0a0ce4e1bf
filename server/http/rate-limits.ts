/**
 * Rate limits in one unlogged table with one upsert: a window per bucket, shared by all servers (requirements 22.3).
 */
import { createHash } from 'node:crypto'
import type { Pool } from 'pg'
import type { MediaType } from '#contract/endpoint.ts'
import { join, raw, row, rows, run, sql, type Connection, type Sql } from '../db/sql.ts'
import type { Settings } from '../settings/settings.ts'
import { requireClient, type RequestContext } from './handler.ts'
import { Problem } from './problem.ts'

interface Window {
  count: number
  window_ends_at: Date
}

/** The counter's key: `who` may be an address, an account, or both; it is stored hashed. */
export interface Bucket {
  readonly name: string
  readonly who: string
  readonly windowSeconds: number
}

export function perHour(name: string, who: string): Bucket {
  return { name, who, windowSeconds: 3600 }
}

export function perMinute(name: string, who: string): Bucket {
  return { name, who, windowSeconds: 60 }
}

function bucketKey(bucket: Bucket): string {
  return `${bucket.name}:${createHash('sha256').update(bucket.who).digest('base64url').slice(0, 22)}`
}

/** Counts one and returns the total in the window, including this one, and the seconds until the window ends. */
export async function incrementCount(connection: Connection, bucket: Bucket, now: Date): Promise<Counted> {
  const asked = sql`values (${bucketKey(bucket)}, 1, ${windowEnd(bucket, now)}::timestamptz)`
  return countOfWindow(await row<Window & { bucket: string }>(connection, countSql(asked, now)), now)
}

interface Counted {
  readonly count: number
  readonly secondsLeft: number
}

/**
 * Counts in several buckets in one statement, which locks them in their order; callers that share buckets must name
 * them in the same order. A step counts only if no earlier one exceeded its maximum, and `then` only if none did, so a
 * rejected request adds no further count. Returns the counts in the order given, `then` last; 0 for steps that were not
 * counted.
 */
export async function incrementCounts(
  connection: Connection,
  buckets: readonly (Bucket & { readonly most: number })[],
  then: readonly Bucket[],
  now: Date,
): Promise<Counted[]> {
  const keys = [...buckets, ...then].map(bucketKey)
  const ends = [...buckets, ...then].map((one) => windowEnd(one, now))
  const most = [...buckets.map((one) => one.most), ...then.map(() => null)]
  // The condition before each of them, and before the last ones together.
  const before = Array.from({ length: buckets.length + 1 }, (_, place) => noneExceededSql(place))
  const steps = before.map((noneOver, place) => {
    const which = place < buckets.length ? sql`place = ${place + 1}` : sql`most is null`
    const asked = sql`select bucket, 1, ends from asked where ${which} and ${noneOver} order by place`
    return sql`${raw(`counted_${place}`)} as (${countSql(asked, now)})`
  })
  const found = await rows<Window & { bucket: string }>(connection)`
    with asked as (select * from unnest(${keys}::text[], ${ends}::timestamptz[], ${most}::int[])
          with ordinality asked (bucket, ends, most, place)), ${join(steps, ', ')}
      ${join(
        steps.map((_, place) => sql`select bucket, count, window_ends_at from ${raw(`counted_${place}`)}`),
        ' union all ',
      )}`
  return keys.map((key) => countOfWindow(found.find(({ bucket }) => bucket === key) ?? null, now))
}

/** Returns whether none of the first steps exceeded its maximum. */
function noneExceededSql(steps: number): Sql {
  const over = Array.from(
    { length: steps },
    (_, place) =>
      sql`exists (select from ${raw(`counted_${place}`)} c join asked limits using (bucket) where c.count > limits.most)`,
  )
  return over.length === 0 ? sql`true` : sql`not (${join(over, ' or ')})`
}

function windowEnd({ windowSeconds }: Bucket, now: Date): Date {
  return new Date(now.getTime() + windowSeconds * 1000)
}

/** The clocks of several servers differ by less than this. */
const aheadMsMax = 60_000

/**
 * Counts one in each bucket of a select. A window that ends later than one that starts now was opened before the clock
 * was set back, so it has ended (requirements 33.10).
 */
function countSql(asked: Sql, now: Date): Sql {
  const isOver = sql`(r.window_ends_at <= ${now} or r.window_ends_at > excluded.window_ends_at + interval '1 minute')`
  return sql`insert into rate_limits as r (bucket, count, window_ends_at) ${asked}
    on conflict (bucket) do update set count = case when ${isOver} then 1 else r.count + 1 end,
      window_ends_at = case when ${isOver} then excluded.window_ends_at else r.window_ends_at end
    returning bucket, count, window_ends_at`
}

/** Returns the count of the window without adding to it. */
export async function currentCount(connection: Connection, bucket: Bucket, now: Date): Promise<Counted> {
  const found = await row<Window>(connection)`
    select count, window_ends_at from rate_limits where bucket = ${bucketKey(bucket)} and window_ends_at > ${now}
      and window_ends_at <= ${new Date(windowEnd(bucket, now).getTime() + aheadMsMax)}`
  return countOfWindow(found, now)
}

function countOfWindow(found: Window | null, now: Date): Counted {
  if (!found) return { count: 0, secondsLeft: 0 }
  return { count: found.count, secondsLeft: Math.ceil((found.window_ends_at.getTime() - now.getTime()) / 1000) }
}

/** Empties a bucket, because a success resets the failures before it. */
export async function clearBucket(connection: Connection, bucket: Bucket): Promise<void> {
  await run(connection)`delete from rate_limits where bucket = ${bucketKey(bucket)}`
}

/**
 * Records a success: removes the count of its start and resets the failures of one bucket. Locks the buckets in the
 * order given, like `incrementCounts`, so that two calls cannot deadlock.
 */
export async function recordSuccess(connection: Connection, buckets: readonly SuccessBucket[]): Promise<void> {
  await run(connection)`with ${successSql(buckets)} select from settled`
}

export type SuccessBucket = Bucket & { readonly on: 'giveBack' | 'empty' }

/** Returns `recordSuccess` as part of a larger statement: tables of its "with". */
export function successSql(buckets: readonly SuccessBucket[]): Sql {
  return sql`succeeded as (select * from unnest(${buckets.map(bucketKey)}::text[], ${buckets.map(({ on }) => on)}::text[])
        with ordinality asked (bucket, way, place)),
      settled as materialized (select r.bucket, way from succeeded join rate_limits r using (bucket)
        order by place for update of r),
      emptied as (delete from rate_limits where bucket in (select bucket from settled where way = 'empty')),
      given_back as (update rate_limits set count = count - 1
        where bucket in (select bucket from settled where way = 'giveBack') and count > 0)`
}

/** Counts one and throws a problem (429 with Retry-After) if the count exceeds `most`. */
export async function enforceLimit(connection: Connection, bucket: Bucket, most: number, now: Date): Promise<void> {
  const { count: reached, secondsLeft } = await incrementCount(connection, bucket, now)
  if (reached > most) throw new Problem('too-many', { retryAfterSeconds: Math.max(1, secondsLeft) })
}

/** How often a request may be repeated under its key within the window. A client that retries needs far fewer. */
const repeatsMax = 100

/**
 * Limits requests with an Idempotency-Key: each counts once; repeats do not count, not even while the first one is in
 * progress (requirements 28.6).
 */
export async function limitRequests(
  connection: Connection,
  bucket: Bucket,
  most: number,
  { idempotency, now }: Pick<RequestContext, 'idempotency' | 'now'>,
): Promise<void> {
  if (!idempotency) return enforceLimit(connection, bucket, most, now)
  const repeats = { ...bucket, name: `${bucket.name}-key`, who: `${bucket.who} ${idempotency.key}` }
  const ofKey = await incrementCount(connection, repeats, now)
  if (ofKey.count === 1) {
    try {
      return await enforceLimit(connection, bucket, most, now)
    } catch (refusal) {
      // It was not accepted, so the next attempt is not a repeat.
      await clearBucket(connection, repeats)
      throw refusal
    }
  }
  const ofAll = await currentCount(connection, bucket, now)
  if (ofAll.count <= most && ofKey.count <= repeatsMax) return
  throw new Problem('too-many', { retryAfterSeconds: Math.max(1, ofAll.secondsLeft, ofKey.secondsLeft) })
}

/** Limits a client's deposits, withdrawals and transfers together. */
export async function limitMoneyRequests(
  { pool, settings }: { readonly pool: Pool; readonly settings: Settings },
  context: Pick<RequestContext, 'caller' | 'idempotency' | 'now'>,
): Promise<void> {
  const { moneyRequestsPerMinute } = await settings.get('rateLimits')
  const bucket = perMinute('money', requireClient(context).clientId)
  await limitRequests(pool, bucket, moneyRequestsPerMinute, context)
}

const copied: readonly MediaType[] = ['text/csv', 'application/zip']
const printed: readonly MediaType[] = ['text/csv', 'application/pdf']
const printedPerHour = 60

/**
 * Counts an export of the back office or a client's PDF; throws `too-many`. Every other call passes. ASVS 2.4.1: a file
 * of the back office contains many people, and a PDF takes time to render.
 */
export async function limitExports(
  { pool, settings }: { readonly pool: Pool; readonly settings: Settings },
  { caller, endpoint, now }: Pick<RequestContext, 'caller' | 'endpoint' | 'now'>,
): Promise<void> {
  if (caller.kind === 'client' && printed.includes(endpoint.produces))
    await enforceLimit(pool, perHour('printed', caller.clientId), printedPerHour, now)
  if (caller.kind !== 'staff' || !copied.includes(endpoint.produces)) return
  const { exportsPerHour } = await settings.get('rateLimits')
  await enforceLimit(pool, perHour('export', caller.staffId), exportsPerHour, now)
}

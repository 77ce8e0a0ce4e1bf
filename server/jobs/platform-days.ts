/**
 * Data that each platform reports about itself, read every 15 minutes and stored by day: the offset of its clock, by
 * which its deals are dated, and the permissions that our login lacks (ADR 197).
 */
import type { Pool } from 'pg'
import {
  isZoneOffset,
  offsetBetween,
  offsetOfDay,
  serverZone,
  type ClockZone,
  type ClockReadings,
  type ServerZone,
} from '../integrations/trading-platform/server-clock.ts'
import { UnreadableValue } from '../integrations/trading-platform/unreadable-records.ts'
import { isIntegrationError } from '../integrations/errors.ts'
import type { PlatformRight } from '../integrations/trading-platform/trading-server.ts'
import { row, rows, run, type Connection } from '../db/sql.ts'
import type { Settings } from '../settings/settings.ts'
import { connectedPlatforms, type Dependencies, type Platform } from '../dependencies.ts'
import type { ScheduledTask } from './workers.ts'

const readEveryMs = 15 * 60_000

/** Returns the scheduled reading of each platform's clock and permissions. */
export function platformTasks(dependencies: Dependencies): ScheduledTask[] {
  return [{ name: 'read-platforms', everyMs: readEveryMs, run: () => readPlatforms(dependencies) }]
}

/** Reads every connected platform; if one does not respond, the previous data are kept. */
export async function readPlatforms(
  dependencies: Pick<Dependencies, 'platforms' | 'jobs' | 'config' | 'log' | 'now'>,
): Promise<void> {
  for (const platform of connectedPlatforms(dependencies)) {
    try {
      await readPlatform(dependencies, platform)
    } catch (error) {
      if (!isIntegrationError(error)) throw error
      dependencies.log.warn({ platform, problem: String(error) }, 'platform not read')
    }
  }
}

async function readPlatform(
  { platforms, jobs, log, now }: Pick<Dependencies, 'platforms' | 'jobs' | 'log' | 'now'>,
  platform: Platform,
): Promise<void> {
  const server = platforms[platform].bulk
  const login = await newestLogin(jobs, platform)
  const missing = login === null ? [] : await server.missingRights(login)
  const time = await server.serverTime()
  const readAt = now()
  const offset = offsetBetween(time.getTime(), readAt.getTime())
  // It would not fit its column, or the platform's times would be converted with it.
  if (!isZoneOffset(offset))
    throw new UnreadableValue(
      'Time',
      'value',
      time.toISOString(),
      "The platform's time is more than 14 hours from ours",
    )
  await run(jobs)`
    insert into platform_days (platform, day, offset_seconds, missing_rights, read_at)
      values (${platform}, ${time.toISOString().slice(0, 10)}, ${offset / 1000}, ${[...missing]}::text[], ${readAt})
      on conflict (platform, day) do update set offset_seconds = excluded.offset_seconds,
        missing_rights = excluded.missing_rights, read_at = excluded.read_at`
  if (missing.length > 0) log.warn({ platform, missing }, 'our login lacks permissions on the platform')
}

/** Returns our newest open account on a platform, for which permissions are read, or null before the first. */
export async function newestLogin(connection: Connection, platform: Platform): Promise<string | null> {
  const found = await row<{ login: string }>(connection)`
    select login from trading_accounts where platform = ${platform} and state = 'approved' and login is not null
      order by id desc limit 1`
  return found?.login ?? null
}

const rememberedMs = 10 * 60_000

/**
 * Returns the lookup of past days of the clock for the adapter of MetaTrader 5. `pool` must be one of which no
 * transaction holds connections; results are cached for ten minutes.
 */
export function clockLookup(pool: Pool, settings: Settings): () => Promise<ClockReadings> {
  let known: Promise<ClockReadings['days']> | null = null
  let until = 0
  return async () => {
    if (known === null || performance.now() > until) {
      known = offsetsOf(pool, 'MT5')
      until = performance.now() + rememberedMs
      known.catch(() => (known = null))
    }
    const { clock } = (await settings.get('platforms')).MT5
    return { days: await known, before: clock.timeZone === '' ? null : clock }
  }
}

async function offsetsOf(pool: Pool, platform: Platform): Promise<ClockReadings['days']> {
  const days = await rows<{ day: string; offset: number }>(pool)`
    select day, offset_seconds as "offset" from platform_days where platform = ${platform}`
  return new Map(days.map(({ day, offset }) => [day, offset * 1000]))
}

/** Returns a platform's clock as last read, or null before the first reading; the platform is not queried. */
export async function lastReadClock(
  { pool, settings }: Pick<Dependencies, 'pool' | 'settings'>,
  platform: Platform,
): Promise<ServerZone | null> {
  const days = await offsetsOf(pool, platform)
  const newest = [...days].toSorted(([one], [other]) => one.localeCompare(other)).at(-1)
  if (newest === undefined) return null
  const own = (await settings.get('platforms'))[platform]
  return serverZone({ days, before: 'clock' in own && own.clock.timeZone !== '' ? own.clock : null }, newest[1])
}

/**
 * Returns the minutes by which the platform's clock is ahead of UTC in its newest reading, or null before the first.
 */
export async function clockOffset(connection: Connection, platform: Platform): Promise<number | null> {
  const found = await row<{ minutes: number }>(connection)`
    select offset_seconds / 60 as minutes from platform_days where platform = ${platform} order by day desc limit 1`
  return found?.minutes ?? null
}

/** Returns the day of a platform's first reading with both offsets, in ms, if a zone has another offset on that day. */
export async function firstZoneContradiction(
  connection: Connection,
  platform: Platform,
  zone: ClockZone,
): Promise<{ day: string; read: number; zoneOffset: number } | null> {
  const first = await row<{ day: string; read: number }>(connection)`
    select day, offset_seconds * 1000 as read from platform_days where platform = ${platform} order by day limit 1`
  if (first === null) return null
  const zoneOffset = offsetOfDay(zone, first.day)
  return zoneOffset === first.read ? null : { ...first, zoneOffset }
}

/** The newest reading of a platform. */
export interface PlatformReading {
  readonly platform: Platform
  readonly readAt: Date
  readonly missingRights: readonly PlatformRight[]
}

/** Returns the newest reading of each platform; `readAt` is by our clock. */
export function platformReadings(connection: Connection): Promise<PlatformReading[]> {
  return rows<PlatformReading>(connection)`
    select distinct on (platform) platform, read_at as "readAt", missing_rights as "missingRights"
      from platform_days order by platform, day desc`
}

/**
 * The firm's settings: append-only rows, with a schema and defaults for each section, read through a cache. A new row
 * applies to all servers as soon as it is committed: trigger `settings_changed` notifies the listener in server/main.ts,
 * which empties the cache.
 */
import type { Pool } from 'pg'
import * as z from 'zod/mini'
import { settingSections, type Setting, type SettingSection } from '#contract/setting-sections.ts'
import { row, rows, run, type Connection, type Transaction } from '../db/sql.ts'
import { settingDefault } from './defaults.ts'

export interface Settings {
  /** Returns the value in force. */
  get<S extends SettingSection>(section: S): Promise<Setting<S>>
  /** Returns the value in force and its version; 0 is the unchanged default. */
  withVersion<S extends SettingSection>(section: S): Promise<{ value: Setting<S>; version: number }>
  /** Drops a section from the cache; called when the database notifies of a change. */
  forget(section: string): void
  /** Drops the whole cache; called when notifications may have been missed. */
  forgetAll(): void
}

/**
 * Reads settings through `pool`, which must be one of which no transaction holds connections; `now` dates the defaults
 * that mention a coming day.
 */
export function openSettings(pool: Pool, now: () => Date): Settings {
  const remembered = new Map<string, Promise<{ value: unknown; version: number }>>()
  const withVersion = <S extends SettingSection>(section: S) => {
    let known = remembered.get(section)
    if (!known) {
      known = readSetting(pool, section, now())
      remembered.set(section, known)
      known.catch(() => remembered.delete(section))
    }
    return known as Promise<{ value: Setting<S>; version: number }>
  }
  return {
    withVersion,
    get: async (section) => (await withVersion(section)).value,
    forget: (section) => {
      remembered.delete(section)
    },
    forgetAll: () => remembered.clear(),
  }
}

/** Returns the section from the database, without the cache, for decisions about a setting. */
export async function readSetting<S extends SettingSection>(
  connection: Connection,
  section: S,
  now: Date,
): Promise<{ value: Setting<S>; version: number }> {
  const kept = await row<{ version: number; value: unknown }>(connection)`
    select version, value from settings where section = ${section} order by version desc limit 1`
  if (!kept) return { value: settingDefault(section, now), version: 0 }
  return { value: decoded(section, kept.value), version: kept.version }
}

/** Returns the value that was in force at a time. */
export async function readSettingAt<S extends SettingSection>(
  connection: Connection,
  section: S,
  at: Date,
): Promise<Setting<S>> {
  const kept = await row<{ value: unknown }>(connection)`
    select value from settings where section = ${section} and from_at <= ${at} order by version desc limit 1`
  return kept ? decoded(section, kept.value) : settingDefault(section, at)
}

/** Returns every stored version of a section, the newest first; none while the default is unchanged. */
export async function readSettingHistory<S extends SettingSection>(
  connection: Connection,
  section: S,
): Promise<{ value: Setting<S>; from: Date }[]> {
  const kept = await rows<{ value: unknown; from: Date }>(connection)`
    select value, from_at as from from settings where section = ${section} order by version desc`
  return kept.map(({ value, from }) => ({ value: decoded(section, value), from }))
}

function decoded<S extends SettingSection>(section: S, value: unknown): Setting<S> {
  return z.decode(settingSections[section], removeControlCharacters(value) as never) as Setting<S>
}

const controlCharacter = /[\p{Cc}--[\t\n\r]]/gv

/** Rows that were written before control characters were rejected may contain some, and must stay readable. */
function removeControlCharacters(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(controlCharacter, '')
  if (Array.isArray(value)) return value.map(removeControlCharacters)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, removeControlCharacters(one)]))
}

/** Writes the next version of a section. Fails on the primary key if another caller was faster. */
export async function writeSetting<S extends SettingSection>(
  tx: Transaction,
  section: S,
  change: { value: Setting<S>; version: number; by: string | null; reason: string; now: Date },
): Promise<void> {
  const value = z.encode(settingSections[section], change.value as never)
  await run(tx)`insert into settings (section, version, value, from_at, by_staff, reason)
      values (${section}, ${change.version}, ${JSON.stringify(value)}::text::jsonb, ${change.now}, ${change.by},
        ${change.reason})`
}

/**
 * The platform group in which an account is opened: the firm's own names, as rows of the settings (ADR 196). No name is
 * derived.
 */
import type { ClientStatus } from './choices.ts'
import type { accountTypes, platforms } from './constants.ts'
import type { Currency } from './money.ts'

export const realms = ['real', 'demo'] as const
export type Realm = (typeof realms)[number]

/** The attributes that determine an account's group. */
export interface GroupFacts {
  readonly platform: (typeof platforms)[number]
  readonly realm: Realm
  readonly type: (typeof accountTypes)[number]
  readonly currency: Currency
  readonly status: ClientStatus
  /** The client's country; in a row empty for every country. */
  readonly country: string
}

/** A row of the settings. */
export interface GroupRow extends GroupFacts {
  readonly group: string
}

/** Maximum length of a group's name: the platforms' fields have one more character, for the terminator. */
export const groupLengthMax = { MT5: 63, MT4: 15 } as const

const factNames = ['platform', 'realm', 'type', 'currency', 'status', 'country'] as const

function areSame(one: GroupFacts, other: GroupFacts): boolean {
  return factNames.every((name) => one[name] === other[name])
}

/** Returns the group for an account, or null if no row matches. A row for the client's country takes precedence. */
export function groupFor(rows: readonly GroupRow[], facts: GroupFacts): string | null {
  const fitting = (country: string) => rows.find((row) => areSame(row, { ...facts, country }))
  return (fitting(facts.country) ?? fitting(''))?.group ?? null
}

/** Returns the index of the first row that matches the same accounts as an earlier one, or -1. */
export function repeatedRow(rows: readonly GroupRow[]): number {
  return rows.findIndex((row, place) => rows.slice(0, place).some((earlier) => areSame(earlier, row)))
}

/** Returns the currency, type and category of a group's live accounts if all its rows agree, or null. */
export function liveAccountsIn(
  rows: readonly GroupRow[],
  platform: GroupFacts['platform'],
  group: string,
): Pick<GroupFacts, 'type' | 'currency' | 'status'> | null {
  const own = rows.filter((row) => row.platform === platform && row.realm === 'real' && row.group === group)
  const [first, ...more] = own
  if (!first) return null
  const { type, currency, status } = first
  const isOne = more.every((row) => row.type === type && row.currency === currency && row.status === status)
  return isOne ? { type, currency, status } : null
}

/** Returns the other groups of a platform and realm, each once: a dealer may have moved an account to one of them. */
export function otherGroups(
  rows: readonly GroupRow[],
  { platform, realm }: Pick<GroupFacts, 'platform' | 'realm'>,
  except: string,
): string[] {
  const names = rows.filter((row) => row.platform === platform && row.realm === realm).map(({ group }) => group)
  return [...new Set(names)].filter((name) => name !== except)
}

/**
 * Returns the name of a row in a comparison of settings, "MT5 real Standard EUR retail DE", so that adding or removing
 * a row does not change the others; null for any other value.
 */
export function groupRowName(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('group' in value) || !('realm' in value)) return null
  const row = value as Readonly<Record<string, unknown>>
  return factNames
    .map((name) => (typeof row[name] === 'string' ? row[name] : ''))
    .join(' ')
    .trimEnd()
}

/** Common functions of the adapters for records with an unreadable field (ADR 328). */
import { Rejected, Unavailable } from '../errors.ts'
import type { Unreadable } from './trade-history.ts'
import type { BalanceOperation, FoundOperation } from './trading-server.ts'

export type UnreadableField = Pick<Unreadable, 'field' | 'reason'>

/** The unreadable field of an account's own record. `value`: as it was sent; null if it was not sent. */
export interface UnreadableAccount {
  readonly field: string
  /**
   * `value`: not one that the field may have. Of the group that is the value, `currency`: its currency is not offered;
   * `group`: its currency cannot be read; `permission`: our login may not read it.
   */
  readonly reason: Unreadable['reason'] | 'value' | 'currency' | 'group' | 'permission'
  readonly value: string | null
}

/** A value of a record does not follow the contract. */
export class UnreadableValue extends Unavailable {
  readonly odd: UnreadableAccount

  constructor(field: string, reason: UnreadableAccount['reason'], value: unknown, message: string) {
    super(message)
    this.odd = describeUnreadable(field, reason, value)
  }
}

/** Returns the failure of a search for an opened account: an unreadable field may identify this one. */
export function unreadableOpeningError(field: string, login: string, value: unknown): UnreadableValue {
  const text = `The ${field} of account ${login} cannot be read: it may be the one that was opened. Correct it there`
  return new UnreadableValue(field, 'value', value, text)
}

/** Our login may not read the group of an account. */
export class ForbiddenGroup extends Rejected {
  readonly odd: UnreadableAccount

  constructor(group: string, code: string) {
    super('no-permission', code, `Our login there may not read the group ${group}`)
    this.odd = describeUnreadable('Group', 'permission', group)
  }
}

function describeUnreadable(field: string, reason: UnreadableAccount['reason'], value: unknown): UnreadableAccount {
  if (value === undefined || value === null) return { field, reason: 'missing', value: null }
  return { field, reason, value: valueText(value, shownMax) }
}

/** Returns the unreadable field according to the failure of reading an account alone; null for any other failure. */
export function unreadableAccountOf(error: unknown): UnreadableAccount | null {
  return error instanceof UnreadableValue || error instanceof ForbiddenGroup ? error.odd : null
}

/** The action of a deal whose own action cannot be read; no platform uses this number. */
export const unreadableAction = 9_999
/** The maximum lengths of an arbitrary value as stored and as shown to staff. */
const [lengthMax, shownMax] = [100, 40]

/** Returns a text of the platform without control characters and halves of characters: the database stores neither. */
export function removeControlCharacters(text: string): string {
  return text.toWellFormed().replaceAll(/\p{Cc}/gu, '')
}

/**
 * Returns the operation with a reference, or null if there is none. Throws `Unavailable` if it, or one that may be it,
 * cannot be read: a missing one would count as not carried out.
 */
export function operationOf(
  operations: readonly Pick<BalanceOperation, 'ticket' | 'amount' | 'comment'>[],
  ref: string,
): FoundOperation | null {
  // Without a readable comment it may be any operation.
  const found = operations.find(({ comment }) => comment === ref) ?? operations.find(({ comment }) => comment === null)
  if (found === undefined) return null
  const { ticket, amount, comment } = found
  if (amount === null || comment === null) throw new Unavailable(`Operation ${ticket || '?'} cannot be read`)
  return { ticket, amount }
}

/** Returns a record as it was sent. Comments may contain anything about anyone; callers omit them (ADR 210). */
export function rawOf(record: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, valueText(value, lengthMax)]))
}

function valueText(value: unknown, most: number): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return removeControlCharacters(text).slice(0, most).toWellFormed()
}

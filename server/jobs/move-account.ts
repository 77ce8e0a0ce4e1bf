/** The operation that moves a trading account to the group of its client's category, whatever caused the change. */
import type { ClientStatus } from '#rules/choices.ts'
import { retailLeverage } from '#rules/constants.ts'
import type { Currency } from '#rules/money.ts'
import { groupFor, type GroupFacts, type GroupRow } from '#rules/platform-groups.ts'
import type { ClientId } from '#rules/ids.ts'
import type { Transaction } from '../db/sql.ts'
import { operationRef } from '../db/ids.ts'
import { enqueue } from './operations.ts'
import type { Platform } from '../dependencies.ts'

/** A live account whose category changes. */
export interface MovedAccount {
  readonly id: string
  readonly clientId: ClientId
  readonly platform: Platform
  readonly login: string
  readonly accType: 'Standard' | 'ECN'
  readonly currency: Currency
  readonly leverage: number
  /** The country of its client. */
  readonly country: string
}

/** The payload of the operation `set-status`. */
export interface MovePayload {
  readonly platform: Platform
  readonly login: string
  /** Null if no row of the settings matched: it is determined again when the operation is sent. */
  readonly group: string | null
  /** The facts that determine the group; operations written before they were stored have a group. */
  readonly facts?: GroupFacts
  /** Null if it is unchanged. */
  readonly leverage: number | null
}

/** The rows of the settings that determine groups. */
export type GroupRows = readonly GroupRow[]

/** Returns the facts that determine the group of a live account whose category changes. */
export function movedFacts(account: MovedAccount, status: 'professional' | 'retail'): GroupFacts {
  const { platform, accType: type, currency, country } = account
  return { platform, realm: 'real', type, currency, status, country }
}

/** Returns the leverage that a category limits an account to, or null if its leverage may stay. */
export function limitedLeverage(status: ClientStatus, leverage: number): number | null {
  return status === 'retail' && leverage > retailLeverage ? retailLeverage : null
}

/** Writes the operation that moves an account to the group of its new category. */
export async function moveAccount(
  tx: Transaction,
  groups: GroupRows,
  account: MovedAccount,
  to: 'professional' | 'retail',
  now: Date,
): Promise<void> {
  const { id, clientId, platform, login } = account
  const facts = movedFacts(account, to)
  const group = groupFor(groups, facts)
  const leverage = limitedLeverage(to, account.leverage)
  await enqueue(tx, now, {
    kind: 'set-status',
    ref: operationRef(now),
    target: `${platform}:${login}`,
    payload: { platform, login, group, facts, leverage },
    subject: 'account',
    record: id,
    clientId,
  })
}

/** The operation that takes a trading account into the group of its client status, anyone who changed it. */
import { retailLeverage } from '#rules/constants.ts'
import type { Currency } from '#rules/money.ts'
import { groupFor, type GroupFacts, type GroupRow } from '#rules/platform-groups.ts'
import type { ClientId } from '#rules/ids.ts'
import type { Transaction } from '../db/transaction.ts'
import { operationRef } from '../db/ids.ts'
import { enqueue } from './operations.ts'
import type { Platform } from '../dependencies.ts'

/** A live account whose status changes. */
export interface MovedAccount {
  readonly id: string
  readonly clientId: ClientId
  readonly platform: Platform
  readonly login: string
  readonly accType: 'Standard' | 'ECN'
  readonly currency: Currency
  readonly leverage: number
  /** Of its client. */
  readonly country: string
}

/** What the operation `set-status` carries. */
export interface MovePayload {
  readonly platform: Platform
  readonly login: string
  /** Null where no row of the settings fitted: it is looked for again when the operation is sent. */
  readonly group: string | null
  /** What the group is looked for by; operations written before it was kept have a group. */
  readonly facts?: GroupFacts
  /** Null where it stays as it is. */
  readonly leverage: number | null
}

/** The rows of the settings by which groups are chosen. */
export type GroupRows = readonly GroupRow[]

/** Returns the facts that choose the group of a live account whose category changes. */
export function movedFacts(account: MovedAccount, status: 'professional' | 'retail'): GroupFacts {
  const { platform, accType: type, currency, country } = account
  return { platform, realm: 'real', type, currency, status, country }
}

/** Writes the operation that moves an account into the group of its new status. */
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
  const leverage = to === 'retail' && account.leverage > retailLeverage ? retailLeverage : null
  await enqueue(
    tx,
    {
      kind: 'set-status',
      ref: operationRef(now),
      target: `${platform}:${login}`,
      payload: { platform, login, group, facts, leverage },
      subject: 'account',
      record: id,
      clientId,
    },
    now,
  )
}

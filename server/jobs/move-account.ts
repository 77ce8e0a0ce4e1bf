/** The operation that takes a trading account into the group of its client status, anyone who changed it. */
import { retailLeverage } from '#rules/constants.ts'
import type { Currency } from '#rules/money.ts'
import { groupName } from '#rules/platform-groups.ts'
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
}

/** What the operation `set-status` carries. */
export interface MovePayload {
  readonly platform: Platform
  readonly login: string
  readonly group: string
  /** Null where it stays as it is. */
  readonly leverage: number | null
}

/** Writes the operation that moves an account into the group of its new status. */
export async function moveAccount(
  tx: Transaction,
  account: MovedAccount,
  to: 'professional' | 'retail',
  now: Date,
): Promise<void> {
  const { id, clientId, platform, login, accType: type, currency } = account
  const group = groupName({ platform, demo: false, type, currency, professional: to === 'professional' })
  const leverage = to === 'retail' && account.leverage > retailLeverage ? retailLeverage : null
  await enqueue(
    tx,
    {
      kind: 'set-status',
      ref: operationRef(now),
      target: `${platform}:${login}`,
      payload: { platform, login, group, leverage },
      subject: 'account',
      record: id,
      clientId,
    },
    now,
  )
}

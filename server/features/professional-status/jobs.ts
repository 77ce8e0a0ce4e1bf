/**
 * The platform follows a change of status: the account's group, and for a retail client again a leverage of 1:30. Both
 * are set, not added to, so they may be sent again (mechanics section 2).
 */
import { retailLeverage } from '#rules/constants.ts'
import type { Currency } from '#rules/money.ts'
import { groupName } from '#rules/platform-groups.ts'
import { run, sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { openWork } from '../../db/work-items.ts'
import { operationRef } from '../../ids.ts'
import { enqueue, type OperationKind } from '../../jobs/operations.ts'
import type { Parts, Platform } from '../../parts.ts'

export interface MovedAccount {
  readonly id: string
  readonly clientId: string
  readonly platform: Platform
  readonly login: string
  readonly accType: 'Standard' | 'ECN'
  readonly currency: Currency
  readonly leverage: number
}

interface MovePayload {
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

/** The kind `set-status`. What the platform refuses waits in the inbox: our own record says already what must be. */
export function statusOperation(parts: Parts): OperationKind<MovePayload> {
  return {
    kind: 'set-status',
    repeatable: true,
    async send({ payload: { platform, login, group, leverage } }) {
      const server = parts.platforms[platform]
      await server.setGroup(login, group)
      if (leverage !== null) await server.setLeverage(login, leverage)
      const shown = await server.getAccount(login)
      if (shown.group !== group) throw new Error(`the platform shows the group ${shown.group}, not ${group}`)
      return { group, leverage: shown.leverage }
    },
    async settled(tx, operation, outcome, act) {
      if ('refused' in outcome) {
        const summary = {
          kind: operation.kind,
          subject: operation.subject,
          ref: operation.ref,
          reason: outcome.refused.message.slice(0, 200),
        }
        const clientId = operation.clientId === null ? {} : { clientId: operation.clientId }
        await openWork(
          tx,
          'operation',
          operation.id,
          { state: 'refused', dueAt: act.now, ...clientId, summary },
          act.now,
        )
        return
      }
      const { group, leverage } = operation.payload
      await run(
        tx,
        sql`update trading_accounts set group_name = ${group}, leverage = coalesce(${leverage}::integer, leverage), version = version + 1
            where id = ${operation.record}`,
      )
      if (leverage !== null)
        await run(tx, sql`update platform_figures set leverage = ${leverage} where account_id = ${operation.record}`)
    },
  }
}

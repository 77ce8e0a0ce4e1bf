/**
 * Money in and out of an account at its trading platform. One operation at a time goes to one login; what follows from
 * its answer belongs to the feature that asked, by the name of the leg (mechanics section 2).
 */
import { money, type Currency, type Money } from '#rules/money.ts'
import type { Act } from '../db/events.ts'
import { row, run, sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { moveFigures } from '../ledger/figures.ts'
import { Unknown } from '../outside/failure.ts'
import type { Parts, Platform } from '../parts.ts'
import { enqueue, type Operation, type OperationKind, type Outcome } from './operations.ts'

export interface BalancePayload {
  readonly platform: Platform
  readonly login: string
  readonly accountId: string
  /** Minor units as text; negative takes money out. */
  readonly minor: string
  readonly currency: Currency
  readonly checkMargin: boolean
  /** Which step of which feature this is: the key of its follow-up. */
  readonly leg: string
}

/** What follows from one leg's answer, in the transaction that settles it. */
export type LegSettled = (
  tx: Transaction,
  operation: Operation<BalancePayload>,
  outcome: Outcome,
  act: Act,
) => Promise<void>
export type BalanceLegs = Readonly<Record<string, LegSettled>>

export interface BalanceOrder {
  readonly ref: string
  readonly platform: Platform
  readonly login: string
  readonly accountId: string
  readonly amount: Money
  readonly checkMargin: boolean
  readonly leg: string
  readonly subject: string
  readonly record: string
  readonly clientId: string
}

/** Writes a balance operation in the caller's transaction. */
export async function enqueueBalance(tx: Transaction, order: BalanceOrder, now: Date): Promise<string> {
  const { platform, login, accountId, checkMargin, leg, ref, subject, record, clientId, amount } = order
  const payload = {
    platform,
    login,
    accountId,
    minor: String(amount.minor),
    currency: amount.currency,
    checkMargin,
    leg,
  }
  return enqueue(tx, { kind: 'balance', ref, target: `${platform}:${login}`, payload, subject, record, clientId }, now)
}

/** The amount of a balance operation; negative takes money out. */
export function amountOf(payload: BalancePayload): Money {
  return money(BigInt(payload.minor), payload.currency)
}

/** The kind `balance`, over the legs of all features. */
export function balanceOperation(parts: Parts, legs: BalanceLegs): OperationKind<BalancePayload> {
  return {
    kind: 'balance',
    repeatable: false,
    async send({ ref, payload }) {
      const { login, checkMargin } = payload
      const platform = parts.platforms[payload.platform]
      const { ticket } = await platform.applyBalance({ ref, login, amount: amountOf(payload), checkMargin })
      await refuseKnownTicket(parts, payload.platform, ticket, ref)
      return { ticket }
    },
    async find(operation) {
      const { payload, ref, createdAt } = operation
      const found = await parts.platforms[payload.platform].findBalanceOperation(
        payload.login,
        ref,
        operation.sentAt ?? createdAt,
      )
      if (!found) return null
      if (found.amount.minor !== BigInt(payload.minor))
        throw new Unknown('The platform names another amount for this reference.')
      await refuseKnownTicket(parts, payload.platform, found.ticket, ref)
      return { ticket: found.ticket }
    },
    async settled(tx, operation, outcome, act) {
      // A reading that is being kept comes before this or after it, never in between: both move the figures.
      await run(tx, sql`select 1 from trading_accounts where id = ${operation.payload.accountId} for update`)
      const leg = legs[operation.payload.leg]
      if (!leg) throw new Error(`nothing follows from ${operation.payload.leg}`)
      await leg(tx, operation, outcome, act)
      if ('done' in outcome) await moveFigures(tx, operation.payload.accountId, amountOf(operation.payload))
    },
  }
}

/** A ticket that another operation already has is no answer to this one (fault K15). */
async function refuseKnownTicket(parts: Parts, platform: Platform, ticket: string, ref: string): Promise<void> {
  const known = await row<{ ref: string }>(
    parts.jobs,
    sql`select ref from operations where kind = 'balance' and split_part(target, ':', 1) = ${platform} and state = 'done'
          and result -> 'done' ->> 'ticket' = ${ticket} and ref <> ${ref} limit 1`,
  )
  if (known) throw new Unknown(`The platform answered with ticket ${ticket}, which belongs to another operation.`)
}

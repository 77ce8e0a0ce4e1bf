/**
 * Deposits to and withdrawals from an account on its trading platform. One operation at a time is sent to a login; the
 * feature handles the result, by the name of the leg (requirements 18.10).
 */
import { differenceMachine } from '#rules/corrections.ts'
import { money, type Currency, type Money } from '#rules/money.ts'
import type { BalanceLeg } from '#rules/references.ts'
import type { AccountId, ClientId } from '#rules/ids.ts'
import type { AuditContext } from '../db/events.ts'
import { row, run, type Transaction } from '../db/sql.ts'
import { adjustSnapshot } from '../ledger/account-snapshot.ts'
import { Deferred, Rejected, Unknown } from '../integrations/errors.ts'
import { reverseBookedDeal } from '../ledger/booked-deals.ts'
import { closeDiscrepancyOf, dealRef, isOurDeal } from '../ledger/platform-deals.ts'
import { hasUnclearDeal } from '../ledger/unreadable-accounts.ts'
import type { Keys } from '../crypto/keys.ts'
import type { Dependencies, Platform } from '../dependencies.ts'
import { platformComment } from '../ledger/references.ts'
import { dealsOfLeg, recoveredDeals, type LegDeals, type RecoveredDeal } from './decided-deals.ts'
import { enqueue, type Operation, type OperationKind, type Outcome } from './operations.ts'

export interface BalancePayload {
  readonly platform: Platform
  readonly login: string
  readonly accountId: AccountId
  /** Minor units as text; negative for a withdrawal. */
  readonly minor: string
  readonly currency: Currency
  readonly checkMargin: boolean
  /** The feature's step: the key of its follow-up. */
  readonly leg: BalanceLeg
}

/** Handles one leg's result, in the transaction that settles it. */
type LegSettled = (
  tx: Transaction,
  operation: Operation<BalancePayload>,
  outcome: Outcome,
  auditContext: AuditContext,
) => Promise<void>
/** Returns why a leg may not be sent yet, or null; called before its first send. */
type LegHeld = (tx: Transaction, operation: Operation<BalancePayload>, now: Date) => Promise<string | null>
export type HeldLegs = Readonly<Partial<Record<BalanceLeg, LegHeld>>>

export type BalanceLegs = Readonly<Partial<Record<BalanceLeg, LegSettled>>>

interface BalanceOrder {
  /** The request and its account. */
  readonly request: {
    readonly id: string
    readonly clientId: ClientId
    /** The visible reference, from which the comment on the platform is derived. */
    readonly reference: string
    readonly platform: Platform
    readonly login: string
    readonly accountId: AccountId
  }
  readonly subject: string
  readonly leg: BalanceLeg
  readonly amount: Money
  /** By default, withdrawals check the margin. */
  readonly checkMargin?: boolean
  /** Above 0 only if staff send a rejected leg again, or if recovery adopts a resend that it found. */
  readonly generation?: number
}

/**
 * Writes a balance operation in the caller's transaction. A leg of a request is written once; the database rejects
 * more.
 */
export async function enqueueBalance(
  tx: Transaction,
  keys: Pick<Keys, 'reference'>,
  now: Date,
  { request, subject, leg, amount, checkMargin = amount.minor < 0n, generation = 0 }: BalanceOrder,
): Promise<string> {
  const { id: record, clientId, reference: shown, platform, login, accountId } = request
  const ref = platformComment({ key: keys.reference.bytes, shown, leg, generation })
  const payload = {
    platform,
    login,
    accountId,
    minor: String(amount.minor),
    currency: amount.currency,
    checkMargin,
    leg,
  }
  const target = `${platform}:${login}`
  return enqueue(tx, now, { kind: 'balance', ref, target, payload, subject, record, clientId, shown, generation })
}

/** Returns the head of the ledger entry of a settled leg: it has the leg's name and the operation's reference. */
export function ledgerEntryOf({ ref, payload, subject, record }: Operation<BalancePayload>) {
  return { ref, kind: payload.leg, subject, record }
}

/** Returns the amount of a balance operation; negative for a withdrawal. */
function amountOf(payload: BalancePayload): Money {
  return money(BigInt(payload.minor), payload.currency)
}

/** A deal of the account may be this operation, executed before its record was lost (ADR 331). */
const unclearText = 'A deal of the account may be this operation: not sent'

/** The operation may have been executed already, or a later leg may have superseded it. */
const undecidedText = 'Two people must decide in recovery on a deal of the same request: not sent'

/**
 * Two people reversed a deal with the operation's reference, or posted it for another account: that reference is not
 * used again (requirements 24.141, 24.143).
 */
export const usedReferenceOutcome = {
  refused: { reason: 'refused', code: 'recovery:decided', message: 'Two people decided on the deal of this reference' },
} as const

/** Returns the kind `balance`, with the legs of all features. */
export function balanceOperation(
  dependencies: Dependencies,
  legs: BalanceLegs,
  held: HeldLegs = {},
): OperationKind<BalancePayload> {
  return {
    kind: 'balance',
    repeatable: false,
    async held(tx, operation, now) {
      const { accountId, leg } = operation.payload
      if (await hasUnclearDeal(tx, accountId)) return unclearText
      if ((await recoveredDeals(tx, operation)).some(({ isOpen }) => isOpen)) return undecidedText
      return (await held[leg]?.(tx, operation, now)) ?? null
    },
    async send(operation, sendBy) {
      const { ref, payload } = operation
      const { login, checkMargin } = payload
      const own = await decidedDeal(dependencies, operation)
      if (own?.decision === 'posted') return { ticket: own.ticket }
      if (own !== null) {
        const { reason, code, message } = usedReferenceOutcome.refused
        throw new Rejected(reason, code, message)
      }
      const earlier = await findEarlierAttempt(dependencies, operation)
      if (earlier !== null) return { ticket: earlier }
      await assertReversedDealIsNotOurs(dependencies, operation)
      const platform = dependencies.platforms[payload.platform]
      const { ticket } = await platform.applyBalance({ ref, login, amount: amountOf(payload), checkMargin, sendBy })
      await assertNewTicket(dependencies, payload.platform, ticket, ref)
      return { ticket }
    },
    async find(operation) {
      const { payload, ref, createdAt } = operation
      const own = await decidedDeal(dependencies, operation)
      if (own !== null) return own.decision === 'posted' ? { ticket: own.ticket } : null
      const found = await dependencies.platforms[payload.platform].findBalanceOperation(
        payload.login,
        ref,
        // Not from the last send: the deal of an earlier one may have arrived in between.
        createdAt,
      )
      if (!found) return null
      if (found.amount.minor !== BigInt(payload.minor))
        throw new Deferred('The platform has another amount for this reference.')
      await assertNewTicket(dependencies, payload.platform, found.ticket, ref)
      return { ticket: found.ticket }
    },
    async settled(tx, operation, outcome, auditContext) {
      // A reading that is being stored comes before or after this, never in between: both change the balances.
      await run(tx)`select 1 from trading_accounts where id = ${operation.payload.accountId} for update`
      const leg = legs[operation.payload.leg]
      if (!leg) throw new Error(`no result handler for leg ${operation.payload.leg}`)
      await leg(tx, operation, outcome, auditContext)
      if (!('done' in outcome)) return
      const { platform, accountId } = operation.payload
      const { ticket } = outcome.done as { ticket: string }
      const amount = amountOf(operation.payload)
      const deal = dealRef(platform, ticket)
      await closeDiscrepancyOf(tx, deal, auditContext.now)
      // Two people may have posted its deal before: the balances contain it already.
      if (await reverseBookedDeal(tx, { ref: deal, accountId, amount }, auditContext.now)) return
      await adjustSnapshot(tx, { accountId, deal, amount })
    },
  }
}

/** Returns the deal with the operation's reference on which two people have decided apart from it, or null. */
async function decidedDeal(
  { jobs }: Dependencies,
  operation: Operation<BalancePayload>,
): Promise<RecoveredDeal | null> {
  const deals = await recoveredDeals(jobs, operation)
  return deals.find(({ decision, comment }) => decision !== null && comment === operation.ref) ?? null
}

/** Throws if another operation already has this ticket (requirements 33.15). */
async function assertNewTicket(dependencies: Dependencies, platform: Platform, ticket: string, ref: string) {
  const known = await row<{ ref: string }>(dependencies.jobs)`
    select ref from operations where kind = 'balance' and split_part(target, ':', 1) = ${platform} and state = 'done'
      and result -> 'done' ->> 'ticket' = ${ticket} and ref <> ${ref} limit 1`
  if (known) throw new Unknown(`The platform answered with ticket ${ticket}, which belongs to another operation.`)
}

/**
 * Rejects the reversal of a deal that an operation of ours found while the reversal waited. Two people decided it
 * before its reference could be read (ADR 330).
 */
async function assertReversedDealIsNotOurs(
  { jobs }: Dependencies,
  { subject, record, payload }: Operation<BalancePayload>,
): Promise<void> {
  if (payload.leg !== 'deal-reversal' || subject !== differenceMachine.name) return
  const difference = await row<{ deal: string }>(jobs)`
    select fingerprint as deal from differences where id = ${record}::uuid`
  if (difference !== null && (await isOurDeal(jobs, difference.deal)))
    throw new Rejected('refused', 'office:ours', 'The deal is one of our operations')
}

/**
 * Looks for deals of an operation before it is sent again: its own, and those of other generations of its leg, because
 * the platform may have executed what it rejected. Returns the ticket of one that two people have posted: the operation
 * is settled with it. Throws `Unknown` if the platform has its own, and `Deferred` if two people have not decided on
 * one, its reversal is not done, or one that may be such a deal cannot be read.
 */
async function findEarlierAttempt(
  dependencies: Dependencies,
  operation: Operation<BalancePayload>,
): Promise<string | null> {
  const { generation, ref, sentAt, tries } = operation
  if (generation === 0 && sentAt === null && tries <= 1) return null
  const { deals, attempts, isUnclear } = await dealsOfLeg(dependencies, operation)
  // It was sent, and arrived after two queries had not found it.
  if (deals.some(({ comment }) => comment === ref)) throw new Unknown('The platform has a deal with this reference.')
  const other = attempts.find(({ decision }) => decision !== 'reversed')
  if (other) return postedTicket(other)
  if (isUnclear) throw new Deferred('A deal that may be another attempt of this operation cannot be read.')
  return null
}

/** Returns the ticket of another attempt's deal if two people have posted it. */
function postedTicket({ comment, ticket, decision }: LegDeals['attempts'][number]): string {
  if (decision === 'posted') return ticket
  throw new Deferred(
    decision === 'reversing'
      ? `The reversal of another attempt is not done on the platform yet: ${comment}.`
      : `The platform executed another attempt: ${comment}. Two people in finance must decide on it in Reconciliation or Recovery.`,
  )
}

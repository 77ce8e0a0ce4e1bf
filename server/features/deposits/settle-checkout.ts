/**
 * Settles a checkout by the provider's response. Webhook, return page and scheduled query are only hints to query the
 * provider: its response decides, and is applied once.
 */
import type { DepositId } from '#rules/ids.ts'
import type { AuditContext } from '../../db/events.ts'
import { run, transaction } from '../../db/sql.ts'
import { isIntegrationError } from '../../integrations/errors.ts'
import {
  fetchStatuses,
  isMoneyTaken,
  type CheckoutStatus,
  type PaymentProvider,
} from '../../integrations/card-provider/payment-provider.ts'
import { Problem } from '../../http/problem.ts'
import { clearSilence } from '../../ledger/differences.ts'
import { isStopped } from '../../recovery/stopped-money.ts'
import type { Dependencies } from '../../dependencies.ts'
import { applyStatus, isPageOver } from './apply-status.ts'
import {
  recordContradiction,
  compareMoneyBack,
  isExpectedPayment,
  recordFurtherPayments,
  recordMissingResponse,
} from './payment-discrepancy.ts'
import { paymentIdsOf, recordPaymentIds } from './checkout-queries.ts'
import { depositById, lockDeposit, type Deposit } from './queries.ts'

/** Queries one checkout and applies the response; returns the deposit afterwards. */
export async function queryProvider(...query: Parameters<typeof queryWithStatus>): Promise<Deposit> {
  return (await queryWithStatus(...query)).deposit
}

export interface Queried {
  readonly deposit: Deposit
  /** The response about the deposit's payment; null if the provider was not queried, or its response not applied. */
  readonly status: CheckoutStatus | null
}

/** Queries one checkout and applies the response; returns the deposit afterwards, and the response. */
export async function queryWithStatus(
  dependencies: Dependencies,
  depositId: DepositId,
  auditContext: AuditContext,
): Promise<Queried> {
  const asked = await depositById(dependencies.jobs, depositId)
  if (!asked) throw new Error(`deposit ${depositId} not found`)
  const { cards } = dependencies
  if (!cards || asked.providerId === null) return { deposit: asked, status: null }
  // During a recovery, the recovery command queries every checkout and posts what it finds.
  const isRecovery = auditContext.identity.kind === 'recovery'
  if (!isRecovery && (await isStopped(dependencies.jobs, 'accounts'))) return { deposit: asked, status: null }
  // The provider is the actor of this change, regardless of who triggered the query.
  const byProvider: AuditContext = isRecovery ? auditContext : { ...auditContext, identity: { kind: 'external' } }
  const statuses = await statusesOrSilence(dependencies, cards, asked, byProvider)
  const isApplied = await transaction(dependencies.jobs, async (tx) => {
    const deposit = await lockDeposit(tx, depositId)
    if (!deposit) throw new Error(`deposit ${depositId} not found`)
    const status = ownStatus(deposit, statuses)
    await recordPaymentIds(tx, depositId, statuses, auditContext.now)
    if (!isRecovery && (await isStopped(tx, 'accounts'))) return false
    const taken = isMoneyTaken(status) ? status.paymentId : null
    await run(tx)`update deposits set asked_at = ${auditContext.now}, unanswered_since = null,
        payment_id = coalesce(${taken}, payment_id) where id = ${depositId}`
    await clearSilence(tx, depositId, auditContext.now)
    const effective = effectiveStatus(cards, deposit, status, auditContext)
    // A response that may be older than a posted return reverses none.
    const isCurrent = asked.refundedMinor === deposit.refundedMinor
    await applyStatus(tx, dependencies.keys, deposit, effective, byProvider, isCurrent)
    await compareMoneyBack(tx, await lockDeposit(tx, depositId), status, byProvider)
    // If the deposit was paid while this query was in progress, its response may be older than the payment.
    if (asked.receivedMinor !== null) await recordContradiction(tx, deposit, status, byProvider)
    const further = statuses.filter((one) => one !== status)
    await recordFurtherPayments(tx, deposit, further, byProvider)
    return true
  })
  const deposit = (await depositById(dependencies.jobs, depositId)) ?? asked
  return { deposit, status: isApplied ? ownStatus(deposit, statuses) : null }
}

/**
 * Queries the provider immediately before staff decide on a payment (requirements 19.1). Returns its response, or null
 * for a deposit without a checkout. Throws `payment-not-checked` if it does not respond, and while recovery has stopped
 * money: it may be closed before the decision.
 */
export async function statusForDecision(
  dependencies: Dependencies,
  { id, providerId }: Deposit,
  now: Date,
): Promise<CheckoutStatus | null> {
  if (providerId === null) return null
  try {
    const { status } = await queryWithStatus(dependencies, id, { identity: { kind: 'external' }, now })
    if (!status) throw new Problem('payment-not-checked')
    return status
  } catch (error) {
    if (!isIntegrationError(error)) throw error
    throw new Problem('payment-not-checked')
  }
}

/**
 * Returns the status of a checkout. One that cannot be closed is over when its page expires, although the provider may
 * report it in progress for longer. A declined payment is final only once no other attempt can follow: the page has
 * expired, or the client has left it, returned to us or cancelled (ADR 339).
 */
function effectiveStatus(
  cards: PaymentProvider,
  deposit: Deposit,
  status: CheckoutStatus,
  { now, identity }: AuditContext,
): CheckoutStatus {
  const isOver = isPageOver(deposit, now)
  if (status.state === 'open' && !cards.closesCheckouts && isOver) return { state: 'expired' }
  const mayTryAgain = cards.allowsSeveralPayments && !isOver && identity.kind !== 'client'
  return status.state === 'failed' && mayTryAgain ? { state: 'open' } : status
}

/**
 * Returns which of a checkout's statuses is the deposit's: that of the payment whose money was received. Before that,
 * any payment that was taken, else one that may still be, else what the checkout reports. A checkout that the provider
 * no longer knows has ended like its last known payment.
 */
export function ownStatus(deposit: Deposit, statuses: readonly CheckoutStatus[]): CheckoutStatus {
  const { paymentId, receivedMinor } = deposit
  const own = statuses.find((one) => one.paymentId !== undefined && one.paymentId === paymentId)
  if (receivedMinor !== null && paymentId !== null) return own ?? { state: 'expired' }
  const taken = statuses.filter(isMoneyTaken)
  return (
    taken.find((one) => one === own) ??
    taken.find((one) => one.state === 'paid' && isExpectedPayment(deposit, one)) ??
    taken[0] ??
    statuses.find(({ state }) => state === 'pending') ??
    statuses.find(({ state }) => state !== 'expired') ?? { state: 'expired' }
  )
}

/**
 * For how long after its request the checkout of a received payment is queried as well: webhooks name each payment, and
 * a second one whose webhook was lost is found by the daily queries after the page has expired.
 */
const furtherPaymentMs = 4 * 86_400_000

/** Returns the provider's responses about a deposit's checkout and payments. */
export async function queryStatuses(
  dependencies: Pick<Dependencies, 'jobs'>,
  cards: PaymentProvider,
  deposit: Deposit,
  now: Date,
): Promise<CheckoutStatus[]> {
  const { providerId, paymentId, receivedMinor, requestedAt } = deposit
  const known = await paymentIdsOf(dependencies.jobs, deposit)
  if (receivedMinor === null || paymentId === null) return fetchStatuses(cards, providerId, known)
  const mayHaveFurther = isPageOver(deposit, now) && now.getTime() - requestedAt.getTime() < furtherPaymentMs
  return fetchStatuses(cards, mayHaveFurther ? providerId : null, known)
}

/** Returns the provider's responses, and records a missing one. */
async function statusesOrSilence(
  dependencies: Dependencies,
  cards: PaymentProvider,
  deposit: Deposit,
  auditContext: AuditContext,
): Promise<CheckoutStatus[]> {
  try {
    return await queryStatuses(dependencies, cards, deposit, auditContext.now)
  } catch (error) {
    if (isIntegrationError(error)) await recordMissingResponse(dependencies, deposit.id, error, auditContext)
    throw error
  }
}

/**
 * Settles a checkout by the provider's response. Webhook, return page and scheduled query are only hints to query the
 * provider: its response decides, and is applied once.
 */
import { depositMachine } from '#rules/deposits.ts'
import { decimalOf } from '#rules/money.ts'
import type { DepositId } from '#rules/ids.ts'
import { applyTransition } from '../../db/transition.ts'
import type { AuditContext } from '../../db/events.ts'
import { run, transaction, type Transaction } from '../../db/sql.ts'
import { isIntegrationError } from '../../integrations/errors.ts'
import {
  fetchStatuses,
  isMoneyTaken,
  totalReturned,
  type CheckoutStatus,
  type PaymentProvider,
  type StatusWithAmount,
} from '../../integrations/card-provider/payment-provider.ts'
import { Problem } from '../../http/problem.ts'
import { isStopped } from '../../recovery/stopped-money.ts'
import type { Dependencies } from '../../dependencies.ts'
import { platformErrorComment } from '../../i18n/format.ts'
import { workItemDueIn } from '../../office/due-dates.ts'
import { beginCredit, summaryOf, notifyDeposit, postCardArrival, uncreditedItem } from './credit-deposit.ts'
import { postNewReturns } from './money-back.ts'
import {
  recordContradiction,
  compareMoneyBack,
  endDispute,
  recordDispute,
  isExpectedPayment,
  recordFurtherPayments,
  recordMissingResponse,
} from './payment-discrepancy.ts'
import { depositById, lockDeposit, paymentIdsOf, recordPaymentIds, type Deposit } from './queries.ts'
import { clearSilence } from '../../ledger/differences.ts'

/** Queries one checkout and applies the response; returns the deposit afterwards. */
export async function queryProvider(...query: Parameters<typeof queryWithStatus>): Promise<Deposit> {
  return (await queryWithStatus(...query)).deposit
}

export interface Queried {
  readonly deposit: Deposit
  /** The response about the deposit's payment; null if the provider was not queried. */
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
  await transaction(dependencies.jobs, async (tx) => {
    const deposit = await lockDeposit(tx, depositId)
    if (!deposit) throw new Error(`deposit ${depositId} not found`)
    const status = ownStatus(deposit, statuses)
    await recordPaymentIds(tx, depositId, statuses, auditContext.now)
    if (!isRecovery && (await isStopped(tx, 'accounts'))) return
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
  })
  const deposit = (await depositById(dependencies.jobs, depositId)) ?? asked
  return { deposit, status: ownStatus(deposit, statuses) }
}

/**
 * Queries the provider immediately before staff decide on a payment (requirements 19.1). Returns its response, or null
 * for a deposit without a checkout. Throws `payment-not-checked` if it does not respond.
 */
export async function statusForDecision(
  dependencies: Dependencies,
  { id, providerId }: Deposit,
  now: Date,
): Promise<CheckoutStatus | null> {
  if (providerId === null) return null
  if (!dependencies.cards) throw new Problem('payment-not-checked')
  try {
    return (await queryWithStatus(dependencies, id, { identity: { kind: 'external' }, now })).status
  } catch (error) {
    if (!isIntegrationError(error)) throw error
    throw new Problem('payment-not-checked')
  }
}

/** How long a checkout's page may accept money. Until then an unknown checkout in a response is not final. */
const pageLifeMs = 2 * 3_600_000

/** Returns whether the payment page of a checkout has expired without a result. */
export function isPageOver({ requestedAt }: Pick<Deposit, 'requestedAt'>, now: Date): boolean {
  return now.getTime() - requestedAt.getTime() >= pageLifeMs
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

async function applyStatus(
  tx: Transaction,
  keys: Dependencies['keys'],
  deposit: Deposit,
  status: CheckoutStatus,
  auditContext: AuditContext,
  isCurrent: boolean,
): Promise<void> {
  if (deposit.receivedMinor !== null) {
    if (status.state === 'disputed') await recordDispute(tx, deposit, auditContext)
    else if (isMoneyTaken(status)) await endDispute(tx, deposit)
    if (isMoneyTaken(status)) await postNewReturns(tx, deposit, status, auditContext, isCurrent)
    return
  }
  if (deposit.state === 'pending') await applyFailure(tx, deposit, status, auditContext)
  if (isMoneyTaken(status)) await applyPayment(tx, keys, deposit, status, auditContext)
}

/** Rejects a pending deposit of which the provider reports that it will not be paid. */
async function applyFailure(
  tx: Transaction,
  deposit: Deposit,
  status: CheckoutStatus,
  auditContext: AuditContext,
): Promise<void> {
  if (status.state === 'failed') return recordDecline(tx, deposit, 'declined', auditContext)
  // If the provider does not know a checkout whose page may still accept money, our key or address is wrong, so the
  // deposit stays unchanged.
  if (status.state === 'expired' && !isPageOver(deposit, auditContext.now)) return
  if (status.state === 'cancelled' || status.state === 'expired')
    return recordDecline(tx, deposit, status.state, auditContext)
}

/** Applies a payment whose money was taken to a deposit for which nothing is posted yet. */
async function applyPayment(
  tx: Transaction,
  keys: Dependencies['keys'],
  deposit: Deposit,
  status: StatusWithAmount,
  auditContext: AuditContext,
): Promise<void> {
  // Fully returned before anything was posted. A deposit that was rejected or cancelled stays as it is.
  if (totalReturned(status.back) >= status.amount.minor) {
    if (deposit.state === 'pending') await recordDecline(tx, deposit, 'cancelled', auditContext)
    if (deposit.state === 'in_review') await endReview(tx, deposit, status, auditContext)
    return
  }
  const { state, paymentId } = deposit
  if (status.state !== 'paid' || !isExpectedPayment(deposit, status)) {
    // A rejected deposit whose payment is known: staff have rejected it, or it is a discrepancy of an earlier version.
    const isKnown = state === 'in_review' || (state === 'rejected' && paymentId === status.paymentId)
    if (!isKnown) await beginReview(tx, deposit, status, auditContext)
    return
  }
  if (state === 'rejected' || state === 'refunded') await recordLatePayment(tx, deposit, auditContext)
  else await recordPayment(tx, keys, deposit, auditContext)
  const received = await lockDeposit(tx, deposit.id)
  if (received) await postNewReturns(tx, received, status, auditContext, true)
}

async function recordPayment(
  tx: Transaction,
  keys: Dependencies['keys'],
  deposit: Deposit,
  auditContext: AuditContext,
) {
  const { amountMinor, feeMinor } = deposit
  await applyTransition(tx, depositMachine, auditContext, deposit, 'paid', {
    set: { received_minor: amountMinor, comment: '' },
    workItem: null,
  })
  await postCardArrival(tx, deposit, amountMinor, auditContext.now)
  await beginCredit(tx, keys, deposit, amountMinor, feeMinor, auditContext.now)
}

/**
 * Begins the review of a payment that differs from the deposit, or is disputed (ADR 347). Nothing is posted; the client learns who has
 * the money. The item keeps the due time of the first finding.
 */
async function beginReview(
  tx: Transaction,
  deposit: Deposit,
  status: StatusWithAmount,
  auditContext: AuditContext,
): Promise<void> {
  const { amount, ref } = status
  const dueAt = await workItemDueIn(tx, 'deposit', auditContext.now)
  const providerFacts = { paid: decimalOf(amount.minor), paidCurrency: amount.currency, paidReference: ref }
  const comment = platformErrorComment(isExpectedPayment(deposit, status) ? 'payment-disputed' : 'payment-differs')
  await applyTransition(tx, depositMachine, auditContext, deposit, 'review', {
    set: { comment, rejected_at: null },
    details: providerFacts,
    workItem: {
      state: 'in_review',
      dueAt,
      clientId: deposit.clientId,
      summary: { ...summaryOf(deposit), ...providerFacts },
    },
  })
  const paid = {
    paidMinor: String(amount.minor),
    paidCurrency: amount.currency,
    until: Math.floor(dueAt.getTime() / 1000),
  }
  await notifyDeposit(tx, deposit, 'deposit-in-review', deposit.amountMinor, comment, auditContext.now, paid)
}

/** Ends the review of a payment that the provider has returned completely. */
async function endReview(
  tx: Transaction,
  deposit: Deposit,
  { amount, back }: StatusWithAmount,
  auditContext: AuditContext,
): Promise<void> {
  const details = { amount: decimalOf(amount.minor), currency: amount.currency }
  const set = { comment: '' }
  await applyTransition(tx, depositMachine, auditContext, deposit, 'repaid', { details, set, workItem: null })
  const mail = totalReturned(back, 'charged_back') > 0n ? 'deposit-charged-back' : 'deposit-refunded'
  await notifyDeposit(tx, { ...deposit, currency: amount.currency }, mail, amount.minor, '', auditContext.now)
}

async function recordDecline(
  tx: Transaction,
  deposit: Deposit,
  reason: string,
  auditContext: AuditContext,
): Promise<void> {
  const comment = platformErrorComment(reason)
  await applyTransition(tx, depositMachine, auditContext, deposit, 'declined', {
    reason,
    set: { comment, rejected_at: auditContext.now },
    workItem: null,
  })
  await notifyDeposit(tx, deposit, 'deposit-rejected', deposit.amountMinor, comment, auditContext.now)
}

/**
 * Posts the expected payment of a deposit that was rejected before. It belongs to the client and is not credited until
 * finance has decided (requirements 24.145).
 */
async function recordLatePayment(tx: Transaction, deposit: Deposit, auditContext: AuditContext): Promise<void> {
  const { amountMinor } = deposit
  const { now } = auditContext
  const comment = platformErrorComment('paid-late')
  await applyTransition(tx, depositMachine, auditContext, deposit, 'paidLate', {
    set: { received_minor: amountMinor, comment, rejected_at: null },
    workItem: await uncreditedItem(tx, deposit, now),
  })
  await postCardArrival(tx, deposit, amountMinor, now)
  await notifyDeposit(tx, deposit, 'deposit-refused', amountMinor, comment, now)
}

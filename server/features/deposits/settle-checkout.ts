/**
 * Settles a checkout by the provider's response. Webhook, return page and scheduled query are only hints to query the
 * provider: its response decides, and is applied once.
 */
import { depositMachine } from '#rules/deposits.ts'
import { decimalOf, type Money } from '#rules/money.ts'
import type { DepositId } from '#rules/ids.ts'
import { applyTransition } from '../../db/transition.ts'
import { type AuditContext, recordEvent } from '../../db/events.ts'
import { run, transaction, type Transaction } from '../../db/sql.ts'
import { openWorkItem } from '../../db/work-items.ts'
import { isIntegrationError } from '../../integrations/errors.ts'
import {
  fetchStatuses,
  isMoneyTaken,
  totalReturned,
  type CheckoutStatus,
  type PaymentProvider,
  type MoneyBack,
  type StatusWithAmount,
} from '../../integrations/card-provider/payment-provider.ts'
import { isStopped } from '../../recovery/stopped-money.ts'
import type { Dependencies } from '../../dependencies.ts'
import { platformErrorComment } from '../../i18n/format.ts'
import { beginCredit, summaryOf, notifyDeposit, postCardArrival } from './credit-deposit.ts'
import {
  clearDispute,
  recordContradiction,
  compareMoneyBack,
  recordDispute,
  isExpectedPayment,
  openPaymentDiscrepancy,
  recordFurtherPayments,
  recordMissingResponse,
} from './payment-discrepancy.ts'
import { depositById, lockDeposit, paymentIdsOf, recordPaymentIds, type Deposit, postedReturns } from './queries.ts'
import { clearSilence } from '../../ledger/differences.ts'
import { post } from '../../ledger/post.ts'

/** Queries one checkout and applies the response; returns the deposit afterwards. */
export async function queryProvider(
  dependencies: Dependencies,
  depositId: DepositId,
  auditContext: AuditContext,
): Promise<Deposit> {
  const asked = await depositById(dependencies.jobs, depositId)
  if (!asked) throw new Error(`deposit ${depositId} not found`)
  const { cards } = dependencies
  if (!cards || asked.providerId === null) return asked
  // During a recovery, the recovery command queries every checkout and posts what it finds.
  const isRecovery = auditContext.identity.kind === 'recovery'
  if (!isRecovery && (await isStopped(dependencies.jobs, 'accounts'))) return asked
  // The provider is the actor of this change, regardless of who triggered the query.
  const byProvider: AuditContext = isRecovery ? auditContext : { ...auditContext, identity: { kind: 'external' } }
  const statuses = await statusesOrSilence(dependencies, cards, asked, byProvider)
  await transaction(dependencies.jobs, async (tx) => {
    const deposit = await lockDeposit(tx, depositId)
    if (!deposit) throw new Error(`deposit ${depositId} not found`)
    const status = ownStatus(deposit, statuses)
    const taken = isMoneyTaken(status) ? status.paymentId : null
    await run(tx)`update deposits set asked_at = ${auditContext.now}, unanswered_since = null,
        payment_id = coalesce(${taken}, payment_id) where id = ${depositId}`
    await recordPaymentIds(tx, depositId, statuses, auditContext.now)
    if (!isRecovery && (await isStopped(tx, 'accounts'))) return
    await clearSilence(tx, depositId, auditContext.now)
    await applyStatus(tx, dependencies.keys, deposit, effectiveStatus(cards, deposit, status, auditContext), byProvider)
    await compareMoneyBack(tx, await lockDeposit(tx, depositId), status, byProvider)
    // If the deposit was paid while this query was in progress, its response may be older than the payment.
    if (asked.receivedMinor !== null) await recordContradiction(tx, deposit, status, byProvider)
    const further = statuses.filter((one) => one !== status)
    await recordFurtherPayments(tx, deposit, further, byProvider)
  })
  return (await depositById(dependencies.jobs, depositId)) ?? asked
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
): Promise<void> {
  if (status.state === 'disputed') await recordDispute(tx, deposit, auditContext)
  if (deposit.state !== 'pending' && !isPaidAfterCancelling(deposit, status)) {
    if (deposit.receivedMinor === null) return recordLatePayment(tx, deposit, status, auditContext)
    if (status.amount !== undefined) await postNewReturns(tx, deposit, status, auditContext)
    return
  }
  if (status.state === 'paid' || status.state === 'refunded' || status.state === 'charged_back') {
    // Paid and fully returned before our first query: nothing is posted. Staff decide on any remainder.
    if (totalReturned(status.back) >= status.amount.minor) return recordDecline(tx, deposit, 'cancelled', auditContext)
    if (status.state !== 'paid' || !isExpectedPayment(deposit, status))
      return openDifferenceItem(tx, deposit, status, auditContext)
    await recordPayment(tx, keys, deposit, auditContext)
    await postNewReturns(tx, { ...deposit, receivedMinor: deposit.amountMinor }, status, auditContext)
  }
  if (status.state === 'failed') return recordDecline(tx, deposit, 'declined', auditContext)
  // If the provider does not know a checkout whose page may still accept money, our key or address is wrong, so the
  // deposit stays unchanged.
  if (status.state === 'expired' && !isPageOver(deposit, auditContext.now)) return
  if (status.state === 'cancelled' || status.state === 'expired')
    return recordDecline(tx, deposit, status.state, auditContext)
}

/** Returns whether the client made the expected payment after cancelling; it is credited like any other (ADR 86). */
function isPaidAfterCancelling(deposit: Deposit, status: CheckoutStatus): boolean {
  return deposit.state === 'cancelled' && status.state === 'paid' && isExpectedPayment(deposit, status)
}

async function recordPayment(
  tx: Transaction,
  keys: Dependencies['keys'],
  deposit: Deposit,
  auditContext: AuditContext,
) {
  const { amountMinor, feeMinor } = deposit
  await applyTransition(tx, depositMachine, auditContext, deposit, 'paid', {
    set: { received_minor: amountMinor },
    workItem: null,
  })
  await postCardArrival(tx, deposit, amountMinor, auditContext.now)
  await beginCredit(tx, keys, deposit, amountMinor, feeMinor, auditContext.now)
}

/** Opens a work item for a payment that differs from the deposit. Nothing is credited. */
async function openDifferenceItem(
  tx: Transaction,
  deposit: Deposit,
  status: StatusWithAmount,
  auditContext: AuditContext,
): Promise<void> {
  const providerFacts = {
    paid: decimalOf(status.amount.minor),
    paidCurrency: status.amount.currency,
    paidReference: status.ref,
  }
  const { id, clientId } = deposit
  await openWorkItem(tx, depositMachine.name, id, auditContext.now, {
    state: 'differs',
    dueAt: auditContext.now,
    clientId,
    summary: { ...summaryOf(deposit), ...providerFacts },
  })
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

/** Opens a discrepancy for money received for a deposit that has ended: it belongs to the client, and staff decide. */
async function recordLatePayment(
  tx: Transaction,
  deposit: Deposit,
  status: CheckoutStatus,
  auditContext: AuditContext,
) {
  const over = deposit.state === 'rejected' || deposit.state === 'cancelled'
  if (!over || status.state !== 'paid' || deposit.receivedMinor !== null) return
  await openPaymentDiscrepancy(tx, deposit, 'paid-late', { ours: 0n, theirs: status.amount.minor }, auditContext)
}

type ReturnKind = MoneyBack['kind']
const returnKinds = ['refunded', 'charged_back'] as const satisfies readonly ReturnKind[]

/**
 * Posts new refunds and chargebacks of the provider's records, in total never more than was paid. Each one opens a
 * discrepancy for staff with all details of the provider (requirements 28.17; ADR 203).
 */
async function postNewReturns(
  tx: Transaction,
  deposit: Deposit,
  status: StatusWithAmount,
  auditContext: AuditContext,
): Promise<void> {
  const { id, currency, receivedMinor } = deposit
  if (receivedMinor === null || status.amount.currency !== currency) return
  const booked = await postedReturns(tx, id)
  for (const kind of returnKinds) {
    const fresh = totalReturned(status.back, kind) - booked[kind]
    if (fresh <= 0n) continue
    const before = booked.refunded + booked.charged_back
    const left = receivedMinor - before
    const more = fresh < left ? fresh : left
    booked[kind] += more
    const isBeyond = before + fresh > receivedMinor
    if (more <= 0n && !isBeyond) continue
    const sides = { ours: left, theirs: left - fresh }
    const ids = status.back.filter((one) => one.kind === kind).map((one) => one.id)
    // The account still has the credit: finance decides on a correction.
    const fingerprint = `${kind}:${id}:${before + fresh}`
    await openPaymentDiscrepancy(tx, deposit, kind, sides, auditContext, fingerprint, { providerIds: ids.join(', ') })
    if (kind === 'charged_back') await clearDispute(tx, deposit, auditContext)
    if (more > 0n) await postReturn(tx, deposit, kind, { minor: more, currency }, before + more, auditContext)
  }
}

/** Posts a refund or chargeback. `total` is the sum returned of the deposit including it, in minor units. */
async function postReturn(
  tx: Transaction,
  deposit: Deposit,
  kind: ReturnKind,
  { minor, currency }: Money,
  total: bigint,
  auditContext: AuditContext,
): Promise<void> {
  const { id, clientId, provider } = deposit
  await run(tx)`update deposits set refunded_minor = ${total}, version = version + 1 where id = ${id}`
  await post(tx, auditContext.now, { ref: `${kind}:${id}:${total}`, kind, subject: depositMachine.name, record: id }, [
    { account: { kind: 'corrections', currency }, minor },
    { account: { kind: 'provider', currency, name: provider ?? '' }, minor: -minor },
  ])
  const details = { amount: decimalOf(minor), currency }
  await recordEvent(tx, auditContext, { kind: depositMachine.name, action: kind, record: id, clientId, details })
  const mailKind = kind === 'charged_back' ? 'deposit-charged-back' : 'deposit-refunded'
  await notifyDeposit(tx, deposit, mailKind, minor, '', auditContext.now)
}

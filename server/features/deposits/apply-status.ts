/** What the provider's response about a checkout changes: postings, states, work items and emails. */
import { depositMachine } from '#rules/deposits.ts'
import { decimalOf } from '#rules/money.ts'
import { applyTransition } from '../../db/transition.ts'
import type { AuditContext } from '../../db/events.ts'
import type { Transaction } from '../../db/sql.ts'
import {
  isMoneyTaken,
  pageLifeMs,
  totalReturned,
  type CheckoutStatus,
  type StatusWithAmount,
} from '../../integrations/card-provider/payment-provider.ts'
import type { Dependencies } from '../../dependencies.ts'
import { platformErrorComment } from '../../i18n/format.ts'
import { workItemDueIn } from '../../office/due-dates.ts'
import { beginCredit, summaryOf, notifyDeposit, postCardArrival, uncreditedItem } from './credit-deposit.ts'
import { postNewReturns } from './money-back.ts'
import { clearLatePayment, endDispute, isDecidedLate, isExpectedPayment, recordDispute } from './payment-discrepancy.ts'
import { lockDeposit, type Deposit } from './queries.ts'

/** Returns whether the payment page of a checkout has expired without a result. */
export function isPageOver({ requestedAt }: Pick<Deposit, 'requestedAt'>, now: Date): boolean {
  return now.getTime() - requestedAt.getTime() >= pageLifeMs
}

/** Applies a response to a locked deposit. `isCurrent`: it was read after everything that is posted. */
export async function applyStatus(
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
  if (await isDecidedLate(tx, deposit, status)) return
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
 * Begins the review of a payment that differs from the deposit, or is disputed (ADR 347). Nothing is posted; the client
 * learns who has the money. The item keeps the due time of the first finding.
 */
async function beginReview(
  tx: Transaction,
  deposit: Deposit,
  status: StatusWithAmount,
  auditContext: AuditContext,
): Promise<void> {
  const { amount, ref, back } = status
  const dueAt = await workItemDueIn(tx, 'deposit', auditContext.now)
  const providerFacts = { paid: decimalOf(amount.minor), paidCurrency: amount.currency, paidReference: ref }
  const comment = platformErrorComment(isExpectedPayment(deposit, status) ? 'payment-disputed' : 'payment-differs')
  await clearLatePayment(tx, deposit, auditContext)
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
    // Less what the provider had returned before our first query.
    paidMinor: String(amount.minor - totalReturned(back)),
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
  await clearLatePayment(tx, deposit, auditContext)
  await notifyDeposit(tx, deposit, 'deposit-refused', amountMinor, comment, now)
}

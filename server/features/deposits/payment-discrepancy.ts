/**
 * Discrepancies with the provider: its response contradicts an earlier one, or it does not respond. Nothing is posted,
 * and staff see the discrepancy under Reconciliation (requirements 33.19; ADR 91).
 */
import { differenceMachine } from '#rules/corrections.ts'
import { announcedChargeback, chargedBack, providerSilent } from '#rules/differences.ts'
import { depositMachine } from '#rules/deposits.ts'
import type { DepositId, DifferenceId } from '#rules/ids.ts'
import { applyTransition } from '../../db/transition.ts'
import type { AuditContext } from '../../db/events.ts'
import { row, rows, run, transaction, type Transaction } from '../../db/sql.ts'
import type { IntegrationError } from '../../integrations/errors.ts'
import { raiseDifference, responseIn, silenceOf, silentMs } from '../../ledger/differences.ts'
import {
  isMoneyTaken,
  totalReturned,
  type CheckoutStatus,
  type StatusWithAmount,
} from '../../integrations/card-provider/payment-provider.ts'
import type { Dependencies } from '../../dependencies.ts'
import { summaryOf } from './credit-deposit.ts'
import { lockDeposit, type Deposit } from './queries.ts'

/** Returns whether amount, currency and reference are equal; otherwise nothing is credited. */
export function isExpectedPayment(deposit: Deposit, status: StatusWithAmount): boolean {
  return (
    status.amount.minor === deposit.amountMinor &&
    status.amount.currency === deposit.currency &&
    status.ref === deposit.providerRef
  )
}

/** Opens a discrepancy between our postings for a deposit and the provider’s response. Finance explains it. */
export async function openPaymentDiscrepancy(
  tx: Transaction,
  deposit: Deposit,
  kind: string,
  sides: { ours: bigint | null; theirs: bigint | null },
  auditContext: AuditContext,
  fingerprint = `${kind}:${deposit.id}`,
  providerFacts: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { id, clientId, currency } = deposit
  await raiseDifference(tx, auditContext, {
    kind,
    fingerprint,
    clientId,
    subject: depositMachine.name,
    record: id,
    oursMinor: sides.ours,
    theirsMinor: sides.theirs,
    currency,
    facts: { ...summaryOf(deposit), ...providerFacts },
  })
}

/**
 * Opens a discrepancy for a payment that the provider confirmed before and no longer does. The credit stays: the
 * provider may be wrong, and the client may have traded with the money.
 */
export async function recordContradiction(
  tx: Transaction,
  deposit: Deposit,
  status: CheckoutStatus,
  auditContext: AuditContext,
): Promise<void> {
  const { id, receivedMinor, refundedMinor } = deposit
  if (receivedMinor === null || isPaymentConfirmed(deposit, status)) return
  const sides = { ours: receivedMinor - refundedMinor, theirs: amountStillPaid(deposit, status) }
  const fingerprint = `payment-denied:${id}:${status.state}`
  await openPaymentDiscrepancy(tx, deposit, 'payment-denied', sides, auditContext, fingerprint, { says: status.state })
}

/**
 * Returns whether the status confirms the payment. Refunds and chargebacks do; an unknown checkout does not contradict
 * it.
 */
function isPaymentConfirmed(deposit: Deposit, status: CheckoutStatus): boolean {
  if (status.state === 'paid') return isExpectedPayment(deposit, status)
  return ['expired', 'refunded', 'disputed', 'charged_back'].includes(status.state)
}

function amountStillPaid({ currency, providerRef }: Deposit, status: CheckoutStatus): bigint | null {
  if (status.state !== 'paid') return 0n
  return status.amount.currency === currency && status.ref === providerRef ? status.amount.minor : null
}

/**
 * Opens a discrepancy for each further payment of the checkout whose money was taken and not returned. It is never
 * credited: the client may have meant to pay once, so staff decide (ADR 339).
 */
export async function recordFurtherPayments(
  tx: Transaction,
  deposit: Deposit,
  further: readonly CheckoutStatus[],
  auditContext: AuditContext,
): Promise<void> {
  for (const { paymentId, amount, back } of further.filter(isMoneyTaken)) {
    const left = amount.minor - totalReturned(back)
    if (left <= 0n) continue
    const sides = { ours: 0n, theirs: amount.currency === deposit.currency ? left : null }
    const fingerprint = `paid-again:${paymentId}`
    await openPaymentDiscrepancy(tx, deposit, 'paid-again', sides, auditContext, fingerprint, {
      providerIds: paymentId,
    })
  }
}

/**
 * Opens a discrepancy for an announced chargeback: nothing is posted before it happens, but finance may still respond
 * to it. It blocks the client's withdrawals until two people have decided it.
 */
export async function recordDispute(tx: Transaction, deposit: Deposit, auditContext: AuditContext): Promise<void> {
  const { receivedMinor, refundedMinor } = deposit
  if (receivedMinor === null) return
  const sides = { ours: receivedMinor - refundedMinor, theirs: null }
  await openPaymentDiscrepancy(tx, deposit, announcedChargeback, sides, auditContext)
}

/**
 * Lets the discrepancy of a later announcement open, because the payment is no longer disputed: a decided one would
 * suppress it by its fingerprint.
 */
export async function endDispute(tx: Transaction, { id }: Deposit): Promise<void> {
  await run(tx)`update differences set fingerprint = fingerprint || ':' || id
      where fingerprint = ${`${announcedChargeback}:${id}`} and state in ('explained', 'settled')`
}

/** Clears the discrepancy of an announced chargeback, because the discrepancy of the chargeback replaces it. */
export async function clearDispute(tx: Transaction, { id }: Deposit, { now }: AuditContext): Promise<void> {
  await clearDiscrepancies(tx, now, (fingerprint) => fingerprint === `${announcedChargeback}:${id}`, id)
}

/**
 * Clears the discrepancies of refunds that the account was to be debited for: the platform has refused the credit. A
 * chargeback stays one.
 */
export async function clearRefunds(tx: Transaction, { id }: Deposit, { now }: AuditContext): Promise<void> {
  await clearDiscrepancies(tx, now, (open) => open.startsWith(`refunded:${id}:`), id)
}

/** A payment that a server of an earlier version found after its deposit had been rejected or cancelled. */
function latePaymentOf(id: DepositId): string {
  return `paid-late:${id}`
}

/** Returns whether finance has decided on a payment as a discrepancy of an earlier version (ADR 347). */
export async function isDecidedLate(tx: Transaction, { id }: Deposit, { amount }: StatusWithAmount): Promise<boolean> {
  const decided = await row(tx)`
    select from differences where fingerprint = ${latePaymentOf(id)} and theirs_minor = ${amount.minor}
      and state in ('explained', 'settled')`
  return decided !== null
}

/** Clears the discrepancy of a payment that an earlier version found, because the deposit has the payment now. */
export async function clearLatePayment(tx: Transaction, { id }: Deposit, { now }: AuditContext): Promise<void> {
  await clearDiscrepancies(tx, now, (fingerprint) => fingerprint === latePaymentOf(id), id)
}

const moneyBackKind = 'money-back-differs'

/**
 * Opens a discrepancy if the payment reports another returned amount than the provider's refunds and chargebacks, once
 * per pair of sums until both agree. Nothing is posted. A chargeback without a record blocks the client's withdrawals
 * like any other.
 */
export async function compareMoneyBack(
  tx: Transaction,
  deposit: Deposit | null,
  status: CheckoutStatus,
  auditContext: AuditContext,
): Promise<void> {
  if (!deposit || deposit.receivedMinor === null || status.amount === undefined) return
  const { id, receivedMinor } = deposit
  const prefix = `${moneyBackKind}:${id}`
  const claimed = status.claimedBack?.minor
  const recorded = totalReturned(status.back)
  const fingerprint = claimed === undefined ? null : `${prefix}:${claimed}:${recorded}`
  await clearDiscrepancies(tx, auditContext.now, (open) => open.startsWith(`${prefix}:`) && open !== fingerprint, id)
  if (claimed === undefined || fingerprint === null) return
  const isUnnamed = status.state === 'charged_back' && status.back.every(({ kind }) => kind !== 'charged_back')
  const sides = { ours: receivedMinor - recorded, theirs: receivedMinor - claimed }
  const kind = isUnnamed ? chargedBack : moneyBackKind
  const providerFacts: Record<string, string> = status.state === 'paid' ? {} : { says: status.state }
  await openPaymentDiscrepancy(tx, deposit, kind, sides, auditContext, fingerprint, providerFacts)
}

/** How long a paid payment may stay without a response before a discrepancy is opened; others as in `silentMs`. */
const paidSilentMs = 12 * 3_600_000

/**
 * Records that the provider did not respond, or that its response cannot be used, which waiting does not change. The
 * deposit is queried again after the others.
 */
export async function recordMissingResponse(
  dependencies: Dependencies,
  depositId: DepositId,
  error: IntegrationError,
  auditContext: AuditContext,
): Promise<void> {
  const response = responseIn(error)
  const isRecovery = auditContext.identity.kind === 'recovery'
  await transaction(dependencies.jobs, async (tx) => {
    const silent = await row<{ since: Date }>(tx)`
      update deposits set asked_at = ${auditContext.now}, unanswered_since = coalesce(unanswered_since, ${auditContext.now})
        where id = ${depositId} returning unanswered_since as since`
    const deposit = silent && (await lockDeposit(tx, depositId))
    // A deposit that ended without money needs no response, except in recovery.
    if (
      !deposit ||
      (!isRecovery && !['pending', 'in_review'].includes(deposit.state) && deposit.receivedMinor === null)
    )
      return
    const patienceMs = isRecovery || deposit.receivedMinor === null ? silentMs : paidSilentMs
    if (response === 'missing' && auditContext.now.getTime() - silent.since.getTime() < patienceMs) return
    const sides = { ours: null, theirs: null }
    const fingerprint = silenceOf(deposit.id)
    await openPaymentDiscrepancy(tx, deposit, providerSilent, sides, auditContext, fingerprint, { response })
  })
}

/** Clears the open discrepancies of a deposit that no longer apply. One that is assigned stays open. */
async function clearDiscrepancies(tx: Transaction, now: Date, isOver: (fingerprint: string) => boolean, id: DepositId) {
  const open = await rows<{ id: DifferenceId; fingerprint: string }>(tx)`
    select id, fingerprint from differences where record = ${id} and state = 'open'`
  const clock: AuditContext = { identity: { kind: 'clock' }, now }
  for (const one of open.filter(({ fingerprint }) => isOver(fingerprint)))
    await applyTransition(tx, differenceMachine, clock, one, 'vanish', { set: { decided_at: now }, workItem: null })
}

/**
 * Refunds and chargebacks of card payments by the provider's records (ADR 203). One of a credited deposit is posted to
 * corrections, because the account still has the credit; one of a payment that is not credited is paid from the ledger
 * account that holds it (ADR 346).
 */
import { depositMachine } from '#rules/deposits.ts'
import { decimalOf, money, type Money } from '#rules/money.ts'
import type { DepositId } from '#rules/ids.ts'
import { applyTransition } from '../../db/transition.ts'
import { type AuditContext, recordEvent } from '../../db/events.ts'
import { requireRow, run, type Transaction } from '../../db/sql.ts'
import { returnsOfRefund } from '../../jobs/card-refund.ts'
import { recordOf, type Operation, type Outcome } from '../../jobs/operation.ts'
import { post } from '../../ledger/post.ts'
import {
  totalReturned,
  type MoneyBack,
  type StatusWithAmount,
} from '../../integrations/card-provider/payment-provider.ts'
import { platformErrorComment } from '../../i18n/format.ts'
import { notifyDeposit, uncreditedItem, unallocatedAccount } from './credit-deposit.ts'
import { clearDispute, openPaymentDiscrepancy } from './payment-discrepancy.ts'
import { type Deposit, isCreditPosted, lockDeposit, ownRefundsExcept, postedReturns } from './queries.ts'

type ReturnKind = MoneyBack['kind']
const returnKinds = ['refunded', 'charged_back'] as const satisfies readonly ReturnKind[]

/** Returns whether the account has, or is about to have, the credit of a deposit. */
function isCredited({ state }: Deposit): boolean {
  return state === 'processing' || state === 'approved'
}

/**
 * Posts what the provider's records show in addition to our postings, in total never more than was paid, and what they
 * no longer contain. `isCurrent`: the records were read after everything that is posted. Each return that needs a
 * decision opens a discrepancy for staff with all details of the provider (requirements 28.17): the account still has
 * the credit, or another one for which two people posted it; the payer disputes the payment; or more was returned than
 * was paid.
 */
export async function postNewReturns(
  tx: Transaction,
  deposit: Deposit,
  status: Records,
  auditContext: AuditContext,
  isCurrent: boolean,
): Promise<void> {
  const { id, currency, receivedMinor } = deposit
  if (receivedMinor === null || status.amount.currency !== currency) return
  const booked = await postedReturns(tx, id)
  const hasCredit = isCredited(deposit) || deposit.state === 'rejected' || (await isCreditPosted(tx, id))
  if (isCurrent) await postReversals(tx, deposit, status, { booked, hasCredit }, auditContext)
  for (const kind of returnKinds) {
    const fresh = totalReturned(status.back, kind) - booked[kind]
    if (fresh <= 0n) continue
    const before = booked.refunded + booked.charged_back
    const left = receivedMinor - before
    const more = fresh < left ? fresh : left
    booked[kind] += more
    const isBeyond = before + fresh > receivedMinor
    if (more <= 0n && !isBeyond) continue
    const ref = `${kind}:${id}:${before + more}${afterReversals(booked)}`
    if (hasCredit || kind === 'charged_back' || isBeyond) {
      const sides = { ours: left, theirs: left - fresh }
      const ids = status.back.filter((one) => one.kind === kind).map((one) => one.id)
      const fingerprint = `${kind}:${id}:${before + fresh}${afterReversals(booked)}`
      await openPaymentDiscrepancy(tx, deposit, kind, sides, auditContext, fingerprint, { providerIds: ids.join(', ') })
    }
    if (kind === 'charged_back') await clearDispute(tx, deposit, auditContext)
    if (more > 0n) await postReturn(tx, deposit, kind, { minor: more, currency }, ref, auditContext)
  }
  await followReturns(tx, id, auditContext)
}

type Records = Pick<StatusWithAmount, 'amount' | 'back' | 'claimedBack' | 'failedRefunds'>
type Booked = Awaited<ReturnType<typeof postedReturns>>

/** Distinguishes what was returned again after a reversal. */
function afterReversals({ reversals }: Booked): string {
  return reversals === 0 ? '' : `:${reversals}`
}

/**
 * Posts refunds and chargebacks that the provider's records no longer contain: the firm may have won a dispute. The
 * reversal of a payment that finance does not decide on anyway is a discrepancy (ADR 346). Records that the payment
 * itself contradicts reverse nothing. A refund that finance requested is reversed only if the provider reports it as
 * failed: it was posted by its own response, and the records may not contain it yet.
 */
async function postReversals(
  tx: Transaction,
  deposit: Deposit,
  { back, claimedBack, failedRefunds = [] }: Records,
  { booked, hasCredit }: { readonly booked: Booked; readonly hasCredit: boolean },
  auditContext: AuditContext,
): Promise<void> {
  const { id, currency, receivedMinor } = deposit
  if (claimedBack) return
  const unlisted = await ownRefundsExcept(tx, id, [...back.map((one) => one.id), ...failedRefunds])
  for (const kind of returnKinds) {
    const missing = booked[kind] - totalReturned(back, kind) - (kind === 'refunded' ? unlisted : 0n)
    if (missing <= 0n || receivedMinor === null) continue
    booked.reversals += 1
    booked[kind] -= missing
    const ours = receivedMinor - booked.refunded - booked.charged_back
    const reversed = kind === 'charged_back' ? 'chargeback-reversed' : 'refund-reversed'
    const fingerprint = `${reversed}:${id}:${booked.reversals}`
    if (hasCredit)
      await openPaymentDiscrepancy(
        tx,
        deposit,
        reversed,
        { ours: ours - missing, theirs: ours },
        auditContext,
        fingerprint,
      )
    const ref = `${kind}-reversed:${id}:${booked.reversals}`
    await postReturn(tx, deposit, kind, { minor: -missing, currency }, ref, auditContext)
  }
}

/** Posts a refund or chargeback, or a reversal with a negative amount, and tells the client of money that was returned. */
async function postReturn(
  tx: Transaction,
  deposit: Deposit,
  kind: ReturnKind,
  { minor, currency }: Money,
  ref: string,
  auditContext: AuditContext,
): Promise<void> {
  const { id, clientId, provider } = deposit
  await run(tx)`update deposits set refunded_minor = refunded_minor + ${minor}, version = version + 1 where id = ${id}`
  const from = isCredited(deposit) ? ({ kind: 'corrections', currency } as const) : unallocatedAccount(deposit)
  await post(tx, auditContext.now, { ref, kind, subject: depositMachine.name, record: id }, [
    { account: from, minor },
    { account: { kind: 'provider', currency, name: provider ?? '' }, minor: -minor },
  ])
  const isReversal = minor < 0n
  const action = isReversal ? 'returnReversed' : kind
  const details = { amount: decimalOf(isReversal ? -minor : minor), currency }
  await recordEvent(tx, auditContext, { kind: depositMachine.name, action, record: id, clientId, details })
  const mailKind = kind === 'charged_back' ? 'deposit-charged-back' : 'deposit-refunded'
  if (!isReversal) await notifyDeposit(tx, deposit, mailKind, minor, '', auditContext.now)
}

/** Ends a payment that is not credited once it was returned completely, and opens it again after a reversal. */
async function followReturns(tx: Transaction, id: DepositId, auditContext: AuditContext): Promise<void> {
  const deposit = await lockDeposit(tx, id)
  if (!deposit || deposit.receivedMinor === null) return
  const { state } = deposit
  const left = deposit.receivedMinor - deposit.refundedMinor
  if (state === 'uncredited' || state === 'refunding') {
    // A server of an earlier version posts refunds to corrections.
    await alignUnallocated(tx, deposit, left, auditContext.now)
    if (left > 0n) return
    await applyTransition(tx, depositMachine, auditContext, deposit, 'repaid', { set: { comment: '' }, workItem: null })
  }
  if (left > 0n && state === 'refunded')
    await applyTransition(tx, depositMachine, auditContext, deposit, 'reopen', {
      set: { comment: platformErrorComment('return-reversed') },
      workItem: await uncreditedItem(tx, deposit, auditContext.now),
    })
}

/**
 * Moves money of a payment between corrections and the unallocated receipts, so that these hold an amount of it: what
 * the provider returns while the account has the credit, or is about to have it, is posted to corrections.
 */
export async function alignUnallocated(tx: Transaction, deposit: Deposit, amount: bigint, now: Date): Promise<void> {
  const { id, currency, version } = deposit
  const { held } = await requireRow<{ held: bigint }>(tx)`
    select coalesce(-sum(p.minor), 0)::bigint as held from entries e join postings p on p.entry_id = e.id
      join ledger_accounts l on l.id = p.ledger_account and l.kind = 'arrived_unmatched'
      where e.subject = ${depositMachine.name} and e.record = ${id}`
  const minor = held - amount
  if (minor === 0n) return
  const entry = {
    ref: `returns-moved:${id}:${version}`,
    kind: 'returns-moved',
    subject: depositMachine.name,
    record: id,
  }
  await post(tx, now, entry, [
    { account: unallocatedAccount(deposit), minor },
    { account: { kind: 'corrections', currency }, minor: -minor },
  ])
}

/**
 * Gives a payment back to the credit that recovery has found: the unallocated receipts hold all of it again, and what
 * the provider has refunded becomes a discrepancy, because the account has the credit.
 */
export async function restoreReceived(tx: Transaction, deposit: Deposit, auditContext: AuditContext): Promise<void> {
  const { id, receivedMinor, refundedMinor, chargedBackMinor, version } = deposit
  if (receivedMinor === null) return
  await alignUnallocated(tx, deposit, receivedMinor, auditContext.now)
  const refunded = refundedMinor - chargedBackMinor
  const sides = { ours: receivedMinor, theirs: receivedMinor - refunded }
  const fingerprint = `refunded:${id}:adopted-${version}`
  if (refunded > 0n) await openPaymentDiscrepancy(tx, deposit, 'refunded', sides, auditContext, fingerprint)
}

/**
 * Handles the result of a refund that finance requested: what the provider's records have not shown yet is posted, or
 * the payment waits for another decision.
 */
export async function depositRefundSettled(
  tx: Transaction,
  operation: Operation,
  outcome: Outcome,
  auditContext: AuditContext,
): Promise<void> {
  const deposit = await recordOf(operation, (id: DepositId) => lockDeposit(tx, id))
  const { id, state, receivedMinor, currency } = deposit
  if (state !== 'refunding' || receivedMinor === null) return
  if ('done' in outcome) {
    const status = { amount: money(receivedMinor, currency), back: returnsOfRefund(outcome.done, currency) }
    await postNewReturns(tx, deposit, status, auditContext, false)
  }
  const after = await lockDeposit(tx, id)
  // The refund was rejected, or returned only a part because the provider had reversed an earlier return.
  if (after?.state === 'refunding')
    await applyTransition(tx, depositMachine, auditContext, after, 'refundFailed', {
      reason: 'refused' in outcome ? outcome.refused.code : '',
      workItem: await uncreditedItem(tx, after, auditContext.now),
    })
}

/** Settles deposits once the platform has responded, and defines the scheduled tasks of pending ones. */
import { bankLineMachine, depositMachine } from '#rules/deposits.ts'
import type { DepositId } from '#rules/ids.ts'
import { applyTransition } from '../../db/transition.ts'
import type { AuditContext } from '../../db/events.ts'
import { row, run, transaction, type Transaction } from '../../db/sql.ts'
import { usedReferenceOutcome, type BalanceLegs } from '../../jobs/balance.ts'
import { forEachRow } from '../../jobs/each-row.ts'
import type { ScheduledTask } from '../../jobs/workers.ts'
import { recordOf } from '../../jobs/operation.ts'
import { lineWorkItem } from '../../ledger/bank-lines.ts'
import { raiseDifference } from '../../ledger/differences.ts'
import { post, type Posting } from '../../ledger/post.ts'
import { isIntegrationError } from '../../integrations/errors.ts'
import type { Dependencies } from '../../dependencies.ts'
import { isStopped } from '../../recovery/stopped-money.ts'
import { platformErrorComment } from '../../i18n/format.ts'
import { workItemDueIn } from '../../office/due-dates.ts'
import { summaryOf, notifyDeposit, uncreditedItem, unallocatedAccount } from './credit-deposit.ts'
import { alignUnallocated } from './money-back.ts'
import { clearRefunds } from './payment-discrepancy.ts'
import { checkoutsToQuery, expiredCheckoutsToQuery, paidCheckoutsToQuery } from './checkout-queries.ts'
import { bankLineById, expiredDeposits, lockDeposit, wireArrivedAt, type Deposit } from './queries.ts'
import { queryProvider } from './settle-checkout.ts'

export const legs: BalanceLegs = {
  'deposit-credit': async (tx, operation, outcome, auditContext) => {
    const deposit = await recordOf(operation, (id: DepositId) => lockDeposit(tx, id))
    if (deposit.receivedMinor === null)
      throw new Error(`the deposit of operation ${operation.id} has not been received`)
    if ('done' in outcome) await settleCredit(tx, deposit, deposit.receivedMinor, operation.ref, auditContext)
    else await settleRefusedCredit(tx, deposit, outcome.refused, auditContext)
  },
}

async function settleCredit(
  tx: Transaction,
  deposit: Deposit,
  received: bigint,
  ref: string,
  auditContext: AuditContext,
) {
  const { id, currency, accountId, feeMinor } = deposit
  await applyTransition(tx, depositMachine, auditContext, deposit, 'credited', {
    set: { approved_at: auditContext.now },
    workItem: null,
  })
  const postings: Posting[] = [
    { account: unallocatedAccount(deposit), minor: received },
    { account: { kind: 'client', currency, tradingAccount: accountId }, minor: -(received - feeMinor) },
    { account: { kind: 'fees', currency }, minor: -feeMinor },
  ]
  await post(tx, auditContext.now, { ref, kind: 'deposit-credit', subject: depositMachine.name, record: id }, postings)
  await notifyDeposit(tx, deposit, 'deposit-credited', received - feeMinor, '', auditContext.now)
}

interface Refusal {
  readonly reason: string
  readonly code: string
}

/**
 * Handles a final rejection by the platform: the money stays unallocated, and staff decide on the bank transaction, the
 * card payment, or the discrepancy of a bank transfer whose transaction is not known yet, or of a card payment whose
 * credit two people have posted for another account.
 */
async function settleRefusedCredit(
  tx: Transaction,
  deposit: Deposit,
  why: Refusal,
  auditContext: AuditContext,
): Promise<void> {
  const { now } = auditContext
  const received = deposit.receivedMinor ?? deposit.amountMinor
  const comment = platformErrorComment(why.reason)
  if (deposit.type === 'wire' || (await isPostedApart(tx, deposit, why)))
    await rejectRefused(tx, deposit, why, comment, auditContext)
  else {
    const isReturned = deposit.refundedMinor >= received
    await applyTransition(tx, depositMachine, auditContext, deposit, 'refused', {
      to: isReturned ? 'refunded' : 'uncredited',
      reason: why.code,
      set: { comment },
      workItem: isReturned ? null : await uncreditedItem(tx, deposit, now),
    })
    await alignUnallocated(tx, deposit, received - deposit.refundedMinor, now)
    await clearRefunds(tx, deposit, auditContext)
    // The client knows of the refund.
    if (isReturned) return
  }
  await notifyDeposit(tx, deposit, 'deposit-refused', received, comment, now)
}

/**
 * Returns whether two people have posted the credit of a card payment for another account (requirements 24.143): the
 * payment must not be credited or refunded as well.
 */
async function isPostedApart(tx: Transaction, { reference }: Deposit, { code }: Refusal): Promise<boolean> {
  if (code !== usedReferenceOutcome.refused.code) return false
  const posted = await row(
    tx,
  )`select 1 from recovery_items where reference = ${reference} and platform in ('MT4', 'MT5')
      and action <> 'reverse' and decided_by is not null limit 1`
  return posted !== null
}

async function rejectRefused(
  tx: Transaction,
  deposit: Deposit,
  why: Refusal,
  comment: string,
  auditContext: AuditContext,
): Promise<void> {
  const { id, clientId, currency } = deposit
  const line = deposit.bankLine === null ? null : await bankLineById(tx, deposit.bankLine)
  await applyTransition(tx, depositMachine, auditContext, deposit, 'refused', {
    to: 'rejected',
    reason: why.code,
    set: { comment, rejected_at: auditContext.now, bank_line: null },
    workItem: null,
  })
  if (line) {
    const dueAt = await workItemDueIn(tx, 'bank_line', auditContext.now)
    await applyTransition(tx, bankLineMachine, auditContext, line, 'release', { workItem: lineWorkItem(line, dueAt) })
    return
  }
  await raiseDifference(tx, auditContext, {
    kind: 'credit-refused',
    fingerprint: `credit-refused:${id}`,
    clientId,
    subject: depositMachine.name,
    record: id,
    oursMinor: deposit.receivedMinor,
    theirsMinor: 0n,
    currency,
    facts: { ...summaryOf(deposit), refused: why.reason, code: why.code },
  })
}

/** Returns the scheduled tasks: expired wires are cancelled and checkouts queried. */
export function depositTasks(dependencies: Dependencies): ScheduledTask[] {
  return [
    { name: 'expire-deposits', everyMs: 30_000, run: (now) => expireDeposits(dependencies, now) },
    { name: 'ask-checkouts', everyMs: 10_000, run: (now) => queryCheckouts(dependencies, now) },
    { name: 'ask-paid-checkouts', everyMs: 60_000, run: (now) => queryPaidCheckouts(dependencies, now) },
    { name: 'forget-webhooks', everyMs: 600_000, run: (now) => deleteOldWebhooks(dependencies, now) },
    { name: 'ask-over-checkouts', everyMs: 60_000, run: (now) => queryExpiredCheckouts(dependencies, now) },
  ]
}

/** How long an event is recognised as repeated: the provider stops repeating it much earlier. */
const webhookDays = 30

/** Deletes the events of webhooks that are too old to be repeated. */
export async function deleteOldWebhooks({ jobs }: Dependencies, now: Date): Promise<void> {
  await run(jobs)`delete from card_webhooks where received_at < ${new Date(now.getTime() - webhookDays * 86_400_000)}`
}

/** Expires pending deposits whose time is over. Rows decided in the meantime stay unchanged. */
export async function expireDeposits(dependencies: Dependencies, now: Date): Promise<void> {
  if (await isStopped(dependencies.jobs, 'accounts')) return
  const expired = await expiredDeposits(dependencies.jobs, now)
  await forEachRow({ job: 'expire-deposits', rows: expired, log: dependencies.log }, async ({ id, type }) => {
    await transaction(dependencies.jobs, async (tx) => {
      const deposit = await lockDeposit(tx, id)
      if (deposit?.state !== 'pending' || deposit.expiresAt > now) return
      if (type === 'wire') {
        if (await wireArrivedAt(tx, id)) return
        await applyTransition(tx, depositMachine, { identity: { kind: 'clock' }, now }, deposit, 'expire', {
          workItem: null,
        })
        await notifyDeposit(tx, deposit, 'deposit-cancelled', deposit.amountMinor, '', now)
      } else if (deposit.providerId === null) {
        // The client never saw the provider's page, so no payment can have been made there.
        const comment = platformErrorComment('expired')
        await applyTransition(tx, depositMachine, { identity: { kind: 'external' }, now }, deposit, 'declined', {
          set: { comment, rejected_at: now },
          workItem: null,
        })
      }
    })
  })
}

/** Queries the provider about checkouts whose webhook or return page never came. */
export async function queryCheckouts(dependencies: Dependencies, now: Date): Promise<void> {
  if (dependencies.cards) await queryCheckout(dependencies, await checkoutsToQuery(dependencies.jobs, now), now)
}

/** Queries paid checkouts once a day: a refund by the provider or the payer's bank may come without a webhook. */
export async function queryPaidCheckouts(dependencies: Dependencies, now: Date): Promise<void> {
  if (dependencies.cards) await queryCheckout(dependencies, await paidCheckoutsToQuery(dependencies.jobs, now), now)
}

/** Queries cancelled and declined checkouts: a page that was still open may have taken money. */
export async function queryExpiredCheckouts(dependencies: Dependencies, now: Date): Promise<void> {
  if (dependencies.cards) await queryCheckout(dependencies, await expiredCheckoutsToQuery(dependencies.jobs, now), now)
}

async function queryCheckout(dependencies: Dependencies, checkouts: readonly { id: DepositId }[], now: Date) {
  await forEachRow({ job: 'ask-checkouts', rows: checkouts, log: dependencies.log }, async ({ id }) => {
    await queryProvider(dependencies, id, { identity: { kind: 'external' }, now }).catch((error: unknown) => {
      if (!isIntegrationError(error)) throw error
      dependencies.log.debug({ deposit: id, problem: String(error) }, 'provider not reached')
    })
  })
}

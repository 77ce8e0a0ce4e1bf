/**
 * The provider's word on a checkout. Webhook, return page and sweep are hints only: what counts is what the provider
 * answers when asked, and it counts once (integrations, interfaces).
 */
import { depositLife } from '#rules/deposits.ts'
import { decimalOf, smaller, money } from '#rules/money.ts'
import { advance } from '../../db/advance.ts'
import { record, type Act } from '../../db/events.ts'
import { run, sql } from '../../db/sql.ts'
import { transaction, type Transaction } from '../../db/transaction.ts'
import { openWork } from '../../db/work-items.ts'
import type { CheckoutStatus } from '../../outside/card-provider/payment-provider.ts'
import { raiseDifference } from '../../ledger/differences.ts'
import { post } from '../../ledger/post.ts'
import type { Parts } from '../../parts.ts'
import { refusalComment } from '../../wording.ts'
import { beginCredit, summaryOf, tellOf, unmatched } from './credit-deposit.ts'
import { depositById, lockDeposit, type Deposit } from './queries.ts'

/** Asks about one checkout and does what follows; answers the deposit as it then stands. */
export async function askProvider(parts: Parts, depositId: string, act: Act): Promise<Deposit> {
  const asked = await depositById(parts.jobs, depositId)
  if (!asked) throw new Error(`no deposit ${depositId}`)
  if (!parts.cards || asked.providerId === null) return asked
  const status = await parts.cards.getStatus(asked.providerId)
  await transaction(parts.jobs, async (tx) => {
    const deposit = await lockDeposit(tx, depositId)
    if (!deposit) throw new Error(`no deposit ${depositId}`)
    await run(tx, sql`update deposits set asked_at = ${act.now} where id = ${depositId}`)
    // What moves now is moved by the provider's answer, whoever caused the question.
    await follow(tx, deposit, status, { ...act, acting: { kind: 'outside' } })
  })
  return (await depositById(parts.jobs, depositId)) ?? asked
}

async function follow(tx: Transaction, deposit: Deposit, status: CheckoutStatus, act: Act): Promise<void> {
  const back = status.state === 'refunded' || status.state === 'charged_back'
  // Paid and taken back before we ever asked: for us it was never there.
  if (back && deposit.state === 'pending') return declined(tx, deposit, 'cancelled', act)
  if (back) return takenBack(tx, deposit, status, act)
  if (deposit.state !== 'pending') return paidTooLate(tx, deposit, status, act)
  if (status.state === 'paid') return fits(deposit, status) ? paid(tx, deposit, act) : differs(tx, deposit, status, act)
  if (status.state === 'failed') return declined(tx, deposit, 'declined', act)
  if (status.state === 'cancelled' || status.state === 'expired') return declined(tx, deposit, status.state, act)
}

type Named = Extract<CheckoutStatus, { amount: object }>

/** The same amount, currency and reference: nothing else is credited. */
function fits(deposit: Deposit, status: Named): boolean {
  return (
    status.amount.minor === deposit.amountMinor &&
    status.amount.currency === deposit.currency &&
    status.ref === deposit.reference
  )
}

async function paid(tx: Transaction, deposit: Deposit, act: Act): Promise<void> {
  const { id, clientId, amountMinor, feeMinor, currency, provider } = deposit
  await advance(tx, depositLife, act, { id, verb: 'paid', clientId, set: { received_minor: amountMinor }, work: null })
  await post(tx, {
    ref: `checkout:${id}`,
    kind: 'card-arrival',
    subject: depositLife.name,
    record: id,
    at: act.now,
    postings: [
      { account: { kind: 'provider', currency, name: provider ?? '' }, minor: amountMinor },
      { account: unmatched(deposit), minor: -amountMinor },
    ],
  })
  await beginCredit(tx, deposit, amountMinor, feeMinor, act.now)
}

/** Something was paid, but not this: a person looks at it, nothing is credited. */
async function differs(tx: Transaction, deposit: Deposit, status: Named, act: Act): Promise<void> {
  const theirs = {
    paid: decimalOf(status.amount.minor),
    paidCurrency: status.amount.currency,
    paidReference: status.ref,
  }
  const { id, clientId } = deposit
  await openWork(
    tx,
    depositLife.name,
    id,
    { state: 'differs', dueAt: act.now, clientId, summary: { ...summaryOf(deposit), ...theirs } },
    act.now,
  )
}

async function declined(tx: Transaction, deposit: Deposit, reason: string, act: Act): Promise<void> {
  const { id, clientId } = deposit
  const comment = refusalComment(reason)
  await advance(tx, depositLife, act, {
    id,
    verb: 'declined',
    clientId,
    reason,
    set: { comment, rejected_at: act.now },
    work: null,
  })
  await tellOf(tx, deposit, 'deposit-rejected', deposit.amountMinor, comment, act.now)
}

/** The provider took money for a deposit that is over: it belongs to the client, so a person must see to it. */
async function paidTooLate(tx: Transaction, deposit: Deposit, status: CheckoutStatus, act: Act): Promise<void> {
  const over = deposit.state === 'rejected' || deposit.state === 'cancelled'
  if (!over || status.state !== 'paid' || deposit.receivedMinor !== null) return
  await toReconciliation(tx, deposit, 'paid-late', { ours: 0n, theirs: status.amount.minor }, act)
}

/** What staff see under Reconciliation until finance has explained it. */
async function toReconciliation(
  tx: Transaction,
  deposit: Deposit,
  kind: string,
  sides: { ours: bigint; theirs: bigint },
  act: Act,
): Promise<void> {
  const { id, clientId, currency } = deposit
  await raiseDifference(tx, act, {
    kind,
    fingerprint: `${kind}:${id}`,
    clientId,
    subject: depositLife.name,
    record: id,
    oursMinor: sides.ours,
    theirsMinor: sides.theirs,
    currency,
    facts: summaryOf(deposit),
  })
}

/** A refund or chargeback: booked back once, never more than was paid, and shown to staff as a difference (attack C17). */
async function takenBack(tx: Transaction, deposit: Deposit, status: Named, act: Act): Promise<void> {
  const { id, clientId, currency, receivedMinor, refundedMinor, provider } = deposit
  if (receivedMinor === null || refundedMinor > 0n || status.amount.currency !== currency) return
  const back = smaller(money(receivedMinor, currency), status.amount).minor
  if (back <= 0n) return
  await run(tx, sql`update deposits set refunded_minor = ${back}, version = version + 1 where id = ${id}`)
  await post(tx, {
    ref: `${status.state}:${id}`,
    kind: status.state,
    subject: depositLife.name,
    record: id,
    at: act.now,
    postings: [
      { account: { kind: 'corrections', currency }, minor: back },
      { account: { kind: 'provider', currency, name: provider ?? '' }, minor: -back },
    ],
  })
  const details = { amount: decimalOf(back), currency }
  await record(tx, act, { kind: depositLife.name, verb: status.state, record: id, clientId, details })
  // The account still holds what was credited: a correction, or a talk with the client, is for people.
  await toReconciliation(tx, deposit, status.state, { ours: receivedMinor, theirs: receivedMinor - back }, act)
  await tellOf(tx, deposit, 'deposit-refunded', back, '', act.now)
}

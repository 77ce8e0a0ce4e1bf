/**
 * The provider's word on a checkout. Webhook, return page and sweep are hints only: what counts is what the provider
 * answers when asked, and it counts once (integrations, interfaces).
 */
import { depositLife } from '#rules/deposits.ts'
import { decimalOf, smaller, money } from '#rules/money.ts'
import { advance } from '../../db/transition.ts'
import { record, type Act } from '../../db/events.ts'
import { run, sql } from '../../db/sql.ts'
import { transaction, type Transaction } from '../../db/transaction.ts'
import { openWork } from '../../db/work-items.ts'
import { isOutsideFailure } from '../../integrations/errors.ts'
import type { CheckoutStatus, PaymentProvider } from '../../integrations/card-provider/payment-provider.ts'
import { post } from '../../ledger/post.ts'
import { isStopped } from '../../recovery/stopped-money.ts'
import type { Parts } from '../../dependencies.ts'
import { refusalComment } from '../../i18n/format.ts'
import { beginCredit, summaryOf, tellOf, unmatched } from './credit-deposit.ts'
import { answeredAgain, contradicted, fits, toReconciliation, unanswered, type Named } from './payment-discrepancy.ts'
import { depositById, lockDeposit, type Deposit } from './queries.ts'

/** Asks about one checkout and does what follows; answers the deposit as it then stands. */
export async function askProvider(parts: Parts, depositId: string, act: Act): Promise<Deposit> {
  const asked = await depositById(parts.jobs, depositId)
  if (!asked) throw new Error(`no deposit ${depositId}`)
  if (!parts.cards || asked.providerId === null) return asked
  // While recovery is open, its command asks about every checkout and books what it finds.
  const isRecovery = act.acting.kind === 'recovery'
  if (!isRecovery && (await isStopped(parts.jobs, 'accounts'))) return asked
  // What moves now is moved by the provider's answer, whoever caused the question.
  const byProvider: Act = isRecovery ? act : { ...act, acting: { kind: 'outside' } }
  const status = await answerOf(parts, parts.cards, asked, asked.providerId, byProvider)
  await transaction(parts.jobs, async (tx) => {
    const deposit = await lockDeposit(tx, depositId)
    if (!deposit) throw new Error(`no deposit ${depositId}`)
    await run(tx, sql`update deposits set asked_at = ${act.now}, unanswered_since = null where id = ${depositId}`)
    if (!isRecovery && (await isStopped(tx, 'accounts'))) return
    await answeredAgain(tx, deposit, act)
    await follow(tx, parts.keys, deposit, status, byProvider)
    // An answer that was on its way while another one said paid may be the older of the two.
    if (asked.receivedMinor !== null) await contradicted(tx, deposit, status, byProvider)
  })
  return (await depositById(parts.jobs, depositId)) ?? asked
}

/** So long a checkout's page may take money: until then the provider knows it, whatever it answers. */
const pageLifeMs = 2 * 3_600_000

/** Whether nobody can pay on the page of a checkout any more, though nothing ended it. */
export function isPageOver({ requestedAt }: Pick<Deposit, 'requestedAt'>, now: Date): boolean {
  return now.getTime() - requestedAt.getTime() >= pageLifeMs
}

/** The provider's answer; that there was none is kept. */
async function answerOf(
  parts: Parts,
  cards: PaymentProvider,
  { id }: Deposit,
  providerId: string,
  act: Act,
): Promise<CheckoutStatus> {
  try {
    return await cards.getStatus(providerId)
  } catch (error) {
    if (isOutsideFailure(error)) await unanswered(parts, id, act)
    throw error
  }
}

async function follow(
  tx: Transaction,
  keys: Parts['keys'],
  deposit: Deposit,
  status: CheckoutStatus,
  act: Act,
): Promise<void> {
  const back = wentBack(status)
  if (deposit.state !== 'pending' && !paidAfterAll(deposit, status)) {
    if (back > 0n && deposit.receivedMinor !== null) return takenBack(tx, deposit, status as Named, back, act)
    return paidTooLate(tx, deposit, status, act)
  }
  if (status.state === 'refunded' || status.state === 'charged_back') {
    // Paid and taken back before we ever asked: for us it was never there. What is left of it is for a person.
    if (back >= status.amount.minor) return declined(tx, deposit, 'cancelled', act)
    return differs(tx, deposit, status, act)
  }
  if (status.state === 'paid') {
    if (!fits(deposit, status)) return differs(tx, deposit, status, act)
    await paid(tx, keys, deposit, act)
    if (back > 0n) await takenBack(tx, { ...deposit, receivedMinor: deposit.amountMinor }, status, back, act)
  }
  if (status.state === 'failed') return declined(tx, deposit, 'declined', act)
  // Unknown to the provider while its page may still take money: another merchant's key or address, never a client's word.
  if (status.state === 'expired' && !isPageOver(deposit, act.now)) return
  if (status.state === 'cancelled' || status.state === 'expired') return declined(tx, deposit, status.state, act)
}

/** The client took it back and paid all the same: what fits is credited like any other payment (decision 86). */
function paidAfterAll(deposit: Deposit, status: CheckoutStatus): boolean {
  return deposit.state === 'cancelled' && status.state === 'paid' && fits(deposit, status)
}

/** What went back so far, in minor units; a state that says so without an amount means all of it. */
function wentBack(status: CheckoutStatus): bigint {
  if (status.amount === undefined) return 0n
  if (status.back) return status.back.minor
  return status.state === 'refunded' || status.state === 'charged_back' ? status.amount.minor : 0n
}

async function paid(tx: Transaction, keys: Parts['keys'], deposit: Deposit, act: Act): Promise<void> {
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
  await beginCredit(tx, keys, deposit, amountMinor, feeMinor, act.now)
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

/**
 * Refunds and chargebacks: `reported` is what went back so far. What is new of it is booked, together never more than
 * was paid, and each report is a difference for staff, with all that the provider says (attack C17).
 */
async function takenBack(tx: Transaction, deposit: Deposit, status: Named, reported: bigint, act: Act): Promise<void> {
  const { id, clientId, currency, receivedMinor, refundedMinor, provider } = deposit
  if (receivedMinor === null || status.amount.currency !== currency) return
  const total = smaller(money(receivedMinor, currency), money(reported, currency)).minor
  const more = total - refundedMinor
  if (more <= 0n && reported <= receivedMinor) return
  const kind = status.state === 'charged_back' ? 'charged_back' : 'refunded'
  // The account still holds what was credited: a correction, or a talk with the client, is for people.
  await toReconciliation(
    tx,
    deposit,
    kind,
    { ours: receivedMinor - refundedMinor, theirs: receivedMinor - reported },
    act,
    `${kind}:${id}:${reported}`,
  )
  if (more <= 0n) return
  await run(tx, sql`update deposits set refunded_minor = ${total}, version = version + 1 where id = ${id}`)
  await post(tx, {
    ref: `${kind}:${id}:${total}`,
    kind,
    subject: depositLife.name,
    record: id,
    at: act.now,
    postings: [
      { account: { kind: 'corrections', currency }, minor: more },
      { account: { kind: 'provider', currency, name: provider ?? '' }, minor: -more },
    ],
  })
  const details = { amount: decimalOf(more), currency }
  await record(tx, act, { kind: depositLife.name, verb: kind, record: id, clientId, details })
  const told = kind === 'charged_back' ? 'deposit-charged-back' : 'deposit-refunded'
  await tellOf(tx, deposit, told, more, '', act.now)
}

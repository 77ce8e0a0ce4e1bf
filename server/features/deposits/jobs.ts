/** What follows when the platform has credited a deposit or refused to, and what time brings to those that wait. */
import { bankLineLife, depositLife } from '#rules/deposits.ts'
import { advance } from '../../db/transition.ts'
import type { Act } from '../../db/events.ts'
import { transaction, type Transaction } from '../../db/transaction.ts'
import type { BalanceLegs } from '../../jobs/balance.ts'
import { forEachRow } from '../../jobs/each-row.ts'
import type { Chore } from '../../jobs/workers.ts'
import { lineWork } from '../../ledger/bank-lines.ts'
import { raiseDifference } from '../../ledger/differences.ts'
import { post, type Posting } from '../../ledger/post.ts'
import { isOutsideFailure } from '../../integrations/errors.ts'
import type { Parts } from '../../dependencies.ts'
import { isStopped } from '../../recovery/stopped-money.ts'
import { refusalComment } from '../../i18n/format.ts'
import { workDueIn } from '../../office/due-dates.ts'
import { summaryOf, tellOf, unmatched } from './credit-deposit.ts'
import {
  bankLineById,
  checkoutsToAsk,
  expiredDeposits,
  lockDeposit,
  overCheckoutsToAsk,
  paidCheckoutsToAsk,
  type Deposit,
} from './queries.ts'
import { askProvider } from './settle-checkout.ts'

export const legs: BalanceLegs = {
  'deposit-credit': async (tx, operation, outcome, act) => {
    const deposit = operation.record === null ? null : await lockDeposit(tx, operation.record)
    if (!deposit || deposit.receivedMinor === null) throw new Error(`operation ${operation.id} names no deposit`)
    if ('done' in outcome) await credited(tx, deposit, deposit.receivedMinor, operation.ref, act)
    else await refused(tx, deposit, outcome.refused, act)
  },
}

async function credited(tx: Transaction, deposit: Deposit, received: bigint, ref: string, act: Act): Promise<void> {
  const { id, clientId, currency, accountId, feeMinor } = deposit
  await advance(tx, depositLife, act, { id, verb: 'credited', clientId, set: { approved_at: act.now }, work: null })
  const postings: Posting[] = [
    { account: unmatched(deposit), minor: received },
    { account: { kind: 'client', currency, tradingAccount: accountId }, minor: -(received - feeMinor) },
    { account: { kind: 'fees', currency }, minor: -feeMinor },
  ]
  await post(tx, { ref, kind: 'deposit-credit', subject: depositLife.name, record: id, at: act.now, postings })
  await tellOf(tx, deposit, 'deposit-credited', received - feeMinor, '', act.now)
}

/** Refused for good: the money stays arrived-unmatched; its line, or the difference, is with staff. */
async function refused(
  tx: Transaction,
  deposit: Deposit,
  why: { reason: string; code: string },
  act: Act,
): Promise<void> {
  const { id, clientId, currency } = deposit
  const comment = refusalComment(why.reason)
  const line = deposit.bankLine === null ? null : await bankLineById(tx, deposit.bankLine)
  const set = { comment, rejected_at: act.now, bank_line: null }
  await advance(tx, depositLife, act, { id, verb: 'refused', clientId, reason: why.code, set, work: null })
  if (line) {
    const dueAt = await workDueIn(tx, 'bank_line', act.now)
    await advance(tx, bankLineLife, act, { id: line.id, verb: 'release', work: lineWork(line, dueAt) })
  } else {
    await raiseDifference(tx, act, {
      kind: 'credit-refused',
      fingerprint: `credit-refused:${id}`,
      clientId,
      subject: depositLife.name,
      record: id,
      oursMinor: deposit.receivedMinor,
      theirsMinor: 0n,
      currency,
      facts: { ...summaryOf(deposit), refused: why.reason, code: why.code },
    })
  }
  await tellOf(tx, deposit, 'deposit-refused', deposit.receivedMinor ?? deposit.amountMinor, comment, act.now)
}

/** Announced wires that never came are cancelled after their time; open checkouts are asked about. */
export function depositChores(parts: Parts): Chore[] {
  return [
    { name: 'expire-deposits', everyMs: 30_000, run: (now) => expireDeposits(parts, now) },
    { name: 'ask-checkouts', everyMs: 10_000, run: (now) => askCheckouts(parts, now) },
    { name: 'ask-paid-checkouts', everyMs: 60_000, run: (now) => askPaidCheckouts(parts, now) },
    { name: 'ask-over-checkouts', everyMs: 60_000, run: (now) => askOverCheckouts(parts, now) },
  ]
}

/** What is over by now; a row that somebody moved meanwhile is left as it is. */
export async function expireDeposits(parts: Parts, now: Date): Promise<void> {
  if (await isStopped(parts.jobs, 'accounts')) return
  const expired = await expiredDeposits(parts.jobs, now)
  await forEachRow({ job: 'expire-deposits', rows: expired, log: parts.log }, async ({ id, type }) => {
    await transaction(parts.jobs, async (tx) => {
      const deposit = await lockDeposit(tx, id)
      if (deposit?.state !== 'pending' || deposit.expiresAt > now) return
      const { clientId } = deposit
      if (type === 'wire') {
        await advance(tx, depositLife, { acting: { kind: 'clock' }, now }, { id, verb: 'expire', clientId, work: null })
        await tellOf(tx, deposit, 'deposit-cancelled', deposit.amountMinor, '', now)
      } else if (deposit.providerId === null) {
        // The client never saw the provider's page, so nobody can have paid there.
        const comment = refusalComment('expired')
        await advance(
          tx,
          depositLife,
          { acting: { kind: 'outside' }, now },
          { id, verb: 'declined', clientId, set: { comment, rejected_at: now }, work: null },
        )
      }
    })
  })
}

/** Asks the provider about checkouts whose webhook or return page never came. */
export async function askCheckouts(parts: Parts, now: Date): Promise<void> {
  if (parts.cards) await askAbout(parts, await checkoutsToAsk(parts.jobs, now), now)
}

/** Asks once a day about what was paid: a refund made at the provider, or by the payer's bank, tells us of no checkout. */
export async function askPaidCheckouts(parts: Parts, now: Date): Promise<void> {
  if (parts.cards) await askAbout(parts, await paidCheckoutsToAsk(parts.jobs, now), now)
}

/** Asks about what clients took back, and what was declined: a page that was still open may have taken money after all. */
export async function askOverCheckouts(parts: Parts, now: Date): Promise<void> {
  if (parts.cards) await askAbout(parts, await overCheckoutsToAsk(parts.jobs, now), now)
}

async function askAbout(parts: Parts, checkouts: readonly { id: string }[], now: Date): Promise<void> {
  await forEachRow({ job: 'ask-checkouts', rows: checkouts, log: parts.log }, async ({ id }) => {
    await askProvider(parts, id, { acting: { kind: 'outside' }, now }).catch((error: unknown) => {
      if (!isOutsideFailure(error)) throw error
      parts.log.debug({ deposit: id, problem: String(error) }, 'the provider was not reached')
    })
  })
}

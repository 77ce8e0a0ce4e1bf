/**
 * Credits a deposit to its account, by wire or by card, and notifies the client of the result. `postCardArrival` posts
 * the receipt of a card payment; `settleCredit` (jobs.ts) posts the credit after the platform has confirmed it.
 */
import { portalPaths } from '#contract/portal-paths.ts'
import { depositMachine } from '#rules/deposits.ts'
import { decimalOf, money } from '#rules/money.ts'
import type { Transaction } from '../../db/sql.ts'
import { enqueueBalance } from '../../jobs/balance.ts'
import type { Keys } from '../../crypto/keys.ts'
import { post, type LedgerAccount } from '../../ledger/post.ts'
import type { WorkItem } from '../../db/work-items.ts'
import { workItemDueIn } from '../../office/due-dates.ts'
import type { depositMailTemplates } from '../../mail/templates/deposits.ts'
import { notifyClient } from '../../mail/send-mail.ts'
import type { Deposit } from './queries.ts'

/** Returns the ledger account that holds a deposit's money until it is credited. */
export function unallocatedAccount(deposit: Pick<Deposit, 'currency'>): LedgerAccount {
  return { kind: 'arrived_unmatched', currency: deposit.currency }
}

/** Posts a payment that the provider has received for a deposit: it is with the provider and not credited yet. */
export async function postCardArrival(tx: Transaction, deposit: Deposit, received: bigint, now: Date): Promise<void> {
  const { id, currency, provider } = deposit
  await post(tx, now, { ref: `checkout:${id}`, kind: 'card-arrival', subject: depositMachine.name, record: id }, [
    { account: { kind: 'provider', currency, name: provider ?? '' }, minor: received },
    { account: unallocatedAccount(deposit), minor: -received },
  ])
}

/**
 * Writes the operation that credits the received amount less the fee to the account on its platform. `generation` is the
 * number of credits that the platform has refused.
 */
export async function beginCredit(
  tx: Transaction,
  keys: Pick<Keys, 'reference'>,
  deposit: Deposit,
  received: bigint,
  fee: bigint,
  now: Date,
  generation = 0,
): Promise<void> {
  await enqueueBalance(tx, keys, now, {
    request: deposit,
    subject: depositMachine.name,
    leg: 'deposit-credit',
    amount: money(received - fee, deposit.currency),
    generation,
  })
}

export function summaryOf(deposit: Pick<Deposit, 'amountMinor' | 'currency' | 'login' | 'reference' | 'type'>) {
  const { amountMinor, currency, login: account, reference, type } = deposit
  return { amount: decimalOf(amountMinor), currency, account, reference, type }
}

/** Returns the work item of a card payment that was received and not credited (ADR 346). */
export async function uncreditedItem(tx: Transaction, deposit: Deposit, now: Date): Promise<WorkItem> {
  return {
    state: 'uncredited',
    dueAt: await workItemDueIn(tx, 'deposit', now),
    clientId: deposit.clientId,
    summary: summaryOf(deposit),
  }
}

/** Notifies the client of the result of a deposit. */
export async function notifyDeposit(
  tx: Transaction,
  deposit: Deposit,
  kind: keyof Omit<typeof depositMailTemplates, 'wire-details'>,
  minor: bigint,
  reason: string,
  now: Date,
  more: Readonly<Record<string, string | number>> = {},
): Promise<void> {
  const {
    id,
    clientId,
    clientEmail: email,
    clientLanguage: language,
    currency,
    reference,
    login: account,
    platform,
  } = deposit
  const facts = { minor: String(minor), currency, reference, platform, account, reason, ...more }
  const client = { id: clientId, email, language }
  await notifyClient(tx, now, {
    kind,
    client,
    facts,
    link: portalPaths.history('deposits', id),
    subject: depositMachine.name,
    record: id,
  })
}

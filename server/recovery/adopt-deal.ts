/**
 * Handles one balance deal that verifies as ours: known already, adopted, or an item for two people (requirements
 * 20.13). It sends nothing.
 */
import { decimalOf } from '#rules/money.ts'
import { recoveryItemMachine, type RecoveryItemKind } from '#rules/recovery-items.ts'
import type { ClientId, RecoveryItemId } from '#rules/ids.ts'
import { applyTransition, recordCreation } from '../db/transition.ts'
import type { AuditContext } from '../db/events.ts'
import { row, run, type Connection, type Transaction } from '../db/sql.ts'
import { Problem } from '../http/problem.ts'
import { enqueueBalance, usedReferenceOutcome } from '../jobs/balance.ts'
import { judgeDeals, raiseDeals } from '../ledger/platform-deals.ts'
import type { OperationKind } from '../jobs/operations.ts'
import { settleInRecovery } from '../jobs/settle-in-recovery.ts'
import type { Keys } from '../crypto/keys.ts'
import type { LostCheckout } from './lost-checkouts.ts'
import {
  subjectOfLeg,
  type Adoptions,
  type DealAccount,
  type FoundDeal,
  type LineOfDeal,
  type Proposal,
} from './adoption.ts'

/** `known`: the ledger has it. `item`: two people must decide it. `being-sent`: a server holds it, try again later. */
export type DealOutcome = 'known' | 'adopted' | 'item' | 'being-sent'

/** A payment of a lost checkout, and the account that two people assign it to. */
export interface AssignedCheckout extends LostCheckout {
  readonly account: DealAccount
  /** The amount that the platform shows as credited for it; null if none. */
  readonly credited: bigint | null
}

export interface Adopting {
  readonly kinds: readonly OperationKind[]
  readonly adoptions: Adoptions
  readonly keys: Pick<Keys, 'reference'>
  /** Marks as paid the payouts that bank statements show; returns how many. */
  adoptPayouts(tx: Transaction, auditContext: AuditContext): Promise<number>
  /** Writes the deposit of a payment whose checkout was lost, and the operation that credits it. */
  assignCheckout(tx: Transaction, checkout: AssignedCheckout, auditContext: AuditContext): Promise<void>
  /**
   * Returns bank transactions that may have paid a bank transfer which was adopted before a statement showed its
   * transaction.
   */
  linesOfAdopted(connection: Connection, deposit: string, now: Date): Promise<LineOfDeal[]>
  /** Matches such a bank transfer with the transaction that two people chose. */
  takeChosenLine(tx: Transaction, deposit: string, line: string, auditContext: AuditContext): Promise<void>
}

/** Adopts a deal if only its response is missing; otherwise writes the item that two people decide. */
export async function settleFoundDeal(
  tx: Transaction,
  adopting: Adopting,
  deal: FoundDeal,
  auditContext: AuditContext,
): Promise<DealOutcome> {
  if (await isDecided(tx, deal)) return 'known'
  const operation = await operationOf(tx, deal)
  if (operation) {
    if (isSecond(operation, deal)) return raiseSecond(tx, adopting, deal, auditContext)
    if (operation.state === 'done') {
      await clearItem(tx, deal, auditContext)
      return 'known'
    }
    const isSame = operation.target === `${deal.platform}:${deal.login}` && operation.minor === deal.amount.minor
    if (!isSame)
      return raiseItem(
        tx,
        deal,
        { kind: 'mismatch', subject: operation.subject, record: operation.record },
        auditContext,
      )
    const done = { done: { ticket: deal.ticket } }
    const settled = await settleInRecovery(tx, adopting.kinds, operation.id, done, auditContext)
    if (settled !== 'settled') return settled === 'settled-before' ? 'known' : settled
    await clearItem(tx, deal, auditContext)
    return 'adopted'
  }
  return raiseItem(tx, deal, await kindOf(tx, adopting, deal), auditContext)
}

/** Opens a discrepancy for a second deal under a reference that a record has. It stops its own account only. */
async function raiseSecond(
  tx: Transaction,
  { keys }: Pick<Adopting, 'keys'>,
  deal: FoundDeal,
  auditContext: AuditContext,
): Promise<'known'> {
  const account = await accountOf(tx, deal)
  if (!account) return 'known'
  const judged = await judgeDeals(tx, keys, deal.platform, [deal])
  // An item may be open from a time when the operation had no deal. Adopting it now posts nothing.
  const seconds = judged.map((one) => (one.status === 'item' ? { ...one, status: 'second' as const } : one))
  const of = { ...account, platform: deal.platform, login: deal.login }
  await raiseDeals(tx, of, seconds, { ...auditContext, identity: { kind: 'clock' } })
  return 'known'
}

interface KnownOperation {
  readonly id: string
  readonly state: string
  readonly target: string
  readonly minor: bigint
  readonly ticket: string | null
  readonly subject: string | null
  readonly record: string | null
}

function operationOf(connection: Connection, { comment }: FoundDeal): Promise<KnownOperation | null> {
  return row<KnownOperation>(connection)`
    select id, state, target, (payload ->> 'minor')::bigint as minor, result -> 'done' ->> 'ticket' as ticket, subject, record
      from operations where ref = ${comment} and kind = 'balance' for update`
}

/** Returns whether the operation with a deal's reference has another deal, or was rejected. */
function isSecond({ state, ticket }: KnownOperation, deal: FoundDeal): boolean {
  return state === 'refused' || (state === 'done' && ticket !== deal.ticket)
}

/** Throws if a deal cannot be adopted, because its reference has another deal or was rejected. */
export async function assertNotSecond(connection: Connection, deal: FoundDeal): Promise<void> {
  const operation = await operationOf(connection, deal)
  if (operation && isSecond(operation, deal)) throw new Problem('recovery-second', { field: 'action' })
}

interface Finding {
  readonly kind: RecoveryItemKind
  readonly subject: string | null
  readonly record: string | null
}

/** Returns what is missing: the decision, the whole request, or the account. */
async function kindOf(tx: Transaction, { adoptions }: Adopting, deal: FoundDeal): Promise<Finding> {
  const subject = deal.leg === null ? undefined : subjectOfLeg[deal.leg]
  const adoption = subject === undefined ? undefined : adoptions[subject]
  const request = await adoption?.find(tx, deal.shown)
  if (adoption && request && subject !== undefined) {
    const fits = await adoption.fits(tx, request.id, deal)
    return { kind: fits ? 'decision-lost' : 'mismatch', subject, record: request.id }
  }
  const kind = (await accountOf(tx, deal)) === null ? 'account-unknown' : 'request-lost'
  return { kind, subject: subject ?? null, record: null }
}

/** Returns the account of a deal, or null if the database has none with its number. */
export function accountOf(tx: Transaction, deal: Pick<FoundDeal, 'platform' | 'login'>): Promise<DealAccount | null> {
  return row<DealAccount>(tx)`select id, client_id as "clientId", currency from trading_accounts
      where platform = ${deal.platform} and login = ${deal.login}`
}

/**
 * Adopts a deal whose decision or request was lost, once two people have confirmed it: the request is moved to the
 * state that the deal proves, and the operation that a server would have written is written and settled together.
 * Throws while a server is sending that operation.
 */
export async function adoptRequest(
  tx: Transaction,
  { kinds, adoptions, keys }: Adopting,
  deal: FoundDeal,
  subject: string,
  proposal: Proposal,
  auditContext: AuditContext,
): Promise<void> {
  const adoption = adoptions[subject]
  const account = await accountOf(tx, deal)
  if (!adoption || !account || deal.leg === null || deal.leg === 'checkout' || deal.leg === 'checkout-refund')
    throw new Problem('recovery-action')
  // Locks the operation before the request, in the order of those who settle it.
  await assertNotSecond(tx, deal)
  const request = await adoption.find(tx, deal.shown)
  const id = request?.id ?? (await adoption.recreate(tx, { deal, account, proposal, keys }, auditContext))
  await adoption.bringTo(tx, id, deal, auditContext, { proposal, keys })
  const known = await operationOf(tx, deal)
  const operation =
    known?.id ??
    (await enqueueBalance(tx, keys, auditContext.now, {
      request: { ...deal, id, clientId: account.clientId, reference: deal.shown, accountId: account.id },
      subject,
      leg: deal.leg,
      amount: deal.amount,
      checkMargin: false,
      generation: deal.generation,
    }))
  await settleUnlessSending(tx, kinds, operation, { done: { ticket: deal.ticket } }, auditContext)
}

/**
 * Settles the operation of a deal with another amount, and returns by how much the deal exceeds it. Returns null if the
 * deal's account has no such operation. Throws while a server is sending it.
 */
export async function settleWithOtherAmount(
  tx: Transaction,
  { kinds }: Pick<Adopting, 'kinds'>,
  deal: FoundDeal,
  auditContext: AuditContext,
): Promise<bigint | null> {
  const operation = await operationOf(tx, deal)
  if (!operation || isSecond(operation, deal) || operation.target !== `${deal.platform}:${deal.login}`) return null
  // Once it is settled with this deal, the platform has had the amount of the operation.
  if (operation.state === 'done') return 0n
  await settleUnlessSending(tx, kinds, operation.id, { done: { ticket: deal.ticket } }, auditContext)
  return deal.amount.minor - operation.minor
}

/**
 * Ends the operation whose deal is posted apart from it, before its request ends: it must neither be sent nor find that
 * deal. Returns whether there was one. Throws while a server is sending it.
 */
export async function endOperationOf(
  tx: Transaction,
  { kinds }: Pick<Adopting, 'kinds'>,
  deal: FoundDeal,
  auditContext: AuditContext,
): Promise<boolean> {
  const operation = await operationOf(tx, deal)
  if (!operation) return false
  return settleUnlessSending(tx, kinds, operation.id, usedReferenceOutcome, auditContext)
}

/** Returns whether this settled the operation, and not a server before. */
async function settleUnlessSending(...settlement: Parameters<typeof settleInRecovery>): Promise<boolean> {
  const settled = await settleInRecovery(...settlement)
  // It may be executed a second time: its own deal is known only once it has a response or its lease has expired.
  if (settled === 'being-sent') throw new Problem('recovery-sending')
  return settled === 'settled'
}

async function isDecided(tx: Transaction, { platform, ticket }: FoundDeal): Promise<boolean> {
  const settled = await row<{ id: RecoveryItemId }>(tx)`
    select id from recovery_items where platform = ${platform} and ticket = ${ticket} and state = 'settled'`
  return settled !== null
}

/** Closes the finding of a deal that is now in the ledger. */
async function clearItem(tx: Transaction, { platform, ticket }: FoundDeal, auditContext: AuditContext): Promise<void> {
  const item = await row<{ id: RecoveryItemId; clientId: ClientId | null }>(tx)`
    select id, client_id as "clientId" from recovery_items
      where platform = ${platform} and ticket = ${ticket} and state in ('open', 'proposed') for update`
  if (!item) return
  await applyTransition(tx, recoveryItemMachine, auditContext, item, 'clear', { workItem: null })
}

async function raiseItem(
  tx: Transaction,
  deal: FoundDeal,
  finding: Finding,
  auditContext: AuditContext,
): Promise<'item'> {
  const account = await accountOf(tx, deal)
  const written = await row<{ id: RecoveryItemId }>(tx)`
    insert into recovery_items (kind, platform, login, ticket, comment, amount_minor, currency, deal_at, reference, leg,
        subject, record, account_id, client_id, found_at)
      values (${finding.kind}, ${deal.platform}, ${deal.login}, ${deal.ticket}, ${deal.comment}, ${deal.amount.minor},
        ${deal.amount.currency}, ${deal.at}, ${deal.shown}, ${deal.leg ?? ''}, ${finding.subject},
        ${finding.record}::uuid, ${account?.id ?? null}::uuid, ${account?.clientId ?? null}::uuid, ${auditContext.now})
      on conflict (platform, ticket) do nothing returning id`
  if (!written) {
    // Found before: a decision or an import may have changed what is known of it.
    await run(tx)`
      update recovery_items set kind = ${finding.kind}, subject = ${finding.subject}, record = ${finding.record}::uuid,
          account_id = ${account?.id ?? null}::uuid, client_id = ${account?.clientId ?? null}::uuid
        where platform = ${deal.platform} and ticket = ${deal.ticket} and state = 'open'`
    return 'item'
  }
  const summary = {
    kind: finding.kind,
    account: deal.login,
    reference: deal.shown,
    amount: decimalOf(deal.amount.minor),
    currency: deal.amount.currency,
  }
  const workItem = { dueAt: auditContext.now, summary }
  const of = { id: written.id, clientId: account?.clientId }
  await recordCreation(tx, recoveryItemMachine, auditContext, of, 'find', { details: summary, workItem })
  return 'item'
}

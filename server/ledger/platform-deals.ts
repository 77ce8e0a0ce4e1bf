/**
 * Determines the origin of a platform's balance deals. A trading result is posted only if every deal since the last one
 * is known: a completed operation of ours, or one that two people have decided (requirements 18.2). A reference that
 * verifies as ours and that no row has, or that a row has as not sent, shows that another copy of this database
 * continued: only recovery settles it, never finance (requirements 20.1).
 */
import { hourMs } from '#rules/dates.ts'
import type { Currency } from '#rules/money.ts'
import { differenceMachine } from '#rules/corrections.ts'
import { postedSecondDeal, unclearDeal } from '#rules/differences.ts'
import type { AccountId, ClientId, DifferenceId } from '#rules/ids.ts'
import { applyTransition } from '../db/transition.ts'
import { row, rows, type Connection, type Transaction } from '../db/sql.ts'
import type { AuditContext } from '../db/events.ts'
import type { Keys } from '../crypto/keys.ts'
import type { BalanceOperation } from '../integrations/trading-platform/trading-server.ts'
import type { Platform } from '../dependencies.ts'
import { openRecovery } from '../recovery/open-recovery.ts'
import type { RecoverySign } from '../recovery/stopped-money.ts'
import { verifiedReference } from './references.ts'
import { raiseDifference } from './differences.ts'

/**
 * `known`: ours and completed, adopted, or decided. `moving`: its operation is being sent or queried and will find it.
 * `foreign`: not ours. `unclear`: without a readable comment, so that it may be any operation of ours, also one that
 * this database lost; it neither shows that data were lost nor rules it out (ADR 331). `second`: under a reference of
 * ours whose operation has another deal, or was rejected. `lost`: verified, and no row has it. `unsent`: a row has it
 * as not sent. `item`: an item of recovery exists for it, so it is no longer a sign.
 */
export type DealStatus = 'known' | 'moving' | 'foreign' | 'unclear' | 'second' | 'lost' | 'unsent' | 'item'

export interface JudgedDeal extends BalanceOperation {
  readonly status: DealStatus
  /** It is known because it was posted as a deal of others, but its reference shows that it is a second one of ours. */
  readonly isPostedSecond?: true
}

interface Ours {
  readonly ref: string
  readonly state: string
  readonly ticket: string | null
}

/** Returns the name under which a deal is decided and posted. */
export function dealRef(platform: Platform, ticket: string): string {
  return `deal:${platform}:${ticket}`
}

/** Returns the name under which two people decide that a deal without a readable comment is not ours. */
function unclearRef(platform: Platform, ticket: string): string {
  return `unclear-${dealRef(platform, ticket)}`
}

/** Returns each deal with its status. Call it under the account's lock if the result has effects. */
export async function judgeDeals<Deal extends BalanceOperation>(
  connection: Connection,
  keys: Pick<Keys, 'reference'>,
  platform: Platform,
  deals: readonly Deal[],
): Promise<(Deal & JudgedDeal)[]> {
  if (deals.length === 0) return []
  const operations = await operationsOf(connection, platform, deals)
  const decided = await decidedAmong(connection, platform, deals)
  const byTicket = new Map(operations.flatMap((one) => (one.ticket === null ? [] : [[one.ticket, one]])))
  const byRef = new Map(operations.map((one) => [one.ref, one]))
  return deals.map((deal) => {
    const decision = decided.get(dealRef(platform, deal.ticket))
    if (byTicket.has(deal.ticket)) return { ...deal, status: 'known' }
    if (decision === 'known' || decision === 'item') return { ...deal, status: decision }
    const status = dealStatusOf(byRef, deal.comment, keys)
    if (decision === undefined) return { ...deal, status }
    // It was decided while no one could read its reference. One of ours that can be read now takes precedence over that
    // (ADR 330).
    if (decision === 'foreign') return { ...deal, status: status === 'unclear' ? 'foreign' : status }
    if (isPending(status)) return { ...deal, status }
    if (decision === 'booked' && status === 'second') return { ...deal, status: 'known', isPostedSecond: true }
    return { ...deal, status: 'known' }
  })
}

/** Returns whether an operation of ours is still to be settled with a deal of this status. */
function isPending(status: DealStatus): boolean {
  return status === 'moving' || signOf(status) !== null
}

function dealStatusOf(
  byRef: ReadonlyMap<string, Ours>,
  comment: string | null,
  keys: Pick<Keys, 'reference'>,
): DealStatus {
  if (comment === null) return 'unclear'
  const operation = byRef.get(comment)
  if (!operation) return verifiedReference(keys.reference.bytes, comment) ? 'lost' : 'foreign'
  if (operation.state === 'sending' || operation.state === 'unknown') return 'moving'
  return operation.state === 'waiting' ? 'unsent' : 'second'
}

function operationsOf(connection: Connection, platform: Platform, deals: readonly BalanceOperation[]): Promise<Ours[]> {
  const refs = deals.flatMap(({ comment }) => comment ?? [])
  const tickets = deals.map(({ ticket }) => ticket)
  return rows<Ours>(connection)`
    select ref, state, null as ticket from operations where kind = 'balance' and ref = any (${refs}::text[])
      union all
      select ref, state, result -> 'done' ->> 'ticket' from operations
        where kind = 'balance' and state = 'done' and split_part(target, ':', 1) = ${platform}
          and result -> 'done' ->> 'ticket' = any (${tickets}::text[])`
}

/**
 * `booked`, `reversed`: as a deal that is not ours. `foreign`: not ours, although its comment cannot be read.
 */
const decisions = ['known', 'item', 'booked', 'reversed', 'foreign'] as const
type Decision = (typeof decisions)[number]

async function decidedAmong(
  connection: Connection,
  platform: Platform,
  deals: readonly BalanceOperation[],
): Promise<ReadonlyMap<string, Decision>> {
  const tickets = deals.map(({ ticket }) => ticket)
  const refs = tickets.map((ticket) => dealRef(platform, ticket))
  const found = await rows<{ ref: string; decision: Decision }>(connection)`
    select fingerprint as ref,
        case when kind <> 'platform-only' then 'known' when proposal = 'reverse' then 'reversed' else 'booked' end as decision
        from differences where fingerprint = any (${refs}::text[]) and state = 'settled'
      union all
      select 'deal:' || platform || ':' || ticket, case state when 'settled' then 'known' else 'item' end from recovery_items
        where platform = ${platform} and ticket = any (${tickets}::text[])
      union all
      select substr(fingerprint, length('unclear-') + 1), 'foreign' from differences
        where kind = ${unclearDeal} and state = 'explained' and proposed_by is not null
          and fingerprint = any (${tickets.map((ticket) => unclearRef(platform, ticket))}::text[])`
  const byRef = new Map<string, Decision>()
  for (const decision of decisions.toReversed())
    for (const one of found) if (one.decision === decision) byRef.set(one.ref, decision)
  return byRef
}

/** The account of a deal. */
export interface DealAccount {
  readonly id: AccountId
  readonly clientId: ClientId
  readonly platform: Platform
  readonly login: string
  readonly currency: Currency
}

/** Returns whether the amount or the origin of a deal is unknown; it is decided only once both can be read. */
export function isUndecidable({ status, amount }: JudgedDeal): boolean {
  return status === 'unclear' || (amount === null && (status === 'foreign' || status === 'second'))
}

/**
 * Opens a discrepancy for each deal that two people must decide, unless it is already open. Its amount is decided only
 * once it can be read (ADR 328), and once its comment can be read or two people have decided that it is not ours (ADR
 * 330).
 */
export async function raiseDeals(
  tx: Transaction,
  account: DealAccount,
  deals: readonly JudgedDeal[],
  auditContext: AuditContext,
): Promise<void> {
  const { platform, login, currency } = account
  for (const deal of deals) {
    const { ticket, comment, amount, at } = deal
    const found = discrepancyOf(platform, deal)
    if (found === null) continue
    if (found.kind === secondDeal) await closeDiscrepancyOf(tx, found.fingerprint, auditContext.now, 'platform-only')
    await raiseDifference(tx, auditContext, {
      ...found,
      accountId: account.id,
      clientId: account.clientId,
      oursMinor: null,
      theirsMinor: amount?.minor ?? null,
      currency,
      facts: { ticket, comment: (comment ?? '').slice(0, 64), account: login, at: at.toISOString() },
    })
  }
}

const secondDeal = 'second-deal'

function discrepancyOf(platform: Platform, { status, isPostedSecond, ticket, amount }: JudgedDeal) {
  // It could not be found again under another number.
  if (status === 'unclear')
    return ticket === '' ? null : { kind: unclearDeal, fingerprint: unclearRef(platform, ticket) }
  if (isPostedSecond) return { kind: postedSecondDeal, fingerprint: `second-${dealRef(platform, ticket)}` }
  if (amount === null || (status !== 'foreign' && status !== 'second')) return null
  return { kind: status === 'second' ? secondDeal : 'platform-only', fingerprint: dealRef(platform, ticket) }
}

/**
 * Closes the discrepancies of an account's deals without a readable comment, except those of deals that are still in
 * doubt.
 */
export async function closeUnclear(
  tx: Transaction,
  { id, clientId, platform }: DealAccount,
  deals: readonly JudgedDeal[],
  now: Date,
): Promise<void> {
  const unclear = deals.flatMap(({ status, ticket }) => (status === 'unclear' ? [unclearRef(platform, ticket)] : []))
  const toClose = await rows<{ id: DifferenceId }>(tx)`
    select id from differences where account_id = ${id} and kind = ${unclearDeal} and state in ('open', 'proposed')
      and fingerprint <> all (${unclear}::text[])`
  for (const one of toClose) await close(tx, { id: one.id, clientId }, now)
}

/**
 * Closes the discrepancy of a deal that is in the ledger otherwise by now, or is one of another kind, unless its
 * reversal is being sent.
 */
export async function closeDiscrepancyOf(tx: Transaction, deal: string, now: Date, kind?: string): Promise<void> {
  const open = await rows<{ id: DifferenceId; clientId: ClientId }>(tx)`
    select d.id, a.client_id as "clientId" from differences d join trading_accounts a on a.id = d.account_id
      where d.fingerprint = ${deal} and d.state in ('open', 'proposed') and d.kind = coalesce(${kind ?? null}::text, d.kind)`
  for (const one of open) await close(tx, one, now)
}

function close(tx: Transaction, one: { id: DifferenceId; clientId: ClientId }, now: Date) {
  const clock: AuditContext = { identity: { kind: 'clock' }, now }
  return applyTransition(tx, differenceMachine, clock, one, 'vanish', { set: { decided_at: now }, workItem: null })
}

/** Returns whether an operation of ours was settled with a deal, which is named as `dealRef` does. */
export async function isOurDeal(connection: Connection, deal: string): Promise<boolean> {
  const [, platform = '', ticket = ''] = deal.split(':')
  const found = await row(connection)`
    select 1 from operations where kind = 'balance' and state = 'done' and split_part(target, ':', 1) = ${platform}
      and result -> 'done' ->> 'ticket' = ${ticket} limit 1`
  return found !== null
}

const signs: Readonly<Partial<Record<DealStatus, RecoverySign>>> = {
  lost: 'unknown-reference',
  unsent: 'waiting-reference',
}

/** Returns the recovery sign of a deal with this status, or null. */
export function signOf(status: DealStatus): RecoverySign | null {
  return signs[status] ?? null
}

/** Opens recovery if a deal is a sign for it, and returns whether one is. */
export async function openForSigns(tx: Transaction, deals: readonly JudgedDeal[], now: Date): Promise<boolean> {
  const found = deals.flatMap(({ status, at }) => {
    const sign = signOf(status)
    return sign === null ? [] : [{ sign, at }]
  })
  const [first] = found.toSorted((one, other) => one.at.getTime() - other.at.getTime())
  if (!first) return false
  await openRecovery(tx, { sign: first.sign, since: await knownUntil(tx, first.at), now })
  return true
}

/** Returns an hour before the last event that was written before a sign of loss: later events may be lost. */
export async function knownUntil(connection: Connection, sign: Date): Promise<Date> {
  const last = await row<{ at: Date | null }>(connection)`select max(at) as at from events where at <= ${sign}`
  return new Date((last?.at ?? sign).getTime() - hourMs)
}

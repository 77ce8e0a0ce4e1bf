/**
 * Determines the origin of a platform's balance deals. A trading result is posted only if every deal since the last one
 * is known: a completed operation of ours, or one that two people have decided (requirements 18.2). A reference that
 * verifies as ours and that no row has, or that a row has as not sent, shows that another copy of this database
 * continued: only recovery settles it, never finance (requirements 20.1).
 */
import type { Currency } from '#rules/money.ts'
import type { AccountId, ClientId } from '#rules/ids.ts'
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
 * `foreign`: not ours. `second`: under a reference of ours whose operation has another deal, or was rejected. `lost`:
 * verified, and no row has it. `unsent`: a row has it as not sent. `item`: an item of recovery exists for it, so it is
 * no longer a sign.
 */
export type DealStatus = 'known' | 'moving' | 'foreign' | 'second' | 'lost' | 'unsent' | 'item'

export interface JudgedDeal extends BalanceOperation {
  readonly standing: DealStatus
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

/** Returns each deal with its status. Call it under the account's lock if the result has effects. */
export async function judgeDeals<Deal extends BalanceOperation>(
  connection: Connection,
  keys: Pick<Keys, 'reference'>,
  platform: Platform,
  deals: readonly Deal[],
): Promise<(Deal & JudgedDeal)[]> {
  if (deals.length === 0) return []
  const ours = await operationsOf(connection, platform, deals)
  const decided = await decidedAmong(connection, platform, deals)
  const byTicket = new Map(ours.flatMap((one) => (one.ticket === null ? [] : [[one.ticket, one]])))
  const byRef = new Map(ours.map((one) => [one.ref, one]))
  return deals.map((deal) => {
    const decision = decided.get(dealRef(platform, deal.ticket))
    const standing = byTicket.has(deal.ticket)
      ? 'known'
      : (decision ?? dealStatusOf(byRef.get(deal.comment), deal.comment, keys))
    return { ...deal, standing }
  })
}

function dealStatusOf(ours: Ours | undefined, comment: string, keys: Pick<Keys, 'reference'>): DealStatus {
  if (!ours) return verifiedReference(keys.reference.bytes, comment) ? 'lost' : 'foreign'
  if (ours.state === 'sending' || ours.state === 'unknown') return 'moving'
  return ours.state === 'waiting' ? 'unsent' : 'second'
}

function operationsOf(connection: Connection, platform: Platform, deals: readonly BalanceOperation[]): Promise<Ours[]> {
  const refs = deals.map(({ comment }) => comment)
  const tickets = deals.map(({ ticket }) => ticket)
  return rows<Ours>(connection)`
    select ref, state, null as ticket from operations where kind = 'balance' and ref = any (${refs}::text[])
      union all
      select ref, state, result -> 'done' ->> 'ticket' from operations
        where kind = 'balance' and state = 'done' and split_part(target, ':', 1) = ${platform}
          and result -> 'done' ->> 'ticket' = any (${tickets}::text[])`
}

async function decidedAmong(
  connection: Connection,
  platform: Platform,
  deals: readonly BalanceOperation[],
): Promise<ReadonlyMap<string, 'known' | 'item'>> {
  const tickets = deals.map(({ ticket }) => ticket)
  const refs = tickets.map((ticket) => dealRef(platform, ticket))
  const found = await rows<{ ref: string; settled: boolean }>(connection)`
    select fingerprint as ref, true as settled from differences
        where fingerprint = any (${refs}::text[]) and state = 'settled'
      union all
      select 'deal:' || platform || ':' || ticket, state = 'settled' from recovery_items
        where platform = ${platform} and ticket = any (${tickets}::text[])`
  const settled = new Set(found.flatMap(({ ref, settled: isSettled }) => (isSettled ? [ref] : [])))
  return new Map(found.map(({ ref }) => [ref, settled.has(ref) ? 'known' : 'item']))
}

/** The account of a deal. */
interface DealAccount {
  readonly id: AccountId
  readonly clientId: ClientId
  readonly platform: Platform
  readonly login: string
  readonly currency: Currency
}

/** Returns whether two people must decide a deal whose amount cannot be read yet: nothing about it is known till then. */
export function waitsForAmount({ standing, amount }: JudgedDeal): boolean {
  return amount === null && (standing === 'foreign' || standing === 'second')
}

/**
 * Opens a discrepancy for each deal that two people must decide, unless it is already open. One whose amount cannot be
 * read is not decided before it can (ADR 328).
 */
export async function raiseDeals(
  tx: Transaction,
  account: DealAccount,
  deals: readonly JudgedDeal[],
  auditContext: AuditContext,
): Promise<void> {
  const { platform, login, currency } = account
  for (const { standing, ticket, comment, amount, at } of deals) {
    if (amount === null || (standing !== 'foreign' && standing !== 'second')) continue
    await raiseDifference(tx, auditContext, {
      kind: standing === 'second' ? 'second-deal' : 'platform-only',
      fingerprint: dealRef(platform, ticket),
      accountId: account.id,
      clientId: account.clientId,
      oursMinor: null,
      theirsMinor: amount.minor,
      currency,
      facts: { ticket, comment: comment.slice(0, 64), account: login, at: at.toISOString() },
    })
  }
}

const signs: Readonly<Partial<Record<DealStatus, RecoverySign>>> = {
  lost: 'unknown-reference',
  unsent: 'waiting-reference',
}
const hourMs = 3_600_000

/** Returns the recovery sign of a deal with this status, or null. */
export function signOf(standing: DealStatus): RecoverySign | null {
  return signs[standing] ?? null
}

/** Opens recovery if a deal is a sign for it, and returns whether one is. */
export async function openForSigns(tx: Transaction, deals: readonly JudgedDeal[], now: Date): Promise<boolean> {
  const found = deals.flatMap(({ standing, at }) => {
    const sign = signOf(standing)
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

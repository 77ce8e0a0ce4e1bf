/**
 * Searches for deals that this database does not know: on each platform before the first send of every start, after
 * every failover, and in every comparison; at the provider when it names a checkout (requirements 20.5). One deal
 * is enough, if its reference verifies as ours and no row has it, or a row has it as not sent.
 */
import { hourMs } from '#rules/dates.ts'
import type { AuditContext } from '../db/events.ts'
import { row, type Connection, transaction, type Transaction } from '../db/sql.ts'
import { Deferred, isIntegrationError } from '../integrations/errors.ts'
import { UnreadableValue } from '../integrations/trading-platform/unreadable-records.ts'
import { isSilenceReviewed, responseIn } from '../ledger/differences.ts'
import { judgeDeals, knownUntil, raiseDeals, signOf, type JudgedDeal } from '../ledger/platform-deals.ts'
import { accountsOf, recordUnclear } from '../ledger/unreadable-accounts.ts'
import { connectedPlatforms, type Dependencies, type Platform } from '../dependencies.ts'
import { fetchStatuses } from '../integrations/card-provider/payment-provider.ts'
import { verifiedReference } from '../ledger/references.ts'
import { cardProvider, paymentIn, recordLostCheckout, unusableResponse, type LostCheckout } from './lost-checkouts.ts'
import type { SignSearch } from './sending-gate.ts'
import type { RecoverySign } from './stopped-money.ts'

export interface FoundSign {
  readonly sign: RecoverySign
  /** From when on integrations may know more. */
  readonly since: Date
}

type Looking = Pick<Dependencies, 'platforms' | 'keys' | 'jobs' | 'now'>

/** Returns the search on one platform, over all its accounts, including those that this database does not have. */
export function dealSearch(parts: Looking, platform: Platform): SignSearch {
  return {
    name: `deals at ${platform}`,
    integration: platform,
    async look(since) {
      const from = since ?? (await lastSettled(parts.jobs, platform)) ?? parts.now()
      return searchDeals(parts, platform, new Date(from.getTime() - hourMs))
    },
  }
}

/**
 * Reads the platform's balance operations from a time on until one is a sign. One that may be any operation of ours is
 * recorded for its account, to which nothing is sent then (ADR 331). Throws if the platform does not respond, or if
 * such an operation may be any account's.
 */
export async function searchDeals(parts: Looking, platform: Platform, from: Date): Promise<FoundSign | null> {
  const to = new Date(parts.now().getTime() + hourMs)
  let after: string | null = null
  const unclear: (JudgedDeal & { login: string })[] = []
  do {
    const page = await parts.platforms[platform].balanceOperationsSince({ from, to, after })
    for (const deal of await judgeDeals(parts.jobs, parts.keys, platform, page.operations)) {
      const sign = signOf(deal.status)
      if (sign !== null) return { sign, since: await knownUntil(parts.jobs, deal.at) }
      if (deal.status === 'unclear') unclear.push(deal)
    }
    after = page.next
  } while (after !== null)
  const byLogin = Map.groupBy(unclear, ({ login }) => login)
  await transaction(parts.jobs, (tx) => holdAccounts(tx, platform, byLogin, parts.now()))
  if (byLogin.has(''))
    throw new UnreadableValue(
      'Login',
      'value',
      null,
      `A deal at ${platform} without a readable account and comment may be ours`,
    )
  return null
}

/**
 * Holds the accounts of deals that may be any operation of ours, and lets two people decide these. Returns the numbers
 * of the accounts; others are not ours.
 */
export async function holdAccounts(
  tx: Transaction,
  platform: Platform,
  unclear: ReadonlyMap<string, readonly JudgedDeal[]>,
  now: Date,
): Promise<ReadonlySet<string>> {
  const accounts = await accountsOf(tx, platform, [...unclear.keys()])
  for (const account of accounts) {
    const deals = unclear.get(account.login) ?? []
    await recordUnclear(tx, account.id, deals, now)
    await raiseDeals(tx, account, deals, { identity: { kind: 'clock' }, now })
  }
  return new Set(accounts.map(({ login }) => login))
}

/**
 * Returns when the newest operation of a platform was settled; before the first one, when anything was first written.
 */
async function lastSettled(connection: Connection, platform: Platform): Promise<Date | null> {
  const found = await row<{ at: Date | null }>(connection)`select coalesce(
        (select max(settled_at) from operations
          where kind = 'balance' and state = 'done' and split_part(target, ':', 1) = ${platform}),
        (select min(at) from events)) as at`
  return found?.at ?? null
}

/**
 * Returns the search at the provider: every checkout that is open here is queried, and each unknown payment becomes an
 * item.
 */
export function checkoutSearch(dependencies: Looking & Pick<Dependencies, 'cards' | 'config'>): SignSearch {
  return {
    name: 'open checkouts',
    integration: 'card',
    async look() {
      const { sign, payments, missing } = await queryOpenCheckouts(dependencies)
      if (!sign && missing) throw missing
      if (!sign) return null
      if (await isOfClosedRecovery(dependencies)) {
        const auditContext: AuditContext = {
          identity: { kind: 'recovery' },
          now: dependencies.now(),
          reference: 'recovery',
        }
        await transaction(dependencies.jobs, (tx) => recordLostCheckouts(tx, payments, auditContext))
        return null
      }
      return { ...sign, keep: (tx, auditContext) => recordLostCheckouts(tx, payments, auditContext) }
    },
  }
}

type CheckoutSearch = SeenCheckout & { readonly missing: Error | null }

/**
 * Queries the open checkouts one after the other, to the first one that got no response; `missing` is the failure. One
 * whose response cannot be used does not keep the others from being queried. A missing response that two people have
 * reviewed is ignored.
 */
async function queryOpenCheckouts(dependencies: Looking & Pick<Dependencies, 'cards'>): Promise<CheckoutSearch> {
  const payments: LostCheckout[] = []
  let sign: FoundSign | null = null
  let missing: Error | null = null
  let last: string | null = null
  for (;;) {
    const open: OpenCheckout | null = await nextOpen(dependencies.jobs, last)
    if (!open) break
    last = open.id
    try {
      const found = await queryCheckoutForPayments(dependencies, open)
      sign ??= found.sign
      if (found.sign) payments.push(...found.payments)
    } catch (error) {
      if (!isIntegrationError(error)) throw error
      if (await isSilenceReviewed(dependencies.jobs, open.id)) continue
      if (responseIn(error) === 'missing') return { sign, payments, missing: error }
      missing ??= new Deferred(unusableResponse(open.reference), error)
    }
  }
  return { sign, payments, missing }
}

interface OpenCheckout extends SeenIds {
  readonly id: string
  readonly reference: string
}

function nextOpen(connection: Connection, afterId: string | null) {
  return row<OpenCheckout>(connection)`
    select id, reference, provider_id as "providerId", array(select payment_id from deposit_payments p where p.deposit_id = d.id
        union select d.payment_id where d.payment_id is not null) as "paymentIds" from deposits d
      where state in ('pending', 'in_review') and provider_id is not null and (${afterId}::uuid is null or id > ${afterId}::uuid)
      order by id limit 1`
}

async function recordLostCheckouts(tx: Transaction, payments: readonly LostCheckout[], auditContext: AuditContext) {
  for (const payment of payments) await recordLostCheckout(tx, payment, auditContext)
}

/** A checkout and its known payments. */
interface SeenIds {
  readonly providerId: string
  readonly paymentIds: readonly string[]
}

/** What one checkout at the provider shows: a sign, payments without a deposit, both or neither. */
export interface SeenCheckout {
  /** A reference verifies as ours, and neither a deposit nor an item has it. */
  readonly sign: FoundSign | null
  /** The payments under a reference of ours. */
  readonly payments: readonly LostCheckout[]
}

/** Queries one checkout and its known payments. Throws if the provider does not respond. */
export async function queryCheckoutForPayments(
  { cards, keys, jobs, now }: Pick<Dependencies, 'cards' | 'keys' | 'jobs' | 'now'>,
  { providerId, paymentIds }: SeenIds,
): Promise<SeenCheckout> {
  // An event that names no checkout has the payment's id for both.
  const checkout = paymentIds.includes(providerId) ? null : providerId
  const statuses = cards ? await fetchStatuses(cards, checkout, paymentIds) : []
  let sign: FoundSign | null = null
  const payments: LostCheckout[] = []
  for (const status of statuses) {
    if (status.ref === undefined || !verifiedReference(keys.reference.bytes, status.ref)) continue
    const known = await row(jobs)`select 1 from deposits where provider_ref = ${status.ref}
        union all select 1 from recovery_items where platform = ${cardProvider}
          and (ticket = ${providerId} or payment_id = ${status.paymentId} or comment = ${status.ref})
        limit 1`
    if (!known) sign ??= { sign: 'unknown-reference', since: await knownUntil(jobs, now()) }
    const payment = paymentIn(keys, providerId, status)
    if (payment) payments.push(payment)
  }
  return { sign, payments }
}

/**
 * For how long a closed recovery explains a payment that is found later: cards are charged days after the checkout (ADR
 * 164).
 */
const explainedForMs = 30 * 24 * hourMs

/**
 * Returns whether an unknown payment belongs to the lost time of a closed recovery: two people decide on it, and
 * nothing is stopped again. A new loss would also show on the platforms, so they are read. Throws if one does not
 * respond.
 */
export async function isOfClosedRecovery(dependencies: Looking & Pick<Dependencies, 'config'>): Promise<boolean> {
  const closed = await row(dependencies.jobs)`
    select 1 from recovery where closed_at > ${new Date(dependencies.now().getTime() - explainedForMs)} limit 1`
  if (!closed) return false
  for (const platform of connectedPlatforms(dependencies))
    if (await dealSearch(dependencies, platform).look(null)) return false
  return true
}

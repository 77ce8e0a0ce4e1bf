/**
 * Stores deals as read. Known and unchanged deals are skipped; a changed deal is stored as a new version, and the data
 * that depends on it is derived again in the same transaction (ADR 210).
 */
import { createHash } from 'node:crypto'
import { rowOfDeal, type DealValues } from '#rules/closed-trades.ts'
import type { AccountId } from '#rules/ids.ts'
import { tradingDay } from '#rules/trading-days.ts'
import { row, rows, run, sql, type Transaction } from '../../db/sql.ts'
import type { Platform } from '../../dependencies.ts'
import type { ServerZone } from '../../integrations/trading-platform/server-clock.ts'
import type { PlatformDeal } from '../../integrations/trading-platform/trade-history.ts'
import type { UnreadableDeals } from '../../office/answer-text.ts'
import { rederiveAccount, type ChangedParts } from './derive-trades.ts'

export interface DealSource {
  readonly platform: Platform
  readonly zone: ServerZone
  readonly now: Date
}

interface KnownDeal {
  readonly deal: string
  readonly version: number
  readonly fingerprint: string
  readonly gone: boolean
  readonly position: string
  readonly day: string
}

interface NewVersion extends PlatformDeal {
  readonly version: number
  readonly fingerprint: string
  readonly gone: boolean
}

const atOnce = 5_000

/**
 * Stores one account's deals. `whole`: these are all its deals on the platform, so missing ones have been deleted
 * there. Returns the number of new versions. Unreadable values are recorded for the account (ADR 328).
 */
export async function storeDeals(
  tx: Transaction,
  source: DealSource,
  accountId: AccountId,
  deals: readonly PlatformDeal[],
  isComplete = false,
): Promise<number> {
  const before = await row<UnreadableBefore>(tx)`
    select unreadable ->> 'at' as at, coalesce(unreadable_since = '-infinity', false) as "isLost" from account_histories
      where account_id = ${accountId} for update`
  const [placed, lost] = [deals.filter(({ ticket }) => ticket !== ''), deals.filter(({ ticket }) => ticket === '')]
  const known = await knownDeals(tx, source.platform, accountId, isComplete ? null : placed.map(({ ticket }) => ticket))
  const versions = newVersions(placed, known)
  // A deal without a readable ticket may be any of those that seem to be missing.
  if (isComplete && lost.length === 0) versions.push(...(await goneVersions(tx, accountId, placed, known)))
  if (versions.length > 0) {
    await insertVersions(tx, source, accountId, versions)
    const touched = changedParts(versions, known)
    await rederiveAccount(tx, accountId, touched)
    const changed = touched.days.map((day) => ({ accountId, day }))
    await scheduleStatementChecks(tx, changed, source.now)
  }
  const isOdd = lost.length > 0 || versions.some(({ unreadable }) => unreadable !== undefined)
  // Whether a deal that could not be stored has become readable, or was deleted, is known only after a complete
  // reading.
  const staysLost = lost.length === 0 && before?.isLost && !isComplete
  if ((isOdd || before?.at) && !staysLost)
    await recordUnreadable(tx, accountId, { lost, at: before?.at ?? source.now.toISOString() })
  return versions.length
}

interface UnreadableBefore {
  /** The time since which not all of the account's deals are readable; null if all are. */
  readonly at: string | null
  readonly isLost: boolean
}

interface StoredUnreadable extends Omit<UnreadableDeals, 'at'> {
  readonly since: string
}

/**
 * Records the account's unreadable deals, and the day from which its sums depend on them. On MetaTrader 4 the opening
 * of an order is stored under its negative ticket.
 */
async function recordUnreadable(
  tx: Transaction,
  accountId: AccountId,
  { lost, at }: { readonly lost: readonly PlatformDeal[]; readonly at: string },
): Promise<void> {
  const stored = await row<StoredUnreadable>(tx)`
    select abs(deal)::text as deal, coalesce(unreadable ->> 'field', 'Action') as field,
        coalesce(unreadable ->> 'reason', 'action') as reason, day::text as since, count(*) over ()::int as count,
        case when unreadable is null then action::text else left(unreadable -> 'raw' ->> (unreadable ->> 'field'), ${valueLengthMax}) end as value
      from kept_deals where account_id = ${accountId} and sum_row = 'unknown' order by day, deal limit 1`
  const [firstField] = lost.flatMap(({ unreadable }) => unreadable ?? [])
  const first: StoredUnreadable | null =
    firstField === undefined
      ? stored
      : {
          deal: null,
          field: firstField.field,
          reason: firstField.reason,
          value: firstField.raw[firstField.field]?.slice(0, valueLengthMax) ?? null,
          count: lost.length + (stored?.count ?? 0),
          since: '-infinity',
        }
  const { since = null, ...deals } = first ?? {}
  await run(tx)`
    update account_histories set unreadable_since = ${since}::date,
        unreadable = ${first && JSON.stringify({ ...deals, at })}::text::jsonb
      where account_id = ${accountId}`
}

/** Maximum characters of an unreadable value that are shown to staff. */
const valueLengthMax = 40

/**
 * Corrections often come in series, so statements of their months and of later ones are checked this long after them.
 */
const statementCheckAfterMs = 60 * 60_000

interface ChangedDay {
  readonly accountId: AccountId
  readonly day: string
}

/** Schedules a check of the statements that depend on these days: those of their months and of later ones. */
export async function scheduleStatementChecks(
  tx: Transaction,
  changed: readonly ChangedDay[],
  now: Date,
): Promise<void> {
  await run(tx)`
    update month_ends e set look_at = greatest(e.due_at, ${new Date(now.getTime() + statementCheckAfterMs)})
      from (select c."accountId", min(c.day) as day
          from jsonb_to_recordset(${JSON.stringify(changed)}::text::jsonb) as c ("accountId" uuid, day date)
          group by c."accountId") first
      where e.account_id = first."accountId" and e.month >= date_trunc('month', first.day::timestamp)::date`
}

async function knownDeals(
  tx: Transaction,
  platform: Platform,
  accountId: AccountId,
  tickets: readonly string[] | null,
): Promise<Map<string, KnownDeal>> {
  const wanted =
    tickets === null
      ? sql`account_id = ${accountId}`
      : sql`platform = ${platform} and deal = any (${[...tickets]}::bigint[])`
  const found = await rows<KnownDeal>(tx)`
    select distinct on (deal) deal::text as deal, version, fingerprint, gone, position::text as position, day::text as day
      from platform_deals where ${wanted} order by deal, version desc`
  return new Map(found.map((one) => [one.deal, one]))
}

function newVersions(deals: readonly PlatformDeal[], known: ReadonlyMap<string, KnownDeal>): NewVersion[] {
  return [...new Map(deals.map((deal) => [deal.ticket, deal])).values()].flatMap((deal) => {
    const fingerprint = fingerprintOf(deal)
    const before = known.get(deal.ticket)
    if (before?.fingerprint === fingerprint && !before.gone) return []
    return [{ ...deal, fingerprint, version: (before?.version ?? 0) + 1, gone: false }]
  })
}

function fingerprintOf({ comment: _left, unreadable, ...deal }: PlatformDeal): string {
  const values = Object.values(deal).map(String)
  return createHash('sha256')
    .update([...values, ...(unreadable ? [JSON.stringify(unreadable)] : [])].join('|'))
    .digest('base64')
}

interface GoneDeal extends DealValues {
  readonly ticket: string
  readonly order: string
  readonly position: string
  readonly time: bigint
}

/** Returns a final version for each deal that the platform no longer has. */
async function goneVersions(
  tx: Transaction,
  accountId: AccountId,
  deals: readonly PlatformDeal[],
  known: ReadonlyMap<string, KnownDeal>,
): Promise<NewVersion[]> {
  const there = new Set(deals.map(({ ticket }) => ticket))
  const vanished = [...known.values()].filter((one) => !one.gone && !there.has(one.deal)).map(({ deal }) => deal)
  if (vanished.length === 0) return []
  const found = await rows<GoneDeal>(tx)`
    select deal::text as ticket, order_ticket::text as "order", position::text as position, symbol, action, entry, reason,
        volume, closed_volume as "closedVolume", price, price_position as "pricePosition", stop_loss as "stopLoss",
        take_profit as "takeProfit", profit_minor as profit, swap_minor as swap, commission_minor as commission,
        fee_minor as fee, platform_ms as time
      from kept_deals where account_id = ${accountId} and deal = any (${vanished}::bigint[])`
  return found.map((deal) => ({
    ...deal,
    time: Number(deal.time),
    login: '',
    comment: '',
    fingerprint: '',
    version: (known.get(deal.ticket)?.version ?? 0) + 1,
    gone: true,
  }))
}

async function insertVersions(
  tx: Transaction,
  { platform, zone, now }: DealSource,
  accountId: AccountId,
  versions: readonly NewVersion[],
): Promise<void> {
  const legs = await ownLegs(tx, platform, versions)
  const months = new Set(versions.map(({ time }) => `${tradingDay(time).slice(0, 7)}-01`))
  for (const month of months) await run(tx)`select deals_of_month(${month}::date)`
  for (let start = 0; start < versions.length; start += atOnce) {
    const part = versions.slice(start, start + atOnce).map(({ login: _login, comment: _comment, ...deal }) => {
      const own = legs.get(deal.ticket)
      return {
        ...Object.fromEntries(Object.entries(deal).map(([name, value]) => [name, bigintAsText(value)])),
        day: tradingDay(deal.time),
        at: new Date(zone.toUtc(deal.time)),
        sumRow: deal.unreadable ? 'unknown' : rowOfDeal(deal.action, own ?? null),
        subject: own?.subject ?? null,
        record: own?.record ?? null,
      }
    })
    await run(tx)`
      insert into platform_deals (platform, deal, version, day, account_id, platform_ms, at, action, entry, reason, symbol,
          position, order_ticket, volume, closed_volume, price, price_position, stop_loss, take_profit, profit_minor,
          swap_minor, commission_minor, fee_minor, sum_row, subject, record, gone, fingerprint, read_at, unreadable)
        select ${platform}, d.ticket, d.version, d.day, ${accountId}, d.time, d.at, d.action, d.entry, d.reason, d.symbol,
            d.position, d."order", d.volume, d."closedVolume", d.price, d."pricePosition", d."stopLoss", d."takeProfit",
            d.profit, d.swap, d.commission, d.fee, d."sumRow", d.subject, d.record, d.gone, d.fingerprint, ${now}, d.unreadable
          from jsonb_to_recordset(${JSON.stringify(part)}::text::jsonb) as d (ticket bigint, version integer, day date,
            time bigint, at timestamptz, action smallint, entry smallint, reason smallint, symbol text, position bigint,
            "order" bigint, volume bigint, "closedVolume" bigint, price text, "pricePosition" text, "stopLoss" text,
            "takeProfit" text, profit bigint, swap bigint, commission bigint, fee bigint, "sumRow" text, subject text,
            record uuid, gone boolean, fingerprint text, unreadable jsonb)
        on conflict do nothing`
  }
}

function bigintAsText(value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}

interface OwnLeg {
  readonly ticket: string
  readonly leg: string | null
  readonly returnsDeposit: boolean
  readonly subject: string | null
  readonly record: string | null
}

const balanceAction = 2

/**
 * Returns our own balance operations by ticket: by the reference in the comment or, if it is hidden, by the response.
 */
async function ownLegs(
  tx: Transaction,
  platform: Platform,
  versions: readonly NewVersion[],
): Promise<ReadonlyMap<string, OwnLeg>> {
  const moved = versions.filter(({ action }) => action === balanceAction)
  if (moved.length === 0) return new Map()
  const found = await rows<OwnLeg & { ref: string; target: string; answered: string | null }>(tx)`
    select '' as ticket, ref, target, result -> 'done' ->> 'ticket' as answered, payload ->> 'leg' as leg, subject, record,
        subject = 'correction' and exists (select from corrections k where k.id = record and k.deposit_id is not null)
          as "returnsDeposit"
      from operations where kind = 'balance' and (ref = any (${moved.map(({ comment }) => comment)}::text[])
        or (split_part(target, ':', 1) = ${platform} and state = 'done'
          and result -> 'done' ->> 'ticket' = any (${moved.map(({ ticket }) => ticket)}::text[])))`
  return new Map(
    moved.flatMap(({ ticket, login, comment }) => {
      const own = found.find(
        ({ ref, target, answered }) => answered === ticket || (ref === comment && target === `${platform}:${login}`),
      )
      return own ? [[ticket, own] as const] : []
    }),
  )
}

function changedParts(versions: readonly NewVersion[], known: ReadonlyMap<string, KnownDeal>): ChangedParts {
  const before = versions.flatMap(({ ticket }) => known.get(ticket) ?? [])
  const trades = versions.filter(({ position }) => position !== '0').map(({ position }) => position)
  return {
    positions: [...new Set([...trades, ...before.map(({ position }) => position).filter((one) => one !== '0')])],
    days: [...new Set([...versions.map(({ time }) => tradingDay(time)), ...before.map(({ day }) => day)])],
  }
}

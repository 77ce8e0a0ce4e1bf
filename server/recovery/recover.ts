/**
 * `operator recover`: reads the data of platforms and provider since a time, adopts what is ours, and writes an item
 * for each deal that two people must decide (requirements 20.13). It sends nothing, runs while servers run, one at a
 * time, and can be repeated safely.
 */
import { hourMs } from '#rules/dates.ts'
import type { Pool } from 'pg'
import { nonBlockingFindings } from '#rules/recovery-items.ts'
import { recordEvent, type AuditContext } from '../db/events.ts'
import { row, run, type Connection, transaction, type Transaction } from '../db/sql.ts'
import { Unavailable } from '../integrations/errors.ts'
import { connectedPlatforms, type Dependencies, type Platform } from '../dependencies.ts'
import { UnreadableValue } from '../integrations/trading-platform/unreadable-records.ts'
import { judgeDeals, type JudgedDeal } from '../ledger/platform-deals.ts'
import { verifiedReference } from '../ledger/references.ts'
import { settleFoundDeal, type Adopting, type DealOutcome } from './adopt-deal.ts'
import type { FoundDeal } from './adoption.ts'
import { closeIfDone, openChannel } from './channels.ts'
import { holdAccounts } from './deal-search.ts'
import { knownLoginText } from './known-logins.ts'
import { cardProvider, queryStoredWebhooks } from './lost-checkouts.ts'
import { queryCheckouts, silentText, type QueryingCheckouts } from './query-checkouts.ts'
import { recoveryOf, type Recovery } from './stopped-money.ts'
import { requestConfirmations, notifyWhatToConfirm } from './requests-to-confirm.ts'

interface Recovering extends Adopting, QueryingCheckouts {}

export interface RecoverReport {
  readonly since: Date
  readonly deals: number
  readonly adopted: number
  readonly items: number
  /** The number of withdrawals that a bank statement shows as paid. */
  readonly paid: number
  readonly checkouts: number
  readonly confirmations: number
  readonly cleared: number
  /** Platforms and provider that did not respond; run the command again once they do. */
  readonly unread: readonly string[]
  readonly accountsOpened: boolean
  /** What still prevents the opening of the channel of accounts, in sentences for the operator. */
  readonly holds: readonly string[]
}

export class NoRecovery extends Error {}
export class AlreadyRecovering extends Error {}

const recoverLock = 7_420_013

/** Runs once. Throws `NoRecovery` if none is open, `AlreadyRecovering` if another run is in progress. */
export async function recover(recovering: Recovering, since: Date): Promise<RecoverReport> {
  const { dependencies } = recovering
  return withRecoveryLock(dependencies.jobs, async () => {
    const auditContext: AuditContext = {
      identity: { kind: 'recovery' },
      now: dependencies.now(),
      reference: 'operator',
    }
    const recovery = await recoveryOf(dependencies.jobs)
    if (!recovery) throw new NoRecovery('No recovery is open.')
    const confirmations = await transaction(dependencies.jobs, (tx) => requestConfirmations(tx, recovery, auditContext))
    const counted = { deals: 0, adopted: 0, items: 0 }
    const unread: string[] = []
    const undecidable = new Map<string, string>()
    const deals: FoundDeal[] = []
    for (const platform of connectedPlatforms(dependencies)) {
      const found = await dealsOf(dependencies, platform, new Date(since.getTime() - hourMs), auditContext.now).catch(
        (error: unknown) => {
          if (!isNoResponse(error)) throw error
          if (error instanceof UndecidableDeal) undecidable.set(platform, error.message)
          if (error instanceof UnreadableValue)
            undecidable.set(platform, `${platform}: ${error.message}. Then run recover again.`)
          return null
        },
      )
      if (found) deals.push(...found)
      else unread.push(platform)
    }
    counted.deals = deals.length
    const asked = dependencies.cards ? await queryCheckouts(recovering, since, auditContext) : { asked: 0, silent: [] }
    const outcomes = await adoptAll(recovering, deals, auditContext)
    // After the deals: one that was adopted may be the credit of such a payment.
    const silent = await queryStoredWebhooks(dependencies, recovery, auditContext)
    const silentCheckouts = [...asked.silent, ...silent]
    if (silentCheckouts.length > 0) {
      unread.push('provider')
      undecidable.set('provider', silentText(silentCheckouts))
    }
    await notifyWhatToConfirm(dependencies.jobs, recovery, auditContext.now)
    counted.adopted = outcomes.filter((one) => one === 'adopted').length
    counted.items = outcomes.filter((one) => one === 'item').length
    const paid = await transaction(dependencies.jobs, (tx) => recovering.adoptPayouts(tx, auditContext))
    const cleared =
      unread.length > 0
        ? 0
        : await unlessWidened(dependencies.jobs, recovery, (tx) => clearRequests(tx, recovery, deals, auditContext))
    const unreadTexts = unread.map(
      (name) => undecidable.get(name) ?? `${name} did not respond. Run recover again when it does.`,
    )
    const holds = [...unreadTexts, ...(await reasonsAccountsStayStopped(dependencies.jobs, outcomes))]
    const accountsOpened =
      holds.length === 0 &&
      (await unlessWidened(dependencies.jobs, recovery, async (tx) => {
        const opened = await openChannel(tx, 'accounts', auditContext)
        await closeIfDone(tx, auditContext)
        return opened
      }))
    if (cleared === null || accountsOpened === null) holds.push(widenedText)
    const report = {
      since,
      ...counted,
      paid,
      checkouts: asked.asked,
      confirmations,
      cleared: cleared ?? 0,
      unread,
      accountsOpened: accountsOpened ?? false,
      holds,
    }
    await transaction(dependencies.jobs, (tx) =>
      recordEvent(tx, auditContext, {
        kind: 'recovery',
        action: 'recover',
        record: recovery.id,
        details: { ...report, since: since.toISOString() },
      }),
    )
    return report
  })
}

/** Holds the lock of recovery on a separate connection while `work` runs. */
async function withRecoveryLock<T>(pool: Pool, work: () => Promise<T>): Promise<T> {
  const connection = await pool.connect()
  try {
    const { rows: locked } = await connection.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [
      recoverLock,
    ])
    if (!locked[0]?.held) throw new AlreadyRecovering('Another run of recover is under way.')
    try {
      return await work()
    } finally {
      await connection.query('select pg_advisory_unlock($1)', [recoverLock])
    }
  } finally {
    connection.release()
  }
}

const widenedText =
  'A further sign of loss was found while recover ran, or recovery was closed. Nothing more was opened. Run recover again.'

/**
 * Returns what `work` returns, with the recovery locked; null if it is no longer the one that was read: what was read
 * since does not cover a sign of loss that was found meanwhile (requirements 24.207).
 */
function unlessWidened<T>(
  pool: Pool,
  { id, widenedAt }: Recovery,
  work: (tx: Transaction) => Promise<T>,
): Promise<T | null> {
  return transaction(pool, async (tx) => {
    await run(tx)`select from recovery where id = ${id} for update`
    const now = await recoveryOf(tx)
    return now?.id === id && now.widenedAt.getTime() === widenedAt.getTime() ? work(tx) : null
  })
}

/** Recovery would have to decide a deal that it cannot read. */
class UndecidableDeal extends Unavailable {}

/**
 * Returns the deals of a platform that verify as ours, in chronological order. Throws `UndecidableDeal` if one cannot
 * be read that may be an operation of ours which this database lost.
 */
async function dealsOf(dependencies: Dependencies, platform: Platform, from: Date, now: Date): Promise<FoundDeal[]> {
  const until = new Date(now.getTime() + hourMs)
  const found: FoundDeal[] = []
  const openDeals: OddDeal[] = []
  let after: string | null = null
  do {
    const page = await dependencies.platforms[platform].balanceOperationsSince({ from, to: until, after })
    for (const deal of await judgeDeals(dependencies.jobs, dependencies.keys, platform, page.operations)) {
      const { amount, comment, status } = deal
      if (status === 'unclear') openDeals.push(deal)
      const verified = comment === null ? null : verifiedReference(dependencies.keys.reference.bytes, comment)
      if (!verified || comment === null) continue
      if (amount !== null) found.push({ platform, ...deal, amount, comment, ...verified })
      else if (status !== 'known') openDeals.push(deal)
    }
    after = page.next
  } while (after !== null)
  await assertDecidable(dependencies, platform, openDeals)
  return found.toSorted((a, b) => a.at.getTime() - b.at.getTime())
}

/** How people end the doubt about a deal that cannot be corrected on the platform (ADR 330). */
export const letTwoPeopleConfirm =
  'let two people in finance confirm in the back office, under Reconciliation, that the deal is not one of our operations'

type OddDeal = JudgedDeal & { readonly login: string }

/**
 * Throws `UndecidableDeal` for the first of these deals, except one without a readable comment on an account that is
 * not ours. Such deals hold their accounts, so that two people can decide them.
 */
async function assertDecidable(
  { jobs, now }: Dependencies,
  platform: Platform,
  openDeals: readonly OddDeal[],
): Promise<void> {
  const unclear = openDeals.filter(({ status }) => status === 'unclear')
  const byLogin = Map.groupBy(unclear, ({ login }) => login)
  const held = await transaction(jobs, (tx) => holdAccounts(tx, platform, byLogin, now()))
  for (const deal of openDeals) {
    const { login, ticket } = deal
    const mayBeOurs = !unclear.includes(deal) || login === '' || (await knownLoginText(jobs, platform, login)) !== null
    if (!mayBeOurs) continue
    const isDecidable = unclear.includes(deal) && ticket !== '' && held.has(login)
    const decide = isDecidable ? `, or ${letTwoPeopleConfirm}` : ''
    throw new UndecidableDeal(
      `Account ${platform} ${login || '(cannot be read)'}, deal ${ticket || '(number cannot be read)'}: ` +
        `the ${unclear.includes(deal) ? 'comment' : 'amount'} cannot be read. ` +
        `Correct it on the platform${decide}. Then run recover again.`,
    )
  }
}

/** Adopts in rounds until one adopts nothing: an adopted leg makes the next leg known. */
async function adoptAll(
  recovering: Recovering,
  deals: readonly FoundDeal[],
  auditContext: AuditContext,
): Promise<DealOutcome[]> {
  const outcomes = new Map<FoundDeal, DealOutcome>()
  for (;;) {
    let moved = false
    for (const deal of deals) {
      if (outcomes.get(deal) === 'adopted' || outcomes.get(deal) === 'known') continue
      const outcome = await transaction(recovering.dependencies.jobs, (tx) =>
        settleFoundDeal(tx, recovering, deal, auditContext),
      )
      outcomes.set(deal, outcome)
      moved ||= outcome === 'adopted'
    }
    if (!moved) return [...outcomes.values()]
  }
}

function isNoResponse(error: unknown): boolean {
  return error instanceof Unavailable
}

/**
 * Clears requests without a deal of any leg and generation: they may be rejected and cancelled meanwhile. Every deal
 * that verifies was read, so a visible reference that none of them has covers all its legs.
 */
async function clearRequests(
  tx: Transaction,
  recovery: Recovery,
  deals: readonly FoundDeal[],
  auditContext: AuditContext,
): Promise<number> {
  const seen = [...new Set(deals.map(({ shown }) => shown))]
  return run(tx)`insert into recovery_cleared (recovery, kind, record, cleared_at)
      select ${recovery.id}, o.kind, o.id, ${auditContext.now} from (
        select 'withdrawal' as kind, id, reference from withdrawals where state in ('pending', 'second_approval')
        union all select 'transfer', id, reference from transfers where state = 'pending'
        union all select 'deposit', id, reference from deposits where state = 'pending' and type = 'wire'
        union all select 'correction', id, reference from corrections where state = 'pending') o
      where o.reference <> all (${seen}::text[])
      on conflict do nothing`
}

/** Returns sentences for the operator; none if the channel of accounts may open. */
async function reasonsAccountsStayStopped(connection: Connection, outcomes: readonly DealOutcome[]): Promise<string[]> {
  const holds: string[] = []
  const sending = outcomes.filter((one) => one === 'being-sent').length
  if (sending > 0) holds.push(`Operations being sent by a server: ${sending}. Run recover again in a minute.`)
  const items = await row<{ count: number }>(connection)`
    select count(*)::int as count from recovery_items where state <> 'settled' and kind <> all (${nonBlockingFindings}::text[])`
  const reversals = await row<{ count: number }>(connection)`select count(*)::int as count from operations
      -- A refund of a card payment may take days, and no account depends on it.
      where subject = 'recovery_item' and state in ('waiting', 'sending', 'unknown') and target <> ${cardProvider}`
  if (reversals && reversals.count > 0)
    holds.push(`Reversals being sent by a server: ${reversals.count}. Run recover again in a minute.`)
  if (items && items.count > 0)
    holds.push(`Deals or payments that need a decision by two people in finance, at /office/recovery: ${items.count}.`)
  return holds
}

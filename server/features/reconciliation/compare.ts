/**
 * Ledger against platform, account by account: every balance operation that one side knows and the other does not, or
 * knows in another amount (product-decisions section 7). What is found stands in the inbox until two people decide it.
 */
import { differenceLife } from '#rules/corrections.ts'
import { decimalOf } from '#rules/money.ts'
import { advance } from '../../db/transition.ts'
import { record, type Act } from '../../db/events.ts'
import { row, run, sql } from '../../db/sql.ts'
import { transaction, type Transaction } from '../../db/transaction.ts'
import { isDatabaseAway } from '../../db/connection-errors.ts'
import { openWork } from '../../db/work-items.ts'
import { Problem } from '../../http/problem.ts'
import { readFigures } from '../../ledger/account-snapshot.ts'
import { judgeDeals, openForSigns, raiseDeals, type JudgedDeal } from '../../ledger/platform-deals.ts'
import { accountLiability } from '../../ledger/post.ts'
import { isOutsideFailure } from '../../integrations/errors.ts'
import type { BalanceOperation } from '../../integrations/trading-platform/trading-server.ts'
import { isConnected } from '../../office/decide.ts'
import type { Parts, Platform } from '../../dependencies.ts'
import { searchDeals } from '../../recovery/deal-search.ts'
import { openRecovery } from '../../recovery/open-recovery.ts'
import { workDueAt } from '../../office/due-dates.ts'
import {
  accountsToCompare,
  isKnown,
  lastDailyRun,
  openDifferences,
  operationsOf,
  writtenAt,
  type ComparedAccount,
  type DifferenceRow,
  type OurOperation,
} from './queries.ts'

const accountsAtOnce = 100
const lookBackMs = 40 * 86_400_000
/** An operation this young may be on one side only: it is looked at the next time. */
const restMs = 2 * 60_000
/** The platform's clock may stand in another time zone. */
const clockSlackMs = 26 * 3_600_000

interface Found {
  readonly kind: 'ledger-only' | 'amount-differs' | 'balance-differs'
  readonly fingerprint: string
  readonly subject: string | null
  readonly record: string | null
  readonly ours: bigint | null
  readonly theirs: bigint | null
  readonly facts: Readonly<Record<string, string | number | boolean | null>>
}

export interface Run {
  readonly at: Date
  readonly accounts: number
  /** Accounts whose platform gave no answer. */
  readonly unread: number
  readonly differences: number
}

/**
 * Compares every account and keeps what came of it. A platform that does not answer leaves its accounts as they were, and
 * is asked about none of them: each would wait for its time-out.
 */
export async function compareAll(parts: Parts, act: Act): Promise<Run> {
  const connected = (['MT4', 'MT5'] as const).filter((platform) => isConnected(parts, platform))
  let [accounts, unread, differences] = [0, 0, 0]
  let after: string | null = null
  const silent = new Set<Platform>()
  for (;;) {
    const some: ComparedAccount[] = await accountsToCompare(parts.jobs, connected, after, accountsAtOnce)
    for (const platform of new Set(some.map((account) => account.platform)))
      await parts.platforms[platform].health().catch((error: unknown) => {
        if (!isOutsideFailure(error)) throw error
        silent.add(platform)
      })
    for (const account of some) {
      accounts += 1
      const found = silent.has(account.platform)
        ? null
        : await comparedAndKept(parts, account, act).catch((error: unknown) => notCompared(parts, account, error))
      if (found === null) unread += 1
      else differences += found
    }
    after = some.at(-1)?.id ?? null
    if (some.length < accountsAtOnce) break
  }
  for (const platform of connected) if (!silent.has(platform)) await lookForLoss(parts, platform, act.now)
  const by = act.acting.kind === 'staff' ? act.acting.id : null
  await run(
    parts.jobs,
    sql`insert into reconciliations (at, accounts, unread, differences, by_staff) values (${act.now}, ${accounts}, ${unread}, ${differences}, ${by})`,
  )
  return { at: act.now, accounts, unread, differences }
}

/** Accounts that this database does not have were not compared: their deals since the last comparison may be ours. */
async function lookForLoss(parts: Parts, platform: Platform, now: Date): Promise<void> {
  const last = await lastDailyRun(parts.jobs, now)
  const from = new Date((last ?? now).getTime() - clockSlackMs)
  try {
    const found = await searchDeals(parts, platform, from)
    if (found) await transaction(parts.jobs, (tx) => openRecovery(tx, { ...found, now }))
  } catch (error) {
    if (!isOutsideFailure(error)) throw error
    parts.log.warn({ platform, problem: String(error) }, 'the platform was not searched for deals of ours')
  }
}

/** Passes over an account whose platform did not answer. A bug is logged, and the other accounts are compared. */
function notCompared(parts: Parts, { id }: ComparedAccount, error: unknown): null {
  if (isDatabaseAway(error)) throw error
  if (!(error instanceof Problem || isOutsideFailure(error)))
    parts.log.error({ account: id, err: error }, 'an account could not be compared')
  return null
}

async function comparedAndKept(parts: Parts, account: ComparedAccount, act: Act): Promise<number> {
  return keep(parts, account, await compareAccount(parts, account, act.now), act)
}

interface Compared {
  readonly found: readonly Found[]
  /** The platform's deals, each with whose it is. */
  readonly deals: readonly JudgedDeal[]
  /** From when on both sides were looked at. */
  readonly since: Date
  /** An operation is under way or only just over: the balances say nothing. */
  readonly busy: boolean
}

async function compareAccount(parts: Parts, account: ComparedAccount, now: Date): Promise<Compared> {
  const { id: accountId, platform, login, currency } = account
  const figures = await readFigures(parts.jobs, parts, { accountId, platform, login, currency }, now)
  const since = new Date(Math.max(now.getTime() - lookBackMs, account.openedAt.getTime() - clockSlackMs))
  const ours = await operationsOf(parts.jobs, account, since)
  const theirs = await parts.platforms[platform].balanceOperations(login, since, new Date(now.getTime() + clockSlackMs))
  const deals = await judgeDeals(parts.jobs, parts.keys, platform, atRest(theirs, ours, now))
  const found = missingThere(account, ours, theirs, now)
  const busy = ours.some(
    ({ state, at }) => state === 'sending' || state === 'unknown' || now.getTime() - at.getTime() < restMs,
  )
  const owed = await accountLiability(parts.jobs, { accountId })
  // A deal that is not known says why they differ.
  const allKnown = deals.every(({ standing }) => standing === 'known')
  if (!busy && allKnown && figures.balance.minor !== owed) {
    const fingerprint = `balance-differs:${accountId}:${owed}:${figures.balance.minor}`
    found.push({
      kind: 'balance-differs',
      fingerprint,
      subject: null,
      record: null,
      ours: owed,
      theirs: figures.balance.minor,
      facts: {},
    })
  }
  return { found, deals, since, busy }
}

/** Without the deals of operations that were settled just now: an answer may be on its way. */
function atRest(
  theirs: readonly BalanceOperation[],
  ours: readonly OurOperation[],
  now: Date,
): readonly BalanceOperation[] {
  const young = new Set(ours.flatMap(({ ref, at }) => (now.getTime() - at.getTime() < restMs ? [ref] : [])))
  return theirs.filter(({ comment }) => !young.has(comment))
}

function missingThere(
  account: ComparedAccount,
  ours: readonly OurOperation[],
  theirs: readonly BalanceOperation[],
  now: Date,
): Found[] {
  const known = new Map(theirs.map((one) => [one.comment, one]))
  return ours.flatMap((one): Found[] => {
    if (one.state !== 'done' || now.getTime() - one.at.getTime() < restMs) return []
    const there = known.get(one.ref) ?? theirs.find(({ ticket }) => ticket === one.ticket)
    if (there?.amount.minor === one.minor) return []
    const { subject, record: recordId, ref, ticket } = one
    const facts = { ref, ticket: ticket ?? null, account: account.login }
    if (!there)
      return [
        {
          kind: 'ledger-only',
          fingerprint: `ledger-only:${ref}`,
          subject,
          record: recordId,
          ours: one.minor,
          theirs: null,
          facts,
        },
      ]
    return [
      {
        kind: 'amount-differs',
        fingerprint: `amount-differs:${ref}`,
        subject,
        record: recordId,
        ours: one.minor,
        theirs: there.amount.minor,
        facts,
      },
    ]
  })
}

/**
 * Writes what is new, lets go of what both sides agree about now, and answers how many stand. What lies before the time
 * that was looked at stands as it is: no difference ages out.
 */
async function keep(parts: Parts, account: ComparedAccount, compared: Compared, act: Act): Promise<number> {
  const { found, since, busy } = compared
  const due = await workDueAt(parts, 'difference', act.now)
  const clock: Act = { acting: { kind: 'clock' }, now: act.now }
  return transaction(parts.jobs, async (tx) => {
    await run(tx, sql`select 1 from trading_accounts where id = ${account.id} for update`)
    const standing = await openDifferences(tx, account.id)
    const seen = new Set(found.map(({ fingerprint }) => fingerprint))
    const written = await writtenAt(tx, standing.map(refOf))
    for (const gone of standing.filter(
      (one) => !seen.has(one.fingerprint) && isLookedAt(one, { written, since, busy }),
    ))
      await advance(tx, differenceLife, clock, {
        id: gone.id,
        verb: 'vanish',
        clientId: account.clientId,
        set: { decided_at: act.now },
        work: null,
      })
    for (const one of found) if (!(await isKnown(tx, one.fingerprint))) await write(tx, account, one, act, due)
    // Judged anew under the lock: an operation may have settled since.
    const deals = await judgeDeals(tx, parts.keys, account.platform, compared.deals)
    await openForSigns(tx, deals, act.now)
    await raiseDeals(tx, account, deals, clock)
    return found.length + deals.filter(({ standing: whose }) => whose === 'foreign' || whose === 'second').length
  })
}

function refOf({ facts }: DifferenceRow): string {
  return String(facts['ref'] ?? '')
}

/** Whether the comparison would have found a difference again: it looked where that one lies. */
function isLookedAt(
  one: DifferenceRow,
  { written, since, busy }: { written: ReadonlyMap<string, Date>; since: Date; busy: boolean },
): boolean {
  if (one.kind === 'balance-differs') return !busy
  const at = written.get(refOf(one))
  return at === undefined || at >= since
}

async function write(tx: Transaction, account: ComparedAccount, found: Found, act: Act, due: Date): Promise<void> {
  const { kind, fingerprint, subject, record: recordId, ours, theirs, facts } = found
  const written = await row<{ id: string }>(
    tx,
    sql`insert into differences (kind, account_id, subject, record, ours_minor, theirs_minor, currency, facts, fingerprint, found_at)
        values (${kind}, ${account.id}, ${subject}, ${recordId}, ${ours}, ${theirs}, ${account.currency},
          ${JSON.stringify(facts)}::text::jsonb, ${fingerprint}, ${act.now})
        on conflict (fingerprint) where state in ('open', 'proposed', 'processing') do nothing returning id`,
  )
  if (!written) return
  const { name, first } = differenceLife
  const clock: Act = { acting: { kind: 'clock' }, now: act.now }
  await record(tx, clock, { kind: name, verb: 'find', record: written.id, clientId: account.clientId, to: first })
  const figure = (minor: bigint | null) => (minor === null ? null : decimalOf(minor))
  const summary = {
    kind,
    account: account.login,
    ours: figure(ours),
    theirs: figure(theirs),
    currency: account.currency,
  }
  await openWork(tx, name, written.id, { state: first, dueAt: due, clientId: account.clientId, summary }, act.now)
}

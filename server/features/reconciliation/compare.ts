/**
 * Compares ledger and platform by account: every balance operation that is missing on one side or has a different
 * amount there (requirements 18.9). Discrepancies are stored by ./store-differences.ts and `raiseDeals`
 * (ledger/platform-deals.ts), and are in the inbox until two people decide them.
 */
import type { AuditContext } from '../../db/events.ts'
import { run, transaction } from '../../db/sql.ts'
import { isConnectionError } from '../../db/connection-errors.ts'
import { Problem } from '../../http/problem.ts'
import { fetchSnapshot } from '../../ledger/account-snapshot.ts'
import { lastMovement } from '../../ledger/account-movements.ts'
import { judgeDeals } from '../../ledger/platform-deals.ts'
import { accountLiability } from '../../ledger/post.ts'
import { isIntegrationError } from '../../integrations/errors.ts'
import type { AccountReadings, BalanceOperation } from '../../integrations/trading-platform/trading-server.ts'
import { connectedPlatforms, type Dependencies, type Platform } from '../../dependencies.ts'
import { searchDeals } from '../../recovery/deal-search.ts'
import { openRecovery } from '../../recovery/open-recovery.ts'
import { accountsToCompare, lastDailyRun, operationsOf, type ComparedAccount, type OurOperation } from './queries.ts'
import { type FoundDifference, type Comparison, storeDifferences } from './store-differences.ts'

const accountsAtOnce = 100
const lookBackMs = 40 * 86_400_000
/** A more recent operation may be on one side only, so it is compared the next time. */
const recentMs = 2 * 60_000
/** The platform's clock may be in another time zone. */
const clockSlackMs = 26 * 3_600_000

interface Run {
  readonly at: Date
  readonly accounts: number
  /** Accounts whose platform did not respond or no longer has them, or that cannot be read. */
  readonly unread: number
  readonly differences: number
}

/**
 * Compares every account and stores the result. Accounts of a platform that does not respond are skipped, as each would
 * cost a time-out.
 */
export async function compareAll(dependencies: Dependencies, auditContext: AuditContext): Promise<Run> {
  const connected = connectedPlatforms(dependencies)
  let [accounts, unread, differences] = [0, 0, 0]
  let after: string | null = null
  const silent = new Set<Platform>()
  for (const platform of connected)
    await dependencies.platforms[platform].health().catch((error: unknown) => {
      if (!isIntegrationError(error)) throw error
      silent.add(platform)
    })
  for (;;) {
    const some: ComparedAccount[] = await accountsToCompare(dependencies.jobs, connected, after, accountsAtOnce)
    const readings = await readTogether(dependencies, some, silent, auditContext.now)
    for (const account of some) {
      accounts += 1
      const read = readings.get(account.id)
      const found = read
        ? await compareAndStore(dependencies, account, read, auditContext).catch((error: unknown) =>
            skipAccount(dependencies, account, error),
          )
        : null
      if (found === null) unread += 1
      else differences += found
    }
    after = some.at(-1)?.id ?? null
    if (some.length < accountsAtOnce) break
  }
  for (const platform of connected)
    if (!silent.has(platform)) await checkForDataLoss(dependencies, platform, auditContext.now)
  const by = auditContext.identity.kind === 'staff' ? auditContext.identity.id : null
  await run(dependencies.jobs)`
    insert into reconciliations (at, accounts, unread, differences, by_staff) values (${auditContext.now}, ${accounts}, ${unread}, ${differences}, ${by})`
  return { at: auditContext.now, accounts, unread, differences }
}

/** Data of an account that was read together with others, and its previous movements. */
interface ReadAccount {
  readonly readings: AccountReadings
  readonly movement: string
}

/** Reads the accounts of each platform in a few calls; those of a platform that does not respond are skipped. */
async function readTogether(
  dependencies: Dependencies,
  accounts: readonly ComparedAccount[],
  silent: Set<Platform>,
  now: Date,
): Promise<ReadonlyMap<string, ReadAccount>> {
  const read = new Map<string, ReadAccount>()
  for (const [platform, own] of Map.groupBy(accounts, (account) => account.platform)) {
    if (silent.has(platform)) continue
    const movements = new Map<string, string>()
    for (const account of own) movements.set(account.id, await lastMovement(dependencies.jobs, account))
    const from = new Date(Math.min(...own.map((account) => comparedSince(account, now).getTime())))
    const logins = own.map(({ login }) => login)
    try {
      const readings = await dependencies.platforms[platform].bulk.readAccounts(logins, {
        from,
        to: comparedUntil(now),
      })
      for (const { id } of own) read.set(id, { readings, movement: movements.get(id) ?? '' })
    } catch (error) {
      if (!isIntegrationError(error)) throw error
      silent.add(platform)
    }
  }
  return read
}

function comparedSince({ openedAt }: ComparedAccount, now: Date): Date {
  return new Date(Math.max(now.getTime() - lookBackMs, openedAt.getTime() - clockSlackMs))
}

function comparedUntil(now: Date): Date {
  return new Date(now.getTime() + clockSlackMs)
}

/**
 * Looks for data loss: accounts unknown to this database were not compared, so their deals since the last comparison
 * may be ours.
 */
async function checkForDataLoss(dependencies: Dependencies, platform: Platform, now: Date): Promise<void> {
  const last = await lastDailyRun(dependencies.jobs, now)
  const from = new Date((last ?? now).getTime() - clockSlackMs)
  try {
    const found = await searchDeals(dependencies, platform, from)
    if (found) await transaction(dependencies.jobs, (tx) => openRecovery(tx, { ...found, now }))
  } catch (error) {
    if (!isIntegrationError(error)) throw error
    dependencies.log.warn({ platform, problem: String(error) }, 'platform not searched for deals')
  }
}

/** Skips an account that cannot be compared. A bug is logged, and the other accounts are compared. */
function skipAccount(dependencies: Dependencies, { id }: ComparedAccount, error: unknown): null {
  if (isConnectionError(error)) throw error
  if (!(error instanceof Problem || isIntegrationError(error)))
    dependencies.log.error({ account: id, err: error }, 'account could not be reconciled')
  return null
}

async function compareAndStore(
  dependencies: Dependencies,
  account: ComparedAccount,
  read: ReadAccount,
  auditContext: AuditContext,
): Promise<number> {
  return storeDifferences(
    dependencies,
    account,
    await compareAccount(dependencies, account, read, auditContext.now),
    auditContext,
  )
}

async function compareAccount(
  dependencies: Dependencies,
  account: ComparedAccount,
  { readings, movement }: ReadAccount,
  now: Date,
): Promise<Comparison> {
  const { id: accountId, platform, login, currency } = account
  const source = { keys: dependencies.keys, platforms: { ...dependencies.platforms, [platform]: readings } }
  const one = { accountId, platform, login, currency }
  const figures = await fetchSnapshot(dependencies.jobs, source, one, now, movement)
  const since = comparedSince(account, now)
  const ledgerOperations = await operationsOf(dependencies.jobs, account, since)
  const platformDeals = await readings.balanceOperations(login, since, comparedUntil(now))
  const deals = await judgeDeals(
    dependencies.jobs,
    dependencies.keys,
    platform,
    withoutRecentOperations(platformDeals, ledgerOperations, now),
  )
  const found = findLedgerOnly(account, ledgerOperations, platformDeals, now)
  const busy = ledgerOperations.some(
    ({ state, at }) => state === 'sending' || state === 'unknown' || now.getTime() - at.getTime() < recentMs,
  )
  const owed = await accountLiability(dependencies.jobs, { accountId })
  // An unknown deal explains the difference.
  const allKnown = deals.every(({ status }) => status === 'known')
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

/** Returns the deals without those of operations settled just now, which may not have arrived on both sides. */
function withoutRecentOperations(
  platformDeals: readonly BalanceOperation[],
  ledgerOperations: readonly OurOperation[],
  now: Date,
): readonly BalanceOperation[] {
  const young = new Set(
    ledgerOperations.flatMap(({ ref, at }) => (now.getTime() - at.getTime() < recentMs ? [ref] : [])),
  )
  return platformDeals.filter(({ comment }) => comment === null || !young.has(comment))
}

function findLedgerOnly(
  account: ComparedAccount,
  ledgerOperations: readonly OurOperation[],
  platformDeals: readonly BalanceOperation[],
  now: Date,
): FoundDifference[] {
  const byTicket = new Map(platformDeals.map((one) => [one.ticket, one]))
  const unnumbered = new Map(platformDeals.filter(({ ticket }) => ticket === '').map((one) => [one.comment, one]))
  return ledgerOperations.flatMap((one): FoundDifference[] => {
    if (one.state !== 'done' || now.getTime() - one.at.getTime() < recentMs) return []
    // Matched by ticket: another deal with the same reference is a second one and does not replace ours.
    const there =
      one.ticket === null
        ? platformDeals.find(({ comment }) => comment === one.ref)
        : (byTicket.get(one.ticket) ?? unnumbered.get(one.ref))
    // Found, but not comparable: the account is among those with a deal that cannot be read.
    if (there?.amount === null || there?.amount.minor === one.minor) return []
    // A deal whose ticket and reference are both unreadable may be this one.
    if (!there && platformDeals.some(({ ticket, comment }) => ticket === '' && comment === null)) return []
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

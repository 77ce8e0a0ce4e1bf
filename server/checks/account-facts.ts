/** Facts about the account that money is withdrawn from: the platform's balances and open discrepancies. */
import { type AccountFacts, areBalancesFresh } from '#rules/checks/account-checks.ts'
import { money, type Money } from '#rules/money.ts'
import type { AccountId } from '#rules/ids.ts'
import { rows, type Connection } from '../db/sql.ts'
import { Problem } from '../http/problem.ts'
import { snapshotAgeMs, cachedSnapshot, fetchSnapshot } from '../ledger/account-snapshot.ts'
import type { PlatformLogin } from '../ledger/account-movements.ts'
import { accountLiability } from '../ledger/post.ts'
import { reservedOf } from '../ledger/reservations.ts'
import type { Dependencies } from '../dependencies.ts'
import type { CheckTerms } from './checked-request.ts'
import { factAsOf } from './client-facts.ts'

const unread: readonly string[] = ['platform-unavailable', 'account-closed', 'figures-old']

/**
 * Reads the balances again if they are older than this number of seconds. If the platform does not respond, no longer
 * has the account, or answers what cannot be stored, the check handles it.
 */
export async function refreshBalances(
  dependencies: Dependencies,
  login: PlatformLogin,
  seconds: number,
  now: Date,
): Promise<void> {
  const kept = await cachedSnapshot(dependencies.pool, login.accountId, login.currency)
  if (kept && snapshotAgeMs(kept.readAt, now) <= seconds * 1000) return
  try {
    await fetchSnapshot(dependencies.pool, dependencies, login, now)
  } catch (error) {
    if (!(error instanceof Problem) || !unread.includes(error.code)) throw error
  }
}

interface Leaving {
  readonly accountId: AccountId
  readonly amount: Money
  /** The request, whose own discrepancies are included. */
  readonly subject: string
  readonly record: string
}

/** Reads balances, reservations and open discrepancies of an account, under the lock of the decision. */
export async function accountFacts(
  connection: Connection,
  { accountId, amount, subject, record }: Leaving,
  { checks, now }: CheckTerms,
): Promise<AccountFacts> {
  // Reservations are read before the balances: a debit that settles in between can only reduce them.
  const reserved = money(await reservedOf(connection, accountId), amount.currency)
  const kept = await cachedSnapshot(connection, accountId, amount.currency)
  return {
    now,
    balances:
      kept && (areBalancesFresh(kept.readAt, now) || (await isMoving(connection, accountId)))
        ? { value: kept, source: 'platform', at: kept.readAt }
        : { unread: true, source: 'platform' },
    amount,
    reserved,
    marginLevelMin: checks.marginLevelMin,
    discrepancies: await discrepanciesOf(connection, { accountId, subject, record }, kept, now),
  }
}

/**
 * Returns the discrepancies between ledger and platform of an account or a request. `kept` are the balances last read.
 */
export async function discrepanciesOf(
  connection: Connection,
  { accountId, subject, record }: Omit<Leaving, 'amount'>,
  kept: { readonly balance: Money } | null,
  now: Date,
): Promise<AccountFacts['discrepancies']> {
  const open = await rows<{ id: string; kind: string; foundAt: Date }>(connection)`
    select id, kind, found_at as "foundAt" from differences
      where state in ('open', 'proposed', 'processing') and (account_id = ${accountId} or (subject = ${subject} and record = ${record})) order by id`
  const agree = kept && (await accountLiability(connection, { accountId })) === kept.balance.minor
  return factAsOf({ open, agree }, now, 'ledger')
}

/**
 * Returns whether an operation on the account is in progress: a new reading would not be valid, although the platform
 * responds.
 */
async function isMoving(connection: Connection, accountId: AccountId): Promise<boolean> {
  const found = await rows(connection)`
    select 1 from operations o join trading_accounts a on o.target = a.platform || ':' || a.login
      where a.id = ${accountId} and o.kind = 'balance' and o.state in ('sending', 'unknown') limit 1`
  return found.length > 0
}

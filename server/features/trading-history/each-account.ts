/** Work on many accounts, where a failure of one does not stop the others. */
import { rows, run, sql, type Connection, type Sql } from '../../db/sql.ts'
import type { Dependencies, Platform } from '../../dependencies.ts'
import { isConnectionError } from '../../db/connection-errors.ts'
import { isIntegrationError, Unavailable } from '../../integrations/errors.ts'
import type { AccountReadings } from '../../integrations/trading-platform/trading-server.ts'
import { isMissing, recordMissing } from '../../ledger/missing-accounts.ts'
import { isUnreadableFieldError, recordUnreadableField } from '../../ledger/unreadable-accounts.ts'
import type { ReadAccount } from './record-days.ts'
import { failedAgainMs, failedAtOnce } from './queries.ts'
import type { DealSource } from './store-deals.ts'

export type ReadingDependencies = Pick<Dependencies, 'jobs' | 'platforms' | 'log' | 'now'>

interface AccountWork {
  readonly accounts: readonly ReadAccount[]
  readonly platform: Platform
  /** Whether an account that fails must be read completely, because the data read for it is lost. */
  readonly againWhole?: boolean
  work(account: ReadAccount): Promise<void>
}

/**
 * Runs the work for each account. One that fails is recorded, for the doctor and for a later attempt, and does not stop
 * the others. Throws if the platform or the database does not respond, since every further account would fail as well.
 */
export async function forEachAccount(
  { jobs, platforms, log, now }: ReadingDependencies,
  { accounts, platform, againWhole = false, work }: AccountWork,
): Promise<void> {
  for (const account of accounts)
    try {
      await work(account)
    } catch (error) {
      if (isConnectionError(error)) throw error
      if (error instanceof Unavailable && !isUnreadableFieldError(error)) await platforms[platform].bulk.health()
      log.error({ account: account.id, err: error }, 'trades of an account not read')
      const isAboutAccount = isMissing(error) || isUnreadableFieldError(error)
      const alone = isAboutAccount ? await accountReadError(platforms[platform].bulk, account.login) : null
      await recordUnreadableField(jobs, account.id, alone, now())
      if (isMissing(alone)) await recordMissing(jobs, account.id, now())
      await run(jobs)`
        update account_histories set failed_at = ${now()}, problem = ${String(alone ?? error).slice(0, 300)},
            unread = unread or ${againWhole} where account_id = ${account.id}`
    }
}

/**
 * Returns why the platform does not return this account on its own, or null if it does. A list or another call does not
 * prove that the account is missing: its record may be unreadable.
 */
async function accountReadError(platform: Pick<AccountReadings, 'getAccount'>, login: string): Promise<Error | null> {
  try {
    await platform.getAccount(login)
    return null
  } catch (error) {
    if (!isIntegrationError(error)) throw error
    return error
  }
}

/** Returns the accounts of a platform under a condition on their histories `h`, which may order and limit them. */
export function accountsWith(connection: Connection, { platform }: DealSource, which: Sql): Promise<ReadAccount[]> {
  return rows<ReadAccount>(connection)`
    select a.id, coalesce(a.login, '') as login from account_histories h join trading_accounts a on a.id = h.account_id
      where a.platform = ${platform} and ${which}`
}

/**
 * Returns the condition and number of accounts that are tried again after a failure. An account with an unreadable
 * record is not tried until the reading of its balances has found it readable (ADR 331).
 */
export function dueForRetry({ now }: DealSource): Sql {
  return sql`h.failed_at <= ${new Date(now.getTime() - failedAgainMs)}
    and not exists (select from unreadable_accounts u where u.account_id = h.account_id and u.matter = 'record')
    order by h.failed_at, h.account_id limit ${failedAtOnce}`
}

/** Records which accounts their platform no longer has. Only its own answer about that one account counts. */
import type { AccountId } from '#rules/ids.ts'
import { run, type Connection } from '../db/sql.ts'
import { Rejected } from '../integrations/errors.ts'
import { recordReadable } from './unreadable-accounts.ts'

/** Returns whether the platform answered that it has no such account; an outage does not count. */
export function isMissing(error: unknown): boolean {
  return error instanceof Rejected && error.reason === 'not-found'
}

export async function recordMissing(connection: Connection, id: AccountId, now: Date): Promise<void> {
  await run(connection)`update trading_accounts set missing_since = ${now} where id = ${id} and missing_since is null`
  // It has no record that could be corrected.
  await recordReadable(connection, id)
}

export async function recordFound(connection: Connection, ids: readonly AccountId[]): Promise<void> {
  await run(connection)`
    update trading_accounts set missing_since = null where id = any (${ids}::uuid[]) and missing_since is not null`
}

/** Determines which logins of a platform are accounts of this database. */
import { row, rows, type Connection } from '../db/sql.ts'
import type { Platform } from '../dependencies.ts'

export async function knownLogins(
  connection: Connection,
  platform: Platform,
  logins: readonly string[],
): Promise<ReadonlySet<string>> {
  const known = await rows<{ login: string }>(connection)`
    select login from trading_accounts where platform = ${platform} and login = any (${[...logins]}::text[])`
  return new Set(known.map(({ login }) => login))
}

/** Returns how this database knows a login, as text for the operator, or null. */
export async function knownLoginText(
  connection: Connection,
  platform: Platform,
  login: string,
): Promise<string | null> {
  const account = await row<{ requestType: string; state: string }>(connection)`
    select request_type as "requestType", state from trading_accounts where platform = ${platform} and login = ${login} limit 1`
  if (account) return `it is a ${account.requestType} account here, ${account.state}`
  const found = await row(connection)`
    select 1 from recovery_accounts where platform = ${platform} and login = ${login}`
  if (found) return 'recovery found it as an account that this database had lost'
  const named = await row(connection)`
    select 1 from operations where kind = 'balance' and target = ${`${platform}:${login}`} limit 1`
  return named ? 'an operation of ours names it' : null
}

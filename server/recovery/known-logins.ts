/** Which logins of a platform are accounts of this database. */
import { rows, type Connection } from '../db/sql.ts'
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

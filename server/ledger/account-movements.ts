/** An account on its platform, and its last balance operation: a valid reading must be newer. */
import type { Currency } from '#rules/money.ts'
import type { AccountId } from '#rules/ids.ts'
import { rows, type Connection } from '../db/sql.ts'
import type { Platform } from '../dependencies.ts'

/** The data that identify an account's balances. */
export interface PlatformLogin {
  readonly accountId: AccountId
  readonly platform: 'MT4' | 'MT5'
  readonly login: string
  readonly currency: Currency
}

/** Returns a text that changes whenever a balance operation of the login starts or settles. */
export async function lastMovement(
  connection: Connection,
  login: Pick<PlatformLogin, 'platform' | 'login'>,
): Promise<string> {
  const movements = await lastMovements(connection, login.platform, [login.login])
  return movements.get(login.login) ?? stillMovement
}

/** The result of `lastMovement` for a login without a movement. */
export const stillMovement = 'quiet 0'

/** Returns the same for many logins of a platform; logins without a movement are left out. */
export async function lastMovements(
  connection: Connection,
  platform: Platform,
  logins: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = await rows<{ login: string; open: bigint; settled: bigint }>(connection)`
    select substr(target, 5) as login, count(*) filter (where state in ('sending', 'unknown')) as open,
        count(*) filter (where state = 'done') as settled
      from operations where kind = 'balance' and target = any (${logins.map((login) => `${platform}:${login}`)}::text[])
      group by target`
  return new Map(found.map(({ login, open, settled }) => [login, `${open > 0n ? 'open' : 'quiet'} ${settled}`]))
}

/** A new trading password, set at the platform at once. It is kept nowhere of ours. */
import type { changeTradingPassword as endpoint } from '#contract/accounts.ts'
import { accountLife } from '#rules/accounts.ts'
import { checkTradingPassword } from '#rules/passwords.ts'
import { record } from '../../db/events.ts'
import { run, sql } from '../../db/sql.ts'
import { transaction } from '../../db/transaction.ts'
import { clientOf } from '../../http/request-context.ts'
import { Problem, refuse } from '../../http/problem.ts'
import { limit } from '../../http/rate-limits.ts'
import type { Verb } from '../../http/register-endpoint.ts'
import { isOutsideFailure, Rejected, type Unavailable, type Unknown } from '../../integrations/errors.ts'
import type { Parts } from '../../dependencies.ts'
import { readPassword } from '../../auth/decrypt-password.ts'
import { refusalText } from '../../i18n/format.ts'
import { ownAccountById } from './queries.ts'

const changesPerHour = 20

export function changeTradingPassword(parts: Parts): Verb<typeof endpoint> {
  return async (call) => {
    const { clientId } = clientOf(call)
    const account = await ownAccountById(parts.pool, clientId, call.body.accountId)
    if (!account) throw new Problem('account-unknown', { field: 'accountId' })
    if (account.state !== 'approved' || account.login === null)
      throw new Problem('account-not-approved', { field: 'accountId' })
    await limit(parts.pool, { name: 'trading-password', who: clientId, windowSeconds: 3600 }, changesPerHour, call.now)
    const password = await readPassword(parts, call.body.password, call.now)
    refuse(checkTradingPassword(password), { field: 'password' })
    try {
      await parts.platforms[account.platform].setPassword(account.login, 'main', password)
    } catch (error) {
      if (!isOutsideFailure(error)) throw error
      throw refusalOf(error, call.language)
    }
    await transaction(parts.pool, async (tx) => {
      // The first password is no longer the account's: nobody is to be shown a dead one.
      await run(tx, sql`update trading_accounts set first_password = null where id = ${account.id}`)
      await record(tx, call.act, { kind: accountLife.name, verb: 'change-password', record: account.id, clientId })
    })
    return {}
  }
}

function refusalOf(error: Rejected | Unknown | Unavailable, language: 'en' | 'de'): Problem {
  if (!(error instanceof Rejected)) return new Problem('platform-unavailable', { retryAfterSeconds: 30 })
  if (error.reason === 'weak-password') return new Problem('trading-password-weak', { field: 'password' })
  return new Problem('platform-refused', { values: { reason: refusalText(error.reason, language) } })
}

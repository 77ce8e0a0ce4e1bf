/** The first trading password: shown once, behind the client's login, and then forgotten (product-decisions section 8). */
import type { revealPassword as endpoint } from '#contract/accounts.ts'
import { accountLife } from '#rules/accounts.ts'
import { record } from '../../db/events.ts'
import { run, sql } from '../../db/sql.ts'
import { transaction } from '../../db/transaction.ts'
import { clientOf } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import type { Verb } from '../../http/register-endpoint.ts'
import type { Parts } from '../../dependencies.ts'
import { firstPassword } from './jobs.ts'
import { lockAccount, ownAccountById } from './queries.ts'

export function revealPassword(parts: Parts): Verb<typeof endpoint> {
  return async (call) => {
    const { clientId } = clientOf(call)
    const own = await ownAccountById(parts.pool, clientId, call.body.accountId)
    if (!own) throw new Problem('account-unknown')
    return transaction(parts.pool, async (tx) => {
      const account = await lockAccount(tx, own.id)
      const waits =
        account?.state === 'approved' && account.firstPasswordUntil !== null && account.firstPasswordUntil > call.now
      if (!account || !waits || account.firstPassword === null) throw new Problem('password-shown')
      const password = firstPassword(parts.keys, account.id, account.firstPassword)
      await run(tx, sql`update trading_accounts set first_password = null where id = ${account.id}`)
      await record(tx, call.act, { kind: accountLife.name, verb: 'reveal-password', record: account.id, clientId })
      return { password }
    })
  }
}

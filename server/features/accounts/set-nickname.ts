/** A client's own name for an account. */
import type { setNickname as endpoint } from '#contract/accounts.ts'
import { accountLife, checkNickname } from '#rules/accounts.ts'
import { record } from '../../db/events.ts'
import { run, sql } from '../../db/sql.ts'
import { transaction } from '../../db/transaction.ts'
import { clientOf } from '../../http/request-context.ts'
import { Problem, refuse } from '../../http/problem.ts'
import type { Verb } from '../../http/register-endpoint.ts'
import { isUuid } from '../../db/ids.ts'
import { limitChanges } from '../../http/profile-change-limit.ts'
import type { Parts } from '../../dependencies.ts'

export function setNickname(parts: Parts): Verb<typeof endpoint> {
  return async (call) => {
    const { clientId } = clientOf(call)
    const { accountId, nickname } = call.body
    refuse(checkNickname(nickname), { field: 'nickname' })
    if (!isUuid(accountId)) throw new Problem('account-unknown')
    await limitChanges(parts, call)
    await transaction(parts.pool, async (tx) => {
      const set = await run(
        tx,
        sql`update trading_accounts set nickname = ${nickname} where id = ${accountId} and client_id = ${clientId}`,
      )
      if (set !== 1) throw new Problem('account-unknown')
      await record(tx, call.act, { kind: accountLife.name, verb: 'nickname', record: accountId, clientId })
    })
    return {}
  }
}

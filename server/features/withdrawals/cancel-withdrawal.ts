/** A client takes a withdrawal back while it is pending; what was set aside is available again at once. */
import type { cancelWithdrawal as endpoint } from '#contract/withdrawals.ts'
import { withdrawalLife } from '#rules/withdrawals.ts'
import { advance } from '../../db/transition.ts'
import { row, sql } from '../../db/sql.ts'
import { transaction } from '../../db/transaction.ts'
import { clientOf } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import type { Verb } from '../../http/register-endpoint.ts'
import { isUuid } from '../../db/ids.ts'
import { release } from '../../ledger/reservations.ts'
import type { Parts } from '../../dependencies.ts'

export function cancelWithdrawal(parts: Parts): Verb<typeof endpoint> {
  return async (call) => {
    const { clientId } = clientOf(call)
    await transaction(parts.pool, async (tx) => {
      const own = await row<{ id: string }>(
        tx,
        sql`select id from withdrawals where id = ${isUuid(call.body.id) ? call.body.id : null}::uuid and client_id = ${clientId} for update`,
      )
      if (!own) throw new Problem('not-found')
      await advance(tx, withdrawalLife, call.act, { id: own.id, verb: 'cancel', clientId, work: null })
      await release(tx, 'withdrawal', own.id, call.now)
    })
    return {}
  }
}

/** A client takes an announced deposit back while it is pending. */
import type { cancelDeposit as endpoint } from '#contract/deposits.ts'
import { depositLife } from '#rules/deposits.ts'
import { advance } from '../../db/advance.ts'
import { transaction } from '../../db/transaction.ts'
import { clientOf } from '../../http/call.ts'
import { Problem } from '../../http/problem.ts'
import type { Verb } from '../../http/serve.ts'
import type { Parts } from '../../parts.ts'
import { ownDeposit } from './queries.ts'

export function cancelDeposit(parts: Parts): Verb<typeof endpoint> {
  return async (call) => {
    const { clientId } = clientOf(call)
    const own = await ownDeposit(parts.pool, clientId, call.body.id)
    // A payment that the provider may be taking right now is not the client's to take back.
    if (!own || own.type !== 'wire') throw new Problem('not-found')
    await transaction(parts.pool, (tx) =>
      advance(tx, depositLife, call.act, { id: own.id, verb: 'cancel', clientId, work: null }),
    )
    return {}
  }
}

/** A client takes a transfer back while it is pending; what was set aside is available again at once. */
import type { cancelTransfer as endpoint } from '#contract/transfers.ts'
import { transferLife } from '#rules/transfers.ts'
import { advance } from '../../db/transition.ts'
import { transaction } from '../../db/transaction.ts'
import { clientOf } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import type { Verb } from '../../http/register-endpoint.ts'
import { release } from '../../ledger/reservations.ts'
import type { Parts } from '../../dependencies.ts'
import { ownTransfer } from './queries.ts'

export function cancelTransfer(parts: Parts): Verb<typeof endpoint> {
  return async (call) => {
    const { clientId } = clientOf(call)
    const own = await ownTransfer(parts.pool, clientId, call.body.id)
    if (!own) throw new Problem('not-found')
    await transaction(parts.pool, async (tx) => {
      await advance(tx, transferLife, call.act, { id: own.id, verb: 'cancel', clientId, work: null })
      await release(tx, 'transfer', own.id, call.now)
    })
    return {}
  }
}

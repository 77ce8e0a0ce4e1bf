/** A client cancels a pending transfer; the reserved amount is available again immediately. */
import type { cancelTransfer as endpoint } from '#contract/transfers.ts'
import { transferMachine } from '#rules/transfers.ts'
import { applyTransition } from '../../db/transition.ts'
import { transaction } from '../../db/sql.ts'
import { requireClient, type Handler } from '../../http/handler.ts'
import { requireFound } from '../../http/problem.ts'
import { release } from '../../ledger/reservations.ts'
import { ownTransfer } from './queries.ts'

export const cancelTransfer: Handler<typeof endpoint> = async (dependencies, context) => {
  const { clientId } = requireClient(context)
  const own = requireFound(await ownTransfer(dependencies.pool, clientId, context.body.id))
  await transaction(dependencies.pool, async (tx) => {
    await applyTransition(tx, transferMachine, context.auditContext, { id: own.id, clientId }, 'cancel', {
      workItem: null,
    })
    await release(tx, 'transfer', own.id, context.now)
  })
  return {}
}

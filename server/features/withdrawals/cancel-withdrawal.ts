/** A client cancels a pending withdrawal; the reserved amount is available again immediately. */
import type { cancelWithdrawal as endpoint } from '#contract/withdrawals.ts'
import { withdrawalMachine } from '#rules/withdrawals.ts'
import type { WithdrawalId } from '#rules/ids.ts'
import { applyTransition } from '../../db/transition.ts'
import { row, transaction } from '../../db/sql.ts'
import { requireClient, type Handler } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { uuidOrNull } from '../../db/ids.ts'
import { release } from '../../ledger/reservations.ts'

export const cancelWithdrawal: Handler<typeof endpoint> = async (dependencies, context) => {
  const { clientId } = requireClient(context)
  await transaction(dependencies.pool, async (tx) => {
    const own = await row<{ id: WithdrawalId }>(tx)`
      select id from withdrawals where id = ${uuidOrNull(context.body.id)}::uuid and client_id = ${clientId} for update`
    if (!own) throw new Problem('not-found')
    await applyTransition(tx, withdrawalMachine, context.auditContext, { id: own.id, clientId }, 'cancel', {
      workItem: null,
    })
    await release(tx, 'withdrawal', own.id, context.now)
  })
  return {}
}

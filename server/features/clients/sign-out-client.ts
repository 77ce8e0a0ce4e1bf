import type * as decisions from '#contract/office/client-decisions.ts'
import { recordClientEvent } from '../../db/events.ts'
import { run, transaction } from '../../db/sql.ts'
import { notifyChange } from '../../db/work-items.ts'
import type { Handler } from '../../http/handler.ts'
import { clientForAction } from '../../office/client-for-action.ts'

/** Ends every session of a client and returns how many there were. */
export const signOutClient: Handler<typeof decisions.signOutClient> = (dependencies, context) =>
  transaction(dependencies.pool, async (tx) => {
    const client = await clientForAction(tx, context.params.id)
    const ended = await run(tx)`
      update sessions set ended_at = ${context.now} where client_id = ${client.id} and ended_at is null`
    await recordClientEvent(tx, context.auditContext, client.id, {
      action: 'signOutEverywhere',
      reason: context.body.reason,
    })
    await notifyChange(tx, 'client', client.id)
    return { ended }
  })

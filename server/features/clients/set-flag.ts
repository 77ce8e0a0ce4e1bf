import type * as decisions from '#contract/office/client-decisions.ts'
import { recordClientEvent } from '../../db/events.ts'
import { run, sql, transaction } from '../../db/sql.ts'
import { notifyChange } from '../../db/work-items.ts'
import { requireStaff, type Handler } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { clientForAction } from '../../office/client-for-action.ts'
import { assertNotOwnRequest } from '../../office/records.ts'

/**
 * Sets or clears a flag. The audit log keeps a cleared flag with its note. Throws `stale-page` if somebody else has set
 * or cleared it in the meantime.
 */
export const setFlag: Handler<typeof decisions.setFlag> = (dependencies, context) =>
  transaction(dependencies.pool, async (tx) => {
    const { flag, set, note } = context.body
    const client = await clientForAction(tx, context.params.id)
    assertNotOwnRequest(requireStaff(context), client.email)
    const changed = await run(
      tx,
      set
        ? sql`insert into client_flags (client_id, flag, note, set_by, set_at)
              values (${client.id}, ${flag}, ${note}, ${requireStaff(context).staffId}, ${context.now})
              on conflict (client_id, flag) do nothing`
        : sql`delete from client_flags where client_id = ${client.id} and flag = ${flag}`,
    )
    if (changed === 0) throw new Problem('stale-page')
    await recordClientEvent(tx, context.auditContext, client.id, {
      action: set ? 'setFlag' : 'clearFlag',
      reason: note,
      details: { flag },
    })
    await notifyChange(tx, 'client', client.id)
    return {}
  })

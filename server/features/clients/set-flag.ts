import type * as decisions from '#contract/office/client-decisions.ts'
import { recordClientEvent } from '../../db/events.ts'
import { run, sql, transaction } from '../../db/sql.ts'
import { notifyChange } from '../../db/work-items.ts'
import { requireStaff, type Handler } from '../../http/handler.ts'
import { clientForAction } from '../../office/client-for-action.ts'
import { assertNotOwnRequest } from '../../office/records.ts'

/** Sets or clears a flag. The audit log keeps a cleared flag with its note. */
export const setFlag: Handler<typeof decisions.setFlag> = (dependencies, context) =>
  transaction(dependencies.pool, async (tx) => {
    const { flag, set, note } = context.body
    const client = await clientForAction(tx, context.params.id)
    assertNotOwnRequest(requireStaff(context), client.email)
    await run(
      tx,
      set
        ? sql`insert into client_flags (client_id, flag, note, set_by, set_at)
              values (${client.id}, ${flag}, ${note}, ${requireStaff(context).staffId}, ${context.now})
              on conflict (client_id, flag) do update set note = excluded.note, set_by = excluded.set_by, set_at = excluded.set_at`
        : sql`delete from client_flags where client_id = ${client.id} and flag = ${flag}`,
    )
    await recordClientEvent(tx, context.auditContext, client.id, {
      action: set ? 'setFlag' : 'clearFlag',
      reason: note,
      details: { flag },
    })
    await notifyChange(tx, 'client', client.id)
    return {}
  })

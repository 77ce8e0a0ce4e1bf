import type * as decisions from '#contract/office/client-decisions.ts'
import { recordClientEvent } from '../../db/events.ts'
import { transaction, requireRow } from '../../db/sql.ts'
import { notifyChange } from '../../db/work-items.ts'
import { requireStaff, type Handler } from '../../http/handler.ts'
import { clientForAction } from '../../office/client-for-action.ts'

/** Adds a note that only staff read. */
export const writeNote: Handler<typeof decisions.writeNote> = (dependencies, context) =>
  transaction(dependencies.pool, async (tx) => {
    const { text } = context.body
    const client = await clientForAction(tx, context.params.id)
    const written = await requireRow<{ id: string }>(tx)`
      insert into staff_notes (client_id, staff_id, text, at) values (${client.id}, ${requireStaff(context).staffId}, ${text}, ${context.now}) returning id`
    await recordClientEvent(tx, context.auditContext, client.id, { action: 'writeNote', details: { note: text } })
    await notifyChange(tx, 'client', client.id)
    return written
  })

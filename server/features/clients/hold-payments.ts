/**
 * Compliance puts a client's payments on hold and lifts the hold. The client is never notified (requirements 19.8,
 * 19.20).
 */
import type * as decisions from '#contract/office/client-decisions.ts'
import type { OfficeClient } from '#contract/office/clients.ts'
import { compareDays, dayIn, dayOf, daysAfter, instantIn } from '#rules/dates.ts'
import type { ClientId } from '#rules/ids.ts'
import { activeHold } from '../../checks/client-facts.ts'
import { recordClientEvent } from '../../db/events.ts'
import { run, type Connection, transaction, requireRow } from '../../db/sql.ts'
import { notifyChange } from '../../db/work-items.ts'
import { requireStaff, type Handler } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { uuidOrNull } from '../../db/ids.ts'
import { clientForAction } from '../../office/client-for-action.ts'
import { assertNotOwnRequest, staffNames } from '../../office/records.ts'

/**
 * Sets a hold until the end of `lastDay` in the firm's time zone, or without an end. Throws `hold-in-force`,
 * `date-invalid`.
 */
export const holdPayments: Handler<typeof decisions.holdPayments> = async (dependencies, context) => {
  const { reason, lastDay } = context.body
  const { timeZone } = await dependencies.settings.get('firm')
  return transaction(dependencies.pool, async (tx) => {
    const client = await clientForAction(tx, context.params.id)
    assertNotOwnRequest(requireStaff(context), client.email)
    const until = lastDay === undefined ? null : holdEnd(lastDay, context.now, timeZone)
    if (await activeHold(tx, client.id, context.now)) throw new Problem('hold-in-force')
    const held = await requireRow<{ id: string }>(
      tx,
    )`insert into payment_holds (client_id, reason, set_by, from_at, until_at)
        values (${client.id}, ${reason}, ${requireStaff(context).staffId}, ${context.now}, ${until}) returning id`
    await recordClientEvent(tx, context.auditContext, client.id, {
      action: 'holdPayments',
      reason,
      details: { until: until?.toISOString() ?? null },
    })
    await notifyChange(tx, 'client', client.id)
    return held
  })
}

/** Ends a hold now. Throws `hold-over` if it has ended already. */
export const liftHold: Handler<typeof decisions.liftHold> = (dependencies, context) =>
  transaction(dependencies.pool, async (tx) => {
    const { hold, reason } = context.body
    const client = await clientForAction(tx, context.params.id)
    assertNotOwnRequest(requireStaff(context), client.email)
    const lifted = await run(tx)`
      update payment_holds set lifted_by = ${requireStaff(context).staffId}, lifted_at = ${context.now},
          lifted_reason = ${reason}, version = version + 1
        where id = ${uuidOrNull(hold)} and client_id = ${client.id} and lifted_at is null
          and (until_at is null or until_at > ${context.now})`
    if (lifted === 0) throw new Problem('hold-over')
    await recordClientEvent(tx, context.auditContext, client.id, { action: 'liftHold', reason })
    await notifyChange(tx, 'client', client.id)
    return {}
  })

/** Returns the hold in force for the client's page, or null. */
export async function holdResponse(
  connection: Connection,
  clientId: ClientId,
  now: Date,
): Promise<OfficeClient['hold']> {
  const held = await activeHold(connection, clientId, now)
  if (!held) return null
  const { id, from, until, reason, setBy } = held
  const by = (await staffNames(connection, [setBy], (id) => [id]))(setBy)
  return { id, reason, setBy: by ?? { id: setBy, name: '' }, since: from, until }
}

function holdEnd(lastDay: string, now: Date, timeZone: string): Date {
  const day = dayOf(lastDay)
  if (!day || compareDays(day, dayIn(now, timeZone)) < 0) throw new Problem('date-invalid', { field: 'lastDay' })
  return instantIn(daysAfter(day, 1), 0, timeZone)
}

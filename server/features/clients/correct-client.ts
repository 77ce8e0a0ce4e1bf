/**
 * Compliance corrects one field, sets a flag, and puts payments on hold, of which the client is never told (requirements
 * 19.8, 19.20).
 */
import * as z from 'zod/mini'
import { line } from '#contract/fields.ts'
import type * as decisions from '#contract/office/client-decisions.ts'
import { profileInput } from '#contract/profile.ts'
import { countryOf } from '#rules/countries.ts'
import { dayIn, type PlainDate, compareDays, dayOf, daysAfter, instantIn } from '#rules/dates.ts'
import { checkBirthText } from '#rules/profile-checks.ts'
import { isProfileField, profileFields, type ProfileFieldName } from '#rules/profile-fields.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { recordClientEvent } from '../../db/events.ts'
import { columnOf } from '../../db/profile-columns.ts'
import { run, sql, transaction, type Connection, requireRow } from '../../db/sql.ts'
import { notifyChange } from '../../db/work-items.ts'
import { parse } from '../../http/register-endpoint.ts'
import { requireStaff, type Handler } from '../../http/request-context.ts'
import { Problem, throwIfProblem } from '../../http/problem.ts'
import { clientForAction } from '../../office/client-for-action.ts'
import { assertNotOwnRequest, staffNames } from '../../office/records.ts'
import { notifyClient } from '../../notifications/notify-client.ts'
import type { OfficeClient } from '#contract/office/clients.ts'
import type { ClientId } from '#rules/ids.ts'
import { holdInForce } from '../../checks/client-facts.ts'
import { uuidOrNull } from '../../db/ids.ts'

interface Corrected {
  version: number
  was: string | null
}

/**
 * Writes one field. Throws `field-not-correctable`, `stale-page`, `own-request`, `value-unchanged`, or the error of the
 * value.
 */
export const correctField: Handler<typeof decisions.correctField> = async (dependencies, context) => {
  const { field, reason, version: shown } = context.body
  if (!isProfileField(field)) throw new Problem('field-not-correctable', { field: 'field' })
  const { timeZone } = await dependencies.settings.get('firm')
  const value = readValue(field, context.body.value, dayIn(context.now, timeZone))
  const column = columnOf(field)
  return transaction(dependencies.pool, async (tx) => {
    const client = await clientForAction<Corrected>(tx, context.params.id, sql`, version, ${column}::text as was`)
    assertNotOwnRequest(requireStaff(context), client.email)
    if (client.version !== shown) throw new Problem('stale-page')
    if (value === (client.was ?? '')) throw new Problem('value-unchanged', { field: 'value' })
    const version = client.version + 1
    await run(tx)`update clients set ${column} = ${value}, version = ${version} where id = ${client.id}`
    await recordClientEvent(tx, context.auditContext, client.id, {
      action: 'correctField',
      reason,
      details: { before: { [field]: client.was }, after: { [field]: value } },
    })
    await notifyClient(tx, context.now, {
      kind: 'profile-corrected',
      client,
      facts: { field },
      link: portalPaths.profile,
      subject: 'client',
      record: client.id,
    })
    await notifyChange(tx, 'client', client.id)
    return { version }
  })
}

/** Returns the value as the client's own form would send it; any country is accepted. */
function readValue(field: ProfileFieldName, sent: string, today: PlainDate): string {
  const schema = field === 'birthDate' ? line(100) : profileInput[field]
  const { value } = parse(z.object({ value: schema }), { value: sent })
  const { kind } = profileFields[field]
  throwIfProblem(kind === 'day' ? checkBirthText(value, today) : null, { field: 'value' })
  if (kind === 'country' && !countryOf(value)) throw new Problem('unknown-value', { field: 'value' })
  return value
}

/** Sets or clears a flag; a cleared one stays in the audit log with its note. */
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

/** Sets a hold until the end of `lastDay` in the firm's time zone, or without an end. Throws `hold-in-force`, `date-invalid`. */
export const holdPayments: Handler<typeof decisions.holdPayments> = async (dependencies, context) => {
  const { reason, lastDay } = context.body
  const { timeZone } = await dependencies.settings.get('firm')
  return transaction(dependencies.pool, async (tx) => {
    const client = await clientForAction(tx, context.params.id)
    assertNotOwnRequest(requireStaff(context), client.email)
    const until = lastDay === undefined ? null : endOf(lastDay, context.now, timeZone)
    if (await holdInForce(tx, client.id, context.now)) throw new Problem('hold-in-force')
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
export async function holdShown(connection: Connection, clientId: ClientId, now: Date): Promise<OfficeClient['hold']> {
  const held = await holdInForce(connection, clientId, now)
  if (!held) return null
  const { id, from, until, reason, setBy } = held
  const by = (await staffNames(connection, [setBy], (id) => [id]))(setBy)
  return { id, reason, setBy: by ?? { id: setBy, name: '' }, since: from, until }
}

function endOf(lastDay: string, now: Date, timeZone: string): Date {
  const day = dayOf(lastDay)
  if (!day || compareDays(day, dayIn(now, timeZone)) < 0) throw new Problem('date-invalid', { field: 'lastDay' })
  return instantIn(daysAfter(day, 1), 0, timeZone)
}

/** Compliance corrects one field; the audit log stores the values before and after. */
import * as z from 'zod/mini'
import { line } from '#contract/fields.ts'
import type * as decisions from '#contract/office/client-decisions.ts'
import { profileInput } from '#contract/profile.ts'
import { countryOf } from '#rules/countries.ts'
import { dayIn, type PlainDate } from '#rules/dates.ts'
import { checkBirthText } from '#rules/profile-checks.ts'
import { isProfileField, profileFields, type ProfileFieldName } from '#rules/profile-fields.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { recordClientEvent } from '../../db/events.ts'
import { columnOf } from '../../db/profile-columns.ts'
import { run, sql, transaction } from '../../db/sql.ts'
import { notifyChange } from '../../db/work-items.ts'
import { parse } from '../../http/register-endpoint.ts'
import { requireStaff, type Handler } from '../../http/handler.ts'
import { Problem, throwIfProblem } from '../../http/problem.ts'
import { clientForAction } from '../../office/client-for-action.ts'
import { assertNotOwnRequest } from '../../office/records.ts'
import { notifyClient } from '../../mail/send-mail.ts'

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

/** Compliance corrects one field, or sets a flag; before and after stand in the audit log. */
import type { ClientFlag } from '#rules/choices.ts'
import { titles } from '#rules/choices.ts'
import { countyLengthMax } from '#rules/constants.ts'
import { countryOf } from '#rules/countries.ts'
import { checkBirthDate, dayIn, dayOf, type PlainDate } from '#rules/dates.ts'
import { hasHidden, withoutHidden } from '#rules/hidden-characters.ts'
import { checkPostcode } from '#rules/postcodes.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import type { ProblemCode } from '#contract/problems.ts'
import { recordEvent } from '../../db/events.ts'
import { raw, run, sql } from '../../db/sql.ts'
import { transaction } from '../../db/transaction.ts'
import { notifyChange } from '../../db/work-items.ts'
import { requireStaff, type RequestContext } from '../../http/request-context.ts'
import { Problem, throwIfProblem } from '../../http/problem.ts'
import { clientForAction } from '../../office/client-for-action.ts'
import { assertNotOwnRequest } from '../../office/records.ts'
import type { Dependencies } from '../../dependencies.ts'
import { notifyClient } from '../../notifications/notify-client.ts'
import { correctableField, correctableFields, type CorrectableField } from './profile-fields.ts'

type ActionContext = Pick<RequestContext, 'caller' | 'auditContext' | 'now'>

export interface Correction {
  readonly clientId: string
  readonly field: string
  readonly value: string
  readonly reason: string
  readonly version: number
}

interface Corrected {
  version: number
  was: string | null
}

/**
 * Writes one field. Throws `field-not-correctable`, `stale-page`, `own-request`, `value-unchanged`, or what is wrong with
 * the value.
 */
export async function correctField(
  dependencies: Dependencies,
  context: ActionContext,
  sent: Correction,
): Promise<{ version: number }> {
  const field = correctableField(sent.field)
  if (!field) throw new Problem('field-not-correctable', { field: 'field' })
  const correction = pastedInto.includes(field) ? { ...sent, value: withoutHidden(sent.value).trim() } : sent
  const { timeZone } = await dependencies.settings.get('firm')
  const problem = checkValue(field, correction.value, dayIn(context.now, timeZone))
  throwIfProblem(problem, { field: 'value', values: { max: longest(field) } })
  const column = raw(correctableFields[field])
  return transaction(dependencies.pool, async (tx) => {
    const client = await clientForAction<Corrected>(tx, correction.clientId, sql`, version, ${column}::text as was`)
    assertNotOwnRequest(requireStaff(context), client.email)
    if (client.version !== correction.version) throw new Problem('stale-page')
    if (correction.value === (client.was ?? '')) throw new Problem('value-unchanged', { field: 'value' })
    const version = client.version + 1
    await run(
      tx,
      sql`update clients set ${column} = ${correction.value}${raw(field === 'birthDate' ? '::date' : '')}, version = ${version} where id = ${client.id}`,
    )
    await recordEvent(tx, context.auditContext, {
      kind: 'client',
      action: 'correctField',
      record: client.id,
      clientId: client.id,
      reason: correction.reason,
      details: { before: { [field]: client.was }, after: { [field]: correction.value } },
    })
    await notifyClient(
      tx,
      {
        kind: 'profile-corrected',
        client,
        facts: { field },
        link: portalPaths.profile,
        subject: 'client',
        record: client.id,
      },
      context.now,
    )
    await notifyChange(tx, 'client', client.id)
    return { version }
  })
}

/** Hidden characters of pasted ones are taken out. */
const pastedInto: readonly CorrectableField[] = ['mobilePhone', 'postcode']
const mayBeEmpty: readonly CorrectableField[] = ['address', 'county']
const longest = (field: CorrectableField) => (field === 'county' ? countyLengthMax : 100)

function checkValue(field: CorrectableField, value: string, today: PlainDate): ProblemCode | null {
  if (value === '') return mayBeEmpty.includes(field) ? null : 'required'
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value) || !value.isWellFormed()) return 'not-a-line'
  if (hasHidden(value)) return 'hidden-characters'
  if (field === 'postcode') return checkPostcode(value)
  if ([...value].length > longest(field)) return 'too-long'
  if (field === 'title') return (titles as readonly string[]).includes(value) ? null : 'unknown-value'
  if (field === 'country' || field === 'nationality') return countryOf(value) ? null : 'unknown-value'
  if (field === 'mobilePhone') return /^\+[1-9]\d{6,14}$/.test(value) ? null : 'phone-invalid'
  if (field !== 'birthDate') return null
  const day = dayOf(value)
  return day === null ? 'date-invalid' : checkBirthDate(day, today)
}

/** Sets or clears a flag; a cleared one stays in the audit log with its note. */
export async function setFlag(
  dependencies: Dependencies,
  context: ActionContext,
  clientId: string,
  change: { readonly flag: ClientFlag; readonly set: boolean; readonly note: string },
): Promise<void> {
  const { flag, set, note } = change
  await transaction(dependencies.pool, async (tx) => {
    const client = await clientForAction(tx, clientId)
    assertNotOwnRequest(requireStaff(context), client.email)
    await run(
      tx,
      set
        ? sql`insert into client_flags (client_id, flag, note, set_by, set_at)
              values (${client.id}, ${flag}, ${note}, ${requireStaff(context).staffId}, ${context.now})
              on conflict (client_id, flag) do update set note = excluded.note, set_by = excluded.set_by, set_at = excluded.set_at`
        : sql`delete from client_flags where client_id = ${client.id} and flag = ${flag}`,
    )
    await recordEvent(tx, context.auditContext, {
      kind: 'client',
      action: set ? 'setFlag' : 'clearFlag',
      record: client.id,
      clientId: client.id,
      reason: note,
      details: { flag },
    })
    await notifyChange(tx, 'client', client.id)
  })
}

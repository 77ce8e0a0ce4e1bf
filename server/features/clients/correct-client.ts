/** Compliance corrects one field, or sets a flag; before and after stand in the audit log. */
import type { ClientFlag } from '#rules/choices.ts'
import { titles } from '#rules/choices.ts'
import { countryOf } from '#rules/countries.ts'
import { dayIn, type PlainDate } from '#rules/dates.ts'
import { hasHidden, withoutHidden } from '#rules/hidden-characters.ts'
import { checkPostcode } from '#rules/postcodes.ts'
import { checkBirthText } from '#rules/profile-checks.ts'
import { isProfileField, profileField, type ProfileField } from '#rules/profile-fields.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { recordEvent } from '../../db/events.ts'
import { columnOf } from '../../db/profile-columns.ts'
import { run, sql } from '../../db/sql.ts'
import { transaction } from '../../db/transaction.ts'
import { notifyChange } from '../../db/work-items.ts'
import { requireStaff, type RequestContext } from '../../http/request-context.ts'
import { Problem, throwIfProblem } from '../../http/problem.ts'
import { clientForAction } from '../../office/client-for-action.ts'
import { assertNotOwnRequest } from '../../office/records.ts'
import type { Dependencies } from '../../dependencies.ts'
import { notifyClient } from '../../notifications/notify-client.ts'

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
  const { field } = sent
  if (!isProfileField(field)) throw new Problem('field-not-correctable', { field: 'field' })
  const declared = profileField(field)
  const { kind } = declared
  // Hidden characters of pasted ones are taken out.
  const correction =
    kind === 'phone' || kind === 'postcode' ? { ...sent, value: withoutHidden(sent.value).trim() } : sent
  const { timeZone } = await dependencies.settings.get('firm')
  const problem = checkValue(declared, correction.value, dayIn(context.now, timeZone))
  throwIfProblem(problem, { field: 'value', values: { max: declared.max ?? longest } })
  const column = columnOf(field)
  return transaction(dependencies.pool, async (tx) => {
    const client = await clientForAction<Corrected>(tx, correction.clientId, sql`, version, ${column}::text as was`)
    assertNotOwnRequest(requireStaff(context), client.email)
    if (client.version !== correction.version) throw new Problem('stale-page')
    if (correction.value === (client.was ?? '')) throw new Problem('value-unchanged', { field: 'value' })
    const version = client.version + 1
    await run(tx, sql`update clients set ${column} = ${correction.value}, version = ${version} where id = ${client.id}`)
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

const longest = 100

function checkValue({ kind, max = longest, isOptional }: ProfileField, value: string, today: PlainDate) {
  if (value === '') return isOptional ? null : 'required'
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value) || !value.isWellFormed()) return 'not-a-line'
  if (hasHidden(value)) return 'hidden-characters'
  if (kind === 'postcode') return checkPostcode(value)
  if ([...value].length > max) return 'too-long'
  switch (kind) {
    case 'title':
      return (titles as readonly string[]).includes(value) ? null : 'unknown-value'
    case 'country':
      return countryOf(value) ? null : 'unknown-value'
    case 'phone':
      return /^\+[1-9]\d{6,14}$/.test(value) ? null : 'phone-invalid'
    case 'day':
      return checkBirthText(value, today)
    case 'line':
      return null
  }
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

/**
 * Personal details: most changes apply immediately, changes of verified identity data are pending until compliance
 * decides (requirements 5.5). Unchanged fields of the form do not count as changes.
 */
import type { editUser as endpoint } from '#contract/profile.ts'
import { splitChanges, isDecidedField, profileChangeMachine } from '#rules/profile-changes.ts'
import { pick, type DecidedField, type ProfileFieldName, type ProfileValues } from '#rules/profile-fields.ts'
import type { ProfileChangeId } from '#rules/ids.ts'
import { assertProfile, profileOf } from '../../auth/profile-input.ts'
import { applyTransition, recordCreation } from '../../db/transition.ts'
import { recordClientEvent } from '../../db/events.ts'
import { profileAssignments } from '../../db/profile-columns.ts'
import { run, transaction, type Transaction, requireRow } from '../../db/sql.ts'
import { requireClient, type RequestContext, type Handler } from '../../http/handler.ts'
import { requireStepUp } from '../../http/step-up.ts'
import { Problem } from '../../http/problem.ts'
import type { SignedInClientId } from '../../http/sessions.ts'
import { limitProfileChanges } from '../../http/profile-change-limit.ts'
import type { Dependencies } from '../../dependencies.ts'
import { workItemDueAt } from '../../office/due-dates.ts'
import { lockProfile, pendingChanges } from './queries.ts'

/** Saves the details and returns which fields are pending. */
export const editUser: Handler<typeof endpoint> = async (dependencies, context) => {
  const { clientId, email } = requireClient(context)
  const { body } = context
  if (body.email !== undefined && body.email !== email) throw new Problem('email-locked', { field: 'email' })
  await limitProfileChanges(dependencies, context)
  const wanted = profileOf(body)
  return transaction(dependencies.pool, async (tx) => {
    const { profile: before, identityApproved } = await lockProfile(tx, clientId)
    await assertProfile(dependencies, context.now, wanted, before)
    // Requested only once everything else is valid.
    if (wanted.mobilePhone !== before.mobilePhone)
      await requireStepUp({ pool: tx, settings: dependencies.settings }, context)
    const { atOnce, waiting } = splitChanges(before, wanted, identityApproved)
    await applyChanges(tx, context, clientId, before, wanted, atOnce)
    for (const field of waiting)
      await requestChange(tx, dependencies, context, {
        clientId,
        field,
        from: before[field],
        to: wanted[field],
        who: before,
      })
    const pending = await pendingChanges(tx, clientId)
    return { pending: pending.map(({ field }) => field).filter(isDecidedField) }
  })
}

async function applyChanges(
  tx: Transaction,
  context: RequestContext,
  clientId: SignedInClientId,
  before: ProfileValues,
  wanted: ProfileValues,
  fields: readonly ProfileFieldName[],
): Promise<void> {
  if (fields.length === 0) return
  const values = profileAssignments(pick(wanted, fields))
  await run(tx)`update clients set ${values}, version = version + 1 where id = ${clientId}`
  await recordClientEvent(tx, context.auditContext, clientId, {
    action: 'editUser',
    details: { before: pick(before, fields), after: pick(wanted, fields) },
  })
}

interface ChangeRequest {
  readonly clientId: SignedInClientId
  readonly field: DecidedField
  readonly from: string
  readonly to: string
  readonly who: ProfileValues
}

/** Requests a change from compliance. It replaces an earlier request for the same field with another value. */
async function requestChange(
  tx: Transaction,
  dependencies: Dependencies,
  context: RequestContext,
  { clientId, field, from, to, who }: ChangeRequest,
): Promise<void> {
  const { auditContext, now } = context
  const earlier = (await pendingChanges(tx, clientId)).find((change) => change.field === field)
  if (earlier?.to === to) return
  if (earlier)
    await applyTransition(tx, profileChangeMachine, auditContext, { id: earlier.id, clientId }, 'replace', {
      workItem: null,
      set: { decided_at: now },
    })
  const asked = await requireRow<{ id: ProfileChangeId }>(tx)`
    insert into profile_changes (client_id, field, from_value, to_value, requested_at)
      values (${clientId}, ${field}, ${from}, ${to}, ${now}) returning id`
  const dueAt = await workItemDueAt(dependencies, 'profile_change', now)
  await recordCreation(tx, profileChangeMachine, auditContext, { id: asked.id, clientId }, 'request', {
    details: { field, from, to },
    workItem: { dueAt, summary: { client: `${who.name} ${who.surname}`, field } },
  })
}

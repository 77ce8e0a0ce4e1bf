/** Ends a person's access, or resets a lost second factor; never the caller's own. */
import type { deactivateStaff as deactivateEndpoint, resetFactor as resetEndpoint } from '#contract/office/staff.ts'
import { checkDeactivation, staffMachine } from '#rules/staff.ts'
import { applyTransition } from '../../db/transition.ts'
import { recordEvent } from '../../db/events.ts'
import { row, transaction } from '../../db/sql.ts'
import { notifyChange } from '../../db/work-items.ts'
import { requireStaff, type Handler } from '../../http/handler.ts'
import { Problem, requireFound, throwIfProblem } from '../../http/problem.ts'
import { endSessionsOf } from '../../http/sessions.ts'
import { sendMail, unixSeconds } from '../../mail/send-mail.ts'
import { decidedAnswer } from '../../office/records.ts'
import { endUnusedLinks } from '../../auth/one-time-links.ts'
import { deleteRecoveryCodes } from '../../auth/totp.ts'
import { unassignItems } from '../inbox/queries.ts'
import { lockAdministrators, lockMember } from './queries.ts'

/** Ends every session and emails the person; the next sign-in sets up a new factor. */
export const resetFactor: Handler<typeof resetEndpoint> = async (dependencies, context) => {
  const staff = requireStaff(context)
  return transaction(dependencies.pool, async (tx) => {
    const member = requireFound(await lockMember(tx, context.params.id))
    if (member.id === staff.staffId) throw new Problem('own-account')
    if (member.state === 'deactivated') throw new Problem('wrong-state', { values: { state: member.state } })
    const after = await row<{ version: number }>(tx)`
      update staff set factor_secret = null, factor_confirmed_at = null, version = version + 1
        where id = ${member.id} and version = ${context.body.version} returning version`
    if (!after) throw new Problem('stale-page')
    await deleteRecoveryCodes(tx, { table: 'staff', id: member.id })
    await endSessionsOf(tx, { staffId: member.id }, context.now)
    await recordEvent(tx, context.auditContext, {
      kind: staffMachine.name,
      action: 'resetFactor',
      record: member.id,
      reason: context.body.reason,
    })
    await sendMail(tx, context.now, {
      kind: 'staff-second-factor-reset',
      to: member.email,
      language: member.language,
      facts: { at: unixSeconds(context.now), by: staff.name },
    })
    await notifyChange(tx, staffMachine.name, member.id)
    return after
  })
}

/** Ends all access immediately: sessions and links. Unassigns the person's inbox items. */
export const deactivateStaff: Handler<typeof deactivateEndpoint> = async (dependencies, context) => {
  const staff = requireStaff(context)
  return transaction(dependencies.pool, async (tx) => {
    const administrators = await lockAdministrators(tx)
    const member = requireFound(await lockMember(tx, context.params.id))
    throwIfProblem(
      checkDeactivation({
        own: member.id === staff.staffId,
        administrator: administrators.includes(member.id),
        otherActiveAdministrators: administrators.filter((id) => id !== member.id).length,
      }),
    )
    const after = await applyTransition(tx, staffMachine, context.auditContext, member, 'deactivate', {
      version: context.body.version,
      reason: context.body.reason,
      set: { away_from: null, away_until: null },
    })
    await endSessionsOf(tx, { staffId: member.id }, context.now)
    await endUnusedLinks(tx, 'invitation', { staffId: member.id }, context.now)
    await unassignItems(tx, member.id, [])
    await notifyChange(tx, staffMachine.name, member.id)
    return decidedAnswer(tx, dependencies, context, staffMachine.name, member.id, after)
  })
}

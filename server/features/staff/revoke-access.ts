/** Ends somebody's access, or the second factor that was lost. Nobody does it to themselves. */
import type { AnswerOf } from '#contract/endpoint.ts'
import type { deactivateStaff as deactivateEndpoint, resetFactor as resetEndpoint } from '#contract/office/staff.ts'
import { checkDeactivation, staffLife } from '#rules/staff.ts'
import { advance } from '../../db/transition.ts'
import { record } from '../../db/events.ts'
import { row, run, sql } from '../../db/sql.ts'
import { transaction } from '../../db/transaction.ts'
import { announce } from '../../db/work-items.ts'
import { staffOf, type Call } from '../../http/request-context.ts'
import { Problem, refuse } from '../../http/problem.ts'
import { endSessionsOf } from '../../http/sessions.ts'
import { decidedAnswer } from '../../office/records.ts'
import type { Parts } from '../../dependencies.ts'
import { replaceLinks } from '../../auth/one-time-links.ts'
import { dropRecoveryCodes } from '../../auth/totp.ts'
import { lockAdministrators, lockMember } from './queries.ts'

/** Ends every session; the next sign-in sets up a new factor. */
export async function resetFactor(parts: Parts, call: Call<typeof resetEndpoint>): Promise<{ version: number }> {
  const staff = staffOf(call)
  return transaction(parts.pool, async (tx) => {
    const member = await lockMember(tx, call.params.id)
    if (!member) throw new Problem('not-found')
    if (member.id === staff.staffId) throw new Problem('own-account')
    if (member.state === 'deactivated') throw new Problem('wrong-state', { values: { state: member.state } })
    const after = await row<{ version: number }>(
      tx,
      sql`update staff set factor_secret = null, factor_confirmed_at = null, version = version + 1
          where id = ${member.id} and version = ${call.body.version} returning version`,
    )
    if (!after) throw new Problem('stale-page')
    await dropRecoveryCodes(tx, { table: 'staff', id: member.id })
    await endSessionsOf(tx, { staffId: member.id }, call.now)
    await record(tx, call.act, {
      kind: staffLife.name,
      verb: 'resetFactor',
      record: member.id,
      reason: call.body.reason,
    })
    await announce(tx, staffLife.name, member.id)
    return after
  })
}

/** Closes the door at once: sessions, links, what this person held in the inbox. */
export async function deactivateStaff(
  parts: Parts,
  call: Call<typeof deactivateEndpoint>,
): Promise<AnswerOf<typeof deactivateEndpoint>> {
  const staff = staffOf(call)
  return transaction(parts.pool, async (tx) => {
    const administrators = await lockAdministrators(tx)
    const member = await lockMember(tx, call.params.id)
    if (!member) throw new Problem('not-found')
    refuse(
      checkDeactivation({
        own: member.id === staff.staffId,
        administrator: administrators.includes(member.id),
        otherActiveAdministrators: administrators.filter((id) => id !== member.id).length,
      }),
    )
    const after = await advance(tx, staffLife, call.act, {
      id: member.id,
      verb: 'deactivate',
      version: call.body.version,
      reason: call.body.reason,
    })
    await endSessionsOf(tx, { staffId: member.id }, call.now)
    await replaceLinks(tx, 'invitation', { staffId: member.id }, call.now)
    await run(tx, sql`update work_items set assignee = null where assignee = ${member.id} and closed_at is null`)
    await announce(tx, staffLife.name, member.id)
    return decidedAnswer(tx, call, staffLife.name, member.id, after)
  })
}

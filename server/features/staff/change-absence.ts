/** Records and ends absences of staff: one for each person, the current or the coming one (requirements 24.73). */
import type * as contract from '#contract/office/absences.ts'
import { checkAbsence, type Absence } from '#rules/absences.ts'
import type { StaffId } from '#rules/ids.ts'
import { staffMachine } from '#rules/staff.ts'
import { recordEvent } from '../../db/events.ts'
import { row, run, transaction } from '../../db/sql.ts'
import { notifyChange } from '../../db/work-items.ts'
import type { Dependencies } from '../../dependencies.ts'
import { requireStaff, type Handler, type RequestContext } from '../../http/handler.ts'
import { Problem, requireFound } from '../../http/problem.ts'
import { enforceLimit, perHour } from '../../http/rate-limits.ts'
import { firmDay } from '../../office/absences.ts'
import { lockMember } from './queries.ts'

const changesPerHour = 30

export const setMyAbsence: Handler<typeof contract.setMyAbsence> = (dependencies, context) =>
  changeOwn(dependencies, context, context.body)

export const endMyAbsence: Handler<typeof contract.endMyAbsence> = (dependencies, context) =>
  changeOwn(dependencies, context, null)

async function changeOwn(
  dependencies: Dependencies,
  context: Change,
  asked: Absence | null,
): Promise<Record<string, never>> {
  const { staffId } = requireStaff(context)
  await enforceLimit(dependencies.pool, perHour('absence', staffId), changesPerHour, context.now)
  return changeAbsence(dependencies, context, staffId, asked)
}

export const setAbsence: Handler<typeof contract.setAbsence> = (dependencies, context) =>
  changeAbsence(dependencies, context, context.params.id, context.body)

export const endAbsence: Handler<typeof contract.endAbsence> = (dependencies, context) =>
  changeAbsence(dependencies, context, context.params.id, null)

type Change = RequestContext<
  typeof contract.setMyAbsence | typeof contract.endMyAbsence | typeof contract.setAbsence | typeof contract.endAbsence
>

/**
 * Replaces the absence of an active person, or clears it. An absence that has ended counts as none. The person's
 * version does not change: otherwise people could keep an administrator's page about them stale.
 */
async function changeAbsence(
  dependencies: Dependencies,
  context: Change,
  id: StaffId,
  asked: Absence | null,
): Promise<Record<string, never>> {
  const today = await firmDay(dependencies, context.now)
  return transaction(dependencies.pool, async (tx) => {
    const member = requireFound(await lockMember(tx, id))
    if (member.state !== 'active') throw new Problem('wrong-state', { values: { state: member.state } })
    const before = await row<Absence>(tx)`
      select away_from as "from", away_until as until from staff where id = ${member.id} and away_until >= ${today}::date`
    const { before: shown } = context.body
    if (before?.from !== shown?.from || before?.until !== shown?.until) throw new Problem('stale-page')
    const after = asked && { from: asked.from, until: asked.until }
    const refusal = after && checkAbsence(after, { today, current: before })
    if (refusal) throw new Problem(refusal.code, { field: refusal.field })
    if (before?.from === after?.from && before?.until === after?.until) throw new Problem('setting-unchanged')
    await run(tx)`
      update staff set away_from = ${after?.from ?? null}, away_until = ${after?.until ?? null} where id = ${member.id}`
    await recordEvent(tx, context.auditContext, {
      kind: staffMachine.name,
      action: after ? 'setAbsence' : 'endAbsence',
      record: member.id,
      details: { staff: member.name, before: detailsOf(before), after: detailsOf(after) },
    })
    await notifyChange(tx, staffMachine.name, member.id)
    return {}
  })
}

const detailsOf = (absence: Absence | null) => absence && { awayFrom: absence.from, awayUntil: absence.until }

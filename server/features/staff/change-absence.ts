/** Records and ends absences of staff: one for each person, the current or the coming one (requirements 24.73). */
import type * as contract from '#contract/office/absences.ts'
import { checkAbsence, type Absence } from '#rules/absences.ts'
import type { StaffId } from '#rules/ids.ts'
import { staffMachine } from '#rules/staff.ts'
import { recordEvent } from '../../db/events.ts'
import { row, transaction } from '../../db/sql.ts'
import { notifyChange } from '../../db/work-items.ts'
import type { Dependencies } from '../../dependencies.ts'
import { requireStaff, type Handler, type RequestContext } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import { firmDay } from '../../office/absences.ts'
import { lockMember } from './queries.ts'

export const setMyAbsence: Handler<typeof contract.setMyAbsence> = (dependencies, context) =>
  changeAbsence(dependencies, context, requireStaff(context).staffId, context.body)

export const endMyAbsence: Handler<typeof contract.endMyAbsence> = (dependencies, context) =>
  changeAbsence(dependencies, context, requireStaff(context).staffId, null)

export const setAbsence: Handler<typeof contract.setAbsence> = (dependencies, context) =>
  changeAbsence(dependencies, context, context.params.id, context.body)

export const endAbsence: Handler<typeof contract.endAbsence> = (dependencies, context) =>
  changeAbsence(dependencies, context, context.params.id, null)

type Change = RequestContext<
  typeof contract.setMyAbsence | typeof contract.endMyAbsence | typeof contract.setAbsence | typeof contract.endAbsence
>

/** Replaces the absence of an active person, or clears it. One that has ended counts as none. */
async function changeAbsence(
  dependencies: Dependencies,
  context: Change,
  id: StaffId,
  asked: Absence | null,
): Promise<{ version: number }> {
  const today = await firmDay(dependencies, context.now)
  return transaction(dependencies.pool, async (tx) => {
    const member = await lockMember(tx, id)
    if (!member) throw new Problem('not-found')
    if (member.state !== 'active') throw new Problem('wrong-state', { values: { state: member.state } })
    if (member.version !== context.body.version) throw new Problem('stale-page')
    const before = await row<Absence>(tx)`
      select away_from as "from", away_until as until from staff where id = ${member.id} and away_until >= ${today}::date`
    const after = asked && { from: asked.from, until: asked.until }
    const refusal = after && checkAbsence(after, { today, current: before })
    if (refusal) throw new Problem(refusal.code, { field: refusal.field })
    if (before?.from === after?.from && before?.until === after?.until) throw new Problem('setting-unchanged')
    const changed = await row<{ version: number }>(tx)`
      update staff set away_from = ${after?.from ?? null}, away_until = ${after?.until ?? null}, version = version + 1
        where id = ${member.id} returning version`
    if (!changed) throw new Error('a locked person is gone')
    await recordEvent(tx, context.auditContext, {
      kind: staffMachine.name,
      action: after ? 'setAbsence' : 'endAbsence',
      record: member.id,
      details: { staff: member.name, before: detailsOf(before), after: detailsOf(after) },
    })
    await notifyChange(tx, staffMachine.name, member.id)
    return changed
  })
}

const detailsOf = (absence: Absence | null) => absence && { awayFrom: absence.from, awayUntil: absence.until }

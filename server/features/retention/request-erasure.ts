/** Compliance requests a client's erasure, for the client or the firm; another person decides. */
import type { requestErasure as endpoint } from '#contract/office/retention.ts'
import { checkErasure, erasureMachine } from '#rules/retention.ts'
import { run, transaction } from '../../db/sql.ts'
import { recordCreation } from '../../db/transition.ts'
import { requireStaff, type Handler } from '../../http/handler.ts'
import { throwIfProblem } from '../../http/problem.ts'
import { assertNotOwnRequest } from '../../office/records.ts'
import { workItemDueAt } from '../../office/due-dates.ts'
import { grossClientBalance, openRequestsOf } from '../clients/queries.ts'
import { lockSubject } from './erase-client.ts'
import { erasureOf } from './queries.ts'

export const requestErasure: Handler<typeof endpoint> = async (dependencies, context) => {
  const { id } = context.params
  const { askedFor, reason } = context.body
  const dueAt = await workItemDueAt(dependencies, 'erasure', context.now)
  return transaction(dependencies.pool, async (tx) => {
    const client = await lockSubject(tx, id)
    assertNotOwnRequest(requireStaff(context), client.email)
    const earlier = await erasureOf(tx, client.id)
    throwIfProblem(
      checkErasure({
        state: client.state,
        isErased: client.erasedAt !== null,
        isAsked: earlier !== null && ['pending', 'approved'].includes(earlier.state),
        owed: await grossClientBalance(tx, { clientId: client.id }),
        openRequests: await openRequestsOf(tx, client.id, context.now),
      }),
    )
    // Replaces a rejected or cancelled request, whose outcome is in the audit log.
    await run(tx)`delete from erasures where id = ${client.id}`
    await run(tx)`insert into erasures (id, asked_for, reason, asked_by, asked_at)
        values (${client.id}, ${askedFor}, ${reason}, ${requireStaff(context).staffId}, ${context.now})`
    const workItem = { dueAt, summary: { askedFor } }
    await recordCreation(tx, erasureMachine, context.auditContext, { id: client.id, clientId: client.id }, 'ask', {
      reason,
      workItem,
    })
    return { id: client.id }
  })
}

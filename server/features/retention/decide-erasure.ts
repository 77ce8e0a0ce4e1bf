/** Another person approves or rejects an erasure; the person who requested it cancels it. */
import type { approveErasure, cancelErasure, rejectErasure } from '#contract/office/retention.ts'
import { checkProposalDecider, type ProposalAction } from '#rules/actors.ts'
import { checkErasure, erasureMachine, retentionEnd } from '#rules/retention.ts'
import { applyTransition } from '../../db/transition.ts'
import type { Transaction } from '../../db/sql.ts'
import { requireStaff, type Handler } from '../../http/handler.ts'
import { requireFound, throwIfProblem } from '../../http/problem.ts'
import { decisionReason } from '../../office/decide.ts'
import { assertNotOwnRequest, takeDecision } from '../../office/records.ts'
import { grossClientBalance, openRequestsOf } from '../clients/queries.ts'
import { eraseClient, lockSubject, type ErasureSubject } from './erase-client.ts'
import { erasureOf } from './queries.ts'

type Decision = typeof approveErasure | typeof rejectErasure | typeof cancelErasure
const { name: kind } = erasureMachine

export const decideErasure =
  (action: ProposalAction): Handler<Decision> =>
  async (dependencies, context) => {
    const { id } = context.params
    const { staffId } = requireStaff(context)
    const times = await dependencies.settings.get('retention')
    let files: readonly string[] = []
    const answer = await takeDecision(dependencies, context, kind, id, async (tx) => {
      const client = await lockSubject(tx, id)
      const erasure = requireFound(await erasureOf(tx, client.id))
      assertNotOwnRequest(requireStaff(context), client.email)
      throwIfProblem(checkProposalDecider(action, erasure.askedBy === staffId))
      if (action === 'approve' && erasure.state === 'pending') await assertNothingOpen(tx, client, context.now)
      const until = retentionEnd(client, times)
      const isOver = until === null || until <= context.now
      const toDo = action !== 'approve' || erasure.state !== 'pending' ? null : isOver ? 'everything' : 'unneeded'
      const erased = toDo && (await eraseClient(tx, client.id, context.auditContext, toDo))
      files = erased?.files ?? []
      return applyTransition(tx, erasureMachine, context.auditContext, { id: client.id, clientId: client.id }, action, {
        ...(action === 'approve' ? { to: isOver ? ('done' as const) : ('approved' as const) } : {}),
        version: context.body.version,
        reason: decisionReason(context.body),
        set: {
          ...(action === 'cancel' ? {} : { decided_by: staffId }),
          decided_at: context.now,
          ...(erased ? { erased: JSON.stringify(erased.counts) } : {}),
        },
        workItem: null,
      })
    })
    for (const file of files) await dependencies.files.remove(file)
    return answer
  }

/** Throws if something is open again that was settled when the erasure was requested. */
async function assertNothingOpen(tx: Transaction, client: ErasureSubject, now: Date): Promise<void> {
  throwIfProblem(
    checkErasure({
      state: client.state,
      isErased: false,
      isAsked: false,
      owed: await grossClientBalance(tx, { clientId: client.id }),
      openRequests: await openRequestsOf(tx, client.id, now),
    }),
  )
}

/** Erasures: compliance requests one, another person approves or rejects it, and the first can cancel it. */
import type { ResponseOf } from '#contract/endpoint.ts'
import type {
  approveErasure,
  cancelErasure,
  rejectErasure,
  requestErasure as endpoint,
} from '#contract/office/retention.ts'
import { checkErasure, erasureMachine, keptUntil } from '#rules/retention.ts'
import { applyTransition, recordCreation } from '../../db/transition.ts'
import { type Transaction, run, transaction } from '../../db/sql.ts'
import { requireStaff, type RequestContext, type Handler } from '../../http/request-context.ts'
import { Problem, throwIfProblem } from '../../http/problem.ts'
import { isUuid } from '../../db/ids.ts'
import { assertNotOwnRequest, takeDecision } from '../../office/records.ts'
import type { Dependencies } from '../../dependencies.ts'
import { grossClientBalance, openRequestsOf } from '../clients/queries.ts'
import { eraseClient, lockSubject, type ErasureSubject } from './erase-client.ts'
import { erasureOf, refusalOf, type ErasureAction } from './queries.ts'
import { workItemDueAt } from '../../office/due-dates.ts'

type Deciding = RequestContext<typeof approveErasure | typeof rejectErasure | typeof cancelErasure>
const { name: kind } = erasureMachine

export async function decideErasure(
  dependencies: Dependencies,
  context: Deciding,
  action: ErasureAction,
  reason: string,
): Promise<ResponseOf<typeof approveErasure>> {
  const { id } = context.params
  const { staffId } = requireStaff(context)
  const times = await dependencies.settings.get('retention')
  let files: readonly string[] = []
  const answer = await takeDecision(dependencies, context, kind, id, async (tx) => {
    const client = isUuid(id) ? await lockSubject(tx, id) : null
    const erasure = client && (await erasureOf(tx, client.id))
    if (!client || !erasure) throw new Problem('not-found')
    assertNotOwnRequest(requireStaff(context), client.email)
    throwIfProblem(refusalOf(action, erasure, staffId))
    if (action === 'approve' && erasure.state === 'pending') await assertNothingOpen(tx, client)
    const until = keptUntil(client, times)
    const isOver = until === null || until <= context.now
    const toDo = action !== 'approve' || erasure.state !== 'pending' ? null : isOver ? 'everything' : 'unneeded'
    const erased = toDo && (await eraseClient(tx, client.id, context.auditContext, toDo))
    files = erased?.files ?? []
    return applyTransition(tx, erasureMachine, context.auditContext, { id: client.id, clientId: client.id }, action, {
      ...(action === 'approve' ? { to: isOver ? ('done' as const) : ('approved' as const) } : {}),
      version: context.body.version,
      reason,
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
async function assertNothingOpen(tx: Transaction, client: ErasureSubject): Promise<void> {
  throwIfProblem(
    checkErasure({
      state: client.state,
      isErased: false,
      isAsked: false,
      owed: await grossClientBalance(tx, { clientId: client.id }),
      openRequests: await openRequestsOf(tx, client.id),
    }),
  )
}

/** Compliance requests a client's erasure, for the client or the firm; another person decides. */
export const requestErasure: Handler<typeof endpoint> = async (dependencies, context) => {
  const { id } = context.params
  const { askedFor, reason } = context.body
  const dueAt = await workItemDueAt(dependencies, 'erasure', context.now)
  return transaction(dependencies.pool, async (tx) => {
    const client = isUuid(id) ? await lockSubject(tx, id) : null
    if (!client) throw new Problem('not-found')
    assertNotOwnRequest(requireStaff(context), client.email)
    const earlier = await erasureOf(tx, client.id)
    throwIfProblem(
      checkErasure({
        state: client.state,
        isErased: client.erasedAt !== null,
        isAsked: earlier !== null && ['pending', 'approved'].includes(earlier.state),
        owed: await grossClientBalance(tx, { clientId: client.id }),
        openRequests: await openRequestsOf(tx, client.id),
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

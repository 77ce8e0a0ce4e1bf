/** Sends uploaded documents for approval: one work item for all of a client's documents (requirements 6.16). */
import { checkSendingDocuments } from '#rules/clients.ts'
import { checkSend, documentMachine, isSendable } from '#rules/documents.ts'
import { applyTransition } from '../../db/transition.ts'
import { run, transaction } from '../../db/sql.ts'
import { openWorkItem } from '../../db/work-items.ts'
import { requireClient, type RequestContext } from '../../http/handler.ts'
import { Problem, throwIfProblem } from '../../http/problem.ts'
import { enforceLimit, perHour } from '../../http/rate-limits.ts'
import type { Dependencies } from '../../dependencies.ts'
import { workItemDueAt } from '../../office/due-dates.ts'
import {
  documentsOf,
  documentValidator,
  lockedDocumentStatus,
  type DocumentRow,
  type DocumentValidator,
} from './queries.ts'

const perHourMax = 30

/** Submits every uploaded document that can be submitted, as pending_approval. Others stay uploaded. */
export async function sendDocuments(
  dependencies: Dependencies,
  context: Pick<RequestContext, 'caller' | 'auditContext' | 'now'>,
): Promise<void> {
  const { clientId, state } = requireClient(context)
  throwIfProblem(checkSendingDocuments(state))
  await enforceLimit(dependencies.pool, perHour('documents-approval', clientId), perHourMax, context.now)
  const dueAt = await workItemDueAt(dependencies, 'document', context.now)
  const judge = await documentValidator(dependencies, context.now)
  await transaction(dependencies.pool, async (tx) => {
    await lockedDocumentStatus(tx, clientId)
    const sent = documentsToSend(await documentsOf(tx, clientId), judge)
    for (const { id, kind } of sent) {
      const set = { sent_at: context.now }
      await applyTransition(tx, documentMachine, context.auditContext, { id, clientId }, 'send', {
        set,
        details: { kind },
      })
    }
    await run(tx)`update clients set documents_sent_at = ${context.now} where id = ${clientId}`
    const waiting = (await documentsOf(tx, clientId)).filter((document) => document.state === 'pending_approval')
    await openWorkItem(tx, 'document', clientId, context.now, {
      state: 'pending_approval',
      dueAt,
      clientId,
      summary: { kinds: waiting.map(({ kind }) => kind).join(', '), count: waiting.length },
    })
  })
}

/** Returns the documents to submit. Throws if a proof is missing, or at the kind of a document that prevents it. */
function documentsToSend(documents: readonly DocumentRow[], judge: DocumentValidator): DocumentRow[] {
  const judged = documents.map((document) => ({ ...document, isBlocked: judge(document) !== null }))
  const refused = checkSend(judged)
  if (refused === null) return judged.filter(isSendable)
  if ('problem' in refused) throw new Problem(refused.problem)
  const blocked = judged.find(({ kind }) => kind === refused.blocked)
  throw new Problem((blocked && judge(blocked)) ?? 'nothing-to-send', { field: refused.blocked })
}

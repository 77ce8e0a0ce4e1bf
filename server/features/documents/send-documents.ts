/** Sends what is uploaded for approval: one inbox item for all of a client's documents (product-decisions section 6). */
import { checkSendingDocuments } from '#rules/clients.ts'
import { checkSend, documentLife, isSendable } from '#rules/documents.ts'
import { advance } from '../../db/transition.ts'
import { run, sql } from '../../db/sql.ts'
import { transaction } from '../../db/transaction.ts'
import { openWork } from '../../db/work-items.ts'
import { clientOf, type Call } from '../../http/request-context.ts'
import { Problem, refuse } from '../../http/problem.ts'
import { limit } from '../../http/rate-limits.ts'
import type { Parts } from '../../dependencies.ts'
import { workDueAt } from '../../office/due-dates.ts'
import { documentsOf, judgeOf, lockedStanding, type DocumentRow, type Judge } from './queries.ts'

const perHourMax = 30

/** Moves every uploaded document that can be sent as it stands to pending_approval; others stay, with their reason. */
export async function sendDocuments(parts: Parts, call: Pick<Call, 'caller' | 'act' | 'now'>): Promise<void> {
  const { clientId, state } = clientOf(call)
  refuse(checkSendingDocuments(state))
  await limit(parts.pool, { name: 'documents-approval', who: clientId, windowSeconds: 3600 }, perHourMax, call.now)
  const dueAt = await workDueAt(parts, 'document', call.now)
  const judge = await judgeOf(parts, call.now)
  await transaction(parts.pool, async (tx) => {
    await lockedStanding(tx, clientId)
    const sent = sendable(await documentsOf(tx, clientId), judge)
    for (const { id, kind } of sent) {
      const set = { sent_at: call.now }
      await advance(tx, documentLife, call.act, { id, verb: 'send', clientId, set, details: { kind } })
    }
    await run(tx, sql`update clients set documents_sent_at = ${call.now} where id = ${clientId}`)
    const waiting = (await documentsOf(tx, clientId)).filter((document) => document.state === 'pending_approval')
    await openWork(
      tx,
      'document',
      clientId,
      {
        state: 'pending_approval',
        dueAt,
        clientId,
        summary: { kinds: waiting.map(({ kind }) => kind).join(', '), count: waiting.length },
      },
      call.now,
    )
  })
}

/** What goes along. Throws what is missing, or why what there is cannot be sent, under the name of its kind. */
function sendable(documents: readonly DocumentRow[], judge: Judge): DocumentRow[] {
  const judged = documents.map((document) => ({ ...document, isBlocked: judge(document) !== null }))
  const refused = checkSend(judged)
  if (refused === null) return judged.filter(isSendable)
  if ('problem' in refused) throw new Problem(refused.problem)
  const blocked = judged.find(({ kind }) => kind === refused.blocked)
  throw new Problem((blocked && judge(blocked)) ?? 'nothing-to-send', { field: refused.blocked })
}

/**
 * A client sends documents for approval, one work item for all of them (requirements 6.16); a clerk enters a
 * machine-readable zone, or requests proof of the source of wealth (requirements 6.1).
 */
import { checkSendingDocuments } from '#rules/clients.ts'
import { checkSend, documentMachine, isSendable, isIdentityKind } from '#rules/documents.ts'
import { applyTransition } from '../../db/transition.ts'
import { run, transaction, sql } from '../../db/sql.ts'
import { openWorkItem } from '../../db/work-items.ts'
import { requireClient, type RequestContext, requireStaff } from '../../http/request-context.ts'
import { Problem, throwIfProblem } from '../../http/problem.ts'
import { limit, perHour } from '../../http/rate-limits.ts'
import type { Dependencies } from '../../dependencies.ts'
import { workItemDueAt } from '../../office/due-dates.ts'
import { documentsOf, judgeOf, lockedDocumentStatus, type DocumentRow, type Judge, documentById } from './queries.ts'
import type { ClientId, DocumentId } from '#rules/ids.ts'
import { dayIn } from '#rules/dates.ts'
import { recordEvent, recordClientEvent } from '../../db/events.ts'
import { readMrz } from './read-mrz.ts'
import { readingsOf } from './zone-readings.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { assertNotOwnRequest } from '../../office/records.ts'
import { notifyClient } from '../../notifications/notify-client.ts'
import { clientForAction } from '../../office/client-for-action.ts'

const perHourMax = 30

/** Moves every uploaded document that can be sent to pending_approval; others stay, with their reason. */
export async function sendDocuments(
  dependencies: Dependencies,
  context: Pick<RequestContext, 'caller' | 'auditContext' | 'now'>,
): Promise<void> {
  const { clientId, state } = requireClient(context)
  throwIfProblem(checkSendingDocuments(state))
  await limit(dependencies.pool, perHour('documents-approval', clientId), perHourMax, context.now)
  const dueAt = await workItemDueAt(dependencies, 'document', context.now)
  const judge = await judgeOf(dependencies, context.now)
  await transaction(dependencies.pool, async (tx) => {
    await lockedDocumentStatus(tx, clientId)
    const sent = sendable(await documentsOf(tx, clientId), judge)
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

/** Returns the documents to send. Throws the missing ones, or why one cannot be sent, under the name of its kind. */
function sendable(documents: readonly DocumentRow[], judge: Judge): DocumentRow[] {
  const judged = documents.map((document) => ({ ...document, isBlocked: judge(document) !== null }))
  const refused = checkSend(judged)
  if (refused === null) return judged.filter(isSendable)
  if ('problem' in refused) throw new Problem(refused.problem)
  const blocked = judged.find(({ kind }) => kind === refused.blocked)
  throw new Problem((blocked && judge(blocked)) ?? 'nothing-to-send', { field: refused.blocked })
}

/** Returns the id of the document's client. Without lines the zone is removed. */
export async function enterMrz(
  dependencies: Dependencies,
  context: Pick<RequestContext, 'auditContext' | 'now'>,
  documentId: DocumentId,
  lines: readonly string[],
): Promise<ClientId> {
  const document = await documentById(dependencies.pool, documentId)
  if (!document || !isIdentityKind(document.kind)) throw new Problem('not-found')
  const { timeZone } = await dependencies.settings.get('firm')
  if (lines.length > 0) readMrz(lines, dayIn(context.now, timeZone).year)
  const kept = lines.length > 0 ? [...lines] : null
  await transaction(dependencies.pool, async (tx) => {
    const reading = (await readingsOf(tx, [document.id])).get(document.id)
    const isAsRead = kept !== null && reading?.lines.join('\n') === kept.join('\n')
    await run(tx)`update documents set mrz = ${kept}::text[] where id = ${document.id}`
    await recordEvent(tx, context.auditContext, {
      kind: 'document',
      action: isAsRead ? 'confirmMrz' : 'typeMrz',
      record: document.id,
      clientId: document.client_id,
      details: { mrz: kept },
    })
  })
  return document.client_id
}

/** Throws `wealth-asked` if it was requested already. */
export async function requestSourceOfWealth(
  dependencies: Dependencies,
  context: Pick<RequestContext, 'caller' | 'auditContext' | 'now'>,
  clientId: ClientId,
  reason: string,
): Promise<void> {
  await transaction(dependencies.pool, async (tx) => {
    const client = await clientForAction<{ asked: boolean }>(
      tx,
      clientId,
      sql`, source_of_wealth_asked_at is not null as asked`,
    )
    assertNotOwnRequest(requireStaff(context), client.email)
    if (client.asked) throw new Problem('wealth-asked')
    await run(tx)`update clients set source_of_wealth_asked_at = ${context.now} where id = ${client.id}`
    await recordClientEvent(tx, context.auditContext, client.id, { action: 'askSourceOfWealth', reason })
    await notifyClient(tx, context.now, {
      kind: 'document-asked',
      client,
      facts: { document: 'source_of_wealth', reason },
      link: portalPaths.document('source_of_wealth'),
      subject: 'client',
      record: client.id,
    })
  })
}

/** Stores the machine-readable zone that a clerk entered from the image, or confirmed as read from it. */
import type { ClientId, DocumentId } from '#rules/ids.ts'
import { dayIn } from '#rules/dates.ts'
import { isIdentityKind } from '#rules/documents.ts'
import { recordEvent } from '../../db/events.ts'
import { run, transaction } from '../../db/sql.ts'
import { requireStaff, type RequestContext } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import type { Dependencies } from '../../dependencies.ts'
import { assertNotOwnRequest } from '../../office/records.ts'
import { documentById, lockedDocumentStatus } from './queries.ts'
import { readMrz } from './read-mrz.ts'
import { readingsOf } from './zone-readings.ts'

/** Returns the id of the document's client. Without lines the zone is removed. */
export async function enterMrz(
  dependencies: Dependencies,
  context: Pick<RequestContext, 'auditContext' | 'caller' | 'now'>,
  documentId: DocumentId,
  lines: readonly string[],
): Promise<ClientId> {
  const document = await documentById(dependencies.pool, documentId)
  if (!document || !isIdentityKind(document.kind)) throw new Problem('not-found')
  const { timeZone } = await dependencies.settings.get('firm')
  if (lines.length > 0) readMrz(lines, dayIn(context.now, timeZone).year)
  const kept = lines.length > 0 ? [...lines] : null
  await transaction(dependencies.pool, async (tx) => {
    const client = await lockedDocumentStatus(tx, document.client_id)
    if (!client) throw new Problem('not-found')
    assertNotOwnRequest(requireStaff(context), client.email)
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

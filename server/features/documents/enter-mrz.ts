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

interface EnteredZone {
  /** Empty removes the zone. */
  readonly lines: readonly string[]
  /** The version of the document that the page showed. */
  readonly version?: number | undefined
}

/** Returns the id of the document's client. Throws `stale-page` if the document has changed since the page showed it. */
export async function enterMrz(
  dependencies: Dependencies,
  context: Pick<RequestContext, 'auditContext' | 'caller' | 'now'>,
  documentId: DocumentId,
  { lines, version }: EnteredZone,
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
    const stored = await run(tx)`
      update documents set mrz = ${kept}::text[]
        where id = ${document.id} and version = coalesce(${version ?? null}::integer, version)`
    if (stored === 0) throw new Problem('stale-page')
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

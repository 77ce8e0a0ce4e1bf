/** Saves one document with its files (requirements 6.7 to 6.9). */
import type { saveDocuments } from '#contract/documents.ts'
import { checkSendingDocuments } from '#rules/clients.ts'
import { countryOf } from '#rules/countries.ts'
import { dayIn, isoDay } from '#rules/dates.ts'
import { checkDocument, documentMachine, hasBack } from '#rules/documents.ts'
import type { DocumentId } from '#rules/ids.ts'
import { applyTransition } from '../../db/transition.ts'
import { recordEvent } from '../../db/events.ts'
import { transaction, type Transaction, requireRow } from '../../db/sql.ts'
import { requireClient, type RequestContext } from '../../http/handler.ts'
import { Problem, throwIfProblem } from '../../http/problem.ts'
import type { Dependencies } from '../../dependencies.ts'
import { markFileUsed } from '../files/queries.ts'
import {
  documentRecord,
  isFileKept,
  documentValidator,
  lockedDocument,
  lockedDocumentStatus,
  type DocumentRow,
} from './queries.ts'

type SaveContext = RequestContext<typeof saveDocuments>

/** Saves or replaces the document of its kind. A document that is being reviewed or is approved is locked. */
export async function saveDocument(dependencies: Dependencies, context: SaveContext) {
  const { clientId, state } = requireClient(context)
  throwIfProblem(checkSendingDocuments(state))
  const { timeZone } = await dependencies.settings.get('firm')
  const { changes } = await dependencies.settings.get('countries')
  const { documentType: kind, data } = context.body
  const date = { year: data.expiryYear, month: data.expiryMonth, day: data.expiryDay }
  const saved = await transaction(dependencies.pool, async (tx) => {
    const client = await lockedDocumentStatus(tx, clientId)
    const current = await lockedDocument(tx, clientId, kind)
    const frontKept = current && isFileKept(current, 'front') ? current.front_file : null
    const backKept = current && isFileKept(current, 'back') ? current.back_file : null
    const wrong = checkDocument(
      {
        kind,
        level: countryOf(data.country, changes)?.level ?? null,
        date,
        front: Boolean(data.documentFront ?? frontKept),
        back: Boolean(data.documentBack ?? backKept),
        state: current?.state ?? null,
        wealthAsked: client?.source_of_wealth_asked_at !== null,
      },
      dayIn(context.now, timeZone),
    )
    if (wrong) throw new Problem(wrong.problem, { field: wrong.field })
    const file = (label: string, field: string) => markFileUsed(tx, { clientId, label, field, now: context.now })
    const columns = {
      country: data.country,
      document_number: data.documentNumber,
      expiry_date: isoDay(date),
      front_file: data.documentFront ? await file(data.documentFront, 'documentFront') : frontKept,
      back_file: !hasBack(kind) ? null : data.documentBack ? await file(data.documentBack, 'documentBack') : backKept,
    }
    await (current ? replaceDocument(tx, context, current, columns) : insertDocument(tx, context, columns))
    return lockedDocument(tx, clientId, kind)
  })
  if (!saved) throw new Error('the document was not inserted')
  return { document: documentRecord(dependencies, saved, context, await documentValidator(dependencies, context.now)) }
}

interface Columns {
  readonly country: string
  readonly document_number: string
  readonly expiry_date: string
  readonly front_file: string | null
  readonly back_file: string | null
}

async function insertDocument(tx: Transaction, context: SaveContext, columns: Columns): Promise<void> {
  const { clientId } = requireClient(context)
  const kind = context.body.documentType
  const written = await requireRow<{ id: DocumentId }>(tx)`
    insert into documents (client_id, kind, state, country, document_number, expiry_date, front_file, back_file, created_at)
      values (${clientId}, ${kind}, ${documentMachine.first}, ${columns.country}, ${columns.document_number},
        ${columns.expiry_date}, ${columns.front_file}, ${columns.back_file}, ${context.now})
      returning id`
  await recordEvent(tx, context.auditContext, {
    kind: documentMachine.name,
    action: 'upload',
    record: written.id,
    clientId,
    to: documentMachine.first,
    details: { kind, after: columns },
  })
}

async function replaceDocument(
  tx: Transaction,
  context: SaveContext,
  current: DocumentRow,
  columns: Columns,
): Promise<void> {
  const { country, document_number, expiry_date, front_file, back_file } = current
  const of = { id: current.id, clientId: current.client_id }
  await applyTransition(tx, documentMachine, context.auditContext, of, 'replace', {
    set: {
      ...columns,
      reason: null,
      reasons: null,
      sent_at: null,
      decided_at: null,
      decided_by: null,
      told_of_expiry_at: null,
      mrz: null,
    },
    details: {
      kind: current.kind,
      before: { country, document_number, expiry_date, front_file, back_file },
      after: columns,
    },
  })
}

/** Documents as the client and the back office see them. */
import { listDocumentCases } from '#contract/office/documents.ts'
import type { ProblemCode } from '#contract/problems.ts'
import { type DocumentKind, checkContent, type DocumentState } from '#rules/documents.ts'
import { countryOf } from '#rules/countries.ts'
import { dayIn, dayOf, type PlainDate } from '#rules/dates.ts'
import type { Language } from '#rules/choices.ts'
import type { ClientId, DocumentId } from '#rules/ids.ts'
import { empty, row, rows, sql, type Connection, type Transaction } from '../../db/sql.ts'
import type { RequestContext } from '../../http/handler.ts'
import { problemText } from '../../http/problem.ts'
import { uuidOrNull } from '../../db/ids.ts'
import { clientsNamed } from '../../office/lists.ts'
import { listing, whereEquals } from '../../office/listing.ts'
import type { Dependencies } from '../../dependencies.ts'
import { reasonText } from '../../i18n/format.ts'
import { fileLink } from '../files/queries.ts'

/** Reasons of one slot, if staff requested only one file again. */
interface SlotReasons {
  readonly front?: string
  readonly back?: string
}

export interface DocumentRow {
  id: DocumentId
  client_id: ClientId
  kind: DocumentKind
  state: DocumentState
  country: string
  document_number: string
  /** "YYYY-MM-DD"; for address kinds the day of issue. */
  expiry_date: string
  front_file: string | null
  back_file: string | null
  front_label: string | null
  back_label: string | null
  /** True if a file was found infected after it had been saved. */
  infected: boolean
  reason: string | null
  reasons: SlotReasons | null
  sent_at: Date | null
  decided_at: Date | null
  decided_by: string | null
  version: number
}

const selected = sql`select d.id, d.client_id, d.kind, d.state, d.country, d.document_number, d.expiry_date, d.front_file,
    d.back_file, front.label as front_label, back.label as back_label,
    coalesce(front.state = 'infected' or back.state = 'infected', false) as infected, d.reason, d.reasons, d.sent_at, d.decided_at,
    d.decided_by, d.version
  from documents d left join files front on front.id = d.front_file left join files back on back.id = d.back_file`

/** Returns a client's documents, one of each kind, oldest first. */
export async function documentsOf(connection: Connection, clientId: ClientId) {
  return rows<DocumentRow>(connection)`${selected} where d.client_id = ${clientId} order by d.created_at, d.id`
}

/** Returns one document, or null. */
export async function documentById(connection: Connection, id: DocumentId) {
  return row<DocumentRow>(connection)`${selected} where d.id = ${uuidOrNull(id)}::uuid`
}

/** Returns a client's document of a kind, locked until the transaction ends. */
export async function lockedDocument(tx: Transaction, clientId: ClientId, kind: DocumentKind) {
  return row<DocumentRow>(tx)`${selected} where d.client_id = ${clientId} and d.kind = ${kind} for update of d`
}

export interface DocumentStatus {
  id: ClientId
  email: string
  language: Language
  state: string
  identity_approved_at: Date | null
  address_approved_at: Date | null
  documents_sent_at: Date | null
  source_of_wealth_asked_at: Date | null
}

const documentStatus = sql`select id, email::text as email, language, state, identity_approved_at, address_approved_at,
  documents_sent_at, source_of_wealth_asked_at from clients`

/** Returns the client's status with regard to documents. */
export async function documentStatusOf(connection: Connection, clientId: ClientId) {
  return row<DocumentStatus>(connection)`${documentStatus} where id = ${uuidOrNull(clientId)}::uuid`
}

/** Returns the same and locks the row, which serializes saving, submitting and deciding on one client's documents. */
export async function lockedDocumentStatus(tx: Transaction, clientId: ClientId) {
  return row<DocumentStatus>(tx)`${documentStatus} where id = ${uuidOrNull(clientId)}::uuid for no key update`
}

/** Returns why a saved document cannot be submitted as it is, or null. */
export type DocumentValidator = (document: DocumentRow) => ProblemCode | null

/** Returns a validator by today's date, country levels and scan results, all of which may have changed since a save. */
export async function documentValidator(
  dependencies: Pick<Dependencies, 'settings'>,
  now: Date,
): Promise<DocumentValidator> {
  const { timeZone } = await dependencies.settings.get('firm')
  const { changes } = await dependencies.settings.get('countries')
  const today = dayIn(now, timeZone)
  return (document) => {
    if (document.state !== 'uploaded') return null
    if (document.infected) return 'file-infected'
    const level = countryOf(document.country, changes)?.level ?? null
    return checkContent({ kind: document.kind, level, date: dateOf(document) }, today)?.problem ?? null
  }
}

function dateOf(document: DocumentRow): PlainDate {
  const day = dayOf(document.expiry_date)
  if (!day) throw new Error('the document has no date')
  return day
}

/** Returns a document in the form of the contract, its files with fresh links. */
export function documentRecord(
  dependencies: Pick<Dependencies, 'keys'>,
  document: DocumentRow,
  { now, language }: Pick<RequestContext, 'now' | 'language'>,
  judge: DocumentValidator,
) {
  const day = dateOf(document)
  const blocked = judge(document)
  const link = (label: string | null) => (label === null ? null : fileLink(dependencies, label, now))
  return {
    id: document.id,
    country: document.country,
    documentNumber: document.document_number,
    expiryDay: day.day,
    expiryMonth: day.month,
    expiryYear: day.year,
    documentFront: document.front_label,
    documentBack: document.back_label,
    documentFrontUrl: link(document.front_label),
    documentBackUrl: link(document.back_label),
    statusFront: slotState(document, 'front'),
    statusBack: slotState(document, 'back'),
    uploaded: ['uploaded', 'pending_approval', 'approved'].includes(document.state),
    status: document.state,
    reason: reasonText(document.reason, language),
    reasonFront: reasonText(document.reasons?.front ?? null, language),
    reasonBack: reasonText(document.reasons?.back ?? null, language),
    blockedReason: blocked && problemText(blocked, language),
    sentAt: document.sent_at,
    decidedAt: document.decided_at,
  }
}

function slotState(document: DocumentRow, slot: 'front' | 'back'): DocumentState | null {
  if ((slot === 'front' ? document.front_label : document.back_label) === null) return null
  return isFileKept(document, slot) && document.state === 'rejected' ? 'uploaded' : document.state
}

/** Returns whether a slot's file is kept after a rejection that requested only the other one. */
export function isFileKept(document: Pick<DocumentRow, 'state' | 'reasons'>, slot: 'front' | 'back'): boolean {
  if (document.state === 'expired') return false
  if (document.state !== 'rejected') return true
  return document.reasons !== null && document.reasons[slot] === undefined
}

/** When the documents were sent; for those only uploaded, when the client registered. */
const sentAt = { by: 'coalesce(c.documents_sent_at, c.created_at)', type: 'timestamptz' } as const

/** The listing of clients with pending documents, oldest first; with a state or kind, clients with such a document. */
export const documentListing = listing(listDocumentCases, {
  name: 'documents',
  tables: sql`clients c left join work_items w on w.kind = 'document' and w.record = c.id and w.closed_at is null`,
  id: { by: 'c.id', type: 'uuid' },
  sorts: { sentAt },
  at: sentAt,
  standard: ({ state }) => ({ sort: 'sentAt', direction: state === undefined ? 'asc' : 'desc' }),
  where: ({ state, kind }) => [
    state === undefined ? sql`w.id is not null` : empty,
    state === undefined && kind === undefined
      ? empty
      : sql`c.id in (select d.client_id from documents d where ${whereEquals('d.state', state, sql`true`)}
          and ${whereEquals('d.kind', kind, sql`true`)})`,
  ],
  finds: (words) => sql`c.id in (${clientsNamed(words)})`,
})

/** The documents of one client for compliance's decision. */
import type { OfficeDocument } from '#contract/office/documents.ts'
import { dayIn, type PlainDate } from '#rules/dates.ts'
import { documentMachine, groupOf } from '#rules/documents.ts'
import { addressLines, type StoredProfile } from '#rules/profile-fields.ts'
import { metadataWarningsOf, type FileMetadata } from '#rules/file-metadata.ts'
import { canSeeNumbers } from '#rules/permissions.ts'
import type { ClientId } from '#rules/ids.ts'
import { profileColumns } from '../../db/profile-columns.ts'
import { row, rows, type Connection } from '../../db/sql.ts'
import { requireStaff, type RequestContext } from '../../http/handler.ts'
import { Problem, problemText, requireFound } from '../../http/problem.ts'
import { uuidOrNull } from '../../db/ids.ts'
import { otherClients } from '../../office/other-clients.ts'
import { ownRequest } from '../../office/decide.ts'
import { clientBrief, shownItem, staffNames, availableActionsOf, viewersOf } from '../../office/records.ts'
import { rolesRequired } from '../../office/work-item-access.ts'
import type { Dependencies } from '../../dependencies.ts'
import { reasonText } from '../../i18n/format.ts'
import { checksOf, comparisonsOf, daysUntilOrSince, mrzOf, type Profile } from './compare-document.ts'
import { metadataOf } from '../files/queries.ts'
import { documentsOf, type DocumentRow } from './queries.ts'
import { readMrz, type Mrz } from './read-mrz.ts'
import { confidenceOf, readingsOf, withoutUncertainFields, type DocumentReading } from './zone-readings.ts'

interface SubjectRow extends StoredProfile {
  id: ClientId
  version: number
  email: string
  source_of_wealth_asked_at: Date | null
}

async function subjectOf(connection: Connection, clientId: ClientId): Promise<SubjectRow> {
  const found = await row<SubjectRow>(connection)`
    select id, version, email::text as email, ${profileColumns}, source_of_wealth_asked_at
      from clients where id = ${uuidOrNull(clientId)}::uuid and state <> 'registering'`
  if (!found) throw new Problem('not-found')
  return found
}

/** Returns the whole case of a client. Throws `not-found`. */
export async function documentCase(dependencies: Dependencies, context: RequestContext, clientId: ClientId) {
  const subject = await subjectOf(dependencies.pool, clientId)
  const refused = !canRequestWealth(context) ? 'wrong-role' : subject.source_of_wealth_asked_at ? 'wealth-asked' : null
  return {
    id: subject.id,
    version: subject.version,
    item: await shownItem(dependencies, context, 'document', subject.id),
    viewers: await viewersOf(dependencies.pool, subject.id, requireStaff(context), context.now),
    client: await clientBrief(dependencies, subject.id),
    documents: await officeDocuments(dependencies, context, subject),
    sourceOfWealth: {
      askedAt: subject.source_of_wealth_asked_at,
      refusal: refused && { code: refused, text: problemText(refused, context.language) },
    },
  }
}

function canRequestWealth(context: RequestContext): boolean {
  return requireStaff(context).roles.some((role) => role === 'compliance' || role === 'administrator')
}

/** Returns one document of a case after it was viewed or decided. */
export async function officeDocument(
  dependencies: Dependencies,
  context: RequestContext,
  clientId: ClientId,
  id: string,
): Promise<OfficeDocument> {
  const documents = await officeDocuments(dependencies, context, await subjectOf(dependencies.pool, clientId))
  const found = requireFound(documents.find((document) => document.id === id))
  return found
}

interface FileRow {
  id: string
  label: string
  pages: number | null
  state: 'clean' | 'quarantined' | 'infected'
  created_at: Date
}

async function officeDocuments(
  dependencies: Dependencies,
  context: RequestContext,
  subject: SubjectRow,
): Promise<OfficeDocument[]> {
  const staff = requireStaff(context)
  const documents = await documentsOf(dependencies.pool, subject.id)
  const ids = documents.map(({ id }) => id)
  const files = await rows<FileRow>(dependencies.pool)`
    select f.id, f.label, f.pages, f.state, f.created_at from files f
      where f.id in (select unnest(array[front_file, back_file]) from documents where id = any (${ids}::uuid[]))`
  const marks = await rows<{ id: string; mrz: string[] | null; rejections: number }>(dependencies.pool)`
    select d.id, d.mrz, (select count(*)::int from events e where e.kind = 'document' and e.record = d.id
        and e.verb in ('reject', 'askAgain')) as rejections
      from documents d where d.id = any (${ids}::uuid[])`
  const metadata = await metadataOf(
    dependencies.pool,
    files.map(({ id }) => id),
  )
  const readings = await readingsOf(dependencies.pool, ids)
  const elsewhere = await clientsWithSameNumber(dependencies.pool, subject.id, ids)
  const others = await otherClients(
    dependencies,
    context,
    elsewhere.map((one) => one.client_id),
  )
  const by = await staffNames(dependencies.pool, documents, (one) => [one.decided_by])
  const { changes } = await dependencies.settings.get('countries')
  const { timeZone } = await dependencies.settings.get('firm')
  const profile = { ...subject, address: addressLines(subject).join(', ') }
  const today = dayIn(context.now, timeZone)
  const shown = canSeeNumbers(staff.roles) ? plainly : masked
  const fileOf = (id: string | null) => files.find((file) => file.id === id) ?? null
  const side = (file: FileRow | null) => file && sideOf(file, metadata.get(file.id) ?? null)
  return documents.map((document) => {
    const mark = marks.find(({ id }) => id === document.id)
    const mrz = mrzOf(mark?.mrz ?? null, today)
    const read = mrz === null ? (readings.get(document.id) ?? null) : null
    const alike = elsewhere.filter((one) => one.document_id === document.id).map((one) => one.client_id)
    const sides = [fileOf(document.front_file), fileOf(document.back_file)]
    const own = ownRequest(context, subject.email)
    const [front = null, back = null] = sides.map(side)
    const unscanned = sides.some((file) => file && file.state !== 'clean') ? new Problem('file-not-scanned') : null
    return {
      ...document,
      group: groupOf(document.kind),
      documentNumber: shown(document.document_number),
      date: document.expiry_date,
      front,
      back,
      reason: reasonText(document.reason, context.language),
      sentAt: document.sent_at,
      decidedAt: document.decided_at,
      decidedBy: by(document.decided_by),
      days: daysUntilOrSince(document, today),
      ...comparedWith(document, profile, { mrz, read, today, shown }),
      mrz: mrz && {
        lines: canSeeNumbers(staff.roles) ? [...mrz.lines] : [],
        valid: mrz.valid,
        checkDigitsRight: mrz.checkDigitsRight,
        checkDigits: mrz.checkDigits,
      },
      elsewhere: {
        count: alike.length,
        clients: others.clients?.filter(({ id }) => alike.some((one) => one === id)) ?? null,
      },
      earlierRejections: mark?.rejections ?? 0,
      checks: checksOf({
        document,
        changes,
        today,
        timeZone,
        mrz,
        elsewhere: alike.length,
        fileStates: sides.flatMap((file) => file?.state ?? []),
        metadataWarnings: [front, back].flatMap((one) => one?.metadata?.warnings ?? []).length,
      }),
      verbs: availableActionsOf(context, {
        machine: documentMachine,
        state: document.state,
        refusals: { approve: own ?? unscanned, reject: own, askAgain: own },
      }),
      requiredRoles: rolesRequired({ kind: 'document', state: document.state }, staff.roles, false),
    }
  })
}

interface ComparisonContext {
  readonly mrz: Mrz | null
  readonly read: DocumentReading | null
  readonly today: PlainDate
  readonly shown: (number: string) => string
}

/** Compares with the zone that a person entered, otherwise with the reliable fields of the machine reading. */
function comparedWith(document: DocumentRow, profile: Profile, { mrz, read, today, shown }: ComparisonContext) {
  if (mrz || !read) return { comparisons: comparisonsOf(document, profile, mrz, shown), reading: null }
  const zone = read.state === 'read' ? withoutUncertainFields(readMrz(read.lines, today.year), read) : null
  const { state, side, page, chosen } = read
  const lines = shown === plainly ? read.lines : []
  return {
    comparisons: comparisonsOf(document, profile, zone, shown, (code) => confidenceOf(read, code)),
    reading: { state, side, page, lines: [...lines], chosen },
  }
}

function sideOf(file: FileRow, metadata: FileMetadata | null) {
  return {
    fileId: file.id,
    filename: file.label,
    pages: file.pages ?? 1,
    uploadedAt: file.created_at,
    state: file.state,
    metadata: metadata && { ...metadata, warnings: metadataWarningsOf(metadata, file.created_at) },
  }
}

const plainly = (number: string) => number
const shownDigits = 3

/** Returns a number as an auditor sees it: the last three characters. */
function masked(number: string): string {
  return `•••${number.slice(-shownDigits)}`
}

/** Returns other clients with the same document number of the same country. */
async function clientsWithSameNumber(connection: Connection, clientId: ClientId, ids: readonly string[]) {
  return rows<{ document_id: string; client_id: ClientId }>(connection)`
    select distinct d.id as document_id, o.client_id from documents d
      join documents o on lower(o.document_number) = lower(d.document_number) and o.country = d.country and o.client_id <> ${clientId}
      where d.id = any (${[...ids]}::uuid[]) and d.kind in ('passport', 'id', 'drivers_licence')`
}

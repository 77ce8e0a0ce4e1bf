/** The documents of one client for compliance's decision. */
import type { OfficeDocument } from '#contract/office/documents.ts'
import { countryOf } from '#rules/countries.ts'
import { dayIn, type PlainDate } from '#rules/dates.ts'
import { documentKinds, documentMachine, groupOf, isAccepted } from '#rules/documents.ts'
import { addressLines, type StoredProfile } from '#rules/profile-fields.ts'
import { metadataWarningsOf, type FileMetadata } from '#rules/file-metadata.ts'
import { seesNumbers } from '#rules/permissions.ts'
import type { ClientId } from '#rules/ids.ts'
import { profileColumns } from '../../db/profile-columns.ts'
import { row, rows, type Connection } from '../../db/sql.ts'
import { requireStaff, type RequestContext } from '../../http/request-context.ts'
import { Problem, problemText } from '../../http/problem.ts'
import { uuidOrNull } from '../../db/ids.ts'
import { eventFor } from '../../office/masking.ts'
import { otherClients } from '../../office/other-clients.ts'
import { clientBrief, shownItem, staffNames, availableActionsOf, viewersOf } from '../../office/records.ts'
import { officeEvent } from '../../office/timeline.ts'
import type { Dependencies } from '../../dependencies.ts'
import { reasonText } from '../../i18n/format.ts'
import { checksOf, comparisonsOf, daysOf, mrzOf, type Profile } from './compare-document.ts'
import { metadataOf } from '../files/queries.ts'
import { documentsOf, type DocumentRow } from './queries.ts'
import { readMrz, type Mrz } from './read-mrz.ts'
import { confidenceOf, readingsOf, trusted, type DocumentReading } from './zone-readings.ts'

interface SubjectRow extends StoredProfile {
  id: ClientId
  version: number
  email: string
  identity_approved_at: Date | null
  address_approved_at: Date | null
  source_of_wealth_asked_at: Date | null
  created_at: Date
}

async function subjectOf(connection: Connection, clientId: ClientId): Promise<SubjectRow> {
  const found = await row<SubjectRow>(connection)`
    select id, version, email::text as email, ${profileColumns}, identity_approved_at, address_approved_at,
        source_of_wealth_asked_at, created_at
      from clients where id = ${uuidOrNull(clientId)}::uuid and state <> 'registering'`
  if (!found) throw new Problem('not-found')
  return found
}

/** Returns the whole case of a client. Throws `not-found`. */
export async function documentCase(dependencies: Dependencies, context: RequestContext, clientId: ClientId) {
  const subject = await subjectOf(dependencies.pool, clientId)
  const { country, version, created_at: createdAt } = subject
  const level = countryOf(country, (await dependencies.settings.get('countries')).changes)?.level ?? 5
  const refused = !canRequestWealth(context) ? 'wrong-role' : subject.source_of_wealth_asked_at ? 'wealth-asked' : null
  return {
    id: subject.id,
    version,
    createdAt,
    item: await shownItem(dependencies, 'document', subject.id, context.now),
    viewers: await viewersOf(dependencies.pool, subject.id, requireStaff(context), context.now),
    timeline: await caseTimeline(dependencies.pool, subject.id, context),
    client: await clientBrief(dependencies, subject.id),
    profile: subject,
    accepts: documentKinds.filter((kind) => isAccepted(kind, level)),
    documents: await officeDocuments(dependencies, context, subject),
    identityApproved: subject.identity_approved_at !== null,
    addressApproved: subject.address_approved_at !== null,
    sourceOfWealth: {
      askedAt: subject.source_of_wealth_asked_at,
      refusal: refused && { code: refused, text: problemText(refused, context.language) },
    },
    place: await placeInQueue(dependencies.pool, subject.id),
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
  const found = documents.find((document) => document.id === id)
  if (!found) throw new Problem('not-found')
  return found
}

interface FileRow {
  id: string
  label: string
  media_type: string
  size: number
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
    select f.id, f.label, f.media_type, f.size, f.pages, f.state, f.created_at from files f
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
  const elsewhere = await numbersElsewhere(dependencies.pool, subject.id, ids)
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
  const shown = seesNumbers(staff.roles) ? plainly : masked
  const fileOf = (id: string | null) => files.find((file) => file.id === id) ?? null
  const side = (file: FileRow | null, reason: string | null) =>
    file && sideOf(file, reasonText(reason, context.language), metadata.get(file.id) ?? null)
  return documents.map((document) => {
    const mark = marks.find(({ id }) => id === document.id)
    const mrz = mrzOf(mark?.mrz ?? null, today)
    const read = mrz === null ? (readings.get(document.id) ?? null) : null
    const alike = elsewhere.filter((one) => one.document_id === document.id).map((one) => one.client_id)
    const sides = [fileOf(document.front_file), fileOf(document.back_file)]
    const own = staff.email.toLowerCase() === subject.email.toLowerCase() ? new Problem('own-request') : null
    const [front, back] = [
      side(sides[0] ?? null, document.reasons?.front ?? null),
      side(sides[1] ?? null, document.reasons?.back ?? null),
    ]
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
      days: daysOf(document, today),
      ...comparedWith(document, profile, { mrz, read, today, shown }),
      mrz: mrz && {
        lines: seesNumbers(staff.roles) ? [...mrz.lines] : [],
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
    }
  })
}

interface Shown {
  readonly mrz: Mrz | null
  readonly read: DocumentReading | null
  readonly today: PlainDate
  readonly shown: (number: string) => string
}

/** Compares by the zone that a person entered, else by the machine reading if it is reliable. */
function comparedWith(document: DocumentRow, profile: Profile, { mrz, read, today, shown }: Shown) {
  if (mrz || !read) return { comparisons: comparisonsOf(document, profile, mrz, shown), reading: null }
  const zone = read.state === 'read' ? trusted(readMrz(read.lines, today.year), read) : null
  const { state, side, page, chosen } = read
  const lines = shown === plainly ? read.lines : []
  return {
    comparisons: comparisonsOf(document, profile, zone, shown, (code) => confidenceOf(read, code)),
    reading: { state, side, page, lines: [...lines], chosen },
  }
}

function sideOf(file: FileRow, reason: string | null, metadata: FileMetadata | null) {
  return {
    fileId: file.id,
    filename: file.label,
    mediaType: file.media_type,
    size: file.size,
    pages: file.pages ?? 1,
    uploadedAt: file.created_at,
    state: file.state,
    reason,
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
async function numbersElsewhere(connection: Connection, clientId: ClientId, ids: readonly string[]) {
  return rows<{ document_id: string; client_id: ClientId }>(connection)`
    select distinct d.id as document_id, o.client_id from documents d
      join documents o on lower(o.document_number) = lower(d.document_number) and o.country = d.country and o.client_id <> ${clientId}
      where d.id = any (${[...ids]}::uuid[]) and d.kind in ('passport', 'id', 'drivers_licence')`
}

async function caseTimeline(connection: Connection, clientId: ClientId, context: RequestContext) {
  const { roles } = requireStaff(context)
  const found = await rows<Parameters<typeof officeEvent>[0]>(connection)`
    select e.id, e.at, e.kind, e.verb, e.from_state, e.to_state, e.actor, e.actor_id,
        coalesce(s.name, c.name || ' ' || c.surname) as actor_name, e.address, e.reference, e.reason, d.details
      from events e left join event_details d on d.event_id = e.id
        left join staff s on e.actor = 'staff' and s.id = e.actor_id
        left join clients c on e.actor = 'client' and c.id = e.actor_id
      where e.client_id = ${clientId} and e.kind in ('document', 'file', 'client') order by e.id desc limit 100`
  return found.map((event) => officeEvent(eventFor(event, roles), context.language))
}

interface PlaceRow {
  number: number
  of: number
  previous: string | null
  next: string | null
}

async function placeInQueue(connection: Connection, clientId: ClientId): Promise<PlaceRow | null> {
  return row<PlaceRow>(connection)`select number, "of", previous, next from (
        select record, (row_number() over w)::int as number, (count(*) over ())::int as "of",
          lag(record::text) over w as previous, lead(record::text) over w as next
        from work_items where kind = 'document' and closed_at is null window w as (order by due_at, id)
      ) queue where record = ${clientId}`
}

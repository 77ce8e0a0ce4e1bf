/**
 * Scheduled tasks of documents: clients are notified 30 days before expiry and on the day after it (requirements 6.3);
 * machine-readable zones are read.
 */
import { portalPaths } from '#contract/portal-paths.ts'
import { expiryNoticeDaysAhead } from '#rules/constants.ts'
import { dayIn, daysAfter, isoDay } from '#rules/dates.ts'
import { identityKinds, documentMachine, zoneKinds } from '#rules/documents.ts'
import type { ClientId, DocumentId, FileId } from '#rules/ids.ts'
import { applyTransition } from '../../db/transition.ts'
import { rows, run, transaction, type Transaction } from '../../db/sql.ts'
import { forEachRow } from '../../jobs/each-row.ts'
import type { ScheduledTask } from '../../jobs/workers.ts'
import type { Dependencies } from '../../dependencies.ts'
import { notifyClient } from '../../mail/send-mail.ts'
import { revokeApprovals } from './revoke-approvals.ts'
import { documentById, lockedDocumentStatus, type DocumentStatus } from './queries.ts'
import { recordEvent } from '../../db/events.ts'
import { notifyChange } from '../../db/work-items.ts'
import { readPicture } from '../../mrz/read-picture.ts'
import type { ZoneReading } from '../../mrz/read-fields.ts'
import { fileById, pageForReading, type StoredFile } from '../files/queries.ts'

const everyMs = 10 * 60_000
const readEveryMs = 5_000
const atOnceMax = 100

/** The states of clients who are notified of the expiry of a document. */
const notifiedStates: readonly string[] = ['pending', 'approved']
const isNotified = ({ state }: DocumentStatus) => notifiedStates.includes(state)

export function documentTasks(dependencies: Dependencies): ScheduledTask[] {
  return [
    { name: 'tell-of-expiry', everyMs, run: (now) => notifyOfExpiry(dependencies, now) },
    { name: 'expire-documents', everyMs, run: (now) => expireDocuments(dependencies, now) },
    { name: 'read-zones', everyMs: readEveryMs, run: (now) => readZones(dependencies, now) },
  ]
}

/** Notifies the owners of identity documents that expire within 30 days, each once. */
export async function notifyOfExpiry(dependencies: Dependencies, now: Date): Promise<void> {
  const today = await todayOf(dependencies, now)
  const soon = await rows<{ id: DocumentId; client_id: ClientId }>(dependencies.jobs)`
    select d.id, d.client_id from documents d join clients c on c.id = d.client_id
      where d.state = 'approved' and d.kind = any (${[...identityKinds]}::text[])
        and d.expiry_date >= ${isoDay(today)} and d.expiry_date <= ${isoDay(daysAfter(today, expiryNoticeDaysAhead))}
        and d.told_of_expiry_at is null and c.state = any (${[...notifiedStates]}::text[])
      order by d.expiry_date limit ${atOnceMax}`
  await forEachRow(
    { job: 'tell-of-expiry', rows: soon, log: dependencies.log },
    async ({ id, client_id: clientId }) => {
      await transaction(dependencies.jobs, async (tx) => {
        const client = await lockedDocumentStatus(tx, clientId)
        if (!client || !isNotified(client)) return
        const updated = await run(tx)`
          update documents set told_of_expiry_at = ${now} where id = ${id} and told_of_expiry_at is null`
        if (updated === 1) await notifyOwner(tx, client, id, 'document-expiring', now)
      })
    },
  )
}

/** Expires documents whose last day is over. */
export async function expireDocuments(dependencies: Dependencies, now: Date): Promise<void> {
  const today = await todayOf(dependencies, now)
  const over = await rows<{ id: DocumentId; client_id: ClientId; kind: string }>(dependencies.jobs)`
    select id, client_id, kind from documents where state = 'approved' and kind = any (${[...identityKinds]}::text[])
      and expiry_date < ${isoDay(today)} order by expiry_date limit ${atOnceMax}`
  await forEachRow(
    { job: 'expire-documents', rows: over, log: dependencies.log },
    async ({ id, client_id: clientId, kind }) => {
      await transaction(dependencies.jobs, async (tx) => {
        const auditContext = { identity: { kind: 'clock' }, now } as const
        const client = await lockedDocumentStatus(tx, clientId)
        await applyTransition(tx, documentMachine, auditContext, { id, clientId }, 'expire', { details: { kind } })
        if (!client) return
        await revokeApprovals(tx, client, auditContext)
        if (isNotified(client)) await notifyOwner(tx, client, id, 'document-expired', now)
      })
    },
  )
}

async function todayOf(dependencies: Dependencies, now: Date) {
  const { timeZone } = await dependencies.settings.get('firm')
  return dayIn(now, timeZone)
}

async function notifyOwner(
  tx: Transaction,
  client: DocumentStatus,
  id: DocumentId,
  kind: 'document-expiring' | 'document-expired',
  now: Date,
): Promise<void> {
  const document = await documentById(tx, id)
  if (!document) return
  const facts = { document: document.kind, date: document.expiry_date }
  await notifyClient(tx, now, {
    kind,
    client,
    facts,
    link: portalPaths.document(document.kind),
    subject: documentMachine.name,
    record: id,
  })
}

const zonesAtOnceMax = 10
const pagesMax = 3
const pageWidth = 2000

type ZoneResult =
  | { readonly state: 'none' | 'failed' }
  | { readonly state: 'read'; readonly page: number; readonly reading: ZoneReading }

/**
 * Reads the machine-readable zones of the oldest pending files that the scanner has passed, and stores the reading with
 * the file (ADR 228). An unreadable file is recorded as such: a clerk enters its zone, and the client is not notified.
 * If two servers read a file at the same time, one result is stored.
 */
export async function readZones(dependencies: Dependencies, now: Date): Promise<void> {
  const waiting = await rows<{ id: FileId; document_id: DocumentId }>(dependencies.jobs)`
    select f.id, d.id as document_id from documents d join files f on f.id in (d.front_file, d.back_file)
      where d.state = 'pending_approval' and d.kind = any (${[...zoneKinds]}::text[])
        and f.state = 'clean' and not exists (select from zone_readings z where z.file_id = f.id)
      order by d.sent_at nulls last, d.created_at limit ${zonesAtOnceMax}`
  await forEachRow(
    { job: 'read-zones', rows: waiting, log: dependencies.log },
    async ({ id, document_id: documentId }) => {
      const file = await fileById(dependencies.jobs, id)
      if (!file) return
      const found = await readFile(dependencies, file)
      await transaction(dependencies.jobs, (tx) => storeReading(tx, { file, documentId, found, now }))
    },
  )
}

async function storeReading(
  tx: Transaction,
  { file, documentId, found, now }: { file: StoredFile; documentId: DocumentId; found: ZoneResult; now: Date },
): Promise<void> {
  const { page, lines, fields } =
    found.state === 'read' ? { page: found.page, ...found.reading } : { page: null, lines: null, fields: null }
  const kept = await run(tx)`
    insert into zone_readings (file_id, state, page, lines, fields, read_at)
      select id, ${found.state}, ${page}, ${lines}::text[], ${fields && JSON.stringify(fields)}::jsonb, ${now}
        from files where id = ${file.id} for key share
      on conflict (file_id) do nothing`
  if (kept === 0) return
  const auditContext = { identity: { kind: 'clock' }, now } as const
  const details = { file: file.id, result: found.state }
  const isRead = found.state === 'read'
  await recordEvent(tx, auditContext, {
    kind: 'document',
    action: isRead ? 'readMrz' : 'missMrz',
    record: documentId,
    clientId: file.client_id,
    details,
  })
  // A case of documents has its client's id: an open page of it shows the reading.
  await notifyChange(tx, 'document', file.client_id)
}

/** Reads a file. The first pages of a PDF are rendered as images, up to the first one with a zone. */
async function readFile(dependencies: Dependencies, file: StoredFile): Promise<ZoneResult> {
  for (let page = 1; page <= Math.min(file.pages ?? 1, pagesMax); page += 1) {
    const picture = await pageForReading(dependencies, file, page, pageWidth)
    const report = picture && (await readPicture(picture))
    if (!report || 'ended' in report || (report.reading && 'refused' in report.reading)) {
      dependencies.log.warn({ file: file.id, page, report }, 'machine-readable zone could not be read')
      return { state: 'failed' }
    }
    if (report.reading) return { state: 'read', page, reading: report.reading }
  }
  return { state: 'none' }
}

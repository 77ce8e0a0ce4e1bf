/**
 * Reads the machine-readable zones of passports and cards that the scanner has passed, and stores the reading with the
 * file (ADR 228). An unreadable file is recorded as such: a clerk enters its zone, and the client is not told.
 */
import { zoneKinds } from '#rules/documents.ts'
import type { DocumentId, FileId } from '#rules/ids.ts'
import { recordEvent } from '../../db/events.ts'
import { rows, run, transaction, type Transaction } from '../../db/sql.ts'
import { notifyChange } from '../../db/work-items.ts'
import { forEachRow } from '../../jobs/each-row.ts'
import type { Dependencies } from '../../dependencies.ts'
import { readPicture } from '../../mrz/read-picture.ts'
import type { ZoneReading } from '../../mrz/read-fields.ts'
import { fileById, pageForReading, type StoredFile } from '../files/queries.ts'

const atOnceMax = 10
const pagesMax = 3
const pageWidth = 2000

type Found =
  | { readonly state: 'none' | 'failed' }
  | { readonly state: 'read'; readonly page: number; readonly reading: ZoneReading }

/** Reads the oldest pending files. If two servers read a file at the same time, one result is stored. */
export async function readZones(dependencies: Dependencies, now: Date): Promise<void> {
  const waiting = await rows<{ id: FileId; document_id: DocumentId }>(dependencies.jobs)`
    select f.id, d.id as document_id from documents d join files f on f.id in (d.front_file, d.back_file)
      where d.state = 'pending_approval' and d.kind = any (${[...zoneKinds]}::text[])
        and f.state = 'clean' and not exists (select from zone_readings z where z.file_id = f.id)
      order by d.sent_at nulls last, d.created_at limit ${atOnceMax}`
  await forEachRow(
    { job: 'read-zones', rows: waiting, log: dependencies.log },
    async ({ id, document_id: documentId }) => {
      const file = await fileById(dependencies.jobs, id)
      if (!file) return
      const found = await readFile(dependencies, file)
      await transaction(dependencies.jobs, (tx) => keep(tx, { file, documentId, found, now }))
    },
  )
}

async function keep(
  tx: Transaction,
  { file, documentId, found, now }: { file: StoredFile; documentId: DocumentId; found: Found; now: Date },
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
  await recordEvent(tx, auditContext, {
    kind: 'document',
    action: 'readMrz',
    record: documentId,
    clientId: file.client_id,
    details,
  })
  // A case of documents has its client's id: an open page of it shows the reading.
  await notifyChange(tx, 'document', file.client_id)
}

/** Reads a file. The first pages of a PDF are rendered as images, up to the first one with a zone. */
async function readFile(dependencies: Dependencies, file: StoredFile): Promise<Found> {
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

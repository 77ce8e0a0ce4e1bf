/** Staff look at a client's file: pages as pictures, the original as a download that is logged. */
import { seesNumbers } from '#rules/permissions.ts'
import { record } from '../../db/events.ts'
import { run, sql } from '../../db/sql.ts'
import { transaction } from '../../db/transaction.ts'
import { Bytes } from '../../http/bytes.ts'
import { staffOf, type Call } from '../../http/call.ts'
import { Problem } from '../../http/problem.ts'
import type { Parts } from '../../parts.ts'
import { bytesOf, fileById, type StoredFile } from './queries.ts'
import { pageAsPicture } from './read-pdf.ts'

type ViewCall = Pick<Call, 'caller' | 'act'>

const shownWidth = 1600
const shownWidthMax = 2400
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** One page as PNG; a picture has one. Throws `not-found`, `picture-reason`, `file-damaged`. */
export async function viewPage(
  parts: Parts,
  call: ViewCall,
  fileId: string,
  page: number,
  reason: string,
): Promise<Bytes> {
  const file = await fileFor(parts, call, fileId)
  const auditing = !seesNumbers(staffOf(call).roles)
  if (auditing && reason === '') throw new Problem('picture-reason', { field: 'reason' })
  const picture = await pageOf(file, await bytesOf(parts, file), page)
  if (!picture) throw new Problem('not-found')
  if (auditing) await log(parts, call, file, 'view', reason, { page })
  return new Bytes(picture, `page-${page}.png`)
}

async function pageOf(file: StoredFile, bytes: Buffer, page: number): Promise<Buffer | null> {
  if (file.media_type === 'application/pdf') return pageAsPicture(bytes, page, shownWidth)
  if (page !== 1) return null
  const { default: sharp } = await import('sharp')
  return sharp(bytes)
    .resize({ width: shownWidthMax, height: shownWidthMax, fit: 'inside', withoutEnlargement: true })
    .png({ compressionLevel: 3 })
    .toBuffer()
}

/** The file as it is stored. Every download stands in the audit log. */
export async function downloadFile(parts: Parts, call: ViewCall, fileId: string, reason: string): Promise<Bytes> {
  const file = await fileFor(parts, call, fileId)
  if (!seesNumbers(staffOf(call).roles) && reason === '') throw new Problem('picture-reason', { field: 'reason' })
  const bytes = await bytesOf(parts, file)
  await log(parts, call, file, 'download', reason, {})
  return new Bytes(bytes, file.label, file.media_type)
}

/** Operations see statements of bank details; identity papers are for compliance and audit. */
async function fileFor(parts: Parts, call: ViewCall, fileId: string): Promise<StoredFile> {
  const file = uuid.test(fileId) ? await fileById(parts.pool, fileId) : null
  if (!file || file.state !== 'clean') throw new Problem('not-found')
  if (staffOf(call).roles.some((role) => role !== 'operations' && role !== 'finance')) return file
  const statements = await run(parts.pool, sql`select 1 from bank_details where statement_file = ${file.id}`)
  if (statements === 0) throw new Problem('not-found')
  return file
}

async function log(
  parts: Parts,
  call: ViewCall,
  file: StoredFile,
  verb: string,
  reason: string,
  details: Record<string, unknown>,
): Promise<void> {
  await transaction(parts.pool, (tx) =>
    record(tx, call.act, {
      kind: 'file',
      verb,
      record: file.id,
      clientId: file.client_id,
      ...(reason === '' ? {} : { reason }),
      details,
    }),
  )
}

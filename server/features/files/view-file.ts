/** Staff look at a client's file: pages as pictures, the original as a download that is logged. */
import { seesNumbers } from '#rules/permissions.ts'
import { record } from '../../db/events.ts'
import { run, sql } from '../../db/sql.ts'
import { transaction } from '../../db/transaction.ts'
import { Bytes } from '../../http/binary-response.ts'
import { staffOf, type Call } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import type { Parts } from '../../dependencies.ts'
import { bytesOf, fileById, type StoredFile } from './queries.ts'
import { drawPage, type PdfRefusal } from './read-pdf.ts'

type ViewCall = Pick<Call, 'caller' | 'act'>

const shownWidth = 1600
const shownWidthMax = 2400
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Which files could not be drawn, and why: none is tried again while this server runs. The oldest are forgotten. */
const undrawn = new Map<string, PdfRefusal>()
const undrawnMax = 1_000

/** One page as PNG; a picture has one. Throws `not-found`, `picture-reason`, `file-damaged`, `file-undisplayable`. */
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
  const picture = await pageOf(parts, file, page)
  if (auditing) await log(parts, call, file, 'view', reason, { page })
  return new Bytes(picture, `page-${page}.png`)
}

async function pageOf(parts: Parts, file: StoredFile, page: number): Promise<Buffer> {
  if (isPdf(file)) return pageOfPdf(parts, file, page)
  if (page !== 1) throw new Problem('not-found')
  const { default: sharp } = await import('sharp')
  return sharp(await bytesOf(parts, file))
    .resize({ width: shownWidthMax, height: shownWidthMax, fit: 'inside', withoutEnlargement: true })
    .png({ compressionLevel: 3 })
    .toBuffer()
}

const isPdf = (file: StoredFile) => file.media_type === 'application/pdf'

async function pageOfPdf(parts: Parts, file: StoredFile, page: number): Promise<Buffer> {
  if (undrawn.has(file.id)) throw new Problem('file-undisplayable')
  const drawn = await drawPage({ id: file.id, read: () => bytesOf(parts, file) }, page, shownWidth)
  if ('picture' in drawn) return drawn.picture
  if (drawn.refused === 'page') throw new Problem('not-found')
  parts.log.warn({ file: file.id, page, ...drawn }, 'a page of a PDF could not be drawn')
  const [oldest] = undrawn.keys()
  if (undrawn.size >= undrawnMax && oldest !== undefined) undrawn.delete(oldest)
  undrawn.set(file.id, drawn.refused)
  throw new Problem('file-undisplayable')
}

/**
 * The file as it is stored. Every download stands in the audit log; one that could not be displayed is opened by nobody
 * without a written reason, and by no program that the browser would choose for its type.
 */
export async function downloadFile(parts: Parts, call: ViewCall, fileId: string, reason: string): Promise<Bytes> {
  const file = await fileFor(parts, call, fileId)
  const undisplayable = undrawn.get(file.id)
  if ((undisplayable !== undefined || !seesNumbers(staffOf(call).roles)) && reason === '')
    throw new Problem('picture-reason', { field: 'reason' })
  const bytes = await bytesOf(parts, file)
  await log(parts, call, file, 'download', reason, undisplayable === undefined ? {} : { undisplayable })
  return new Bytes(bytes, file.label, undisplayable === undefined ? file.media_type : 'application/octet-stream')
}

/** Operations and finance see statements of bank details and proofs of last balances; identity papers are for compliance and audit. */
async function fileFor(parts: Parts, call: ViewCall, fileId: string): Promise<StoredFile> {
  const file = uuid.test(fileId) ? await fileById(parts.pool, fileId) : null
  if (!file || file.state !== 'clean') throw new Problem('not-found')
  if (staffOf(call).roles.some((role) => role !== 'operations' && role !== 'finance')) return file
  const statements = await run(
    parts.pool,
    sql`select 1 from bank_details where statement_file = ${file.id}
        union all select 1 from withdrawals where proof_file = ${file.id}`,
  )
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

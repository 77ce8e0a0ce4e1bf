/** Staff view a client's file: pages and a thumbnail as images, the original as a logged download. */
import { seesDocuments, seesNumbers } from '#rules/permissions.ts'
import type { FileId } from '#rules/ids.ts'
import { recordEvent } from '../../db/events.ts'
import { run, transaction } from '../../db/sql.ts'
import { BinaryResponse } from '../../http/binary-response.ts'
import { requireStaff, type RequestContext } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import type { Dependencies } from '../../dependencies.ts'
import { bytesOf, fileById, type StoredFile } from './queries.ts'
import { renderPage, type PdfRefusal } from './read-pdf.ts'
import { thumbnailOf } from './thumbnails.ts'

type ViewCall = Pick<RequestContext, 'caller' | 'auditContext'>

const shownWidth = 1600
const shownWidthMax = 2400
const thumbnailWidth = 600
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Files that could not be rendered, with the reason: they are not retried while this server runs. The oldest are
 * dropped.
 */
const unrendered = new Map<string, PdfRefusal>()
const unrenderedMax = 1_000

/**
 * Returns one page as PNG; an image has one. Throws `not-found`, `picture-reason`, `file-damaged`,
 * `file-undisplayable`.
 */
export async function viewPage(
  dependencies: Dependencies,
  context: ViewCall,
  fileId: FileId,
  page: number,
  reason: string,
): Promise<BinaryResponse> {
  const draw = (file: StoredFile) => pageOf(dependencies, file, page)
  const picture = await viewed(dependencies, context, { fileId, reason, details: { page } }, draw)
  return new BinaryResponse(picture, `page-${page}.png`)
}

/** Returns the first page, small, as WebP, under the permissions of the page. Throws as `viewPage` does. */
export async function viewThumbnail(
  dependencies: Dependencies,
  context: ViewCall,
  fileId: FileId,
  reason: string,
): Promise<BinaryResponse> {
  const draw = (file: StoredFile) =>
    thumbnailOf(dependencies, file, () =>
      isPdf(file) ? pageOfPdf(dependencies, file, 1, thumbnailWidth) : bytesOf(dependencies, file),
    )
  const picture = await viewed(dependencies, context, { fileId, reason, details: { thumbnail: true } }, draw)
  return new BinaryResponse(picture, 'thumbnail.webp')
}

interface View {
  readonly fileId: FileId
  readonly reason: string
  readonly details: Readonly<Record<string, unknown>>
}

/** Returns the rendered image if the caller may see it; an auditor gives a reason, which is logged. */
async function viewed(
  dependencies: Dependencies,
  context: ViewCall,
  { fileId, reason, details }: View,
  draw: (file: StoredFile) => Promise<Buffer>,
): Promise<Buffer> {
  const { file, needsReason } = await fileFor(dependencies, context, fileId)
  if (needsReason && reason === '') throw new Problem('picture-reason', { field: 'reason' })
  const picture = await draw(file)
  if (needsReason) await log(dependencies, context, file, 'view', reason, details)
  return picture
}

async function pageOf(dependencies: Dependencies, file: StoredFile, page: number): Promise<Buffer> {
  if (isPdf(file)) return pageOfPdf(dependencies, file, page, shownWidth)
  if (page !== 1) throw new Problem('not-found')
  const { default: sharp } = await import('sharp')
  return sharp(await bytesOf(dependencies, file))
    .resize({ width: shownWidthMax, height: shownWidthMax, fit: 'inside', withoutEnlargement: true })
    .png({ compressionLevel: 3 })
    .toBuffer()
}

const isPdf = (file: StoredFile) => file.media_type === 'application/pdf'

async function pageOfPdf(dependencies: Dependencies, file: StoredFile, page: number, width: number): Promise<Buffer> {
  if (unrendered.has(file.id)) throw new Problem('file-undisplayable')
  const drawn = await renderPage({ id: file.id, read: () => bytesOf(dependencies, file) }, page, width)
  if ('picture' in drawn) return drawn.picture
  if (drawn.refused === 'page') throw new Problem('not-found')
  dependencies.log.warn({ file: file.id, page, ...drawn }, 'PDF page could not be rendered')
  const [oldest] = unrendered.keys()
  if (unrendered.size >= unrenderedMax && oldest !== undefined) unrendered.delete(oldest)
  unrendered.set(file.id, drawn.refused)
  throw new Problem('file-undisplayable')
}

/**
 * Returns the stored file. Every download is logged. One that could not be displayed requires a written reason, and its
 * type makes the browser open no program.
 */
export async function downloadFile(
  dependencies: Dependencies,
  context: ViewCall,
  fileId: FileId,
  reason: string,
): Promise<BinaryResponse> {
  const { file, needsReason } = await fileFor(dependencies, context, fileId)
  const undisplayable = unrendered.get(file.id)
  if ((undisplayable !== undefined || needsReason) && reason === '')
    throw new Problem('picture-reason', { field: 'reason' })
  const bytes = await bytesOf(dependencies, file)
  await log(dependencies, context, file, 'download', reason, undisplayable === undefined ? {} : { undisplayable })
  return new BinaryResponse(
    bytes,
    file.label,
    undisplayable === undefined ? file.media_type : 'application/octet-stream',
  )
}

/**
 * Returns a file that the caller may see. Operations and finance see statements of bank details and proofs of last
 * balances; identity papers are for compliance and auditors. A person who sees a file only as an auditor gives a
 * reason, whatever their other roles permit.
 */
async function fileFor(
  dependencies: Dependencies,
  context: ViewCall,
  fileId: FileId,
): Promise<{ file: StoredFile; needsReason: boolean }> {
  const file = uuid.test(fileId) ? await fileById(dependencies.pool, fileId) : null
  if (!file || file.state !== 'clean') throw new Problem('not-found')
  const { roles } = requireStaff(context)
  if (seesDocuments(roles)) return { file, needsReason: false }
  const statements = await run(dependencies.pool)`select 1 from bank_details where statement_file = ${file.id}
      union all select 1 from withdrawals where proof_file = ${file.id}`
  if (statements > 0) return { file, needsReason: !seesNumbers(roles) }
  if (!roles.includes('auditor')) throw new Problem('not-found')
  return { file, needsReason: true }
}

async function log(
  dependencies: Dependencies,
  context: ViewCall,
  file: StoredFile,
  action: string,
  reason: string,
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  await transaction(dependencies.pool, (tx) =>
    recordEvent(tx, context.auditContext, {
      kind: 'file',
      action,
      record: file.id,
      clientId: file.client_id,
      ...(reason === '' ? {} : { reason }),
      details,
    }),
  )
}

/** Staff view a client's file: pages and a thumbnail as images, the original as a logged download. */
import { canSeeDocuments, canSeeNumbers } from '#rules/permissions.ts'
import type { FileId } from '#rules/ids.ts'
import { recordEvent } from '../../db/events.ts'
import { run, transaction, row, type Connection } from '../../db/sql.ts'
import { BinaryResponse, requireStaff, type RequestContext } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import type { Dependencies } from '../../dependencies.ts'
import { bytesOf, fileById, type StoredFile } from './queries.ts'
import { renderPage, type PdfRefusal } from './read-pdf.ts'
import { decrypt, encrypt } from '../../crypto/keys.ts'
import { decodeInTurn } from './picture-turns.ts'

type ViewContext = Pick<RequestContext, 'caller' | 'auditContext'>

const shownWidth = 1600
const shownWidthMax = 2400
const thumbnailWidth = 600
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Files that could not be rendered, with the reason: they are not retried while this server runs. The oldest are
 * dropped.
 */
const renderFailures = new Map<string, PdfRefusal>()
const unrenderedMax = 1_000

/**
 * Returns one page as PNG; an image has one. Throws `not-found`, `picture-reason`, `file-damaged`,
 * `file-undisplayable`.
 */
export async function viewPage(
  dependencies: Dependencies,
  context: ViewContext,
  fileId: FileId,
  page: number,
  reason: string,
): Promise<BinaryResponse> {
  const draw = (file: StoredFile) => pageOf(dependencies, file, page)
  const picture = await viewRendered(dependencies, context, { fileId, reason, details: { page } }, draw)
  return new BinaryResponse(picture, `page-${page}.png`)
}

/** Returns the first page, small, as WebP, under the permissions of the page. Throws as `viewPage` does. */
export async function viewThumbnail(
  dependencies: Dependencies,
  context: ViewContext,
  fileId: FileId,
  reason: string,
): Promise<BinaryResponse> {
  const draw = (file: StoredFile) =>
    thumbnailOf(dependencies, file, () =>
      isPdf(file) ? pageOfPdf(dependencies, file, 1, thumbnailWidth) : bytesOf(dependencies, file),
    )
  const picture = await viewRendered(dependencies, context, { fileId, reason, details: { thumbnail: true } }, draw)
  return new BinaryResponse(picture, 'thumbnail.webp')
}

interface ViewRequest {
  readonly fileId: FileId
  readonly reason: string
  readonly details: Readonly<Record<string, unknown>>
}

/** Returns the rendered image if the caller may see it; an auditor gives a reason, which is logged. */
async function viewRendered(
  dependencies: Dependencies,
  context: ViewContext,
  { fileId, reason, details }: ViewRequest,
  draw: (file: StoredFile) => Promise<Buffer>,
): Promise<Buffer> {
  const { file, needsReason } = await fileForViewer(dependencies, context, fileId)
  if (needsReason && reason === '') throw new Problem('picture-reason', { field: 'reason' })
  const picture = await draw(file)
  if (needsReason) await recordAccess(dependencies, context, file, 'view', reason, details)
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
  if (renderFailures.has(file.id)) throw new Problem('file-undisplayable')
  const drawn = await renderPage({ id: file.id, read: () => bytesOf(dependencies, file) }, page, width)
  if ('picture' in drawn) return drawn.picture
  if (drawn.refused === 'page') throw new Problem('not-found')
  dependencies.log.warn({ file: file.id, page, ...drawn }, 'PDF page could not be rendered')
  const [oldest] = renderFailures.keys()
  if (renderFailures.size >= unrenderedMax && oldest !== undefined) renderFailures.delete(oldest)
  renderFailures.set(file.id, drawn.refused)
  throw new Problem('file-undisplayable')
}

/**
 * Returns the stored file. Every download is logged. One that could not be displayed requires a written reason, and its
 * type makes the browser open no program.
 */
export async function downloadFile(
  dependencies: Dependencies,
  context: ViewContext,
  fileId: FileId,
  reason: string,
): Promise<BinaryResponse> {
  const { file, needsReason } = await fileForViewer(dependencies, context, fileId)
  const undisplayable = renderFailures.get(file.id)
  if ((undisplayable !== undefined || needsReason) && reason === '')
    throw new Problem('picture-reason', { field: 'reason' })
  const bytes = await bytesOf(dependencies, file)
  await recordAccess(
    dependencies,
    context,
    file,
    'download',
    reason,
    undisplayable === undefined ? {} : { undisplayable },
  )
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
async function fileForViewer(
  dependencies: Dependencies,
  context: ViewContext,
  fileId: FileId,
): Promise<{ file: StoredFile; needsReason: boolean }> {
  const file = uuid.test(fileId) ? await fileById(dependencies.pool, fileId) : null
  if (!file || file.state !== 'clean') throw new Problem('not-found')
  const { roles } = requireStaff(context)
  if (canSeeDocuments(roles)) return { file, needsReason: false }
  const statements = await run(dependencies.pool)`select 1 from bank_details where statement_file = ${file.id}
      union all select 1 from withdrawals where proof_file = ${file.id}`
  if (statements > 0) return { file, needsReason: !canSeeNumbers(roles) }
  if (!roles.includes('auditor')) throw new Problem('not-found')
  return { file, needsReason: true }
}

async function recordAccess(
  dependencies: Dependencies,
  context: ViewContext,
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

const sideMax = 400
const quality = 75

type ThumbnailDependencies = Pick<Dependencies, 'pool' | 'keys' | 'log'>

/**
 * Returns the thumbnail as WebP, rendered from `picture` if none is stored. It is stored encrypted and deleted with its
 * file (ADR 261).
 */
async function thumbnailOf(
  { pool, keys, log }: ThumbnailDependencies,
  file: StoredFile,
  picture: () => Promise<Buffer>,
): Promise<Buffer> {
  const kept = await row<{ kid: string; sealed: Buffer }>(pool)`
    select kid, sealed from file_thumbnails where file_id = ${file.id}`
  const opened = kept && decryptThumbnail(keys.file.byId(kept.kid)?.bytes, file.id, kept.sealed)
  if (opened instanceof Buffer) return opened
  if (opened) log.warn({ file: file.id, err: opened }, 'thumbnail damaged, rendered again')
  // A page is rendered in a queue of its own, for up to a minute: nothing must wait for it while occupying an image's
  // turn.
  const page = file.media_type === 'application/pdf' ? await picture() : null
  const drawn = await decodeInTurn(async () => drawThumbnail(page ?? (await picture())))
  const { kid, bytes } = keys.file.current
  await storeThumbnail(pool, { id: file.id, kid, sealed: encrypt(bytes, labelOf(file.id), drawn) })
  return drawn
}

/** A separate label, so that a file's bytes and its thumbnail cannot be exchanged for each other. */
const labelOf = (id: string) => `${id}/thumbnail`

function decryptThumbnail(key: Buffer | undefined, id: string, sealed: Buffer): Buffer | Error {
  try {
    if (!key) throw new Error('the key is missing')
    return decrypt(key, labelOf(id), sealed)
  } catch (error) {
    return error as Error
  }
}

async function drawThumbnail(picture: Buffer): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  return sharp(picture)
    .resize({ width: sideMax, height: sideMax, fit: 'inside', withoutEnlargement: true })
    .webp({ quality })
    .toBuffer()
}

/** Stores a thumbnail, unless the file has been erased in the meantime. */
async function storeThumbnail(
  connection: Connection,
  { id, kid, sealed }: { id: string; kid: string; sealed: Buffer },
) {
  await run(connection)`
    insert into file_thumbnails (file_id, kid, sealed)
      select id, ${kid}, ${sealed}::bytea from files where id = ${id} and state = 'clean' for key share
      on conflict (file_id) do update set kid = excluded.kid, sealed = excluded.sealed`
}

/** Stored files: their records, links and decrypted bytes. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { fileLinkSeconds } from '#rules/constants.ts'
import type { FileMetadata } from '#rules/file-metadata.ts'
import type { ClientId, FileId } from '#rules/ids.ts'
import { row, rows, run, sql, type Connection, type Transaction } from '../../db/sql.ts'
import { Problem } from '../../http/problem.ts'
import { decrypt, type SecretKey } from '../../crypto/keys.ts'
import type { Dependencies } from '../../dependencies.ts'
import { renderPage } from './read-pdf.ts'

export interface StoredFile {
  id: FileId
  client_id: ClientId
  label: string
  media_type: string
  sha256: Buffer
  kid: string
  /** Pages of a PDF; null for an image. */
  pages: number | null
  state: 'clean' | 'quarantined' | 'infected'
}

const columns = sql`id, client_id, label, media_type, sha256, kid, pages, state`

/** Returns a file by its label, regardless of its owner: only for the signed link, which names it. */
export async function fileByLabel(connection: Connection, label: string) {
  return row<StoredFile>(connection)`select ${columns} from files where label = ${label}`
}

/** Returns a client's own file by its label. Staff endpoints may pass the id of the record's client. */
export async function fileOfClient(connection: Connection, clientId: ClientId, label: string) {
  return row<StoredFile>(connection)`
    select ${columns} from files where label = ${label} and client_id = ${clientId} and staff_id is null`
}

/** Returns a file by its id. */
export async function fileById(connection: Connection, id: FileId) {
  return row<StoredFile>(connection)`select ${columns} from files where id = ${id}`
}

/** Returns metadata of the original uploads by file, for staff only. */
export async function metadataOf(connection: Connection, ids: readonly string[]): Promise<Map<string, FileMetadata>> {
  const found = await rows<FileMetadata & { id: string }>(connection)`
    select file_id as id, to_char(taken_at, 'YYYY-MM-DD"T"HH24:MI:SS') as "takenAt", software, producer,
        produced_at as "producedAt", modified_at as "modifiedAt"
      from file_metadata where file_id = any (${[...ids]}::uuid[])`
  return new Map(found.map(({ id, ...metadata }) => [id, metadata]))
}

/**
 * Marks a client's own file as used: returns its id and excludes it from the deletion of unused files. Throws
 * `file-unknown` at `field` for an unknown name, another client's file, one that staff stored, or one that the scanner
 * rejected.
 */
export async function markFileUsed(
  tx: Transaction,
  use: { clientId: ClientId; label: string; field: string; now: Date },
): Promise<string> {
  const used = await row<{ id: string }>(tx)`update files set used_at = coalesce(used_at, ${use.now})
      where label = ${use.label} and client_id = ${use.clientId} and staff_id is null and state <> 'infected'
      returning id`
  if (!used) throw new Problem('file-unknown', { field: use.field })
  return used.id
}

function signatureOf(key: SecretKey, label: string, expires: number): string {
  return createHmac('sha256', key.bytes).update(`file-link\n${expires}\n${label}`).digest('base64url')
}

/** Returns a signed link to a file, valid for minutes. Give it only to the file's owner and to staff who may see it. */
export function fileLink(dependencies: Pick<Dependencies, 'keys'>, label: string, now: Date): string {
  const expires = Math.floor(now.getTime() / 1000) + fileLinkSeconds
  const signature = signatureOf(dependencies.keys.link.current, label, expires)
  return `/public/files/${encodeURIComponent(label)}?expires=${expires}&signature=${signature}`
}

/** The maximum difference between clocks of several servers. */
const aheadMsMax = 60_000

/** Returns whether a link's signature is ours, for this file, and has not expired. */
export function isGoodLink(
  dependencies: Pick<Dependencies, 'keys'>,
  link: { label: string; expires: unknown; signature: unknown },
  now: Date,
): boolean {
  if (typeof link.expires !== 'string' || typeof link.signature !== 'string' || !/^\d{10}$/.test(link.expires))
    return false
  const expires = Number(link.expires)
  // Compared in encoded form: several texts decode to the same bytes, but only one is ours.
  const given = Buffer.from(link.signature)
  const isOurs = dependencies.keys.link.all().some((key) => {
    const expected = Buffer.from(signatureOf(key, link.label, expires))
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
  const leftMs = expires * 1000 - now.getTime()
  // A link with more time left than any link gets was signed before the clock was set back (requirements 33.10).
  return isOurs && leftMs > 0 && leftMs <= fileLinkSeconds * 1000 + aheadMsMax
}

/**
 * Returns a file's decrypted bytes after comparing them with what was stored. Throws `file-damaged`, and logs it, if a
 * bit differs, the bytes are missing, or they belong to another file (requirements 29.11).
 */
export async function bytesOf(
  dependencies: Pick<Dependencies, 'files' | 'keys' | 'log'>,
  file: StoredFile,
): Promise<Buffer> {
  try {
    const sealed = await dependencies.files.get(file.id)
    if (!sealed) throw new Error('the content is missing')
    const bytes = decryptFile(dependencies.keys, file, sealed)
    if (!createHash('sha256').update(bytes).digest().equals(file.sha256)) throw new Error('the hash does not match')
    return bytes
  } catch (error) {
    dependencies.log.error({ file: file.id, err: error }, 'stored file damaged')
    throw new Problem('file-damaged')
  }
}

/** Returns a page as an image for a program to read, or null if the file is damaged or the page cannot be rendered. */
export async function pageForReading(
  dependencies: Pick<Dependencies, 'files' | 'keys' | 'log'>,
  file: StoredFile,
  page: number,
  width: number,
): Promise<Buffer | null> {
  const read = () => bytesOf(dependencies, file)
  try {
    if (file.pages === null) return await read()
    const drawn = await renderPage({ id: file.id, read }, page, width)
    return 'picture' in drawn ? drawn.picture : null
  } catch (error) {
    if (error instanceof Problem && error.code === 'file-damaged') return null
    throw error
  }
}

/**
 * Decrypts with the key of the record; with the others if the bytes were re-encrypted and the record is not updated
 * yet.
 */
function decryptFile(
  { file: ring }: Pick<Dependencies['keys'], 'file'>,
  { id, kid }: StoredFile,
  sealed: Buffer,
): Buffer {
  const named = ring.byId(kid)
  const tried = [...(named ? [named] : []), ...ring.all().filter((key) => key !== named)]
  let failure = new Error('the key is missing')
  for (const key of tried) {
    try {
      return decrypt(key.bytes, id, sealed)
    } catch (error) {
      failure = error as Error
    }
  }
  throw failure
}

/** Returns how much a client has stored, without the documents that we created. */
export async function storedTotals(
  connection: Connection,
  clientId: ClientId,
): Promise<{ files: number; bytes: bigint }> {
  const found = await row<{ files: bigint; bytes: bigint }>(connection)`
    select count(*) as files, coalesce(sum(size), 0)::bigint as bytes from files where client_id = ${clientId}
      and not exists (select from account_statements s where s.file = files.id)`
  return { files: Number(found?.files ?? 0), bytes: found?.bytes ?? 0n }
}

/** Records the scanner's result for a quarantined file; returns false if another server was faster. */
export async function recordScan(tx: Transaction, id: string, state: StoredFile['state'], now: Date): Promise<boolean> {
  const updated = await run(tx)`
    update files set scanned_at = ${now}, state = ${state} where id = ${id} and state = 'quarantined'`
  return updated === 1
}

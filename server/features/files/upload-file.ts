/** Stores one file: checked, rewritten, scanned, encrypted, then recorded (requirements 6.11). */
import { createHash, randomUUID } from 'node:crypto'
import { fileBytesPerClientMax, filesPerClientMax } from '#rules/constants.ts'
import type { FileMetadata } from '#rules/file-metadata.ts'
import type { ClientId, StaffId } from '#rules/ids.ts'
import type { StoreProof } from '../../checks/store-proof.ts'
import { recordEvent, type AuditContext } from '../../db/events.ts'
import { row, run, transaction, type Transaction } from '../../db/sql.ts'
import { Problem } from '../../http/problem.ts'
import type { SignedInClientId } from '../../http/sessions.ts'
import type { ReceivedFile } from '../../http/uploads.ts'
import { encrypt } from '../../crypto/keys.ts'
import type { Dependencies } from '../../dependencies.ts'
import { extensionOf, prepareFile, type PreparedFile } from './prepare-file.ts'
import { fileLink, storedTotals } from './queries.ts'

const diskFull = ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EACCES']
const diskRetrySeconds = 300

/** Stores an upload of a client and returns its name and a link. The bytes are written before their record. */
export async function uploadFile(
  dependencies: Dependencies,
  clientId: SignedInClientId,
  received: ReceivedFile,
  auditContext: AuditContext,
) {
  const stored = await storedTotals(dependencies.pool, clientId)
  if (stored.files >= filesPerClientMax || stored.bytes >= fileBytesPerClientMax) throw new Problem('file-quota')
  const file = await storeBytes(dependencies, { clientId, received, auditContext })
  const { label } = await transaction(dependencies.pool, (tx) => insertFile(tx, file))
  return {
    filename: label,
    url: fileLink(dependencies, label, auditContext.now),
    mediaType: file.prepared.mediaType,
    size: file.prepared.bytes.length,
  }
}

/** Checks, rewrites, scans and encrypts a file of a client; the caller stores its record. */
async function storeBytes(
  dependencies: Dependencies,
  {
    clientId,
    received,
    auditContext,
  }: { readonly clientId: SignedInClientId; readonly received: ReceivedFile; readonly auditContext: AuditContext },
): Promise<NewFile> {
  const prepared = await prepareFile(received.bytes)
  const state = await scanUpload(dependencies, clientId, received.bytes, auditContext)
  const id = randomUUID()
  const { kid, bytes: key } = dependencies.keys.file.current
  await dependencies.files.put(id, encrypt(key, id, prepared.bytes)).catch((error: NodeJS.ErrnoException) => {
    if (!diskFull.includes(error.code ?? '')) throw error
    dependencies.log.error({ err: error }, 'file could not be stored')
    throw new Problem('storage-full', { retryAfterSeconds: diskRetrySeconds })
  })
  return { id, kid, clientId, prepared, state, filename: received.filename, auditContext }
}

/**
 * Returns the scanner's result for the original bytes. No scanner configured: clean. No response: quarantined (ASVS
 * 5.4.3).
 */
async function scanUpload(
  dependencies: Dependencies,
  clientId: SignedInClientId,
  bytes: Buffer,
  auditContext: AuditContext,
): Promise<'clean' | 'quarantined'> {
  if (!dependencies.scanner) return 'clean'
  const result = await dependencies.scanner.scan(bytes)
  if (typeof result === 'string') return result === 'clean' ? 'clean' : 'quarantined'
  await transaction(dependencies.pool, (tx) =>
    recordEvent(tx, auditContext, { kind: 'file', action: 'refuseInfected', clientId, reason: result.infected }),
  )
  throw new Problem('file-infected')
}

interface NewFile {
  readonly id: string
  readonly kid: string
  readonly clientId: SignedInClientId
  readonly prepared: PreparedFile
  readonly state: 'clean' | 'quarantined'
  readonly filename: string
  readonly auditContext: AuditContext
  /** The staff member who uploaded it: the file is in use immediately and is not the client's own. */
  readonly staffId?: StaffId
}

const labelTriesMax = 20

/** Stores the record of stored bytes, under a unique label. */
async function insertFile(tx: Transaction, file: NewFile): Promise<{ id: string; label: string }> {
  const { id, kid, clientId, prepared, state, auditContext, staffId = null } = file
  const sha256 = createHash('sha256').update(prepared.bytes).digest()
  for (let later = 0; later < labelTriesMax; later += 1) {
    // At most 255 bytes; the content determines the extension.
    const timestamp = auditContext.now.getTime() + later
    const label = `${clientId}_${timestamp}_${safeStem(file.filename)}.${extensionOf(prepared.mediaType)}`
    const kept = await row<{ id: string }>(tx)`
      insert into files (id, client_id, label, media_type, size, sha256, kid, pages, state, scanned_at, staff_id, used_at, created_at)
        values (${id}, ${clientId}, ${label}, ${prepared.mediaType}, ${prepared.bytes.length}, ${sha256}, ${kid},
          ${prepared.pages}, ${state}, ${state === 'clean' ? auditContext.now : null}, ${staffId}, ${staffId === null ? null : auditContext.now}, ${auditContext.now})
        on conflict (label) do nothing returning id`
    if (!kept) continue
    if (prepared.metadata) await insertMetadata(tx, id, prepared.metadata)
    await recordEvent(tx, auditContext, { kind: 'file', action: 'upload', record: id, clientId, to: state })
    return { id, label }
  }
  throw new Error('no unused label was found for the file')
}

async function insertMetadata(tx: Transaction, id: string, metadata: FileMetadata): Promise<void> {
  const { takenAt, software, producer, producedAt, modifiedAt } = metadata
  await run(tx)`
    insert into file_metadata (file_id, taken_at, software, producer, produced_at, modified_at)
      values (${id}, ${takenAt}::timestamp, ${software}, ${producer}, ${producedAt}, ${modifiedAt})`
}

/** Stores a file that staff received about a client; the result stores its record in the caller's transaction. */
export const storeProof: StoreProof = async (dependencies, proof) => {
  const { received, staffId, auditContext } = proof
  const file = await storeBytes(dependencies, { clientId: proof.clientId as SignedInClientId, received, auditContext })
  return (tx) => insertFile(tx, { ...file, staffId })
}

/**
 * Stores a PDF that we created about a client; the result stores its record, in use immediately, in the caller's
 * transaction.
 */
export async function storeDocument(
  dependencies: Dependencies,
  document: {
    readonly clientId: ClientId
    readonly filename: string
    readonly bytes: Buffer
    readonly auditContext: AuditContext
  },
): Promise<(tx: Transaction) => Promise<{ id: string; label: string }>> {
  const { bytes, filename, auditContext } = document
  const id = randomUUID()
  const { kid, bytes: key } = dependencies.keys.file.current
  await dependencies.files.put(id, encrypt(key, id, bytes))
  const clientId = document.clientId as SignedInClientId
  const prepared = { bytes, mediaType: 'application/pdf', pages: 1, metadata: null } as const
  return async (tx) => {
    const kept = await insertFile(tx, { id, kid, clientId, prepared, state: 'clean', filename, auditContext })
    await run(tx)`update files set used_at = ${auditContext.now} where id = ${id}`
    return kept
  }
}

/** A file's label: the sanitised original name, after the client and the time (requirements 29.5). */
const originalBytesMax = 120
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)$/i

/**
 * Keeps letters, digits, hyphens and full stops; each run of other characters, control characters included, becomes one
 * hyphen.
 */
function safeStem(filename: string): string {
  const name = filename.normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const stem = name
    .replace(/\.[A-Za-z0-9]{1,5}$/, '')
    .replace(/[^\p{L}\p{N}.]+/gu, '-')
    .replace(/\.{2,}/g, '.')
    .replace(/^[-.]+|(?<![-.])[-.]+$/g, '')
  const short = truncateBytes(stem)
  return short === '' || reserved.test(short) ? 'file' : short
}

function truncateBytes(text: string): string {
  let bytes = 0
  let kept = ''
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > originalBytesMax) break
    kept += character
  }
  return kept
}

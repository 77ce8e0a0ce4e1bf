/** Receives one file of a multipart body in memory, limited while it streams (ASVS 5.2.1). */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import multipart, { type MultipartFile } from '@fastify/multipart'
import { Problem } from './problem.ts'

export interface ReceivedFile {
  readonly bytes: Buffer
  /** The sender's file name, unsafe for anything but a label. */
  readonly filename: string
}

const boundaryBytesMax = 64 * 1024
const otherPartsMax = 8

/** The places for uploads of a process, shared so that slow senders leave room for others (requirements 29.9, 32.2). */
const uploadsAtOnceMax = 8
const uploadsPerClientMax = 3
const uploadsPerAddressMax = 4
/** From this number on, only clients without an upload in progress get a place. */
const uploadsScarceFrom = 4
const busyRetrySeconds = 5

interface Sender {
  readonly clientId: string
  readonly address: string
}

/** The current senders, once for each file. */
const currentSenders: Sender[] = []

/** Makes the server accept multipart bodies. */
export async function acceptUploads(server: FastifyInstance): Promise<void> {
  await server.register(multipart, { throwFileSizeLimit: false })
}

function hasPlace({ clientId, address }: Sender): boolean {
  const ofClient = currentSenders.filter((one) => one.clientId === clientId).length
  const ofAddress = currentSenders.filter((one) => one.address === address).length
  return (
    currentSenders.length < uploadsAtOnceMax &&
    ofAddress < uploadsPerAddressMax &&
    ofClient < (currentSenders.length < uploadsScarceFrom ? uploadsPerClientMax : 1)
  )
}

/**
 * Receives the file of the field `file` from a client. Throws `body-type`, `file-missing`, `file-many`, `file-large`,
 * `malformed`, `upload-slow`, or `unavailable` while too many uploads, or several of this client or address, are in
 * progress.
 */
export async function receiveFile(request: FastifyRequest, clientId: string, bytesMax: number): Promise<ReceivedFile> {
  if (!request.isMultipart()) throw new Problem('body-type')
  if (Number(request.headers['content-length'] ?? 0) > bytesMax + boundaryBytesMax) throw new Problem('file-large')
  const sender = { clientId, address: request.ip }
  if (!hasPlace(sender)) throw new Problem('unavailable', { retryAfterSeconds: busyRetrySeconds })
  currentSenders.push(sender)
  const pace = watchPace(request)
  try {
    return await Promise.race([readMultipart(request, bytesMax, pace.signal), pace.tooSlow])
  } catch (error) {
    throw error instanceof Problem ? error : problemOf(error as { code?: string })
  } finally {
    pace.end()
    currentSenders.splice(currentSenders.indexOf(sender), 1)
  }
}

const paceCheckMs = 5_000
/** Enough for the start of a transmission that is interrupted for a moment. */
const graceMs = 10_000
/** A file of 15 MB needs more in order to end within the server's time for a request. */
const bytesPerSecondMin = 20_000

/** Watches an upload until `end`: one below the minimum speed is aborted, and `tooSlow` rejects. */
function watchPace({ raw: { socket } }: FastifyRequest) {
  const { promise: tooSlow, reject } = Promise.withResolvers<never>()
  // Without it, an upload that fails for another reason first would leave the rejection unhandled.
  tooSlow.catch(() => undefined)
  const aborted = new AbortController()
  const before = socket.bytesRead
  let elapsedMs = 0
  const timer = setInterval(() => {
    elapsedMs += paceCheckMs
    const bytes = socket.bytesRead - before
    if (elapsedMs < graceMs || bytes >= (bytesPerSecondMin * elapsedMs) / 1000) return
    const problem = new Problem('upload-slow', { retryAfterSeconds: busyRetrySeconds })
    aborted.abort(problem)
    reject(problem)
  }, paceCheckMs)
  return { signal: aborted.signal, tooSlow, end: () => clearInterval(timer) }
}

async function readMultipart(request: FastifyRequest, bytesMax: number, signal: AbortSignal): Promise<ReceivedFile> {
  let file: ReceivedFile | null = null
  const limits = {
    fileSize: bytesMax,
    files: 1,
    fields: otherPartsMax,
    parts: otherPartsMax + 1,
    fieldSize: 4096,
    fieldNameSize: 100,
    headerPairs: 20,
  }
  for await (const part of request.parts({ limits })) {
    if (part.type !== 'file') continue
    const bytes = await readBytes(part.file, signal)
    if (part.fieldname === 'file') file = { bytes, filename: part.filename }
  }
  if (!file || file.bytes.length === 0) throw new Problem('file-missing')
  return file
}

/**
 * Reads the bytes of a part. The limit is reported as soon as it is exceeded, because a body may have no end
 * (requirements 29.3).
 */
function readBytes(file: MultipartFile['file'], signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // A short body without its end was aborted before the listeners were added: no further event occurs (requirements
    // 29.9).
    if (file.destroyed) reject(new Problem('malformed'))
    const chunks: Buffer[] = []
    file.on('data', (chunk: Buffer) => chunks.push(chunk))
    file.on('limit', () => reject(new Problem('file-large')))
    file.on('error', reject)
    // Its bytes are not kept any longer, because the next upload has its place.
    signal.addEventListener('abort', () => file.destroy(signal.reason as Problem))
    file.on('close', () => reject(new Problem('malformed')))
    file.on('end', () => resolve(Buffer.concat(chunks)))
  })
}

/** Enough for a file that is slightly too large; an upload without end is not read completely (requirements 29.3). */
const droppedBytesMax = 64 * 1024 * 1024
const droppedMsMax = 30_000

/**
 * Reads and discards the rest of a rejected upload: a client that reads the response only after the last byte would
 * lose it if the connection was closed before. Limited in bytes and in time.
 */
export function discardRest({ raw: { socket }, raw }: FastifyRequest): void {
  // It was read completely before it was rejected, or aborted: the connection may already serve another call.
  if (raw.readableEnded || raw.destroyed) return
  let left = droppedBytesMax
  const late = setTimeout(() => socket.destroy(), droppedMsMax)
  for (const event of ['end', 'close']) raw.once(event, () => clearTimeout(late))
  raw.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) socket.destroy()
  })
  raw.resume()
}

function problemOf(error: { code?: string }): Problem {
  if (error.code === 'FST_FILES_LIMIT') return new Problem('file-many')
  return new Problem('malformed')
}

/** Takes one file of a multipart body into memory, bounded while it streams (ASVS 5.2.1). */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import multipart, { type MultipartFile } from '@fastify/multipart'
import { Problem } from './problem.ts'

export interface ReceivedFile {
  readonly bytes: Buffer
  /** As the sender wrote it: not safe for anything but making a label. */
  readonly filename: string
}

const boundaryBytesMax = 64 * 1024
const otherPartsMax = 8
const receivingMax = 8
/** Of one person: anyone who sends slowly leaves room for the others (requirements 29.9, 32.2). */
const receivingOfOneMax = 3
const busyRetrySeconds = 5
/** Who is sending now, once for each file. */
const receiving: string[] = []

/** Teaches the server multipart bodies. */
export async function takeUploads(server: FastifyInstance): Promise<void> {
  await server.register(multipart, { throwFileSizeLimit: false })
}

/**
 * Receives the file of the field `file` from `sender`. Throws `body-type`, `file-missing`, `file-many`, `file-large`,
 * `malformed`, or `unavailable` while too many uploads, or several of this sender, are in progress.
 */
export async function receiveFile(request: FastifyRequest, sender: string, bytesMax: number): Promise<ReceivedFile> {
  if (!request.isMultipart()) throw new Problem('body-type')
  if (Number(request.headers['content-length'] ?? 0) > bytesMax + boundaryBytesMax) throw new Problem('file-large')
  const own = receiving.filter((one) => one === sender).length
  if (receiving.length >= receivingMax || own >= receivingOfOneMax)
    throw new Problem('unavailable', { retryAfterSeconds: busyRetrySeconds })
  receiving.push(sender)
  try {
    return await read(request, bytesMax)
  } catch (error) {
    throw error instanceof Problem ? error : problemOf(error as { code?: string })
  } finally {
    receiving.splice(receiving.indexOf(sender), 1)
  }
}

async function read(request: FastifyRequest, bytesMax: number): Promise<ReceivedFile> {
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
    const bytes = await bytesOf(part.file)
    if (part.fieldname === 'file') file = { bytes, filename: part.filename }
  }
  if (!file || file.bytes.length === 0) throw new Problem('file-missing')
  return file
}

/**
 * Reads the bytes of a part. The limit is reported as soon as it is exceeded, because a body may have no end
 * (requirements 29.3).
 */
function bytesOf(file: MultipartFile['file']): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // A short body that lacks its end was given up before anybody listened: no event comes any more (requirements 29.9).
    if (file.destroyed) reject(new Problem('malformed'))
    const chunks: Buffer[] = []
    file.on('data', (chunk: Buffer) => chunks.push(chunk))
    file.on('limit', () => reject(new Problem('file-large')))
    file.on('error', reject)
    file.on('close', () => reject(new Problem('malformed')))
    file.on('end', () => resolve(Buffer.concat(chunks)))
  })
}

/** Enough for what is somewhat too large; an upload without end has no claim to be read to it (requirements 29.3). */
const droppedBytesMax = 64 * 1024 * 1024
const droppedMsMax = 30_000

/**
 * Reads what is still sent of a refused upload, and keeps nothing of it: who looks for the answer only after the last byte
 * finds it there, as a connection that is closed meanwhile takes the answer with it. Bounded in bytes and in time.
 */
export function dropRest({ raw: { socket }, raw }: FastifyRequest): void {
  // Read to its end before it was refused, or broken off: the connection may serve another call by now.
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

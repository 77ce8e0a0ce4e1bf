/** Uploads, signed links, and the linked files. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fileLink as fileLinkEndpoint, publicFilePath, upload } from '#contract/files.ts'
import { documentOriginal, documentImage, documentThumbnail } from '#contract/office/documents.ts'
import { checkSendingDocuments } from '#rules/clients.ts'
import { uploadBytesMax } from '#rules/constants.ts'
import type { FileId } from '#rules/ids.ts'
import { serializeResponse } from '../../http/fast-encoder.ts'
import { requireClient } from '../../http/handler.ts'
import { Problem, throwIfProblem } from '../../http/problem.ts'
import { enforceLimit, perHour } from '../../http/rate-limits.ts'
import { bearerOf, authorize, type RegisterEndpoint } from '../../http/register-endpoint.ts'
import { identityOf, resolveCaller } from '../../http/sessions.ts'
import { discardRest, receiveFile, acceptUploads } from '../../http/uploads.ts'
import type { Dependencies } from '../../dependencies.ts'
import { bytesOf, fileByLabel, fileLink, fileOfClient, isGoodLink, type StoredFile } from './queries.ts'
import { uploadFile } from './upload-file.ts'
import { downloadFile, viewPage, viewThumbnail } from './view-file.ts'

/** Registers the endpoints of files; two of them transfer bytes and are registered directly on the server. */
export async function fileRoutes(
  server: FastifyInstance,
  registerEndpoint: RegisterEndpoint,
  dependencies: Dependencies,
): Promise<void> {
  await acceptUploads(server)
  server.post(upload.path, (request, reply) => receiveUpload(dependencies, request, reply))
  server.get(publicFilePath, (request, reply) => respondWithFile(dependencies, request, reply))
  registerEndpoint(fileLinkEndpoint, async (dependencies, context) => {
    const file = await fileOfClient(dependencies.pool, requireClient(context).clientId, context.body.filename)
    if (!file || file.state === 'infected') throw new Problem('not-found')
    return { filename: file.label, url: fileLink(dependencies, file.label, context.now) }
  })
  registerEndpoint(documentImage, (dependencies, context) =>
    viewPage(
      dependencies,
      context,
      context.params.id as FileId,
      Number(context.params.page),
      context.query.reason ?? '',
    ),
  )
  registerEndpoint(documentThumbnail, (dependencies, context) =>
    viewThumbnail(dependencies, context, context.params.id, context.query.reason ?? ''),
  )
  registerEndpoint(documentOriginal, (dependencies, context) =>
    downloadFile(dependencies, context, context.params.id, context.query.reason ?? ''),
  )
}

async function receiveUpload(
  dependencies: Dependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const now = dependencies.now()
  try {
    const client = await authenticateClient(dependencies, request, now)
    if (!client) throw new Problem('not-signed-in')
    authorize(upload.access, client)
    throwIfProblem(checkSendingDocuments(client.state))
    const { uploadsPerHour } = await dependencies.settings.get('rateLimits')
    await enforceLimit(dependencies.pool, perHour('uploads', client.clientId), uploadsPerHour, now)
    const received = await receiveFile(request, client.clientId, uploadBytesMax)
    const auditContext = { identity: identityOf(client), now, address: request.ip, reference: request.id }
    const answer = await uploadFile(dependencies, client.clientId, received, auditContext)
    return await reply.status(upload.status).send(serializeResponse(upload, answer))
  } catch (error) {
    discardRest(request)
    throw error
  }
}

async function authenticateClient(dependencies: Dependencies, request: FastifyRequest, now: Date) {
  const token = bearerOf(request)
  if (token === null) return null
  const caller = await resolveCaller(
    dependencies.pool,
    dependencies.keys,
    token,
    ['portal'],
    now,
    request.headers['x-background'] === '1',
  )
  if (!caller) throw new Problem('session-ended')
  return caller.kind === 'client' ? caller : null
}

/** Sends a file for a valid link or for its owner's bearer token; anything else is `not-found`. */
async function respondWithFile(
  dependencies: Dependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { filename } = request.params as { filename: string }
  const file = await permittedFile(dependencies, request, filename)
  if (!file || file.state !== 'clean') throw new Problem('not-found')
  return sendFile(reply, { label: file.label, mediaType: file.media_type }, await bytesOf(dependencies, file))
}

async function permittedFile(
  dependencies: Dependencies,
  request: FastifyRequest,
  label: string,
): Promise<StoredFile | null> {
  const now = dependencies.now()
  const { expires, signature, ...others } = request.query as { expires?: unknown; signature?: unknown }
  // A link must be exactly as issued: a further parameter may have a meaning for a later reader.
  if (Object.keys(others).length > 0) return null
  if (signature !== undefined) {
    return isGoodLink(dependencies, { label, expires, signature }, now) ? fileByLabel(dependencies.pool, label) : null
  }
  if (request.headers.authorization === undefined) return null
  const client = await authenticateClient(dependencies, request, now)
  return client ? fileOfClient(dependencies.pool, client.clientId, label) : null
}

const policy = "sandbox; default-src 'none'; img-src 'self'; style-src 'unsafe-inline'"
/** The browser's own reader shows the PDF; nothing in this response runs or loads anything (requirements 6.13). */
const policyOfPdf = "sandbox; default-src 'none'"

/**
 * Sends stored bytes: images and PDFs are shown in the browser, in a sandbox; anything else is a download (ASVS 3.2.1,
 * 5.4.1).
 */
function sendFile(reply: FastifyReply, file: { label: string; mediaType: string }, bytes: Buffer): FastifyReply {
  const isPdf = file.mediaType === 'application/pdf'
  const way = isPdf || file.mediaType.startsWith('image/') ? 'inline' : 'attachment'
  return reply
    .header('content-type', file.mediaType)
    .header('content-security-policy', isPdf ? policyOfPdf : policy)
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'no-store, private')
    .header('cross-origin-resource-policy', 'same-origin')
    .header('content-disposition', `${way}; ${dispositionNames(file.label)}`)
    .send(bytes)
}

/** Returns the name in ASCII and, for readers of RFC 8187, unchanged. */
function dispositionNames(label: string): string {
  const plain = label.replace(/[^\w.-]/g, '_')
  return `filename="${plain}"; filename*=UTF-8''${encodeURIComponent(label).replace(/['()*]/g, escapeByte)}`
}

function escapeByte(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}

/** Uploads, signed links, and the files behind them. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fileLink as fileLinkEndpoint, publicFilePath, upload } from '#contract/files.ts'
import { documentOriginal, documentPicture } from '#contract/office/documents.ts'
import { checkSendingDocuments } from '#rules/clients.ts'
import { uploadBytesMax } from '#rules/constants.ts'
import { wireAnswer } from '../../http/serialize-response.ts'
import { clientOf } from '../../http/request-context.ts'
import { Problem, refuse } from '../../http/problem.ts'
import { limit } from '../../http/rate-limits.ts'
import { bearerOf, letIn, type Serve } from '../../http/register-endpoint.ts'
import { actingAs, callerOf } from '../../http/sessions.ts'
import { dropRest, receiveFile, takeUploads } from '../../http/uploads.ts'
import type { Parts } from '../../dependencies.ts'
import { bytesOf, fileByLabel, fileLink, fileOfClient, isGoodLink, type StoredFile } from './queries.ts'
import { sendFile } from './send-file.ts'
import { uploadFile } from './upload-file.ts'
import { downloadFile, viewPage } from './view-file.ts'

/** Binds the calls of files; two of them carry bytes and are bound to the server itself. */
export async function fileRoutes(server: FastifyInstance, serve: Serve, parts: Parts): Promise<void> {
  await takeUploads(server)
  server.post(upload.path, (request, reply) => receive(parts, request, reply))
  server.get(publicFilePath, (request, reply) => answerFile(parts, request, reply))
  serve(fileLinkEndpoint, async (call) => {
    const file = await fileOfClient(parts.pool, clientOf(call).clientId, call.body.filename)
    if (!file || file.state === 'infected') throw new Problem('not-found')
    return { filename: file.label, url: fileLink(parts, file.label, call.now) }
  })
  serve(documentPicture, (call) =>
    viewPage(parts, call, call.params.id, Number(call.params.page), call.query.reason ?? ''),
  )
  serve(documentOriginal, (call) => downloadFile(parts, call, call.params.id, call.query.reason ?? ''))
}

const hourSeconds = 3600

async function receive(parts: Parts, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const now = parts.now()
  try {
    const client = await clientFor(parts, request, now)
    if (!client) throw new Problem('not-signed-in')
    letIn(upload.who, client)
    refuse(checkSendingDocuments(client.state))
    const { uploadsPerHour } = await parts.settings.get('rateLimits')
    await limit(parts.pool, { name: 'uploads', who: client.clientId, windowSeconds: hourSeconds }, uploadsPerHour, now)
    const received = await receiveFile(request, client.clientId, uploadBytesMax)
    const act = { acting: actingAs(client), now, address: request.ip, reference: request.id }
    const answer = await uploadFile(parts, client.clientId, received, act)
    return await reply.status(upload.status).send(wireAnswer(upload, answer))
  } catch (error) {
    dropRest(request)
    throw error
  }
}

async function clientFor(parts: Parts, request: FastifyRequest, now: Date) {
  const token = bearerOf(request)
  if (token === null) return null
  const caller = await callerOf(parts.pool, parts.keys, token, ['portal'], now, request.headers['x-background'] === '1')
  if (!caller) throw new Problem('session-ended')
  return caller.kind === 'client' ? caller : null
}

/** A file by a good link, or by the bearer of its owner; everything else is as if it were not there. */
async function answerFile(parts: Parts, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { filename } = request.params as { filename: string }
  const file = await fileFor(parts, request, filename)
  if (!file || file.state !== 'clean') throw new Problem('not-found')
  return sendFile(reply, { label: file.label, mediaType: file.media_type }, await bytesOf(parts, file))
}

async function fileFor(parts: Parts, request: FastifyRequest, label: string): Promise<StoredFile | null> {
  const now = parts.now()
  const { expires, signature, ...others } = request.query as { expires?: unknown; signature?: unknown }
  // A link is what we made of it, to the letter: a parameter more may mean something to whoever reads it after us.
  if (Object.keys(others).length > 0) return null
  if (signature !== undefined) {
    return isGoodLink(parts, { label, expires, signature }, now) ? fileByLabel(parts.pool, label) : null
  }
  if (request.headers.authorization === undefined) return null
  const client = await clientFor(parts, request, now)
  return client ? fileOfClient(parts.pool, client.clientId, label) : null
}

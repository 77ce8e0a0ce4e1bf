/** A response other than JSON, such as PDF or CSV. The endpoint's `gives` is its media type. */
import { once } from 'node:events'
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'

/** The response of a handler, complete or as a stream. `filename` is plain ASCII that we generate. */
export class BinaryResponse {
  readonly body: Buffer | Readable
  readonly filename: string
  /** Set if the endpoint's own media type is only one of several. */
  readonly mediaType: string | null

  constructor(body: Buffer | string | Readable, filename: string, mediaType: string | null = null) {
    this.mediaType = mediaType
    this.body = typeof body === 'string' ? Buffer.from(body) : body
    this.filename = filename.replace(/[^\w.-]/g, '_')
  }
}

/**
 * Sends it as a download that is not cached. A stream starts once its first bytes are available: an earlier failure
 * becomes a usual problem, a later one aborts the download, so that a part is not taken for the whole.
 */
export async function sendBinary(
  reply: FastifyReply,
  endpoint: Endpoint,
  bytes: BinaryResponse,
): Promise<FastifyReply> {
  if (bytes.body instanceof Readable) {
    await once(bytes.body, 'readable')
    noteBreak(reply, bytes.body)
  }
  const mediaType = bytes.mediaType ?? endpoint.produces
  const charset = mediaType.startsWith('text/') ? '; charset=utf-8' : ''
  return reply
    .status(endpoint.status)
    .header('content-type', `${mediaType}${charset}`)
    .header('content-disposition', `attachment; filename="${bytes.filename}"`)
    .header('cache-control', 'no-store')
    .send(bytes.body)
}

function noteBreak({ request, raw }: FastifyReply, body: Readable): void {
  const facts = { route: request.routeOptions.url }
  body.once('error', (error) => request.log.error({ ...facts, err: error }, 'download interrupted'))
  raw.once('close', () => {
    if (!raw.writableFinished && !body.errored) request.log.info(facts, 'download incomplete')
  })
}

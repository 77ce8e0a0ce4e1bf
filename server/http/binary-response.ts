/** An answer that is no JSON: a PDF, a CSV. The endpoint's `gives` is its media type. */
import { once } from 'node:events'
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'

/** The response of a handler, whole or as a stream. `filename` is plain ASCII of our own making. */
export class BinaryResponse {
  readonly body: Buffer | Readable
  readonly filename: string
  /** Where the endpoint's own media type is only one of several. */
  readonly mediaType: string | null

  constructor(body: Buffer | string | Readable, filename: string, mediaType: string | null = null) {
    this.mediaType = mediaType
    this.body = typeof body === 'string' ? Buffer.from(body) : body
    this.filename = filename.replace(/[^\w.-]/g, '_')
  }
}

/**
 * Sends it as a download that nothing keeps. A stream goes out once its first bytes are there: what fails before them is
 * refused as everywhere, what fails later breaks off, so that no part passes for the whole.
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

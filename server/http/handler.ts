/**
 * The form of a handler: its argument, which is the parsed request with its caller and the time, and its responses
 * other than JSON.
 */
import { once } from 'node:events'
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { BodyOf, Endpoint, ParamsOf, QueryOf, ResponseOf } from '#contract/endpoint.ts'
import type { Language } from '#rules/choices.ts'
import type { AuditContext } from '../db/events.ts'
import type { Dependencies } from '../dependencies.ts'
import { Problem } from './problem.ts'
import type { Caller, ClientCaller, StaffCaller } from './sessions.ts'

export interface IdempotencyKey {
  readonly key: string
  /** The owner of the key: the same key of another client is another key. */
  readonly scope: string
  readonly operation: string
  readonly bodyHash: Buffer
}

export interface RequestContext<E extends Endpoint = Endpoint> {
  readonly endpoint: E
  readonly params: ParamsOf<E>
  readonly query: QueryOf<E>
  readonly body: BodyOf<E>
  readonly caller: Caller
  /** Who acts, when, from where, and under which reference: the argument of `applyTransition` and `recordEvent`. */
  readonly auditContext: AuditContext
  readonly now: Date
  readonly language: Language
  readonly address: string
  readonly device: string
  /** True for polls and streams, which do not renew a session's idle time. */
  readonly background: boolean
  readonly idempotency: IdempotencyKey | null
  /** The proof for this call only; `withIdempotency` uses it up in the call's transaction. */
  readonly proof: BoundStepUp | null
}

/** Handles a request. Returns the endpoint's fields, or a `BinaryResponse`; the endpoint's `status` is sent with it. */
export type Handler<E extends Endpoint> = (
  dependencies: Dependencies,
  context: RequestContext<E>,
) => Promise<ResponseOf<E> | BinaryResponse>

/** SHA-256 of the proof, and of the call and body to which it must be bound. */
export interface BoundStepUp {
  readonly tokenHash: Buffer
  readonly callHash: Buffer
}

/** Returns the signed-in client of a request; the endpoint's access allows no other caller. */
export function requireClient(context: Pick<RequestContext, 'caller'>): ClientCaller {
  if (context.caller.kind !== 'client') throw new Problem('not-signed-in')
  return context.caller
}

/** Returns the signed-in staff member of a call. */
export function requireStaff(context: Pick<RequestContext, 'caller'>): StaffCaller {
  if (context.caller.kind !== 'staff') throw new Problem('not-signed-in')
  return context.caller
}

/**
 * Throws if a `userId` in a payload, or in the record that a payload contains, is not the bearer's, and removes it:
 * only the token determines the owner of a record.
 */
export function assertOwnUserId(client: ClientCaller, body: unknown): void {
  for (const part of [body, ...Object.values(body ?? {})]) {
    if (typeof part !== 'object' || part === null || !('userId' in part)) continue
    if (part.userId !== undefined && part.userId !== client.clientId)
      throw new Problem('not-yours', { field: 'userId' })
    delete part.userId
  }
}

/**
 * A response other than JSON, such as PDF or CSV, complete or as a stream. `filename` is plain ASCII that we generate.
 */
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
    logInterruption(reply, bytes.body)
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

function logInterruption({ request, raw }: FastifyReply, body: Readable): void {
  const facts = { route: request.routeOptions.url }
  body.once('error', (error) => request.log.error({ ...facts, err: error }, 'download interrupted'))
  raw.once('close', () => {
    if (!raw.writableFinished && !body.errored) request.log.info(facts, 'download incomplete')
  })
}

/** The form of a handler, and its argument: the parsed request, its caller and the time. */
import type { BodyOf, Endpoint, ParamsOf, QueryOf, ResponseOf } from '#contract/endpoint.ts'
import type { Language } from '#rules/choices.ts'
import type { AuditContext } from '../db/events.ts'
import type { Dependencies } from '../dependencies.ts'
import type { BinaryResponse } from './binary-response.ts'
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

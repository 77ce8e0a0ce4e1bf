/**
 * A proof that is valid for one call with exactly these values (ADR 120): the session alone is not enough to move money
 * or change a bank account, and the values cannot be replaced after the proof.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'
import { stepUpHeader, textToSign } from '#contract/step-up.ts'
import { row, run, type Connection, type Transaction } from '../db/sql.ts'
import { type RequestContext, type BoundStepUp, requireClient } from './handler.ts'
import { stepUpMethodOf } from './step-up.ts'
import { textOfBody } from './json-body.ts'
import { Problem } from './problem.ts'

const proofBytes = 32

const sha256 = (text: string) => createHash('sha256').update(text).digest()

/** Returns the proof of a request's header and what it must be bound to; null if none was sent. */
export function boundTokenOf({ method }: Endpoint, request: FastifyRequest): BoundStepUp | null {
  const sent = request.headers[stepUpHeader]
  if (typeof sent !== 'string' || sent === '') return null
  const path = request.url.split('?')[0] ?? ''
  return { tokenHash: sha256(sent), callHash: sha256(textToSign(method, path, textOfBody(request))) }
}

/** Throws `prove-again`, with the required method, if no proof of this session is valid for this call. */
export async function requireBoundStepUp(
  { pool }: { pool: Connection },
  context: Pick<RequestContext, 'caller' | 'now' | 'proof'>,
) {
  const client = requireClient(context)
  const { proof } = context
  const good =
    proof &&
    (await row(pool)`select 1 from call_proofs
        where token_hash = ${proof.tokenHash} and session_id = ${client.sessionId} and call_hash = ${proof.callHash}
          and spent_at is null and ends_at > ${context.now}`)
  if (!good) throw new Problem('prove-again', { values: { by: await stepUpMethodOf(pool, client) } })
}

/** Uses up the call's proof in the call's transaction; of two concurrent calls, one finds it used. */
export async function consumeBoundStepUp(
  tx: Transaction,
  context: Pick<RequestContext, 'caller' | 'now' | 'proof' | 'endpoint'>,
) {
  if (!context.endpoint.requiresBoundStepUp) return
  const spent =
    context.proof &&
    (await run(tx)`update call_proofs set spent_at = ${context.now}
        where token_hash = ${context.proof.tokenHash} and spent_at is null`)
  if (spent !== 1)
    throw new Problem('prove-again', { values: { by: await stepUpMethodOf(tx, requireClient(context)) } })
}

/** Stores a proof for one call, hashed, and returns it; it cannot be read again. */
export async function storeBoundStepUp(
  tx: Transaction,
  proved: { readonly sessionId: string; readonly callHash: string; readonly endsAt: Date },
): Promise<string> {
  const proof = randomBytes(proofBytes).toString('base64url')
  await run(tx)`insert into call_proofs (token_hash, session_id, call_hash, ends_at)
      values (${sha256(proof)}, ${proved.sessionId}, ${Buffer.from(proved.callHash, 'hex')},
        ${proved.endsAt})`
  return proof
}

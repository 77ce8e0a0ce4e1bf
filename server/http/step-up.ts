/**
 * Step-up: the password or a code is required again before money and access change, because a session that was left
 * open, or stolen, is not enough (ASVS 7.5). A recent proof is enough for most calls (`requireStepUp`); one that moves
 * money or changes a bank account needs a proof for this call with exactly these values, which cannot be replaced after
 * the proof (ADR 120).
 */
import { createHash, randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'
import { stepUpHeader, textToSign } from '#contract/step-up.ts'
import { isStepUpFresh, stepUpEnds, type StepUpMethod } from '#rules/step-up.ts'
import { row, run, type Connection, type Transaction } from '../db/sql.ts'
import type { Settings } from '../settings/settings.ts'
import { requireClient, type BoundStepUp, type RequestContext } from './handler.ts'
import { textOfBody } from './json-body.ts'
import { Problem } from './problem.ts'
import type { ClientCaller, StaffCaller } from './sessions.ts'

interface StepUpDependencies {
  readonly pool: Connection
  readonly settings: Settings
}

/** Throws `prove-again`, with the required method, if the caller's last proof is too old. */
export async function requireStepUp(
  dependencies: StepUpDependencies,
  { caller, now }: Pick<RequestContext, 'caller' | 'now'>,
): Promise<void> {
  if (caller.kind !== 'client' && caller.kind !== 'staff') throw new Problem('not-signed-in')
  const { proofMinutes } = await dependencies.settings.get('security')
  if (isStepUpFresh(caller.provedAt, proofMinutes, now)) return
  throw await stepUpProblem(dependencies.pool, caller)
}

/** Returns the caller's method of proof, and until when the last proof is valid. */
export async function stepUpStatus(
  dependencies: StepUpDependencies,
  caller: ClientCaller | StaffCaller,
  provedAt: Date | null,
): Promise<{ by: StepUpMethod; until: Date | null }> {
  const { proofMinutes } = await dependencies.settings.get('security')
  return { by: await stepUpMethodOf(dependencies.pool, caller), until: stepUpEnds(provedAt, proofMinutes) }
}

/** Returns how a person confirms their identity. Staff always have a second factor. */
async function stepUpMethodOf(connection: Connection, caller: ClientCaller | StaffCaller): Promise<StepUpMethod> {
  if (caller.kind === 'staff') return 'code'
  const found = await row<{ secondFactor: boolean }>(connection)`
    select factor_confirmed_at is not null as "secondFactor" from clients where id = ${caller.clientId}`
  return found?.secondFactor ? 'code' : 'password'
}

async function stepUpProblem(connection: Connection, caller: ClientCaller | StaffCaller): Promise<Problem> {
  return new Problem('prove-again', { values: { by: await stepUpMethodOf(connection, caller) } })
}

const proofBytes = 32

const sha256 = (text: string) => createHash('sha256').update(text).digest()

/** Returns the proof of a request's header and what it must be bound to; null if none was sent. */
export function boundStepUpOf({ method }: Endpoint, request: FastifyRequest): BoundStepUp | null {
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
  if (!good) throw await stepUpProblem(pool, client)
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
  if (spent !== 1) throw await stepUpProblem(tx, requireClient(context))
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

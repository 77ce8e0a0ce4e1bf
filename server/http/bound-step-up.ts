/**
 * A proof that is good for one call with exactly these values (ADR 120): whoever has the session alone moves no money and
 * changes no bank account, and nobody sends other values than those that were proved.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'
import { proofHeader, textToProve } from '#contract/step-up.ts'
import { row, run, sql, type Connection } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import type { Call, GivenProof } from './request-context.ts'
import { clientOf } from './request-context.ts'
import { proofKindOf } from './step-up.ts'
import { textOfBody } from './json-body.ts'
import { Problem } from './problem.ts'

const proofBytes = 32

const sha256 = (text: string) => createHash('sha256').update(text).digest()

/** The proof of a request's header, and what it has to be bound to; null where none was sent. */
export function givenProof({ method }: Endpoint, request: FastifyRequest): GivenProof | null {
  const sent = request.headers[proofHeader]
  if (typeof sent !== 'string' || sent === '') return null
  const path = request.url.split('?')[0] ?? ''
  return { tokenHash: sha256(sent), callHash: sha256(textToProve(method, path, textOfBody(request))) }
}

/** Throws `prove-again`, with what is asked for, where no proof of this session is good for this call. */
export async function needBoundProof({ pool }: { pool: Connection }, call: Pick<Call, 'caller' | 'now' | 'proof'>) {
  const client = clientOf(call)
  const { proof } = call
  const good =
    proof &&
    (await row(
      pool,
      sql`select 1 from call_proofs
          where token_hash = ${proof.tokenHash} and session_id = ${client.sessionId} and call_hash = ${proof.callHash}
            and spent_at is null and ends_at > ${call.now}`,
    ))
  if (!good) throw new Problem('prove-again', { values: { by: await proofKindOf(pool, client) } })
}

/** Spends the call's proof with what the call does; of two that come at once, one finds it spent. */
export async function spendProof(tx: Transaction, call: Pick<Call, 'caller' | 'now' | 'proof' | 'endpoint'>) {
  if (!call.endpoint.boundProof) return
  const spent =
    call.proof &&
    (await run(
      tx,
      sql`update call_proofs set spent_at = ${call.now}
          where token_hash = ${call.proof.tokenHash} and spent_at is null`,
    ))
  if (spent !== 1) throw new Problem('prove-again', { values: { by: await proofKindOf(tx, clientOf(call)) } })
}

/** Keeps a proof for one call and answers it: it is told once, and stands here hashed. */
export async function keepBoundProof(
  tx: Transaction,
  proved: { readonly sessionId: string; readonly callHash: string; readonly endsAt: Date },
): Promise<string> {
  const proof = randomBytes(proofBytes).toString('base64url')
  await run(
    tx,
    sql`insert into call_proofs (token_hash, session_id, call_hash, ends_at)
        values (${sha256(proof)}, ${proved.sessionId}, ${Buffer.from(proved.callHash, 'hex')},
          ${proved.endsAt})`,
  )
  return proof
}

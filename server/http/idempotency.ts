/**
 * Idempotent requests (requirements 15.6, 15.7): the key is stored in the handler's transaction. A concurrent duplicate
 * waits and receives the first response. A crash rolls the key back.
 */
import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import type { ResponseOf, Endpoint } from '#contract/endpoint.ts'
import { row, run, OutcomeUnknown, transaction, type Connection, type Transaction } from '../db/sql.ts'
import { assertMoneyNotStopped } from '../recovery/stopped-money.ts'
import { serializeResponse } from './fast-encoder.ts'
import { consumeBoundStepUp } from './step-up.ts'
import type { RequestContext, IdempotencyKey } from './handler.ts'
import { Problem, problemBody } from './problem.ts'
import type { Caller } from './sessions.ts'

/** The first response to a key, thrown so that nothing after it runs. */
export class ReplayedResponse extends Error {
  readonly status: number
  readonly answer: unknown

  constructor(status: number, answer: unknown) {
    super('replay')
    this.status = status
    this.answer = answer
  }
}

const keyPattern = /^[\x21-\x7e]{1,255}$/

/** Returns the key of a signed-in caller's request with its body's hash, or null without one. Throws `key-invalid`. */
export function idempotencyKey(endpoint: Endpoint, request: FastifyRequest, caller: Caller): IdempotencyKey | null {
  const key = request.headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key !== 'string' || !keyPattern.test(key)) throw new Problem('key-invalid')
  const scope = caller.kind === 'client' ? caller.clientId : caller.kind === 'staff' ? caller.staffId : null
  if (!scope) return null
  const bodyHash = createHash('sha256').update(canonical(request.body)).digest()
  return { key, scope, operation: endpoint.name, bodyHash }
}

/** Returns JSON with sorted keys, so that the order of keys does not change a body's hash. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value && typeof value === 'object') {
    const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
    return `{${entries.map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`).join(',')}}`
  }
  return JSON.stringify(value) ?? 'null'
}

interface KeyRow {
  call: string
  body_hash: Buffer
  status: number | null
  answer: unknown
}

const outcomeRetryAfterSeconds = 2

/**
 * Throws `outcome-unknown` (503, requirements 33.6) if the outcome is unknown: with the same key it is safe to send
 * the request again.
 */
export async function withRetryableOutcome<T>(
  context: Pick<RequestContext, 'idempotency'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof OutcomeUnknown) || !context.idempotency) throw error
    throw new Problem('outcome-unknown', { retryAfterSeconds: outcomeRetryAfterSeconds })
  }
}

const lockTimeout = '55P03'
const retryAfterSeconds = 5

/** Runs `work` in one transaction under the call's key, if it has one, and stores the response in it. */
export async function withIdempotency<E extends Endpoint>(
  pool: Pool,
  context: RequestContext<E>,
  work: (tx: Transaction) => Promise<ResponseOf<E>>,
): Promise<ResponseOf<E>> {
  const key = context.idempotency
  const guarded = async (tx: Transaction) => {
    await consumeBoundStepUp(tx, context)
    await assertMoneyNotStopped(tx, context.endpoint.stopsWith, context.auditContext.identity)
    return work(tx)
  }
  if (!key) return transaction(pool, guarded)
  return withRetryableOutcome(context, () =>
    transaction(pool, async (tx) => {
      await claimKey(tx, key, context.now)
      const answer = await guarded(tx)
      await run(tx)`update idempotency_keys set status = ${context.endpoint.status},
            answer = ${JSON.stringify(serializeResponse(context.endpoint, answer))}::text::json
          where scope = ${key.scope} and key = ${key.key}`
      return answer
    }),
  )
}

async function claimKey(tx: Transaction, key: IdempotencyKey, now: Date): Promise<void> {
  const claimed = await run(tx)`insert into idempotency_keys (scope, key, call, body_hash, created_at)
      select ${key.scope}::uuid, ${key.key}, ${key.operation}, ${key.bodyHash}::bytea, ${now}::timestamptz
      where pg_try_advisory_xact_lock(hashtextextended(${lockName(key.scope, key.key)}, 0)) is not null
      on conflict (scope, key) do nothing`.catch((error: { code?: string }) => {
    if (error.code === lockTimeout) throw new Problem('twin-running', { retryAfterSeconds })
    throw error
  })
  if (claimed === 1) return
  await throwStoredResponse(tx, key)
  throw new Problem('twin-running', { retryAfterSeconds })
}

function lockName(scope: string, key: string): string {
  return `${scope} ${key}`
}

/**
 * Returns whether a request under this key is in progress in a transaction that is not committed: it holds the key's
 * lock meanwhile.
 */
export async function isBeingAnswered(pool: Pool, scope: string, key: string): Promise<boolean> {
  const found = await row<{ free: boolean }>(pool)`
    select pg_try_advisory_xact_lock(hashtextextended(${lockName(scope, key)}, 0)) as free`
  return found?.free === false
}

/** Throws the stored response of a key, if it has one, and `key-reused` if the key belongs to another call or body. */
export async function throwStoredResponse(connection: Connection, key: IdempotencyKey): Promise<void> {
  const kept = await row<KeyRow>(connection)`
    select call, body_hash, status, answer from idempotency_keys where scope = ${key.scope} and key = ${key.key}`
  if (!kept) return
  if (kept.call !== key.operation || !kept.body_hash.equals(key.bodyHash)) throw new Problem('key-reused')
  if (kept.status !== null) throw new ReplayedResponse(kept.status, kept.answer)
}

const storedStatuses = [409, 422]

/** Stores a problem that must be repeated: 409 and 422, but not those about the key itself. */
export async function storeProblem(pool: Pool, context: RequestContext, problem: Problem): Promise<void> {
  const key = context.idempotency
  if (!key || !storedStatuses.includes(problem.status)) return
  if (problem.code === 'key-reused' || problem.code === 'twin-running') return
  const body = problemBody(problem, context.language, context.auditContext.reference ?? '')
  await run(pool)`insert into idempotency_keys (scope, key, call, body_hash, status, answer, created_at)
      values (${key.scope}, ${key.key}, ${key.operation}, ${key.bodyHash}, ${problem.status},
        ${JSON.stringify(body)}::text::json, ${context.now})
      on conflict (scope, key) do nothing`
}

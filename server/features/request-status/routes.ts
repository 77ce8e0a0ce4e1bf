/** What became of a request whose answer was lost: product-decisions section 13. */
import type { AnswerOf } from '#contract/endpoint.ts'
import { requestStatus as endpoint } from '#contract/request-status.ts'
import { row, sql } from '../../db/sql.ts'
import { clientOf, type Call } from '../../http/request-context.ts'
import { isBeingAnswered } from '../../http/idempotency.ts'
import type { Serve } from '../../http/register-endpoint.ts'
import type { Parts } from '../../dependencies.ts'

type Answer = AnswerOf<typeof endpoint>

export function requestStatusRoutes(serve: Serve, parts: Parts): void {
  serve(endpoint, (call) => showRequestStatus(parts, call))
}

/** Changes nothing: a request is sent again only by the client's own press. */
async function showRequestStatus(parts: Parts, call: Call<typeof endpoint>): Promise<Answer> {
  const { clientId } = clientOf(call)
  const { key } = call.query
  // In this order: what was under way when the lock was looked at is either still so, or committed and read below.
  if (await isBeingAnswered(parts.pool, clientId, key)) return without('in-progress')
  const kept = await row<{ call: string; status: number | null; answer: Record<string, unknown> | null }>(
    parts.pool,
    sql`select call, status, answer from idempotency_keys where scope = ${clientId} and key = ${key}`,
  )
  if (kept && kept.status !== null)
    return { status: 'answered', call: kept.call, answerStatus: kept.status, answer: kept.answer }
  return without(kept || (await hasBegun(parts, clientId, key)) ? 'in-progress' : 'unknown')
}

function without(status: 'unknown' | 'in-progress'): Answer {
  return { status, call: null, answerStatus: null, answer: null }
}

/** A payment is written before the provider is asked for its page: it waits for that, or for the same request again. */
async function hasBegun(parts: Parts, clientId: string, key: string): Promise<boolean> {
  const begun = await row(
    parts.pool,
    sql`select 1 from deposits where client_id = ${clientId} and request_key = ${key} and state = 'pending'`,
  )
  return begun !== null
}

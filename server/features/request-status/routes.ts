/** The outcome of a request whose response was lost (requirements 15.16). */
import type { ResponseOf } from '#contract/endpoint.ts'
import { requestStatus as endpoint } from '#contract/request-status.ts'
import type { ClientId } from '#rules/ids.ts'
import { row } from '../../db/sql.ts'
import { requireClient, type RequestContext } from '../../http/handler.ts'
import { isBeingAnswered } from '../../http/idempotency.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import type { Dependencies } from '../../dependencies.ts'

type Answer = ResponseOf<typeof endpoint>

export function requestStatusRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(endpoint, showRequestStatus)
}

/** Returns the outcome without changing anything: only the client sends a request again. */
async function showRequestStatus(
  dependencies: Dependencies,
  context: RequestContext<typeof endpoint>,
): Promise<Answer> {
  const { clientId } = requireClient(context)
  const { key } = context.query
  // In this order: a request in progress at the time of the lock check is either still in progress, or committed and
  // read below.
  if (await isBeingAnswered(dependencies.pool, clientId, key)) return emptyAnswer('in-progress')
  const kept = await row<{ call: string; status: number | null; answer: Record<string, unknown> | null }>(
    dependencies.pool,
  )`
    select call, status, answer from idempotency_keys where scope = ${clientId} and key = ${key}`
  if (kept && kept.status !== null)
    return { status: 'answered', call: kept.call, answerStatus: kept.status, answer: kept.answer }
  return emptyAnswer(kept || (await hasBegun(dependencies, clientId, key)) ? 'in-progress' : 'unknown')
}

function emptyAnswer(status: 'unknown' | 'in-progress'): Answer {
  return { status, call: null, answerStatus: null, answer: null }
}

/**
 * Returns whether the request was written. A payment is written before its page is requested from the provider, so it
 * is answered later, by that response or by the repeated request.
 */
async function hasBegun(dependencies: Dependencies, clientId: ClientId, key: string): Promise<boolean> {
  const begun = await row(dependencies.pool)`
    select 1 from deposits where client_id = ${clientId} and request_key = ${key} and state = 'pending'`
  return begun !== null
}

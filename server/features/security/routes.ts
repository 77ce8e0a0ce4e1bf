/** Profile > Security: product-decisions section 11. */
import {
  confirmSecondFactor as confirm,
  disableSecondFactor as disable,
  endSession,
  listSessions,
  startSecondFactor as start,
} from '#contract/security.ts'
import { proveAgain as prove, showProof } from '#contract/step-up.ts'
import { clientOf } from '../../http/request-context.ts'
import type { Serve } from '../../http/register-endpoint.ts'
import type { Parts } from '../../dependencies.ts'
import { confirmSecondFactor } from './confirm-second-factor.ts'
import { disableSecondFactor } from './disable-second-factor.ts'
import { endOwnSession } from './end-session.ts'
import { proveAgain, showOwnProof } from './confirm-step-up.ts'
import { openSessions } from './queries.ts'
import { startSecondFactor } from './start-second-factor.ts'

export function securityRoutes(serve: Serve, parts: Parts): void {
  serve(start, (call) => startSecondFactor(parts, call))
  serve(confirm, (call) => confirmSecondFactor(parts, call))
  serve(disable, (call) => disableSecondFactor(parts, call))
  serve(showProof, (call) => showOwnProof(parts, call))
  serve(prove, (call) => proveAgain(parts, call))
  serve(endSession, (call) => endOwnSession(parts, call))
  serve(listSessions, async (call) => {
    const { clientId, sessionId } = clientOf(call)
    const found = await openSessions(parts.pool, clientId, call.now)
    return { sessions: found.map((session) => ({ ...session, current: session.id === sessionId })) }
  })
}

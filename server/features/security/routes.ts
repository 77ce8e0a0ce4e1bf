/** Profile > Security: requirements 4.19, 4.20. */
import {
  confirmSecondFactor as confirm,
  disableSecondFactor as disable,
  endSession,
  listSessions,
  startSecondFactor as start,
} from '#contract/security.ts'
import { confirmStepUp as prove, getStepUpStatus } from '#contract/step-up.ts'
import { requireClient } from '../../http/request-context.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import type { Dependencies } from '../../dependencies.ts'
import { confirmSecondFactor } from './confirm-second-factor.ts'
import { disableSecondFactor } from './disable-second-factor.ts'
import { endOwnSession } from './end-session.ts'
import { confirmStepUp, showStepUpStatus } from './confirm-step-up.ts'
import { openSessions } from './queries.ts'
import { startSecondFactor } from './start-second-factor.ts'

export function securityRoutes(registerEndpoint: RegisterEndpoint, dependencies: Dependencies): void {
  registerEndpoint(start, (context) => startSecondFactor(dependencies, context))
  registerEndpoint(confirm, (context) => confirmSecondFactor(dependencies, context))
  registerEndpoint(disable, (context) => disableSecondFactor(dependencies, context))
  registerEndpoint(getStepUpStatus, (context) => showStepUpStatus(dependencies, context))
  registerEndpoint(prove, (context) => confirmStepUp(dependencies, context))
  registerEndpoint(endSession, (context) => endOwnSession(dependencies, context))
  registerEndpoint(listSessions, async (context) => {
    const { clientId, sessionId } = requireClient(context)
    const found = await openSessions(dependencies.pool, clientId, context.now)
    return { sessions: found.map((session) => ({ ...session, current: session.id === sessionId })) }
  })
}

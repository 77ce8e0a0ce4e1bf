/** Profile > Security (requirements 4.19, 4.20). */
import * as contract from '#contract/security.ts'
import { confirmStepUp as prove, getStepUpStatus } from '#contract/step-up.ts'
import { requireClient } from '../../http/handler.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import { confirmSecondFactor } from './confirm-second-factor.ts'
import { disableSecondFactor } from './disable-second-factor.ts'
import { endOwnSession } from './end-session.ts'
import { confirmStepUp, showStepUpStatus } from './confirm-step-up.ts'
import { openSessions } from './queries.ts'
import { startSecondFactor } from './start-second-factor.ts'

export function securityRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(contract.startSecondFactor, startSecondFactor)
  registerEndpoint(contract.confirmSecondFactor, confirmSecondFactor)
  registerEndpoint(contract.disableSecondFactor, disableSecondFactor)
  registerEndpoint(getStepUpStatus, showStepUpStatus)
  registerEndpoint(prove, confirmStepUp)
  registerEndpoint(contract.endSession, endOwnSession)
  registerEndpoint(contract.listSessions, async (dependencies, context) => {
    const { clientId, sessionId } = requireClient(context)
    const found = await openSessions(dependencies.pool, clientId, context.now)
    return { sessions: found.map((session) => ({ ...session, current: session.id === sessionId })) }
  })
}

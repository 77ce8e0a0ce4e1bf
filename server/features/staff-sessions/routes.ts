/** Staff sign-in and the staff member's own session. */
import {
  acceptInvitation as acceptEndpoint,
  officeChangePassword,
  officeCurrent,
  officeLogin,
  officeLogout,
  officeConfirmStepUp,
  officeSecondFactor,
  officeSetLanguage,
  officeGetStepUpStatus,
  openInvitation as openEndpoint,
} from '#contract/office/session.ts'
import { recordEvent } from '../../db/events.ts'
import { run, transaction } from '../../db/sql.ts'
import { requireStaff } from '../../http/handler.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import { endSession } from '../../http/sessions.ts'
import { acceptInvitation, openInvitation } from './accept-invitation.ts'
import { changePassword } from './change-password.ts'
import { logIn } from './log-in.ts'
import { logInSecondFactor } from './log-in-second-factor.ts'
import { confirmStepUp, showStepUpStatus } from './confirm-step-up.ts'
import { showCurrent } from './show-current.ts'

export function staffSessionRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(officeLogin, logIn)
  registerEndpoint(officeSecondFactor, logInSecondFactor)
  registerEndpoint(openEndpoint, openInvitation)
  registerEndpoint(acceptEndpoint, acceptInvitation)
  registerEndpoint(officeCurrent, showCurrent)
  registerEndpoint(officeChangePassword, changePassword)
  registerEndpoint(officeGetStepUpStatus, showStepUpStatus)
  registerEndpoint(officeConfirmStepUp, confirmStepUp)

  registerEndpoint(officeLogout, async (dependencies, context) => {
    const { sessionId, staffId } = requireStaff(context)
    await transaction(dependencies.pool, async (tx) => {
      await endSession(tx, sessionId, context.now)
      await recordEvent(tx, context.auditContext, { kind: 'staff', action: 'logOut', record: staffId })
    })
    return {}
  })

  registerEndpoint(officeSetLanguage, async (dependencies, context) => {
    const { staffId } = requireStaff(context)
    await run(dependencies.pool)`update staff set language = ${context.body.language} where id = ${staffId}`
    return {}
  })
}

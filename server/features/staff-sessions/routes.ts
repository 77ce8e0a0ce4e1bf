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
import { run } from '../../db/sql.ts'
import { transaction } from '../../db/transaction.ts'
import { requireStaff } from '../../http/request-context.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import { endSession } from '../../http/sessions.ts'
import type { Dependencies } from '../../dependencies.ts'
import { acceptInvitation, openInvitation } from './accept-invitation.ts'
import { changePassword } from './change-password.ts'
import { logIn } from './log-in.ts'
import { logInSecondFactor } from './log-in-second-factor.ts'
import { confirmStepUp, showStepUpStatus } from './confirm-step-up.ts'
import { showCurrent } from './show-current.ts'

export function staffSessionRoutes(registerEndpoint: RegisterEndpoint, dependencies: Dependencies): void {
  registerEndpoint(officeLogin, (context) => logIn(dependencies, context))
  registerEndpoint(officeSecondFactor, (context) => logInSecondFactor(dependencies, context))
  registerEndpoint(openEndpoint, (context) => openInvitation(dependencies, context))
  registerEndpoint(acceptEndpoint, (context) => acceptInvitation(dependencies, context))
  registerEndpoint(officeCurrent, (context) => showCurrent(dependencies, context))
  registerEndpoint(officeChangePassword, (context) => changePassword(dependencies, context))
  registerEndpoint(officeGetStepUpStatus, (context) => showStepUpStatus(dependencies, context))
  registerEndpoint(officeConfirmStepUp, (context) => confirmStepUp(dependencies, context))

  registerEndpoint(officeLogout, async (context) => {
    const { sessionId, staffId } = requireStaff(context)
    await transaction(dependencies.pool, async (tx) => {
      await endSession(tx, sessionId, context.now)
      await recordEvent(tx, context.auditContext, { kind: 'staff', action: 'logOut', record: staffId })
    })
    return {}
  })

  registerEndpoint(officeSetLanguage, async (context) => {
    const { staffId } = requireStaff(context)
    await run(dependencies.pool)`update staff set language = ${context.body.language} where id = ${staffId}`
    return {}
  })
}

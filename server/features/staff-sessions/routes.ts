/** Staff sign-in and the staff member's own session. */
import {
  acceptInvitation as acceptEndpoint,
  officeChangePassword,
  officeCurrent,
  officeLogin,
  officeLogout,
  officeProveAgain,
  officeSecondFactor,
  officeSetLanguage,
  officeShowProof,
  openInvitation as openEndpoint,
} from '#contract/office/session.ts'
import { record } from '../../db/events.ts'
import { run, sql } from '../../db/sql.ts'
import { transaction } from '../../db/transaction.ts'
import { staffOf } from '../../http/request-context.ts'
import type { Serve } from '../../http/register-endpoint.ts'
import { endSession } from '../../http/sessions.ts'
import type { Parts } from '../../dependencies.ts'
import { acceptInvitation, openInvitation } from './accept-invitation.ts'
import { changePassword } from './change-password.ts'
import { logIn } from './log-in.ts'
import { logInSecondFactor } from './log-in-second-factor.ts'
import { proveAgain, showOwnProof } from './confirm-step-up.ts'
import { showCurrent } from './show-current.ts'

export function staffSessionRoutes(serve: Serve, parts: Parts): void {
  serve(officeLogin, (call) => logIn(parts, call))
  serve(officeSecondFactor, (call) => logInSecondFactor(parts, call))
  serve(openEndpoint, (call) => openInvitation(parts, call))
  serve(acceptEndpoint, (call) => acceptInvitation(parts, call))
  serve(officeCurrent, (call) => showCurrent(parts, call))
  serve(officeChangePassword, (call) => changePassword(parts, call))
  serve(officeShowProof, (call) => showOwnProof(parts, call))
  serve(officeProveAgain, (call) => proveAgain(parts, call))

  serve(officeLogout, async (call) => {
    const { sessionId, staffId } = staffOf(call)
    await transaction(parts.pool, async (tx) => {
      await endSession(tx, sessionId, call.now)
      await record(tx, call.act, { kind: 'staff', verb: 'logOut', record: staffId })
    })
    return {}
  })

  serve(officeSetLanguage, async (call) => {
    const { staffId } = staffOf(call)
    await run(parts.pool, sql`update staff set language = ${call.body.language} where id = ${staffId}`)
    return {}
  })
}

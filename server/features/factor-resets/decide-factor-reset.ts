/** Another person approves or rejects the reset of a client's 2FA; the person who requested it can cancel it. */
import type { approveFactorReset, cancelFactorReset, rejectFactorReset } from '#contract/office/factor-resets.ts'
import { checkProposalDecider, type ProposalAction } from '#rules/actors.ts'
import { checkFactorResetApproval, factorResetMachine } from '#rules/factor-resets.ts'
import { applyTransition } from '../../db/transition.ts'
import { recordEvent } from '../../db/events.ts'
import type { Transaction } from '../../db/sql.ts'
import { requireStaff, type Handler, type RequestContext } from '../../http/handler.ts'
import { throwIfProblem, requireFound } from '../../http/problem.ts'
import { endSessionsOf } from '../../http/sessions.ts'
import { sendMail, unixSeconds } from '../../mail/send-mail.ts'
import { decisionReason } from '../../office/decide.ts'
import { assertNotOwnRequest, takeDecision } from '../../office/records.ts'
import { removeFactor } from '../../auth/totp.ts'
import { factorResetOf, lockSubject, type LockedSubject } from './queries.ts'

type Decision = typeof approveFactorReset | typeof rejectFactorReset | typeof cancelFactorReset
const { name: kind } = factorResetMachine

export const decideFactorReset =
  (action: ProposalAction): Handler<Decision> =>
  async (dependencies, context) => {
    const { id } = context.params
    const staff = requireStaff(context)
    return takeDecision(dependencies, context, kind, id, async (tx) => {
      const client = await lockSubject(tx, id)
      const reset = requireFound(await factorResetOf(tx, client.id))
      assertNotOwnRequest(staff, client.email)
      throwIfProblem(checkProposalDecider(action, reset.askedBy === staff.staffId))
      const of = { id: client.id, clientId: client.id }
      const after = await applyTransition(tx, factorResetMachine, context.auditContext, of, action, {
        version: context.body.version,
        reason: decisionReason(context.body),
        set: { ...(action === 'cancel' ? {} : { decided_by: staff.staffId }), decided_at: context.now },
        workItem: null,
      })
      if (action === 'approve') {
        throwIfProblem(checkFactorResetApproval(reset.askedAt, reset.factorConfirmedAt))
        await disableFactor(tx, context, client)
      }
      return after
    })
  }

/** Turns off two-factor authentication and ends all sessions. The next login needs only the password. */
async function disableFactor(tx: Transaction, context: RequestContext<Decision>, client: LockedSubject): Promise<void> {
  const { id, email: to, language } = client
  await removeFactor(tx, id)
  await endSessionsOf(tx, { clientId: id }, context.now)
  await recordEvent(tx, context.auditContext, { kind: 'client', action: 'resetFactor', record: id, clientId: id })
  const facts = { at: unixSeconds(context.now) }
  await sendMail(tx, context.now, { kind: 'second-factor-reset', to, language, facts, clientId: id })
}

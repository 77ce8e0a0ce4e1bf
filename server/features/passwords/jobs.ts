/** Emails a link to reset the password, if there is an account with the address. */
import { recordEvent } from '../../db/events.ts'
import { sendMail } from '../../mail/send-mail.ts'
import type { OperationKind } from '../../jobs/operations.ts'
import type { Dependencies } from '../../dependencies.ts'
import { isEmailAllowed } from '../../auth/email-rate-limit.ts'
import { createLink } from '../../auth/one-time-links.ts'
import { ownerByEmail } from './queries.ts'

interface ResetPayload {
  readonly email: string
  /** Where the request came from; operations of earlier versions have none. */
  readonly address?: string
}

const triesMax = 20

/** Calls no integration: the link and its email are written when the request is settled. */
export function resetOperation(dependencies: Dependencies): OperationKind<ResetPayload> {
  return {
    kind: 'password-reset',
    repeatable: true,
    runsInRecovery: true,
    triesMax,
    async send() {
      return {}
    },
    async settled(tx, { payload }, _outcome, auditContext) {
      const owner = await ownerByEmail(tx, payload.email)
      if (!owner || owner.state === 'suspended' || owner.state === 'closed') return
      const { mailsPerHour } = await dependencies.settings.get('rateLimits')
      if (!(await isEmailAllowed(tx, owner.email, mailsPerHour, auditContext.now))) return
      const { resetMinutes: minutes } = await dependencies.settings.get('security')
      const { id: clientId, email: to, language } = owner
      const link = await createLink(
        tx,
        dependencies.keys,
        { purpose: 'reset', owner: { clientId }, lifeSeconds: minutes * 60 },
        auditContext.now,
      )
      const requested = payload.address === undefined ? auditContext : { ...auditContext, address: payload.address }
      await recordEvent(tx, requested, { kind: 'client', action: 'sendReset', record: clientId, clientId })
      await sendMail(tx, auditContext.now, {
        kind: 'password-reset',
        to,
        language,
        facts: { link, minutes },
        clientId,
        subject: 'client',
        record: clientId,
      })
    },
  }
}

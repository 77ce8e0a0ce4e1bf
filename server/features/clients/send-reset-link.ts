import type * as decisions from '#contract/office/client-decisions.ts'
import { recordClientEvent } from '../../db/events.ts'
import { transaction } from '../../db/sql.ts'
import { notifyChange } from '../../db/work-items.ts'
import type { Handler } from '../../http/handler.ts'
import { enforceLimit, perHour } from '../../http/rate-limits.ts'
import { sendMail } from '../../mail/send-mail.ts'
import { clientForAction } from '../../office/client-for-action.ts'
import { createLink } from '../../auth/one-time-links.ts'

/** Mails a link for a new password. Staff never see it, and the second factor stays. */
export const sendResetLink: Handler<typeof decisions.sendResetLink> = async (dependencies, context) => {
  const { id } = context.params
  const { resetsPerHour } = await dependencies.settings.get('rateLimits')
  const { resetMinutes } = await dependencies.settings.get('security')
  await enforceLimit(dependencies.pool, perHour('staff-reset', id), resetsPerHour, context.now)
  await transaction(dependencies.pool, async (tx) => {
    const client = await clientForAction(tx, id)
    const lifeSeconds = resetMinutes * 60
    const link = await createLink(
      tx,
      dependencies.keys,
      { purpose: 'reset', owner: { clientId: client.id }, lifeSeconds },
      context.now,
    )
    const facts = { link, minutes: resetMinutes }
    await sendMail(tx, context.now, {
      kind: 'password-reset',
      to: client.email,
      language: client.language,
      facts,
      clientId: client.id,
    })
    await recordClientEvent(tx, context.auditContext, client.id, { action: 'sendResetLink' })
    await notifyChange(tx, 'client', client.id)
  })
  return {}
}

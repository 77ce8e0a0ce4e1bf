/** Invites a client: one link confirms the address and sets a password, then the registration continues. */
import type { inviteClient as endpoint } from '#contract/office/client-decisions.ts'
import { checkResidence, countryOf } from '#rules/countries.ts'
import type { ClientId } from '#rules/ids.ts'
import { recordClientEvent } from '../../db/events.ts'
import { row, transaction } from '../../db/sql.ts'
import { Problem, throwIfProblem } from '../../http/problem.ts'
import { enforceLimit, perHour } from '../../http/rate-limits.ts'
import { requireStaff, type Handler } from '../../http/handler.ts'
import { sendMail } from '../../mail/send-mail.ts'
import { createLink } from '../../auth/one-time-links.ts'

const invitationsPerHourMax = 60

/** Writes the client and the mail. Throws `client-known`, `country-unavailable`, `too-many`. */
export const inviteClient: Handler<typeof endpoint> = async (dependencies, context) => {
  const { title, name, surname, email, country, language } = context.body
  const { changes } = await dependencies.settings.get('countries')
  throwIfProblem(checkResidence(countryOf(country, changes)), { field: 'country' })
  const { invitationHours } = await dependencies.settings.get('security')
  await enforceLimit(
    dependencies.pool,
    perHour('invitations', requireStaff(context).staffId),
    invitationsPerHourMax,
    context.now,
  )
  return transaction(dependencies.pool, async (tx) => {
    const made = await row<{ id: ClientId }>(tx)`
      insert into clients (email, title, name, surname, country, language, step, sub_step, password_changed_at, created_at)
        values (${email}, ${title}, ${name}, ${surname}, ${country}, ${language}, 1, 2, ${context.now}, ${context.now})
        on conflict (email) do nothing returning id`
    if (!made) throw new Problem('client-known', { field: 'email' })
    const lifeSeconds = invitationHours * 3600
    const link = await createLink(
      tx,
      dependencies.keys,
      { purpose: 'setpassword', owner: { clientId: made.id }, lifeSeconds },
      context.now,
    )
    await recordClientEvent(tx, context.auditContext, made.id, {
      action: 'invite',
      to: 'registering',
      details: { title, name, surname, email, country },
    })
    await sendMail(tx, context.now, {
      kind: 'client-invited',
      to: email,
      language,
      facts: { link, hours: invitationHours },
      clientId: made.id,
    })
    return { id: made.id }
  })
}

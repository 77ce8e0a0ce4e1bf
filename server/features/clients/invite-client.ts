/** Invites a client: the address is confirmed and a password chosen by one link, then the registration goes on. */
import type { inviteClient as endpoint } from '#contract/office/client-decisions.ts'
import { checkResidence, countryOf } from '#rules/countries.ts'
import { record } from '../../db/events.ts'
import { row, sql } from '../../db/sql.ts'
import { transaction } from '../../db/transaction.ts'
import type { Call } from '../../http/request-context.ts'
import { Problem, refuse } from '../../http/problem.ts'
import { limit } from '../../http/rate-limits.ts'
import { staffOf } from '../../http/request-context.ts'
import { sendMail } from '../../mail/send-mail.ts'
import type { Parts } from '../../dependencies.ts'
import { makeLink } from '../../auth/one-time-links.ts'

const invitationsPerHourMax = 60

/** Writes the client and the mail. Throws `client-known`, `country-unavailable`, `too-many`. */
export async function inviteClient(parts: Parts, call: Call<typeof endpoint>): Promise<{ id: string }> {
  const { title, name, surname, email, country, language } = call.body
  const { changes } = await parts.settings.get('countries')
  refuse(checkResidence(countryOf(country, changes)), { field: 'country' })
  const { invitationHours } = await parts.settings.get('security')
  await limit(
    parts.pool,
    { name: 'invitations', who: staffOf(call).staffId, windowSeconds: 3600 },
    invitationsPerHourMax,
    call.now,
  )
  return transaction(parts.pool, async (tx) => {
    const made = await row<{ id: string }>(
      tx,
      sql`insert into clients (email, title, name, surname, country, language, step, sub_step, password_changed_at, created_at)
          values (${email}, ${title}, ${name}, ${surname}, ${country}, ${language}, 1, 2, ${call.now}, ${call.now})
          on conflict (email) do nothing returning id`,
    )
    if (!made) throw new Problem('client-known', { field: 'email' })
    const lifeSeconds = invitationHours * 3600
    const link = await makeLink(
      tx,
      parts.keys,
      { purpose: 'setpassword', owner: { clientId: made.id }, lifeSeconds },
      call.now,
    )
    await record(tx, call.act, {
      kind: 'client',
      verb: 'invite',
      record: made.id,
      clientId: made.id,
      to: 'registering',
      details: { title, name, surname, email, country },
    })
    await sendMail(
      tx,
      { kind: 'client-invited', to: email, language, facts: { link, hours: invitationHours }, clientId: made.id },
      call.now,
    )
    return { id: made.id }
  })
}

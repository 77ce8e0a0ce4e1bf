/** Actions of staff for a client: invite, log out, reset link, security answer. */
import type * as decisions from '#contract/office/client-decisions.ts'
import type { inviteClient as endpoint } from '#contract/office/client-decisions.ts'
import { securityAnswerTriesMax } from '#rules/constants.ts'
import { recordClientEvent } from '../../db/events.ts'
import { run, sql, transaction, requireRow, row } from '../../db/sql.ts'
import { requireStaff, type Handler } from '../../http/request-context.ts'
import { Problem, throwIfProblem } from '../../http/problem.ts'
import { clear, count, limit, perHour } from '../../http/rate-limits.ts'
import { sendMail } from '../../mail/send-mail.ts'
import { clientForAction } from '../../office/client-for-action.ts'
import { makeLink } from '../../auth/one-time-links.ts'
import { answerForm, isPassword } from '../../auth/password-hash.ts'
import { answerBucket } from './security-answer-bucket.ts'
import { checkResidence, countryOf } from '#rules/countries.ts'
import type { ClientId } from '#rules/ids.ts'

/** Ends every session of a client and returns how many there were. */
export const signOutClient: Handler<typeof decisions.signOutClient> = (dependencies, context) =>
  transaction(dependencies.pool, async (tx) => {
    const client = await clientForAction(tx, context.params.id)
    const ended = await run(tx)`
      update sessions set ended_at = ${context.now} where client_id = ${client.id} and ended_at is null`
    await recordClientEvent(tx, context.auditContext, client.id, {
      action: 'signOutEverywhere',
      reason: context.body.reason,
    })
    return { ended }
  })

/** Mails a link for a new password. Staff never see it, and the second factor stays. */
export const sendResetLink: Handler<typeof decisions.sendResetLink> = async (dependencies, context) => {
  const { id } = context.params
  const { resetsPerHour } = await dependencies.settings.get('rateLimits')
  const { resetMinutes } = await dependencies.settings.get('security')
  await limit(dependencies.pool, perHour('staff-reset', id), resetsPerHour, context.now)
  await transaction(dependencies.pool, async (tx) => {
    const client = await clientForAction(tx, id)
    const lifeSeconds = resetMinutes * 60
    const link = await makeLink(
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
  })
  return {}
}

/**
 * Checks a security answer; 5 wrong ones a day per client, over all staff. An attempt is counted before it is checked,
 * so that concurrent ones cannot exceed the limit.
 */
export const checkSecurityAnswer: Handler<typeof decisions.checkSecurityAnswer> = async (dependencies, context) => {
  const client = await transaction(dependencies.pool, (tx) =>
    clientForAction<{ security_answer_hash: string | null }>(tx, context.params.id, sql`, security_answer_hash`),
  )
  const tries = await count(dependencies.pool, answerBucket(client.id), context.now)
  if (tries.count > securityAnswerTriesMax)
    throw new Problem('answer-tries-over', { retryAfterSeconds: Math.max(1, tries.secondsLeft) })
  const right = await isPassword(client.security_answer_hash, answerForm(context.body.answer))
  if (right) await clear(dependencies.pool, answerBucket(client.id))
  await transaction(dependencies.pool, (tx) =>
    recordClientEvent(tx, context.auditContext, client.id, {
      action: right ? 'securityAnswerRight' : 'securityAnswerWrong',
    }),
  )
  return { right, triesLeft: right ? securityAnswerTriesMax : securityAnswerTriesMax - tries.count }
}

/** Adds a note that only staff read. */
export const writeNote: Handler<typeof decisions.writeNote> = (dependencies, context) =>
  transaction(dependencies.pool, async (tx) => {
    const { text } = context.body
    const client = await clientForAction(tx, context.params.id)
    const written = await requireRow<{ id: string }>(tx)`
      insert into staff_notes (client_id, staff_id, text, at) values (${client.id}, ${requireStaff(context).staffId}, ${text}, ${context.now}) returning id`
    await recordClientEvent(tx, context.auditContext, client.id, { action: 'writeNote', details: { note: text } })
    return written
  })

const invitationsPerHourMax = 60

/** Writes the client and the mail. Throws `client-known`, `country-unavailable`, `too-many`. */
export const inviteClient: Handler<typeof endpoint> = async (dependencies, context) => {
  const { title, name, surname, email, country, language } = context.body
  const { changes } = await dependencies.settings.get('countries')
  throwIfProblem(checkResidence(countryOf(country, changes)), { field: 'country' })
  const { invitationHours } = await dependencies.settings.get('security')
  await limit(
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
    const link = await makeLink(
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

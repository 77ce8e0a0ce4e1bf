/** Actions of staff for a client: log out, reset link, security answer. */
import type * as decisions from '#contract/office/client-decisions.ts'
import { securityAnswerTriesMax } from '#rules/constants.ts'
import { recordClientEvent } from '../../db/events.ts'
import { run, sql, transaction, requireRow } from '../../db/sql.ts'
import { requireStaff, type Handler } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { clear, count, limit, perHour } from '../../http/rate-limits.ts'
import { sendMail } from '../../mail/send-mail.ts'
import { clientForAction } from '../../office/client-for-action.ts'
import { makeLink } from '../../auth/one-time-links.ts'
import { answerForm, isPassword } from '../../auth/password-hash.ts'
import { answerBucket } from './security-answer-bucket.ts'

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

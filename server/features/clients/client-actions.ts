/** What staff do for a client beside deciding: sign out, reset link, security answer. */
import { securityAnswerTriesMax } from '#rules/constants.ts'
import { record } from '../../db/events.ts'
import { row, run, sql } from '../../db/sql.ts'
import { transaction } from '../../db/transaction.ts'
import { staffOf, type Call } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import { clear, count, limit } from '../../http/rate-limits.ts'
import { sendMail } from '../../mail/send-mail.ts'
import { clientForDeed } from '../../office/client-for-action.ts'
import type { Parts } from '../../dependencies.ts'
import { makeLink } from '../../auth/one-time-links.ts'
import { answerForm, isPassword } from '../../auth/password-hash.ts'
import { answerBucket } from './security-answer-bucket.ts'

type DeedCall = Pick<Call, 'caller' | 'act' | 'now'>

/** Ends every session of a client and answers how many there were. */
export async function signOutClient(
  parts: Parts,
  call: DeedCall,
  id: string,
  reason: string,
): Promise<{ ended: number }> {
  return transaction(parts.pool, async (tx) => {
    const client = await clientForDeed(tx, id)
    const ended = await run(
      tx,
      sql`update sessions set ended_at = ${call.now} where client_id = ${client.id} and ended_at is null`,
    )
    await record(tx, call.act, {
      kind: 'client',
      verb: 'signOutEverywhere',
      record: client.id,
      clientId: client.id,
      reason,
    })
    return { ended }
  })
}

const hourSeconds = 3600

/** Mails a link for a new password; nobody on the staff sees it, and the second factor stays. */
export async function sendResetLink(parts: Parts, call: DeedCall, id: string): Promise<void> {
  const { resetsPerHour } = await parts.settings.get('rateLimits')
  const { resetMinutes } = await parts.settings.get('security')
  await limit(parts.pool, { name: 'staff-reset', who: id, windowSeconds: hourSeconds }, resetsPerHour, call.now)
  await transaction(parts.pool, async (tx) => {
    const client = await clientForDeed(tx, id)
    const lifeSeconds = resetMinutes * 60
    const link = await makeLink(
      tx,
      parts.keys,
      { purpose: 'reset', owner: { clientId: client.id }, lifeSeconds },
      call.now,
    )
    const facts = { link, minutes: resetMinutes }
    await sendMail(
      tx,
      { kind: 'password-reset', to: client.email, language: client.language, facts, clientId: client.id },
      call.now,
    )
    await record(tx, call.act, { kind: 'client', verb: 'sendResetLink', record: client.id, clientId: client.id })
  })
}

/**
 * Checks a spoken answer; 5 wrong ones a day, whoever asks. A try is counted before the answer is known, so that many
 * at once are no way around it.
 */
export async function checkSecurityAnswer(
  parts: Parts,
  call: DeedCall,
  id: string,
  answer: string,
): Promise<{ right: boolean; triesLeft: number }> {
  const client = await transaction(parts.pool, (tx) =>
    clientForDeed<{ security_answer_hash: string | null }>(tx, id, sql`, security_answer_hash`),
  )
  const tries = await count(parts.pool, answerBucket(client.id), call.now)
  if (tries.count > securityAnswerTriesMax)
    throw new Problem('answer-tries-over', { retryAfterSeconds: Math.max(1, tries.secondsLeft) })
  const right = await isPassword(client.security_answer_hash, answerForm(answer))
  if (right) await clear(parts.pool, answerBucket(client.id))
  await transaction(parts.pool, (tx) =>
    record(tx, call.act, {
      kind: 'client',
      verb: right ? 'securityAnswerRight' : 'securityAnswerWrong',
      record: client.id,
      clientId: client.id,
    }),
  )
  return { right, triesLeft: right ? securityAnswerTriesMax : securityAnswerTriesMax - tries.count }
}

/** Adds a note that only staff read. */
export async function writeNote(parts: Parts, call: DeedCall, id: string, text: string): Promise<{ id: string }> {
  return transaction(parts.pool, async (tx) => {
    const client = await clientForDeed(tx, id)
    const written = await row<{ id: string }>(
      tx,
      sql`insert into staff_notes (client_id, staff_id, text, at) values (${client.id}, ${staffOf(call).staffId}, ${text}, ${call.now}) returning id`,
    )
    if (!written) throw new Error('a note was not written')
    await record(tx, call.act, {
      kind: 'client',
      verb: 'writeNote',
      record: client.id,
      clientId: client.id,
      details: { note: text },
    })
    return written
  })
}

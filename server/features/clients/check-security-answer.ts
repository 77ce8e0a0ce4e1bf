import type * as decisions from '#contract/office/client-decisions.ts'
import { securityAnswerTriesMax } from '#rules/constants.ts'
import { recordClientEvent } from '../../db/events.ts'
import { sql, transaction } from '../../db/sql.ts'
import { notifyChange } from '../../db/work-items.ts'
import type { Handler } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { type Bucket, clearBucket, incrementCount } from '../../http/rate-limits.ts'
import { clientForAction } from '../../office/client-for-action.ts'
import { normalizeSecurityAnswer, isCorrectPassword } from '../../auth/password-hash.ts'
import type { ClientId } from '#rules/ids.ts'

const daySeconds = 24 * 3600

/** Attempts per client and day, across all staff. */
export function answerBucket(clientId: ClientId): Bucket {
  return { name: 'security-answer', who: clientId, windowSeconds: daySeconds }
}

/**
 * Checks a security answer, with at most 5 wrong ones a day per client across all staff. An attempt is counted before
 * it is checked, so that concurrent ones cannot exceed the limit.
 */
export const checkSecurityAnswer: Handler<typeof decisions.checkSecurityAnswer> = async (dependencies, context) => {
  const client = await transaction(dependencies.pool, (tx) =>
    clientForAction<{ security_answer_hash: string | null }>(tx, context.params.id, sql`, security_answer_hash`),
  )
  const tries = await incrementCount(dependencies.pool, answerBucket(client.id), context.now)
  if (tries.count > securityAnswerTriesMax)
    throw new Problem('answer-tries-over', { retryAfterSeconds: Math.max(1, tries.secondsLeft) })
  const right = await isCorrectPassword(client.security_answer_hash, normalizeSecurityAnswer(context.body.answer))
  if (right) await clearBucket(dependencies.pool, answerBucket(client.id))
  await transaction(dependencies.pool, async (tx) => {
    await recordClientEvent(tx, context.auditContext, client.id, {
      action: right ? 'securityAnswerRight' : 'securityAnswerWrong',
    })
    await notifyChange(tx, 'client', client.id)
  })
  return { right, triesLeft: right ? securityAnswerTriesMax : securityAnswerTriesMax - tries.count }
}

/**
 * The password or a code requested again within a session: few attempts, and a wrong one does not end the session
 * (requirements 4.21).
 */
import type { StepUpMethod } from '#rules/step-up.ts'
import { confirmationFailuresMax, signInFailureSeconds } from '#rules/constants.ts'
import type { ClientId } from '#rules/ids.ts'
import { row, type Connection } from '../db/sql.ts'
import { clearBucket, incrementCount, type Bucket } from '../http/rate-limits.ts'
import { Problem } from '../http/problem.ts'
import type { Dependencies } from '../dependencies.ts'
import { isCorrectPassword } from './password-hash.ts'
import { decryptPassword } from './decrypt-password.ts'

/** Passwords and codes are counted separately: a correct one of one kind does not reset the failures of the other. */
function attemptBucket(clientId: ClientId, by: StepUpMethod): Bucket {
  return { name: `prove-${by}`, who: clientId, windowSeconds: signInFailureSeconds }
}

/** Counts a client's attempt before it is verified. Throws `too-many`. */
export async function countStepUpAttempt(
  connection: Connection,
  clientId: ClientId,
  by: StepUpMethod,
  now: Date,
): Promise<void> {
  const { count: reached, secondsLeft } = await incrementCount(connection, attemptBucket(clientId, by), now)
  if (reached > confirmationFailuresMax) throw new Problem('too-many', { retryAfterSeconds: Math.max(1, secondsLeft) })
}

/** Resets the attempts of a kind after a correct one. */
export async function clearStepUpAttempts(connection: Connection, clientId: ClientId, by: StepUpMethod): Promise<void> {
  await clearBucket(connection, attemptBucket(clientId, by))
}

/** Throws `password-incorrect` unless `sent` is the client's password, and `too-many` after many wrong ones. */
export async function verifyPassword(
  dependencies: Dependencies,
  clientId: ClientId,
  sent: string,
  now: Date,
): Promise<void> {
  await countStepUpAttempt(dependencies.pool, clientId, 'password', now)
  const password = await decryptPassword(dependencies, sent, now, 'password-garbled', 'passwordincorrect')
  const kept = await row<{ hash: string | null }>(dependencies.pool)`
    select password_hash as hash from clients where id = ${clientId}`
  if (!(await isCorrectPassword(kept?.hash ?? null, password))) throw new Problem('password-incorrect')
  await clearStepUpAttempts(dependencies.pool, clientId, 'password')
}

/**
 * Limits of failed sign-ins: for an account from one address, and for an address; an account with failures from many
 * addresses only responds more slowly, so that no one can lock its owner out (requirements 4.17). Also limits all
 * attempts for an account from one address, because each successful one costs a hash, a session and an event (ADR 90).
 */
import { signInFailuresBeforeDelay, signInFailureSeconds, signInTriesPerHour } from '#rules/constants.ts'
import type { Connection, Sql } from '../db/sql.ts'
import {
  incrementCounts,
  recordSuccess,
  successSql,
  type Bucket,
  type SuccessBucket,
  perHour,
} from '../http/rate-limits.ts'
import { networkOf } from '../http/network.ts'
import { Problem } from '../http/problem.ts'
import type { Dependencies } from '../dependencies.ts'

const delayStepMs = 250
const delayMaxMs = 5_000

interface SignInLimits {
  readonly failedSignInsOfPair: number
  readonly failedSignInsOfAddress: number
}

interface Attempt {
  /** "portal" or "office", counted separately. */
  readonly app: string
  readonly email: string
  readonly address: string
}

function attemptBuckets({
  app,
  email,
  address: from,
}: Attempt): Record<'pair' | 'address' | 'account' | 'tries', Bucket> {
  const address = networkOf(from)
  return {
    pair: { name: `${app}-pair`, who: `${email} ${address}`, windowSeconds: signInFailureSeconds },
    address: { name: `${app}-address`, who: address, windowSeconds: signInFailureSeconds },
    account: perHour(`${app}-account`, email),
    tries: perHour(`${app}-tries`, `${email} ${address}`),
  }
}

/**
 * Counts an attempt as failed before it is verified, so that concurrent ones are counted too. Throws `too-many`; waits
 * if an account has failed often.
 */
export async function beginAttempt(
  { pool, pause }: Pick<Dependencies, 'pool' | 'pause'>,
  attempt: Attempt,
  limits: SignInLimits,
  now: Date,
): Promise<void> {
  const { pair, address, account, tries } = attemptBuckets(attempt)
  const [mostOfAddress, mostOfPair] = [limits.failedSignInsOfAddress, limits.failedSignInsOfPair]
  const limited = [
    { ...address, most: mostOfAddress },
    { ...pair, most: mostOfPair },
  ]
  const [ofAddress, ofPair, ofAccount, ofTries] = await incrementCounts(pool, limited, [account, tries], now)
  const over = [
    { counted: ofPair, most: mostOfPair },
    { counted: ofAddress, most: mostOfAddress },
    { counted: ofTries, most: signInTriesPerHour },
  ].find(({ counted, most }) => counted && counted.count > most)?.counted
  if (over) throw new Problem('too-many', { retryAfterSeconds: Math.max(1, over.secondsLeft) })
  const delayed = (ofAccount?.count ?? 0) - signInFailuresBeforeDelay
  if (delayed > 0) await pause(Math.min(delayed * delayStepMs, delayMaxMs))
}

/**
 * Removes the failure of a successful attempt, and resets those of the account from this address; the attempt itself
 * stays counted.
 */
export async function recordAttemptSuccess(connection: Connection, attempt: Attempt): Promise<void> {
  await recordSuccess(connection, bucketsOfSuccess(attempt))
}

/** Returns `recordAttemptSuccess` as a part of a larger statement. */
export function attemptSuccessSql(attempt: Attempt): Sql {
  return successSql(bucketsOfSuccess(attempt))
}

function bucketsOfSuccess(attempt: Attempt): SuccessBucket[] {
  const { pair, address, account } = attemptBuckets(attempt)
  return [
    { ...address, on: 'giveBack' },
    { ...pair, on: 'empty' },
    { ...account, on: 'giveBack' },
  ]
}

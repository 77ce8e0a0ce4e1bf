/**
 * Limits of failed sign-ins: for an account from one address, and for an address; an account with failures from many
 * addresses only responds more slowly, so that no one can lock its owner out (requirements 4.17). Also limits all
 * attempts for an account from one address, because each successful one costs a hash, a session and an event (ADR 90).
 */
import { signInFailuresBeforeDelay, signInFailureSeconds, signInTriesPerHour } from '#rules/constants.ts'
import type { Connection, Sql } from '../db/sql.ts'
import { countEach, settle, settling, type Bucket, type Settled, perHour } from '../http/rate-limits.ts'
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
  readonly door: string
  readonly email: string
  readonly address: string
}

function buckets({ door, email, address: from }: Attempt): Record<'pair' | 'address' | 'account' | 'tries', Bucket> {
  const address = networkOf(from)
  return {
    pair: { name: `${door}-pair`, who: `${email} ${address}`, windowSeconds: signInFailureSeconds },
    address: { name: `${door}-address`, who: address, windowSeconds: signInFailureSeconds },
    account: perHour(`${door}-account`, email),
    tries: perHour(`${door}-tries`, `${email} ${address}`),
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
  const { pair, address, account, tries } = buckets(attempt)
  const [mostOfAddress, mostOfPair] = [limits.failedSignInsOfAddress, limits.failedSignInsOfPair]
  const limited = [
    { ...address, most: mostOfAddress },
    { ...pair, most: mostOfPair },
  ]
  const [ofAddress, ofPair, ofAccount, ofTries] = await countEach(pool, limited, [account, tries], now)
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
export async function attemptSucceeded(connection: Connection, attempt: Attempt): Promise<void> {
  await settle(connection, settledBy(attempt))
}

/** Returns `attemptSucceeded` as a part of a larger statement. */
export function succeeding(attempt: Attempt): Sql {
  return settling(settledBy(attempt))
}

function settledBy(attempt: Attempt): Settled[] {
  const { pair, address, account } = buckets(attempt)
  return [
    { ...address, on: 'giveBack' },
    { ...pair, on: 'empty' },
    { ...account, on: 'giveBack' },
  ]
}

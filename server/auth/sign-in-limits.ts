/**
 * How often a sign-in may fail: for an account from one address, for an address; an account that many strangers try only
 * answers more slowly, so that no one can lock its owner out (requirements 4.17). How often it may be tried at
 * all, for an account from one address: each right one is a hash, a session and an event, too (ADR 90).
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
  /** "portal" or "office": each counts for itself. */
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
 * Counts a try as failed before it is looked at, so that many at once are counted too. Throws `too-many`; waits where an
 * account has failed often.
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

/** Takes the failure back: it succeeded. The pair starts again; that it was tried stays. */
export async function attemptSucceeded(connection: Connection, attempt: Attempt): Promise<void> {
  await settle(connection, settledBy(attempt))
}

/** Returns the same as a part of a statement that does more at once. */
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

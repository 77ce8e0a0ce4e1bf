/**
 * Hashes with argon2id on separate threads with a bounded queue: many sign-ins delay one another, but never use up the
 * server's memory or other calls' time (requirements 32.5).
 */
import { availableParallelism } from 'node:os'
import { hash, type Algorithm } from '@node-rs/argon2'
import { threadPool } from '../threads/thread-pool.ts'
import type { HashRequest } from './hash-worker.ts'

const cores = availableParallelism()
const runOnThread = threadPool({
  // One per core if the threads can have a lower priority, otherwise one core stays free. Each takes 19 MiB while it
  // hashes.
  threadsMax: Math.min(8, process.platform === 'linux' ? cores : Math.max(1, cores - 1)),
  tasksEach: 2,
  waitingMax: 60,
  busyRetrySeconds: 3,
  resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 },
})

let yields = true

/** Gives hashing the normal priority, for a process that has no other work; call it before the first hash. */
export function hashWithoutYielding(): void {
  yields = false
}

function hashInWorker(task: HashRequest): Promise<string | boolean> {
  return runOnThread(new URL('./hash-worker.ts', import.meta.url), 'doHashTask', { ...task, yields })
}

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. */
const cost = { algorithm: 2 as Algorithm, memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** The beginning of the PHC string of a hash with the current parameters. */
const currentHashPrefix = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`

/** Returns the PHC string of a password. Throws `unavailable` if too many are queued. */
export async function hashPassword(password: string): Promise<string> {
  return String(await hashInWorker({ want: 'hash', password, cost }))
}

// The hash that an unknown person's password is compared with, so that the response takes the same time.
const placeholder = hash('no one has this password', cost)

/**
 * Returns whether the password matches the hash; without a hash the work is done all the same and the result is false.
 */
export async function isCorrectPassword(kept: string | null, password: string): Promise<boolean> {
  const right = await hashInWorker({ want: 'verify', password, kept: kept ?? (await placeholder) })
  return right === true && kept !== null
}

/**
 * Returns whether the hash was made with other parameters than the current ones: the password is then hashed again
 * after it has been verified.
 */
export function isHashOutdated(kept: string): boolean {
  return !kept.startsWith(currentHashPrefix)
}

/** Returns the form in which a security answer is hashed, because answers differ in case and spaces. */
export function normalizeSecurityAnswer(answer: string): string {
  return answer.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()
}

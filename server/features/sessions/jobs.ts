/** What runs out by time and is looked at by nobody any more: rows that only guarded a sign-in or a request. */
import { idempotencyKeyHours } from '#rules/constants.ts'
import { run, sql } from '../../db/sql.ts'
import type { Chore } from '../../jobs/workers.ts'
import type { Parts } from '../../dependencies.ts'

const everyMs = 10 * 60_000
const hourMs = 3_600_000

/** The sweep of used ciphertexts, full windows, proofs that have run out and old keys. */
export function accessChores(parts: Parts): Chore[] {
  return [{ name: 'sweep-access', everyMs, run: (now) => sweepAccess(parts, now) }]
}

/** Removes what has run out. */
export async function sweepAccess(parts: Pick<Parts, 'jobs'>, now: Date): Promise<void> {
  const keysBefore = new Date(now.getTime() - idempotencyKeyHours * hourMs)
  await run(parts.jobs, sql`delete from used_ciphertexts where until < ${now}`)
  await run(parts.jobs, sql`delete from rate_limits where window_ends_at < ${now}`)
  await run(parts.jobs, sql`delete from call_proofs where ends_at < ${now}`)
  await run(parts.jobs, sql`delete from idempotency_keys where created_at < ${keysBefore}`)
}

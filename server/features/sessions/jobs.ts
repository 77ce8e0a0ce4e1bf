/** Deletes expired rows that only protected a login or a request. */
import { hourMs } from '#rules/dates.ts'
import { idempotencyKeyHours } from '#rules/constants.ts'
import { run } from '../../db/sql.ts'
import type { ScheduledTask } from '../../jobs/workers.ts'
import type { Dependencies } from '../../dependencies.ts'

const everyMs = 10 * 60_000

/** Returns the task that deletes used ciphertexts, expired rate limit windows and confirmations, and old keys. */
export function accessTasks(dependencies: Dependencies): ScheduledTask[] {
  return [{ name: 'sweep-access', everyMs, run: (now) => deleteExpiredAccess(dependencies, now) }]
}

/** Deletes expired rows. */
export async function deleteExpiredAccess(dependencies: Pick<Dependencies, 'jobs'>, now: Date): Promise<void> {
  const keysBefore = new Date(now.getTime() - idempotencyKeyHours * hourMs)
  await run(dependencies.jobs)`delete from used_ciphertexts where until < ${now}`
  await run(dependencies.jobs)`delete from rate_limits where window_ends_at < ${now}`
  await run(dependencies.jobs)`delete from call_proofs where ends_at < ${now}`
  await run(dependencies.jobs)`delete from idempotency_keys where created_at < ${keysBefore}`
}

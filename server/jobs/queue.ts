/** Jobs are added inside the caller's transaction and heard at its commit. They carry ids only. */
import { run } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'

export type JobName = 'operation' | 'follow-up'

/** Wakes a worker when the caller's transaction commits. */
export async function addJob(tx: Transaction, name: JobName, payload: Readonly<Record<string, string>>): Promise<void> {
  await run(tx)`select graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::text::json, max_attempts => 5)`
}

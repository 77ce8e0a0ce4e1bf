/**
 * The threads that hash passwords: as many as there are cores where they can stand back behind everything else, else one
 * core stays free.
 */
import { availableParallelism } from 'node:os'
import { threadPool } from '../threads/thread-pool.ts'
import type { HashTask } from './hash-worker.ts'

const cores = availableParallelism()

const runOnThread = threadPool({
  /** Each takes 19 MiB while it hashes. */
  threadsMax: Math.min(8, process.platform === 'linux' ? cores : Math.max(1, cores - 1)),
  waitingMax: 60,
  busyRetrySeconds: 3,
  resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 },
})

/** Does the task in its turn. Throws `unavailable` at once where too many are waiting. */
export function hashInWorker(task: HashTask): Promise<string | boolean> {
  return runOnThread(new URL('./hash-worker.ts', import.meta.url), 'doHashTask', task)
}

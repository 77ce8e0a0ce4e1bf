/**
 * Renders PDFs on a separate thread, one at a time, so that neither the layout nor loading its libraries delays
 * responses (ADR 89).
 */
import { threadPool } from '../threads/thread-pool.ts'

const runOnThread = threadPool({
  threadsMax: 1,
  waitingMax: 20,
  busyRetrySeconds: 10,
  clockMsMax: 60_000,
  idleMs: 60_000,
  resourceLimits: { maxOldGenerationSizeMb: 128 },
})

/**
 * Returns the bytes that a module's `render` creates from these facts on a worker thread. Facts are copied: values, no
 * functions. Throws `unavailable` if too many are queued or this one takes too long.
 */
export async function renderPdf<Render extends (facts: never) => Promise<Buffer>>(
  renderer: URL,
  facts: Parameters<Render>[0],
): Promise<Buffer> {
  return Buffer.from(await runOnThread<Uint8Array>(renderer, 'render', facts))
}

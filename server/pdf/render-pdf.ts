/**
 * Renders PDFs on a thread of their own, one at a time, so that neither the layout nor loading its libraries delays
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
 * What the `render` of a module makes of these facts, which are copied to the thread: values, no functions. Throws
 * `unavailable` where too many wait, or this one took too long.
 */
export async function renderPdf<Render extends (facts: never) => Promise<Buffer>>(
  renderer: URL,
  facts: Parameters<Render>[0],
): Promise<Buffer> {
  return Buffer.from(await runOnThread<Uint8Array>(renderer, 'render', facts))
}

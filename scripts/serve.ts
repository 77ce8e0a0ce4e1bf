/**
 * One server as a process of its own: migrates, then answers requests and works on jobs, as ROLE says.
 * What production runs, what `npm start` keeps running, and what the fault tests kill.
 */
import { flushCompileCache } from 'node:module'
import { BadConfig, readConfig } from '#server/config/config.ts'
import { startServer } from '#server/main.ts'
import { receiveEnvironment } from './child-process.ts'

/** Longer than answers and jobs that are under way may take, beside the draining; a database that stands still gives no connection back. */
const endingMsMax = 20_000

try {
  await receiveEnvironment()
  const config = readConfig(process.env)
  const server = await startServer(config)

  let ending = false
  const end = async (code: 0 | 1): Promise<void> => {
    if (ending) return
    ending = true
    // After an error that no one caught no one knows what would be answered meanwhile.
    const drainMs = code === 0 ? config.drainMs : 0
    setTimeout(() => process.exit(1), drainMs + endingMsMax).unref()
    await (code === 0 ? server.stop() : server.stop(0))
    process.exit(code)
  }
  /** What state it left behind no one knows: answers under way are finished, and a new process takes over. */
  const endInDisorder = (error: unknown): void => {
    server.dependencies.log.fatal({ err: error }, 'unhandled error, process exits')
    if (ending) process.exit(1)
    end(1).catch(() => process.exit(1))
  }
  process.on('uncaughtException', endInDisorder)
  process.on('unhandledRejection', endInDisorder)
  // The starter's death closes the channel: no one would stop us any more.
  for (const event of ['SIGTERM', 'SIGINT', 'disconnect']) process.on(event, () => void end(0))
  process.send?.({ ready: true, port: config.port })
  // Kept now: one that is killed keeps nothing, and the next one would compile it all again.
  flushCompileCache()
} catch (error) {
  const sentence = error instanceof Error ? error.message : String(error)
  process.send?.({ failed: sentence })
  console.error(error instanceof BadConfig ? sentence : error)
  process.exitCode = 1
  process.disconnect?.()
  // Whatever had been opened before the failure must not keep the process alive.
  setTimeout(() => process.exit(), 500).unref()
}

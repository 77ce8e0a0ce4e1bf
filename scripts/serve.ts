/**
 * One server as a separate process: migrates, then responds to requests and processes jobs, according to ROLE.
 * Production runs it, `npm start` keeps it running, and the fault tests kill it.
 */
import { flushCompileCache } from 'node:module'
import { readConfig } from '#server/config/config.ts'
import { BadConfig } from '#server/config/read-variable.ts'
import { startServer } from '#server/main.ts'
import { releaseMemoryWhenIdle } from './release-memory.ts'
import { receiveEnvironment } from './running-environment.ts'

/**
 * Longer than responses and jobs in progress may take, in addition to the draining; a database that hangs returns no
 * connection.
 */
const endingMsMax = 20_000

try {
  await receiveEnvironment()
  const config = readConfig(process.env)
  const server = await startServer(config)

  let ending = false
  const end = async (code: 0 | 1): Promise<void> => {
    if (ending) return
    ending = true
    // After an uncaught error, further responses would be unreliable.
    const drainMs = code === 0 ? config.drainMs : 0
    setTimeout(() => process.exit(1), drainMs + endingMsMax).unref()
    await (code === 0 ? server.stop() : server.stop(0))
    process.exit(code)
  }
  /** The state after it is unknown: responses in progress are finished, and a new process takes over. */
  const endInDisorder = (error: unknown): void => {
    server.dependencies.log.fatal({ err: error }, 'unhandled error, process exits')
    if (ending) process.exit(1)
    end(1).catch(() => process.exit(1))
  }
  process.on('uncaughtException', endInDisorder)
  process.on('unhandledRejection', endInDisorder)
  // The starter's death closes the channel: nothing else would stop us any more.
  for (const event of ['SIGTERM', 'SIGINT', 'disconnect']) process.on(event, () => void end(0))
  process.send?.({ ready: true, port: config.port })
  // Stored now: a process that is killed stores nothing, and the next one would compile everything again.
  flushCompileCache()
  releaseMemoryWhenIdle().catch((error: unknown) =>
    server.dependencies.log.warn({ err: error }, 'start-up memory not released'),
  )
} catch (error) {
  const sentence = error instanceof Error ? error.message : String(error)
  process.send?.({ failed: sentence })
  console.error(error instanceof BadConfig ? sentence : error)
  process.exitCode = 1
  process.disconnect?.()
  // Handles that had been opened before the failure must not keep the process alive.
  setTimeout(() => process.exit(), 500).unref()
}

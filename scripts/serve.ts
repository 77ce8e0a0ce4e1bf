/**
 * One server as a process of its own: migrates, then answers requests and works on jobs, as ROLE says.
 * What production runs, what `npm start` keeps running, and what the fault tests kill.
 */
import { BadConfig, readConfig } from '#server/config.ts'
import { startServer } from '#server/main.ts'

try {
  const config = readConfig(process.env)
  const server = await startServer(config)

  let ending = false
  const end = async (): Promise<void> => {
    if (ending) return
    ending = true
    await server.stop()
    process.exit(0)
  }
  // The starter's death closes the channel: nobody would stop us any more.
  for (const event of ['SIGTERM', 'SIGINT', 'disconnect']) process.on(event, () => void end())
  process.send?.({ ready: true, port: config.port })
} catch (error) {
  const sentence = error instanceof Error ? error.message : String(error)
  process.send?.({ failed: sentence })
  console.error(error instanceof BadConfig ? sentence : error)
  process.exitCode = 1
  process.disconnect?.()
  // Whatever had been opened before the failure must not keep the process alive.
  setTimeout(() => process.exit(), 500).unref()
}

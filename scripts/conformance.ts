/** `npm run conformance -- mt5|mt4|card|mail <address>`: a real server beside what our adapter expects. */
import { conformance } from '#server/operator/conformance-command.ts'
import { runningEnvironment } from './running-environment.ts'

try {
  // What the embedded product runs with gives way to what is set here: secrets of the real server.
  const env = { ...runningEnvironment(process.env), ...process.env }
  const isWell = await conformance(env, process.argv.slice(2), (line) => console.log(line))
  process.exitCode = isWell ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}

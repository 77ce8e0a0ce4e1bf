/** `npm run conformance -- mt5|mt4|card|mail <address>`: compares a real server with our adapter's expectations. */
import { conformance } from '#server/operator/conformance-command.ts'
import { runningEnvironment } from './running-environment.ts'

try {
  // Variables set here, such as secrets of the real server, take precedence over those of the embedded product.
  const env = { ...runningEnvironment(process.env), ...process.env }
  const hasPassed = await conformance(env, process.argv.slice(2), (line) => console.log(line))
  process.exitCode = hasPassed ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}

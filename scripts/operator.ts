/** `npm run operator -- <verb>`: what is done at the server's own terminal. Without a verb it prints what there is. */
import { readConfig } from '#server/config.ts'
import { operate } from '#server/operator/commands.ts'
import { runningEnvironment } from './running-environment.ts'

try {
  const config = readConfig(runningEnvironment(process.env))
  const well = await operate(config, process.argv.slice(2), (line) => console.log(line))
  process.exitCode = well ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}

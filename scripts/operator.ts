/**
 * `npm run operator -- <command>`: the operator's commands at the server's terminal. Without a command it lists them.
 * At a terminal it asks for confirmation before a command that cannot be undone.
 */
import { createInterface } from 'node:readline/promises'
import { readConfig } from '#server/config/config.ts'
import { operate } from '#server/operator/commands.ts'
import { runningEnvironment } from './running-environment.ts'

async function askAtTerminal(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question(question)
  terminal.close()
  return answer.trim() === 'yes'
}

try {
  const config = readConfig(runningEnvironment(process.env))
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY
  const print = (line: string) => console.log(line)
  const succeeded = await operate(config, process.argv.slice(2), print, undefined, isTerminal ? askAtTerminal : null)
  process.exitCode = succeeded ? 0 : 1
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}

/**
 * Returns the environment of the operator's commands: the process's own, or that of the product running on this
 * DATA_DIR.
 */
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '#server/config/config.ts'
import type { Environment } from '#server/config/read-variable.ts'

/** Returns the file of the server's environment while `npm start` runs. */
export function runningFile(dataDir: string): string {
  return join(dataDir, 'running.json')
}

/** Returns the environment itself if it names a database; otherwise that of the embedded one, if it runs. */
export function runningEnvironment(env: Environment): Environment {
  const config = readConfig(env)
  const file = runningFile(config.dataDir)
  if (config.database !== null || !existsSync(file)) return env
  return JSON.parse(readFileSync(file, 'utf8')) as Environment
}

/** The argument of a program that is sent more of its environment once it is known. */
export const environmentFollows = '--environment-follows'

/**
 * Waits in a program that `keepRunning` started with `envLater`, and adds the received variables to its environment.
 */
export async function receiveEnvironment(): Promise<void> {
  if (!process.argv.includes(environmentFollows)) return
  const [env] = (await once(process, 'message')) as [NodeJS.ProcessEnv]
  Object.assign(process.env, env)
}

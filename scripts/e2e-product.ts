/**
 * The product of the journeys: one real start on free ports, with its own data. `npm test` starts it while the other
 * tests run; if only journeys run, Playwright's global set-up does.
 */
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { fork } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { variables } from '#server/config/environment.ts'
import { usablePort } from './simulators.ts'

/** The variable that shows the tests the product (tests/product.ts). */
const productVariable = 'PORTAL_TEST_PRODUCT'

interface Announcement {
  readonly ready?: boolean
  readonly serverEnv?: Record<string, string>
}

/** Starts the product if it is not running, and returns a function that stops it. */
export default async function setUp(): Promise<() => Promise<void>> {
  if (process.env[productVariable] !== undefined) return async () => undefined
  const dataDir = mkdtempSync(join(tmpdir(), 'portal-journeys-'))
  // Readable for the database's account, so that everything is in this one directory.
  chmodSync(dataDir, 0o711)
  const port = String(await usablePort(0))
  const outer = Object.entries(process.env).filter(([name]) => !Object.hasOwn(variables, name))
  const child = fork(join(import.meta.dirname, 'start.ts'), [], {
    env: { ...Object.fromEntries(outer), PORT: port, PORTAL_URL: `http://localhost:${port}`, DATA_DIR: dataDir },
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  const serverEnv = await new Promise<Record<string, string>>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`The product did not start.\n${output}`)))
    child.on('message', (message: Announcement) => message.ready === true && resolve(message.serverEnv ?? {}))
  }).catch((error: unknown) => {
    rmSync(dataDir, { recursive: true, force: true })
    throw error
  })
  process.env[productVariable] = JSON.stringify(serverEnv)
  return async () => {
    child.kill('SIGTERM')
    await ended
    if (process.env['KEEP_LOGS'] === undefined) rmSync(dataDir, { recursive: true, force: true })
    else console.log(readFileSync(join(dataDir, 'server.log'), 'utf8'))
  }
}

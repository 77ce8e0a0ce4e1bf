/** Starts a simulator as a separate process for the contract tests. No part of it runs in this process. */
import { fork, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const startMs = 30_000

export interface RunningSimulator {
  readonly port: number
  readonly switchPort: number
  readonly pid: number
  /** Sets a switch: `turn('drop-after', { count: 1 })`. */
  turn(name: string, fields?: object): Promise<Record<string, unknown>>
  /** Reads one of the lists: `read('deals?login=5100001')`. */
  read<Row>(path: string): Promise<Row>
  /** Kills the process immediately (SIGKILL); its state is kept. */
  end(): Promise<void>
  /** Kills it and starts it again with the same state, on new ports. */
  restart(): Promise<RunningSimulator>
  stop(): Promise<void>
}

/**
 * Starts a simulator. `name` is a directory of simulators/, `folder` contains its state (a temporary one by default).
 * It uses free ports unless the environment names them.
 */
export async function startSimulator(
  name: 'mt5' | 'mt4-gateway' | 'card-provider' | 'mailbox',
  environment: Readonly<Record<string, string>> = {},
  folder?: string,
): Promise<RunningSimulator> {
  const stateFolder = folder ?? (await mkdtemp(join(tmpdir(), `${name}-`)))
  const child = fork(join(import.meta.dirname, '..', 'simulators', name, 'main.ts'), [], {
    env: {
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      PORT: '0',
      SWITCH_PORT: '0',
      ...environment,
      STATE_FILE: join(stateFolder, 'state.jsonl'),
    },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const { port, switchPort } = await waitForPorts(child, name).catch(async (error: unknown) => {
    await killAndWait(child)
    if (folder === undefined) await rm(stateFolder, { recursive: true, force: true })
    throw error
  })
  const address = `http://127.0.0.1:${switchPort}`
  const end = () => killAndWait(child)
  return {
    port,
    switchPort,
    pid: child.pid ?? 0,
    turn: (switchName, fields = {}) =>
      fetchJson(`${address}/${switchName}`, { method: 'POST', body: JSON.stringify(fields) }),
    read: (path) => fetchJson(`${address}/${path}`, {}),
    end,
    async restart() {
      await end()
      return startSimulator(name, environment, stateFolder)
    },
    async stop() {
      await end()
      await rm(stateFolder, { recursive: true, force: true })
    },
  }
}

async function fetchJson<Answer>(url: string, init: RequestInit): Promise<Answer> {
  // The other side may close a kept-alive connection just as it is used again.
  const response = await fetch(url, { ...init, headers: { connection: 'close' } })
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return (await response.json()) as Answer
}

function waitForPorts(child: ChildProcess, name: string): Promise<{ port: number; switchPort: number }> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`The simulator ${name} did not start`)), startMs)
    child.once('message', (message) => {
      clearTimeout(late)
      resolve(message as { port: number; switchPort: number })
    })
    child.once('exit', (code) => {
      clearTimeout(late)
      reject(new Error(`The simulator ${name} ended with ${String(code)}`))
    })
  })
}

function killAndWait(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
  })
}

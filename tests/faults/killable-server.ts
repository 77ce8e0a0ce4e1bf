/** A server as a separate process that a test can kill at any time, and start again on the same port. */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { bundledPrograms } from '#scripts/server-programs.ts'
import { usablePort } from '#scripts/simulators.ts'
import type { Environment } from '#server/config/read-variable.ts'

export interface KillableServer {
  readonly url: string
  /** Sends SIGKILL, without a shutdown. */
  kill(): Promise<void>
  start(): Promise<void>
  signal(name: NodeJS.Signals): void
  /** Returns the exit code if it ended on its own; null if a signal ended it. */
  ended(): Promise<number | null>
  stop(): Promise<void>
}

/** Starts the server with an environment and its own port; as a bundle, which a start loads in less time (ADR 325). */
export async function startKillableServer(env: Environment): Promise<KillableServer> {
  const port = await usablePort(0)
  const { serve } = await bundledPrograms()
  const start = () => spawn(serve, { ...env, PORT: String(port) })
  let child = await start()
  return {
    url: `http://127.0.0.1:${port}`,
    async kill() {
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
    async start() {
      child = await start()
    },
    signal: (name) => void child.kill(name),
    async ended() {
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      return child.exitCode
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
    },
  }
}

async function spawn(script: string, env: Environment): Promise<ChildProcess> {
  const child = fork(script, [], {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...env },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [message] = (await once(child, 'message')) as [{ ready?: boolean; failed?: string }]
  if (!message.ready) throw new Error(message.failed ?? 'the server did not start')
  return child
}

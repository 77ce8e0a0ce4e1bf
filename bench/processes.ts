/** Compares the same list with one server process and with two on the same database. */
import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { usablePort } from '#scripts/simulators.ts'
import type { BenchContext } from './context.ts'
import { httpLoad } from './http-load.ts'
import { clientListRequest } from './lists.ts'
import { measureAlternately } from './rate.ts'
import type { Result } from './results.ts'

const leastTimes = 1.7
/** Two servers, the database and two loads each need one. */
const coresNeeded = 5
const connections = 16

/** Returns the factor by which two processes answer more; the goal applies if there are cores for both. */
export async function benchProcesses(context: BenchContext, seconds: number): Promise<Result[]> {
  const { raw } = await clientListRequest(context, 2)
  const servers = [await startProcess(context), await startProcess(context)]
  try {
    const rateOf = async (ports: readonly number[], slice: number) => {
      const order = { requests: [raw], connections: connections / ports.length, seconds: slice }
      const reports = await Promise.all(ports.map((port) => httpLoad({ ...order, port })))
      if (reports.some(({ refused }) => refused > 0)) throw new Error('a list of the bench was refused')
      return reports.reduce((sum, { perSecond }) => sum + perSecond, 0)
    }
    const ports = servers.map(({ port }) => port)
    // The first thousands of requests are slower, until the code is compiled.
    await rateOf(ports, 2)
    const { product: two, baseline: one } = await measureAlternately(
      seconds,
      (slice) => rateOf(ports, slice),
      (slice) => rateOf(ports.slice(0, 1), slice),
    )
    const times = two / one
    const cores = availableParallelism()
    return [
      {
        what: 'lists from two server processes',
        measured: `${Math.round(two)}/s`,
        note: `${Math.round(one)}/s from one: ${times.toFixed(2)} times on ${cores} cores`,
        goal: cores < coresNeeded ? `≥ ${leastTimes} times from ${coresNeeded} cores on` : `≥ ${leastTimes} times`,
        held: cores < coresNeeded ? null : times >= leastTimes,
      },
    ]
  } finally {
    await Promise.all(servers.map(({ stop }) => stop()))
  }
}

async function startProcess({ env }: BenchContext): Promise<{ port: number; stop(): Promise<void> }> {
  const port = await usablePort(0)
  const child = fork(join(import.meta.dirname, '..', 'scripts', 'serve.ts'), [], {
    env: { ...process.env, ...env, ROLE: 'web', PORT: String(port) },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  await new Promise<void>((ready, reject) => {
    child.once('exit', () => reject(new Error('a second server did not start')))
    child.on('message', (message: { ready?: boolean; failed?: string }) => {
      if (message.ready === true) ready()
    })
  })
  return {
    port,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/**
 * An integration that becomes unavailable for a while: it hangs, or it is killed and refuses connections, and comes
 * back at the same address.
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { usablePort } from '#scripts/simulators.ts'
import { startSimulator, type RunningSimulator } from '../start-simulator.ts'

export interface StoppableSimulator extends Pick<RunningSimulator, 'port' | 'turn' | 'read' | 'stop'> {
  /** Sends SIGSTOP: connections are accepted without a response. */
  freeze(): void
  thaw(): void
  /** Sends SIGKILL: connections are refused. */
  die(): Promise<void>
  /** Starts it on the same ports, with its stored state. */
  comeBack(): Promise<void>
}

export async function startStoppableSimulator(name: 'mt5' | 'card-provider' | 'mailbox'): Promise<StoppableSimulator> {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`))
  const ports = { PORT: String(await usablePort(0)), SWITCH_PORT: String(await usablePort(0)) }
  let running = await startSimulator(name, ports, folder)
  const { port, turn, read } = running
  return {
    port,
    turn,
    read,
    freeze: () => void process.kill(running.pid, 'SIGSTOP'),
    thaw: () => void process.kill(running.pid, 'SIGCONT'),
    die: () => running.end(),
    async comeBack() {
      running = await startSimulator(name, ports, folder)
    },
    stop: () => running.stop(),
  }
}

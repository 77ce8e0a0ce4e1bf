/** Returns the memory that a server's start leaves behind, once the server is idle. */
import { Session } from 'node:inspector/promises'
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'

/** After its start a server has done what was waiting for it; then the time between two looks. */
const settledMs = 5_000
/** The share of its time in which an idle server runs code: its heartbeat, its queue and its open streams. */
const idleShareMax = 0.05

interface Idleness {
  /** Returns the share of the time since the last call in which code ran. */
  readonly busyShare: () => number
  /** Waits; keeps no process alive. */
  readonly pause: (ms: number) => Promise<unknown>
}

/**
 * Collects garbage in the first pause in which the server is idle: a collection stops every request that runs, and a
 * server with requests collects its garbage anyway (ADR 63).
 */
export async function releaseMemoryWhenIdle(
  collect: () => Promise<void> = collectGarbage,
  { busyShare, pause }: Idleness = { busyShare: eventLoopShare(), pause: (ms) => wait(ms, undefined, { ref: false }) },
): Promise<void> {
  do await pause(settledMs)
  while (busyShare() > idleShareMax)
  await collect()
}

function eventLoopShare(): () => number {
  let last = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    return utilization
  }
}

async function collectGarbage(): Promise<void> {
  const session = new Session()
  session.connect()
  try {
    await session.post('HeapProfiler.collectGarbage')
  } finally {
    session.disconnect()
  }
}

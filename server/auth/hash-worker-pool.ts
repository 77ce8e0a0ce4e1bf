/**
 * The threads that hash passwords: as many as there are cores where they can stand back behind everything else, else one
 * core stays free. They are started by the first password, each does one task after the other, and a bounded number waits.
 */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { Problem } from '../http/problem.ts'
import type { HashAnswer, HashTask } from './hash-worker.ts'

const cores = availableParallelism()
/** Each takes 19 MiB while it hashes. */
const threadsMax = Math.min(8, process.platform === 'linux' ? cores : Math.max(1, cores - 1))
const waitingMax = 60
const busyRetrySeconds = 3

/** The one that a thread works at, and the next, so that it need not wait for its answer to be taken. */
const atHandMax = 2

interface Asked {
  readonly task: HashTask
  readonly done: (answer: HashAnswer) => void
}

interface Thread {
  readonly worker: Worker
  /** What it has at hand, in the order in which it answers. */
  readonly atHand: Asked[]
}

const threads = new Set<Thread>()
const waiting: Asked[] = []

/** Does the task in its turn. Throws `unavailable` at once where too many are waiting. */
export async function hashInWorker(task: HashTask): Promise<string | boolean> {
  const thread = freest()
  if (!thread && waiting.length >= waitingMax) throw new Problem('unavailable', { retryAfterSeconds: busyRetrySeconds })
  const answer = await new Promise<HashAnswer>((done) => {
    if (thread) give(thread, { task, done })
    else waiting.push({ task, done })
  })
  if ('failed' in answer) throw new Error(answer.failed)
  return answer.done
}

/** Returns the thread that has least at hand, if only because it is started now; none where all have enough. */
function freest(): Thread | null {
  const [thread] = [...threads].toSorted((a, b) => a.atHand.length - b.atHand.length)
  if (thread?.atHand.length === 0) return thread
  if (threads.size < threadsMax) return startThread()
  return thread && thread.atHand.length < atHandMax ? thread : null
}

function startThread(): Thread {
  const worker = new Worker(new URL('./hash-worker.ts', import.meta.url), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 },
  })
  const thread: Thread = { worker, atHand: [] }
  worker.on('message', (answer: HashAnswer) => {
    const asked = thread.atHand.shift()
    giveNext(thread)
    asked?.done(answer)
    // A thread without work keeps no process alive.
    if (thread.atHand.length === 0) worker.unref()
  })
  worker.on('error', (error) => {
    threads.delete(thread)
    const [broken, ...others] = thread.atHand
    broken?.done({ failed: error.message })
    waiting.unshift(...others)
    for (let free = freest(); free && waiting.length > 0; free = freest()) giveNext(free)
  })
  threads.add(thread)
  return thread
}

function giveNext(thread: Thread): void {
  const next = waiting.shift()
  if (next) give(thread, next)
}

function give({ worker, atHand }: Thread, asked: Asked): void {
  atHand.push(asked)
  worker.ref()
  worker.postMessage(asked.task)
}

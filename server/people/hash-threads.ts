/**
 * The threads that hash passwords: as many as there are cores where they can stand back behind everything else, else one
 * core stays free. They are started by the first password, each does one task at a time, and a bounded number waits.
 */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { Problem } from '../http/problem.ts'
import type { HashAnswer, HashTask } from './hash-thread.ts'

const cores = availableParallelism()
/** Each takes 19 MiB while it hashes. */
const threadsMax = Math.min(8, process.platform === 'linux' ? cores : Math.max(1, cores - 1))
const waitingMax = 60
const busyRetrySeconds = 3

interface Asked {
  readonly task: HashTask
  readonly done: (answer: HashAnswer) => void
}

const idle: Worker[] = []
const waiting: Asked[] = []
let threads = 0

/** Does the task in its turn. Throws `unavailable` at once where too many are waiting. */
export async function hashInTurn(task: HashTask): Promise<string | boolean> {
  if (threads >= threadsMax && idle.length === 0 && waiting.length >= waitingMax)
    throw new Problem('unavailable', { retryAfterSeconds: busyRetrySeconds })
  const answer = await new Promise<HashAnswer>((done) => {
    waiting.push({ task, done })
    const thread = idle.pop() ?? (threads < threadsMax ? startThread() : null)
    if (thread) takeNext(thread)
  })
  if ('failed' in answer) throw new Error(answer.failed)
  return answer.done
}

function startThread(): Worker {
  threads += 1
  const thread = new Worker(new URL('./hash-thread.ts', import.meta.url), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 },
  })
  thread.setMaxListeners(0)
  return thread
}

/** Hands the thread what has waited longest; a thread without work keeps no process alive. */
function takeNext(thread: Worker): void {
  const next = waiting.shift()
  if (!next) {
    thread.unref()
    idle.push(thread)
    return
  }
  thread.ref()
  const end = (answer: HashAnswer) => {
    thread.off('message', end)
    thread.off('error', broken)
    next.done(answer)
  }
  const broken = (error: Error) => {
    threads -= 1
    end({ failed: error.message })
    if (waiting.length > 0) takeNext(startThread())
  }
  thread.once('message', (answer: HashAnswer) => {
    end(answer)
    takeNext(thread)
  })
  thread.once('error', broken)
  thread.postMessage(next.task)
}

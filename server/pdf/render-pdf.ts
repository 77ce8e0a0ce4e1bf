/**
 * Renders PDFs on a thread of their own, one at a time (ADR 89). The first PDF starts the thread, and the thread ends
 * after a minute without another.
 */
import { Worker } from 'node:worker_threads'
import { Problem } from '../http/problem.ts'
import type { RenderResult, RenderTask } from './render-worker.ts'

const waitingMax = 20
const busyRetrySeconds = 10
const clockMsMax = 60_000
const idleMs = 60_000

let thread: Worker | null = null
let idle: NodeJS.Timeout | undefined
let before: Promise<unknown> = Promise.resolve()
let underWay = 0

/**
 * What the `draw` of a module makes of these facts, which are copied to the thread: values, no functions. Throws
 * `unavailable` where too many wait, or this one took too long.
 */
export async function renderPdf<Draw extends (...facts: never[]) => Promise<Buffer>>(
  drawer: URL,
  ...facts: Parameters<Draw>
): Promise<Buffer> {
  if (underWay > waitingMax) throw new Problem('unavailable', { retryAfterSeconds: busyRetrySeconds })
  underWay += 1
  const drawn = before.then(() => onThread({ drawer: drawer.href, facts }))
  before = drawn.catch(() => undefined)
  try {
    return await drawn
  } finally {
    underWay -= 1
  }
}

function onThread(task: RenderTask): Promise<Buffer> {
  clearTimeout(idle)
  const drawing = (thread ??= startThread())
  drawing.ref()
  return new Promise((resolve, reject) => {
    const over = () => {
      clearTimeout(late)
      drawing.off('message', answered)
      drawing.off('error', broken)
      // A thread without work keeps no process alive.
      drawing.unref()
      idle = setTimeout(() => endThread(drawing), idleMs).unref()
    }
    const answered = (answer: RenderResult) => {
      over()
      if ('failed' in answer) reject(new Error(answer.failed))
      else resolve(Buffer.from(answer.done))
    }
    const broken = (error: Error) => {
      over()
      endThread(drawing)
      reject(error)
    }
    const late = setTimeout(
      () => broken(new Problem('unavailable', { retryAfterSeconds: busyRetrySeconds })),
      clockMsMax,
    )
    drawing.on('message', answered)
    drawing.on('error', broken)
    drawing.postMessage(task)
  })
}

function startThread(): Worker {
  return new Worker(new URL('./render-worker.ts', import.meta.url), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  })
}

function endThread(ended: Worker): void {
  if (thread === ended) thread = null
  void ended.terminate()
}

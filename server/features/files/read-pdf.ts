/**
 * PDFs are opened by a worker thread of their own, within bounds of time and memory: one that hangs or swells ends its
 * worker, not the server (quality-bar D4, security-checklist 15.2.5).
 */
import { Worker } from 'node:worker_threads'
import type { PdfAnswer, PdfReport, PdfTask } from './pdf-worker.ts'

/** What one question about a PDF may take. */
export interface PdfBounds {
  /** Of the processor, in ms: a busy machine refuses no good file. */
  readonly workMsMax: number
  /** By the clock, in ms: the bound of what waits instead of working. */
  readonly clockMsMax: number
  /** Of the reader's own memory. */
  readonly memoryBytesMax: number
}

/** Counting pages takes little. */
const checkBounds: PdfBounds = { workMsMax: 1_200, clockMsMax: 20_000, memoryBytesMax: 64 * 1024 * 1024 }
/** A scanned page is drawn as one picture of up to 35 million dots. */
const pictureBounds: PdfBounds = { workMsMax: 8_000, clockMsMax: 20_000, memoryBytesMax: 384 * 1024 * 1024 }
const lookEveryMs = 100
/** Of JavaScript's own values, beside the reader's memory. */
const heapMbMax = 64
const workersMax = 2
let working = 0
const waiting: (() => void)[] = []

export type PdfRefusal = 'unreadable' | 'memory' | 'time'

/** How many pages it has, and whether it could act; or the bound for which it was given up. */
export async function checkPdf(
  bytes: Buffer,
  bounds = checkBounds,
): Promise<{ pages: number; acts: boolean } | { refused: PdfRefusal }> {
  const answer = await ask({ want: 'check', bytes, memoryBytesMax: bounds.memoryBytesMax }, bounds)
  return 'data' in answer ? { refused: 'unreadable' } : answer
}

/** A page as PNG, `width` dots wide; pages count from 1. Null where there is no such page. */
export async function pageAsPicture(bytes: Buffer, page: number, width: number): Promise<Buffer | null> {
  const answer = await ask(
    { want: 'picture', bytes, page, width, memoryBytesMax: pictureBounds.memoryBytesMax },
    pictureBounds,
  )
  if (!('data' in answer)) return null
  const raw = { width: answer.width, height: answer.height, channels: 4 as const }
  const { default: sharp } = await import('sharp')
  return sharp(answer.data, { raw }).flatten({ background: '#fff' }).png().toBuffer()
}

type Answered = PdfAnswer | { readonly refused: PdfRefusal }

async function ask(task: PdfTask, bounds: PdfBounds): Promise<Answered> {
  if (working >= workersMax) await new Promise<void>((resolve) => waiting.push(resolve))
  else working += 1
  try {
    return await answerOf(task, bounds)
  } finally {
    const next = waiting.shift()
    if (next) next()
    else working -= 1
  }
}

function answerOf(task: PdfTask, bounds: PdfBounds): Promise<Answered> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), {
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: heapMbMax },
      // The reader tells its own troubles there.
      stdout: true,
      stderr: true,
    })
    const clock = setTimeout(() => finish({ refused: 'time' }), bounds.clockMsMax)
    const look = setInterval(() => {
      void workedMs(worker).then((ms) => {
        if (ms > bounds.workMsMax) finish({ refused: 'time' })
      })
    }, lookEveryMs)
    const finish = (answer: Answered) => {
      clearTimeout(clock)
      clearInterval(look)
      resolve(answer)
      void worker.terminate()
    }
    // Looked at now and then, and at the end: what worked for too long is given up, however soon that was seen.
    worker.once('message', ({ answer, workedMs: ms }: PdfReport) =>
      finish(ms > bounds.workMsMax ? { refused: 'time' } : answer),
    )
    worker.once('error', (error: Error & { code?: string }) =>
      finish({ refused: error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'unreadable' }),
    )
    worker.once('exit', () => finish({ refused: 'unreadable' }))
  })
}

/** What a thread has worked, in ms of the processor; nothing before it runs and after it ended. */
async function workedMs(worker: Worker): Promise<number> {
  try {
    const { user, system } = await worker.cpuUsage()
    return (user + system) / 1000
  } catch {
    return 0
  }
}

/**
 * PDFs are opened by a worker thread of their own, within bounds of time and memory: one that hangs or swells ends its
 * worker, not the server (quality-bar D4, security-checklist 15.2.5).
 */
import { Worker } from 'node:worker_threads'
import type { PdfAnswer, PdfTask } from './pdf-worker.ts'

/**
 * What a thread may work, in ms of the processor: a busy machine refuses no good file. The clock is the bound of what
 * waits instead of working.
 */
const workMsMax = { check: 1_200, picture: 8_000 } as const
const clockMsMax = 20_000
const lookEveryMs = 100
/** Counting pages takes little; a scanned page is drawn as one picture of up to 35 million dots. */
const memoryBytesMax = { check: 64 * 1024 * 1024, picture: 384 * 1024 * 1024 } as const
/** Of JavaScript's own values, beside the reader's memory. */
const heapMbMax = 64
const workersMax = 2
let working = 0
const waiting: (() => void)[] = []

export type PdfRefusal = 'unreadable' | 'memory' | 'time'

/** How many pages it has, and whether it could act; or why it was given up. */
export async function checkPdf(bytes: Buffer): Promise<{ pages: number; acts: boolean } | { refused: PdfRefusal }> {
  const answer = await ask({ want: 'check', bytes, memoryBytesMax: memoryBytesMax.check })
  return 'data' in answer ? { refused: 'unreadable' } : answer
}

/** A page as PNG, `width` dots wide; pages count from 1. Null where there is no such page. */
export async function pageAsPicture(bytes: Buffer, page: number, width: number): Promise<Buffer | null> {
  const answer = await ask({ want: 'picture', bytes, page, width, memoryBytesMax: memoryBytesMax.picture })
  if (!('data' in answer)) return null
  const raw = { width: answer.width, height: answer.height, channels: 4 as const }
  const { default: sharp } = await import('sharp')
  return sharp(answer.data, { raw }).flatten({ background: '#fff' }).png().toBuffer()
}

type Answered = PdfAnswer | { readonly refused: PdfRefusal }

async function ask(task: PdfTask): Promise<Answered> {
  if (working >= workersMax) await new Promise<void>((resolve) => waiting.push(resolve))
  else working += 1
  try {
    return await answerOf(task)
  } finally {
    const next = waiting.shift()
    if (next) next()
    else working -= 1
  }
}

function answerOf(task: PdfTask): Promise<Answered> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), {
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: heapMbMax },
      // The reader tells its own troubles there.
      stdout: true,
      stderr: true,
    })
    const clock = setTimeout(() => finish({ refused: 'time' }), clockMsMax)
    const look = setInterval(() => {
      void workedMs(worker).then((ms) => {
        if (ms > workMsMax[task.want]) finish({ refused: 'time' })
      })
    }, lookEveryMs)
    const finish = (answer: Answered) => {
      clearTimeout(clock)
      clearInterval(look)
      resolve(answer)
      void worker.terminate()
    }
    worker.once('message', finish)
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

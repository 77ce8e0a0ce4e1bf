/**
 * PDFs are opened by a worker thread of their own, with a time limit: one that hangs or takes memory ends its worker,
 * not the server (security-checklist 15.2.5).
 */
import { Worker } from 'node:worker_threads'
import type { PdfAnswer, PdfTask } from './pdf-worker.ts'

const secondsMax = 10
const workersMax = 2
let working = 0
const waiting: (() => void)[] = []

/** How many pages it has, and whether it could act; null when it cannot be opened without a password, or at all. */
export async function checkPdf(bytes: Buffer): Promise<{ pages: number; acts: boolean } | null> {
  const answer = await ask({ want: 'check', bytes })
  return answer && 'pages' in answer ? answer : null
}

/** A page as PNG, `width` dots wide; pages count from 1. Null where there is no such page. */
export async function pageAsPicture(bytes: Buffer, page: number, width: number): Promise<Buffer | null> {
  const answer = await ask({ want: 'picture', bytes, page, width })
  if (!answer || !('data' in answer)) return null
  const raw = { width: answer.width, height: answer.height, channels: 4 as const }
  const { default: sharp } = await import('sharp')
  return sharp(answer.data, { raw }).flatten({ background: '#fff' }).png().toBuffer()
}

async function ask(task: PdfTask): Promise<PdfAnswer | null> {
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

function answerOf(task: PdfTask): Promise<PdfAnswer | null> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), {
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: 128 },
    })
    const timer = setTimeout(() => done(null), secondsMax * 1000)
    const done = (answer: PdfAnswer | null) => {
      clearTimeout(timer)
      resolve(answer)
      void worker.terminate()
    }
    worker.once('message', done)
    worker.once('error', () => done(null))
    worker.once('exit', () => done(null))
  })
}

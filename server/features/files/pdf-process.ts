/**
 * The process that answers one question about a PDF and ends: a thread of its own opens the file, and this one watches
 * what it takes. All memory that a file made it take goes back with it.
 */
import { Worker } from 'node:worker_threads'
import { peakResidentBytes } from '../../threads/resident-bytes.ts'
import type { PdfAnswer, PdfTask, ThreadReport } from './pdf-worker.ts'

/** What one question about a PDF may take. */
export interface PdfBounds {
  /** Of the processor, in ms: a busy machine refuses no good file. */
  readonly workMsMax: number
  /** By the clock, in ms: the bound of what waits instead of working. */
  readonly clockMsMax: number
  /** Of the reader's own memory. */
  readonly memoryBytesMax: number
  /** Of the whole process, as the system counts what it holds. */
  readonly residentBytesMax: number
}

export interface PdfQuestion {
  readonly task: PdfTask
  readonly bounds: PdfBounds
}

export interface PdfReport {
  readonly answer: PdfAnswer | { readonly refused: 'time' }
  /** The most that the process was seen to hold. */
  readonly residentBytes: number
}

const lookEveryMs = 50
/** Of JavaScript's own values, beside the reader's memory. */
const heapMbMax = 64

let residentBytes = 0
function look(): number {
  residentBytes = Math.max(residentBytes, peakResidentBytes())
  return residentBytes
}

process.once('message', (question: PdfQuestion) => {
  void answerOf(question).then(({ answer, workedMs }) => {
    look()
    const { bounds } = question
    // Looked at now and then, and at the end: what took too much is given up, however soon that was seen.
    const held: PdfReport['answer'] =
      residentBytes > bounds.residentBytesMax
        ? { refused: 'memory' }
        : workedMs > bounds.workMsMax
          ? { refused: 'time' }
          : answer
    process.send?.({ answer: held, residentBytes } satisfies PdfReport, undefined, undefined, () => process.exit())
  })
})
// Anyone who asked is gone.
process.once('disconnect', () => process.exit())

function answerOf({ task, bounds }: PdfQuestion): Promise<ThreadReport> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), {
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: heapMbMax },
      // The reader tells its own troubles there.
      stdout: true,
      stderr: true,
    })
    const refuse = (refused: 'unreadable' | 'memory') => resolve({ answer: { refused }, workedMs: 0 })
    const looks = setInterval(() => {
      if (look() > bounds.residentBytesMax) refuse('memory')
      void worker.cpuUsage().then(
        ({ user, system }) => {
          const workedMs = (user + system) / 1000
          if (workedMs > bounds.workMsMax) resolve({ answer: { refused: 'unreadable' }, workedMs })
        },
        // It has ended, and says so by its answer.
        () => clearInterval(looks),
      )
    }, lookEveryMs)
    worker.once('message', (report: ThreadReport) => resolve(report))
    worker.once('error', (error: Error & { code?: string }) =>
      refuse(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'unreadable'),
    )
    worker.once('exit', () => refuse('unreadable'))
  })
}

/**
 * Process that answers one question about a PDF and exits: a thread opens the file while this one watches its
 * resources. All memory that the file used is released with it.
 */
import { flushCompileCache } from 'node:module'
import { Worker } from 'node:worker_threads'
import { peakResidentBytes } from '../../threads/resident-bytes.ts'
import type { PdfAnswer, PdfTask, ThreadReport } from './pdf-worker.ts'

/** Limits of one question about a PDF. */
export interface PdfBounds {
  /** CPU time in ms, so that a busy machine rejects no valid file. */
  readonly workMsMax: number
  /** Elapsed time in ms, which limits waiting. */
  readonly clockMsMax: number
  /** Memory of the reader. */
  readonly memoryBytesMax: number
  /** Resident memory of the whole process, as the system counts it. */
  readonly residentBytesMax: number
}

export interface PdfQuestion {
  readonly task: PdfTask
  readonly bounds: PdfBounds
}

export interface PdfReport {
  readonly answer: PdfAnswer | { readonly refused: 'time' }
  /** The highest resident memory that was measured. */
  readonly residentBytes: number
}

const memoryCheckMs = 50
/** The JavaScript heap, in addition to the reader's memory. */
const heapMbMax = 64

// Stored now: the process is killed once it has answered, and the next one would compile everything again.
flushCompileCache()

let residentBytes = 0
function updateResidentBytes(): number {
  residentBytes = Math.max(residentBytes, peakResidentBytes())
  return residentBytes
}

process.once('message', (question: PdfQuestion) => {
  void runInWorker(question).then(({ answer, workedMs }) => {
    updateResidentBytes()
    const { bounds } = question
    // Measured at intervals and at the end: a file over a limit is rejected whenever it is noticed.
    const held: PdfReport['answer'] =
      residentBytes > bounds.residentBytesMax
        ? { refused: 'memory' }
        : workedMs > bounds.workMsMax
          ? { refused: 'time' }
          : answer
    process.send?.({ answer: held, residentBytes } satisfies PdfReport, undefined, undefined, () => process.exit())
  })
})
// The parent has exited.
process.once('disconnect', () => process.exit())

function runInWorker({ task, bounds }: PdfQuestion): Promise<ThreadReport> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), {
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: heapMbMax },
      // The reader prints its own warnings there.
      stdout: true,
      stderr: true,
    })
    const refuse = (refused: 'unreadable' | 'memory') => resolve({ answer: { refused }, workedMs: 0 })
    const looks = setInterval(() => {
      if (updateResidentBytes() > bounds.residentBytesMax) refuse('memory')
      void worker.cpuUsage().then(
        ({ user, system }) => {
          const workedMs = (user + system) / 1000
          if (workedMs > bounds.workMsMax) resolve({ answer: { refused: 'unreadable' }, workedMs })
        },
        // The thread has exited; the result depends on its report.
        () => clearInterval(looks),
      )
    }, memoryCheckMs)
    worker.once('message', (report: ThreadReport) => resolve(report))
    worker.once('error', (error: Error & { code?: string }) =>
      refuse(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'unreadable'),
    )
    worker.once('exit', () => refuse('unreadable'))
  })
}

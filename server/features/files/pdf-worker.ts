/** The thread that opens one PDF, answers one question about it, and ends. */
import { parentPort, workerData } from 'node:worker_threads'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import { actsIn } from './search-pdf.ts'

interface Bounded {
  readonly bytes: Uint8Array
  /** What the reader may take for itself. */
  readonly memoryBytesMax: number
}

export type PdfTask = Bounded &
  ({ readonly want: 'check' } | { readonly want: 'picture'; readonly page: number; readonly width: number })

export type PdfAnswer =
  | { readonly pages: number; readonly acts: boolean }
  | { readonly data: Uint8Array; readonly width: number; readonly height: number }
  /** Not to be opened without a password or at all, or only beyond the bound of memory; or it has no such page. */
  | { readonly refused: 'unreadable' | 'memory' | 'page' }

/** The answer, and what the thread has worked for it, in ms of the processor. */
export interface ThreadReport {
  readonly answer: PdfAnswer
  readonly workedMs: number
}

const heightPerWidthMax = 4

let grewTooFar = false

/** Limits the reader’s memory. A reader that gets no more gives the file up. */
function boundMemory(bytesMax: number): void {
  const grow = WebAssembly.Memory.prototype.grow
  WebAssembly.Memory.prototype.grow = function bounded(this: WebAssembly.Memory, pages: number) {
    if (this.buffer.byteLength + pages * 65_536 > bytesMax) {
      grewTooFar = true
      throw new RangeError('The PDF takes too much memory')
    }
    return grow.call(this, pages)
  }
}

const unreadable = { refused: 'unreadable' } as const

async function answer(task: PdfTask): Promise<PdfAnswer> {
  boundMemory(task.memoryBytesMax)
  const library = await PDFiumLibrary.init()
  const document = await library.loadDocument(task.bytes)
  const pages = document.getPageCount()
  if (task.want === 'check') return { pages, acts: actsIn(Buffer.from(task.bytes)) }
  if (task.page < 1 || task.page > pages) return { refused: 'page' }
  const page = document.getPage(task.page - 1)
  const { originalWidth, originalHeight } = page.getOriginalSize()
  const height = Math.round((task.width * originalHeight) / originalWidth)
  if (!(originalWidth > 0) || height < 1 || height > task.width * heightPerWidthMax) return unreadable
  const drawn = await page.render({ width: task.width, height, render: 'bitmap' })
  return { data: drawn.data, width: drawn.width, height: drawn.height }
}

function report(found: PdfAnswer): void {
  const { user, system } = process.threadCpuUsage()
  parentPort?.postMessage({ answer: found, workedMs: (user + system) / 1000 } satisfies ThreadReport)
}

answer(workerData as PdfTask).then(report, () => report(grewTooFar ? { refused: 'memory' } : unreadable))

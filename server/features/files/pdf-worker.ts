/** Thread that opens one PDF, answers one question about it, and exits. */
import { flushCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import { PDFiumLibrary, type PDFiumDocument } from '@hyzyla/pdfium'
import { containsAction } from './search-pdf.ts'

interface MemoryLimited {
  readonly bytes: Uint8Array
  /** Memory limit of the reader. */
  readonly memoryBytesMax: number
}

export type PdfTask = MemoryLimited &
  ({ readonly want: 'check' } | { readonly want: 'picture'; readonly page: number; readonly width: number })

export type PdfAnswer =
  | { readonly pages: number; readonly acts: boolean; readonly info: PdfInfo }
  | { readonly data: Uint8Array; readonly width: number; readonly height: number }
  /** It needs a password, is damaged, exceeds the memory limit, or has no such page. */
  | { readonly refused: 'unreadable' | 'memory' | 'page' }

/** Metadata of a PDF, as written in it. */
export interface PdfInfo {
  readonly producer: string | null
  readonly producedAt: string | null
  readonly modifiedAt: string | null
}

/** The answer, and the CPU time of the thread in ms. */
export interface ThreadReport {
  readonly answer: PdfAnswer
  readonly workedMs: number
}

// As in pdf-process.ts, for the modules of this thread.
flushCompileCache()

const heightPerWidthMax = 4

let grewTooFar = false

/** Limits the reader’s memory. A reader that reaches the limit rejects the file. */
function limitMemory(bytesMax: number): void {
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

async function runTask(task: PdfTask): Promise<PdfAnswer> {
  limitMemory(task.memoryBytesMax)
  const library = await PDFiumLibrary.init()
  const document = await library.loadDocument(task.bytes)
  const pages = document.getPageCount()
  if (task.want === 'check') return { pages, acts: containsAction(Buffer.from(task.bytes)), info: infoOf(document) }
  if (task.page < 1 || task.page > pages) return { refused: 'page' }
  const page = document.getPage(task.page - 1)
  const { originalWidth, originalHeight } = page.getOriginalSize()
  const height = Math.round((task.width * originalHeight) / originalWidth)
  if (!(originalWidth > 0) || height < 1 || height > task.width * heightPerWidthMax) return unreadable
  const drawn = await page.render({ width: task.width, height, render: 'bitmap' })
  return { data: drawn.data, width: drawn.width, height: drawn.height }
}

/** Functions that the library has but does not declare: fpdf_doc.h, FPDF_GetMetaText. */
interface MetaTexts {
  readonly HEAPU8: Uint8Array
  readonly wasmExports: { malloc(size: number): number; free(at: number): void }
  _FPDF_GetMetaText(document: number, tag: number, buffer: number, length: number): number
}

function hasMetaTexts(module: object): module is MetaTexts {
  return '_FPDF_GetMetaText' in module
}

const infoBytesMax = 4_096

function infoOf(document: PDFiumDocument): PdfInfo {
  const module: object = document['module']
  const textOf = (name: string) => (hasMetaTexts(module) ? metaText(module, document['documentIdx'], name) : null)
  return { producer: textOf('Producer'), producedAt: textOf('CreationDate'), modifiedAt: textOf('ModDate') }
}

/** Returns the text, or null if it is absent or longer than plausible. */
function metaText(module: MetaTexts, documentIdx: number, name: string): string | null {
  const { malloc, free } = module.wasmExports
  const tag = malloc(name.length + 1)
  module.HEAPU8.set(Buffer.from(`${name}\0`, 'latin1'), tag)
  const length = module._FPDF_GetMetaText(documentIdx, tag, 0, 0)
  const text = malloc(infoBytesMax)
  const isThere = length > 2 && length <= infoBytesMax
  if (isThere) module._FPDF_GetMetaText(documentIdx, tag, text, length)
  const found = isThere ? Buffer.from(module.HEAPU8.slice(text, text + length - 2)).toString('utf16le') : null
  free(text)
  free(tag)
  return found
}

function postReport(found: PdfAnswer): void {
  const { user, system } = process.threadCpuUsage()
  parentPort?.postMessage({ answer: found, workedMs: (user + system) / 1000 } satisfies ThreadReport)
}

runTask(workerData as PdfTask).then(postReport, () => postReport(grewTooFar ? { refused: 'memory' } : unreadable))

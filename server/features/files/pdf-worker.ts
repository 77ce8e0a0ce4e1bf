/** The thread that opens one PDF, answers one question about it, and ends. */
import { parentPort, workerData } from 'node:worker_threads'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import { actsIn } from './search-pdf.ts'

export type PdfTask =
  | { readonly want: 'check'; readonly bytes: Uint8Array }
  | { readonly want: 'picture'; readonly bytes: Uint8Array; readonly page: number; readonly width: number }

export type PdfAnswer =
  | { readonly pages: number; readonly acts: boolean }
  | { readonly data: Uint8Array; readonly width: number; readonly height: number }

const heightPerWidthMax = 4

async function answer(task: PdfTask): Promise<PdfAnswer | null> {
  const library = await PDFiumLibrary.init()
  const document = await library.loadDocument(task.bytes)
  const pages = document.getPageCount()
  if (task.want === 'check') return { pages, acts: actsIn(Buffer.from(task.bytes)) }
  if (task.page < 1 || task.page > pages) return null
  const page = document.getPage(task.page - 1)
  const { originalWidth, originalHeight } = page.getOriginalSize()
  const height = Math.round((task.width * originalHeight) / originalWidth)
  if (!(originalWidth > 0) || height < 1 || height > task.width * heightPerWidthMax) return null
  const drawn = await page.render({ width: task.width, height, render: 'bitmap' })
  return { data: drawn.data, width: drawn.width, height: drawn.height }
}

answer(workerData as PdfTask).then(
  (found) => parentPort?.postMessage(found),
  () => parentPort?.postMessage(null),
)

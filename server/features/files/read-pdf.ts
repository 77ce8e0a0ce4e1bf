/**
 * Opens PDFs in a separate process with limits of time and memory: one that hangs or uses too much ends its process,
 * not the server (requirements 29.4; ADR 97; ASVS 15.2.5).
 */
import { runInProcess } from '../../threads/run-in-process.ts'
import { limitConcurrency } from '../../threads/limit-concurrency.ts'
import type { PdfBounds, PdfQuestion, PdfReport } from './pdf-process.ts'
import type { PdfInfo, PdfTask } from './pdf-worker.ts'

const megabyte = 1024 * 1024

/** Counting pages needs few resources. */
const checkBounds: PdfBounds = {
  workMsMax: 1_200,
  clockMsMax: 60_000,
  memoryBytesMax: 64 * megabyte,
  residentBytesMax: 320 * megabyte,
}
/** A scanned page is rendered as one image of up to 35 million pixels. */
const pictureBounds: PdfBounds = {
  workMsMax: 8_000,
  clockMsMax: 60_000,
  memoryBytesMax: 256 * megabyte,
  residentBytesMax: 512 * megabyte,
}
const pdfProcess = new URL('./pdf-process.ts', import.meta.url)
const inTurn = limitConcurrency(2)

export type PdfRefusal = 'unreadable' | 'memory' | 'time'

/** Returns the number of pages, whether it contains actions, and its metadata; or the limit that it exceeded. */
export async function checkPdf(
  bytes: Buffer,
  bounds = checkBounds,
): Promise<{ pages: number; acts: boolean; info: PdfInfo } | { refused: PdfRefusal }> {
  const { answer } = await inTurn(() =>
    runPdfTask({ want: 'check', bytes, memoryBytesMax: bounds.memoryBytesMax }, bounds),
  )
  if ('pages' in answer) return answer
  return { refused: 'refused' in answer && answer.refused !== 'page' ? answer.refused : 'unreadable' }
}

interface RenderedPage {
  /** As PNG. */
  readonly picture: Buffer
}

interface UnrenderedPage {
  readonly refused: PdfRefusal | 'page'
  /** The highest resident memory during the rendering. */
  readonly residentBytes: number
}

/** The last pending rendering per file. */
const lastRenderings = new Map<string, Promise<unknown>>()

/**
 * Renders a page of a stored file as PNG, `width` pixels wide; pages count from 1. Pages of one file are rendered one
 * at a time, and the file is read only in its turn, so that many requests do not fill the memory.
 */
export function renderPage(
  file: { id: string; read(): Promise<Buffer> },
  page: number,
  width: number,
  bounds = pictureBounds,
): Promise<RenderedPage | UnrenderedPage> {
  const before = lastRenderings.get(file.id) ?? Promise.resolve()
  const drawn = before.then(() => inTurn(() => render(file, page, width, bounds)))
  const settled = drawn
    .catch(() => undefined)
    .finally(() => {
      if (lastRenderings.get(file.id) === settled) lastRenderings.delete(file.id)
    })
  lastRenderings.set(file.id, settled)
  return drawn
}

async function render(
  file: { read(): Promise<Buffer> },
  page: number,
  width: number,
  bounds: PdfBounds,
): Promise<RenderedPage | UnrenderedPage> {
  const bytes = await file.read()
  const task = { want: 'picture', bytes, page, width, memoryBytesMax: bounds.memoryBytesMax } as const
  const { answer, residentBytes } = await runPdfTask(task, bounds)
  if (!('data' in answer)) return { refused: 'refused' in answer ? answer.refused : 'unreadable', residentBytes }
  const raw = { width: answer.width, height: answer.height, channels: 4 as const }
  const { default: sharp } = await import('sharp')
  return { picture: await sharp(answer.data, { raw }).flatten({ background: '#fff' }).png().toBuffer() }
}

async function runPdfTask(task: PdfTask, bounds: PdfBounds): Promise<PdfReport> {
  const question = { task, bounds } satisfies PdfQuestion
  const report = await runInProcess<PdfReport>(pdfProcess, question, { clockMsMax: bounds.clockMsMax })
  if (!('ended' in report)) return report
  return { answer: { refused: report.ended === 'broken' ? 'unreadable' : report.ended }, residentBytes: 0 }
}

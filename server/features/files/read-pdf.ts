/**
 * PDFs are opened by a process of their own, within bounds of time and memory: one that hangs or swells ends its process,
 * not the server (requirements 29.4; ADR 97; ASVS 15.2.5).
 */
import { askProcess } from '../../threads/ask-process.ts'
import { turns } from '../../threads/turns.ts'
import type { PdfBounds, PdfQuestion, PdfReport } from './pdf-process.ts'
import type { PdfInfo, PdfTask } from './pdf-worker.ts'

const megabyte = 1024 * 1024

/** Counting pages takes little. */
const checkBounds: PdfBounds = {
  workMsMax: 1_200,
  clockMsMax: 60_000,
  memoryBytesMax: 64 * megabyte,
  residentBytesMax: 320 * megabyte,
}
/** A scanned page is drawn as one picture of up to 35 million dots. */
const pictureBounds: PdfBounds = {
  workMsMax: 8_000,
  clockMsMax: 60_000,
  memoryBytesMax: 256 * megabyte,
  residentBytesMax: 512 * megabyte,
}
const pdfProcess = new URL('./pdf-process.ts', import.meta.url)
const inTurn = turns(2)

export type PdfRefusal = 'unreadable' | 'memory' | 'time'

/** Returns how many pages it has, whether it could act, and what it says of its making; or the bound for which it was given up. */
export async function checkPdf(
  bytes: Buffer,
  bounds = checkBounds,
): Promise<{ pages: number; acts: boolean; info: PdfInfo } | { refused: PdfRefusal }> {
  const { answer } = await inTurn(() => query({ want: 'check', bytes, memoryBytesMax: bounds.memoryBytesMax }, bounds))
  if ('pages' in answer) return answer
  return { refused: 'refused' in answer && answer.refused !== 'page' ? answer.refused : 'unreadable' }
}

interface RenderedPage {
  /** As PNG. */
  readonly picture: Buffer
}

interface UnrenderedPage {
  readonly refused: PdfRefusal | 'page'
  /** The most that was held at once for it. */
  readonly residentBytes: number
}

/** Whose pages are drawn just now, with the one that comes last. */
const lastOf = new Map<string, Promise<unknown>>()

/**
 * A page of a stored file as PNG, `width` dots wide; pages count from 1. Of one file they are drawn one at a time, and it
 * is read only when its turn has come: a hundred pages asked for at once lie in memory for no one.
 */
export function renderPage(
  file: { id: string; read(): Promise<Buffer> },
  page: number,
  width: number,
  bounds = pictureBounds,
): Promise<RenderedPage | UnrenderedPage> {
  const before = lastOf.get(file.id) ?? Promise.resolve()
  const drawn = before.then(() => inTurn(() => render(file, page, width, bounds)))
  const settled = drawn
    .catch(() => undefined)
    .finally(() => {
      if (lastOf.get(file.id) === settled) lastOf.delete(file.id)
    })
  lastOf.set(file.id, settled)
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
  const { answer, residentBytes } = await query(task, bounds)
  if (!('data' in answer)) return { refused: 'refused' in answer ? answer.refused : 'unreadable', residentBytes }
  const raw = { width: answer.width, height: answer.height, channels: 4 as const }
  const { default: sharp } = await import('sharp')
  return { picture: await sharp(answer.data, { raw }).flatten({ background: '#fff' }).png().toBuffer() }
}

async function query(task: PdfTask, bounds: PdfBounds): Promise<PdfReport> {
  const question = { task, bounds } satisfies PdfQuestion
  const report = await askProcess<PdfReport>(pdfProcess, question, { clockMsMax: bounds.clockMsMax })
  if (!('ended' in report)) return report
  return { answer: { refused: report.ended === 'broken' ? 'unreadable' : report.ended }, residentBytes: 0 }
}

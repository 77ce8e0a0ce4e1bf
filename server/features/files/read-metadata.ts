/**
 * What is kept of a file's own statements about its making before it is rewritten: when a picture was taken and by which
 * software it was written, a PDF's producer and dates (requirements 29.8). All of it is a stranger's text.
 */
import { withoutHidden } from '#rules/hidden-characters.ts'
import type { FileMetadata } from '#rules/file-metadata.ts'
import { askProcess, type ProcessEnd } from '../../threads/ask-process.ts'
import { turns } from '../../threads/turns.ts'
import type { ExifReport } from './exif-process.ts'
import type { PdfInfo } from './pdf-worker.ts'

const exifProcess = new URL('./exif-process.ts', import.meta.url)
/** As much as a JPEG has room for. The reader takes what a file makes it take: hence a process, and its bounds. */
const exifBytesMax = 65_536
const exifBounds = { clockMsMax: 5_000, execArgv: ['--max-old-space-size=64'] }
const inTurn = turns(2)
const textLengthMax = 100
const yearsKnown = { first: 1980, last: 2100 }

const unknown: FileMetadata = { takenAt: null, software: null, producer: null, producedAt: null, modifiedAt: null }

/** Null where the picture says nothing, or nothing that can be read within bounds. */
export async function metadataOfPicture(exif: Uint8Array | undefined): Promise<FileMetadata | null> {
  if (!exif || exif.length > exifBytesMax) return null
  const report = await inTurn(() => askProcess<ExifReport>(exifProcess, { bytes: exif }, exifBounds)).catch(
    // Where no process can be started, the picture itself is as good as before.
    (): ProcessEnd => ({ ended: 'broken' }),
  )
  if ('ended' in report) return null
  const takenAt = report.takenAt !== null && isKnown(new Date(`${report.takenAt}Z`)) ? report.takenAt : null
  return unlessEmpty({ ...unknown, takenAt, software: cleaned(report.software) })
}

/** Null where the PDF says nothing. */
export function metadataOfPdf({ producer, producedAt, modifiedAt }: PdfInfo): FileMetadata | null {
  return unlessEmpty({
    ...unknown,
    producer: cleaned(producer),
    producedAt: dateOf(producedAt),
    modifiedAt: dateOf(modifiedAt),
  })
}

function unlessEmpty(metadata: FileMetadata): FileMetadata | null {
  return Object.values(metadata).every((value) => value === null) ? null : metadata
}

/** A line of visible text; null for none. */
function cleaned(text: string | null): string | null {
  const line = withoutHidden((text ?? '').toWellFormed())
    .replace(/[\p{C}\p{Z}\uFFFD]+/gu, ' ')
    .trim()
  return line === '' ? null : [...line].slice(0, textLengthMax).join('').trim()
}

/** ISO 32000-1, 7.9.4: D:YYYYMMDDHHmmSSOHH'mm', of which all behind the year may be missing. Null for any other text. */
const pdfDate =
  /^(?:D:)?(?<year>\d{4})(?<month>\d\d)?(?<day>\d\d)?(?<hour>\d\d)?(?<minute>\d\d)?(?<second>\d\d)?(?:Z|(?<zone>[+-]\d\d)'?(?<zoneMinute>\d\d)?)?[\d']*$/

function dateOf(text: string | null): Date | null {
  const parts = pdfDate.exec(text?.trim() ?? '')?.groups
  if (!parts) return null
  const { year, month = '01', day = '01', hour = '00', minute = '00', second = '00' } = parts
  const { zone = '+00', zoneMinute = '00' } = parts
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}:${zoneMinute}`)
  return isKnown(date) ? date : null
}

function isKnown(date: Date): boolean {
  const year = date.getUTCFullYear()
  return year >= yearsKnown.first && year <= yearsKnown.last
}

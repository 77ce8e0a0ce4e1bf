/**
 * Metadata of a file that is kept before it is rewritten: when an image was taken and which software wrote it, a PDF's
 * producer and dates (requirements 29.8). All of it is untrusted text.
 */
import { withoutHidden } from '#rules/hidden-characters.ts'
import type { FileMetadata } from '#rules/file-metadata.ts'
import { askProcess, type ProcessEnd } from '../../threads/ask-process.ts'
import { turns } from '../../threads/turns.ts'
import type { ExifReport } from './exif-process.ts'
import type { PdfInfo } from './pdf-worker.ts'

const exifProcess = new URL('./exif-process.ts', import.meta.url)
/** The largest segment of a JPEG. The reader uses as many resources as a file demands: hence a limited process. */
const exifBytesMax = 65_536
const exifBounds = { clockMsMax: 5_000, execArgv: ['--max-old-space-size=64'] }
const inTurn = turns(2)
const textLengthMax = 100
const yearsKnown = { first: 1980, last: 2100 }

const unknown: FileMetadata = { takenAt: null, software: null, producer: null, producedAt: null, modifiedAt: null }

/** Returns null if the image has no metadata, or none that can be read within the limits. */
export async function metadataOfPicture(exif: Uint8Array | undefined): Promise<FileMetadata | null> {
  if (!exif || exif.length > exifBytesMax) return null
  const report = await inTurn(() => askProcess<ExifReport>(exifProcess, { bytes: exif }, exifBounds)).catch(
    // If no process can be started, the image is still accepted.
    (): ProcessEnd => ({ ended: 'broken' }),
  )
  if ('ended' in report) return null
  const takenAt = report.takenAt !== null && isKnown(new Date(`${report.takenAt}Z`)) ? report.takenAt : null
  return unlessEmpty({ ...unknown, takenAt, software: cleaned(report.software) })
}

/** Returns null if the PDF has no metadata. */
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

/** Returns one line of visible text, or null if it is empty. */
function cleaned(text: string | null): string | null {
  const line = withoutHidden((text ?? '').toWellFormed())
    .replace(/[\p{C}\p{Z}\uFFFD]+/gu, ' ')
    .trim()
  return line === '' ? null : [...line].slice(0, textLengthMax).join('').trim()
}

/** ISO 32000-1, 7.9.4: D:YYYYMMDDHHmmSSOHH'mm'; all parts after the year are optional. Null for any other text. */
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

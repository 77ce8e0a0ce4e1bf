/**
 * Prepares a file before it is shown to anyone. Its content decides its type. Images are decoded and written again,
 * which removes trailing data, locations and serial numbers; a few metadata fields are stored separately. PDFs are
 * opened and counted, and rejected if they are locked or contain actions (requirements 29.1, 29.2, 29.4, 29.8; ASVS
 * V5).
 */
import { pdfPagesMax, imagePixelsMax } from '#rules/constants.ts'
import type { FileMetadata } from '#rules/file-metadata.ts'
import { withoutHidden } from '#rules/hidden-characters.ts'
import { Problem } from '../../http/problem.ts'
import { decodeInTurn } from './picture-turns.ts'
import { checkPdf } from './read-pdf.ts'
import { runInProcess, type ProcessEnd } from '../../threads/run-in-process.ts'
import { limitConcurrency } from '../../threads/limit-concurrency.ts'
import type { ExifReport } from './exif-process.ts'
import type { PdfInfo } from './pdf-worker.ts'

export type MediaType = 'image/jpeg' | 'image/png' | 'image/webp' | 'application/pdf'

export interface PreparedFile {
  readonly bytes: Buffer
  readonly mediaType: MediaType
  /** Null for images. */
  readonly pages: number | null
  /** Its metadata; null if it has none. */
  readonly metadata: FileMetadata | null
}

const extensions: Readonly<Record<MediaType, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
}

/** Returns the extension that a type's label ends with. */
export function extensionOf(mediaType: MediaType): string {
  return extensions[mediaType]
}

/** Checks and rewrites an upload. Throws `file-kind`, `file-heic`, `file-broken`, `file-pages` or `file-active`. */
export async function prepareFile(bytes: Buffer): Promise<PreparedFile> {
  const mediaType = await detectMediaType(bytes)
  if (mediaType === 'application/pdf') return preparePdf(bytes)
  const { rewritten, exif } = await decodeInTurn(() => rewritePicture(bytes, mediaType))
  // After the decoding turn, so that a process that hangs over one image's metadata delays no other image.
  return { bytes: rewritten, mediaType, pages: null, metadata: await metadataOfPicture(exif) }
}

async function detectMediaType(bytes: Buffer): Promise<MediaType> {
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined)
  const mime: string = found?.mime ?? ''
  if (/^image\/(heic|heif|avif)/.test(mime)) throw new Problem('file-heic')
  if (!Object.hasOwn(extensions, mime)) throw new Problem('file-kind')
  return mime as MediaType
}

async function preparePdf(bytes: Buffer): Promise<PreparedFile> {
  const checked = await checkPdf(bytes)
  if ('refused' in checked || checked.pages < 1) throw new Problem('file-broken')
  if (checked.pages > pdfPagesMax) throw new Problem('file-pages', { values: { most: pdfPagesMax } })
  if (checked.acts) throw new Problem('file-active')
  return { bytes, mediaType: 'application/pdf', pages: checked.pages, metadata: metadataOfPdf(checked.info) }
}

const decodeSecondsMax = 15
const qualityKept = 90

async function rewritePicture(
  bytes: Buffer,
  mediaType: Exclude<MediaType, 'application/pdf'>,
): Promise<{ rewritten: Buffer; exif: Buffer | undefined }> {
  try {
    const { default: sharp } = await import('sharp')
    const picture = sharp(bytes, { limitInputPixels: imagePixelsMax, failOn: 'error', sequentialRead: true })
    const { pages = 1, exif } = await picture.metadata()
    if (pages > 1) throw new Problem('file-broken')
    const upright = picture.timeout({ seconds: decodeSecondsMax }).autoOrient()
    const written =
      mediaType === 'image/png'
        ? upright.png()
        : mediaType === 'image/webp'
          ? upright.webp({ quality: qualityKept })
          : upright.jpeg({ quality: qualityKept, chromaSubsampling: '4:4:4' })
    return { rewritten: await written.toBuffer(), exif }
  } catch (error) {
    throw error instanceof Problem ? error : new Problem('file-broken')
  }
}

const exifProcess = new URL('./exif-process.ts', import.meta.url)
/**
 * The largest segment of a JPEG. The Exif reader uses as many resources as a file demands, so it runs in a limited
 * process.
 */
const exifBytesMax = 65_536
const exifBounds = { clockMsMax: 5_000, execArgv: ['--max-old-space-size=64'] }
const inTurn = limitConcurrency(2)
const textLengthMax = 100
const yearsKnown = { first: 1980, last: 2100 }

const emptyMetadata: FileMetadata = {
  takenAt: null,
  software: null,
  producer: null,
  producedAt: null,
  modifiedAt: null,
}

/**
 * Returns the metadata of an image that is kept before it is rewritten: when it was taken and by which software
 * (requirements 29.8). All of it is untrusted text. Null if it has none, or none that can be read within the limits.
 */
async function metadataOfPicture(exif: Uint8Array | undefined): Promise<FileMetadata | null> {
  if (!exif || exif.length > exifBytesMax) return null
  const report = await inTurn(() => runInProcess<ExifReport>(exifProcess, { bytes: exif }, exifBounds)).catch(
    // If no process can be started, the image is still accepted.
    (): ProcessEnd => ({ ended: 'broken' }),
  )
  if ('ended' in report) return null
  const takenAt = report.takenAt !== null && isPlausibleDate(new Date(`${report.takenAt}Z`)) ? report.takenAt : null
  return nullIfEmpty({ ...emptyMetadata, takenAt, software: visibleLine(report.software) })
}

/** Returns the producer and the dates of a PDF, untrusted as well; null if it has none. */
function metadataOfPdf({ producer, producedAt, modifiedAt }: PdfInfo): FileMetadata | null {
  return nullIfEmpty({
    ...emptyMetadata,
    producer: visibleLine(producer),
    producedAt: dateOf(producedAt),
    modifiedAt: dateOf(modifiedAt),
  })
}

function nullIfEmpty(metadata: FileMetadata): FileMetadata | null {
  return Object.values(metadata).every((value) => value === null) ? null : metadata
}

/** Returns one line of visible text, or null if it is empty. */
function visibleLine(text: string | null): string | null {
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
  return isPlausibleDate(date) ? date : null
}

function isPlausibleDate(date: Date): boolean {
  const year = date.getUTCFullYear()
  return year >= yearsKnown.first && year <= yearsKnown.last
}

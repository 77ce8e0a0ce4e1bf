/**
 * Prepares a file before anybody sees it. Its content decides its type. Images are decoded and written again, which
 * removes trailing data, locations and serial numbers; a few metadata fields are stored beside them. PDFs are opened
 * and counted, and rejected if they are locked or contain actions (requirements 29.1, 29.2, 29.4, 29.8; ASVS V5).
 */
import { fileTypeFromBuffer } from 'file-type'
import { pdfPagesMax, imagePixelsMax } from '#rules/constants.ts'
import type { FileMetadata } from '#rules/file-metadata.ts'
import { Problem } from '../../http/problem.ts'
import { metadataOfPdf, metadataOfPicture } from './read-metadata.ts'
import { decodeInTurn } from './picture-turns.ts'
import { checkPdf } from './read-pdf.ts'

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
  const mediaType = await typeOf(bytes)
  if (mediaType === 'application/pdf') return preparePdf(bytes)
  const { rewritten, exif } = await decodeInTurn(() => rewritePicture(bytes, mediaType))
  // After the decoding turn, so that a process that hangs over one image's metadata delays no other image.
  return { bytes: rewritten, mediaType, pages: null, metadata: await metadataOfPicture(exif) }
}

async function typeOf(bytes: Buffer): Promise<MediaType> {
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

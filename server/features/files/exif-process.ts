/** Process that reads the Exif data of one image and exits. Returns two of its fields. */
import exif from 'exif-reader'

export interface ExifReport {
  /** Local camera time, such as `2026-05-03T10:14:05`. */
  readonly takenAt: string | null
  readonly software: string | null
}

process.once('message', ({ bytes }: { bytes: Uint8Array }) => {
  const { Photo: photo, Image: image } = exif(Buffer.from(bytes))
  const takenAt = photo?.DateTimeOriginal
  const report: ExifReport = {
    takenAt: takenAt instanceof Date ? takenAt.toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length) : null,
    software: textOf(image?.Software),
  }
  process.send?.(report, undefined, undefined, () => process.exit())
})
// The parent has exited.
process.once('disconnect', () => process.exit())

/** Decodes text that the reader leaves as bytes because it is not plain ASCII. */
function textOf(value: unknown): string | null {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8')
  return typeof value === 'string' ? value : null
}

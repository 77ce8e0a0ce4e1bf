/** The process that reads the Exif data of one picture and ends. Of all that is in it, two fields are answered. */
import exif from 'exif-reader'

export interface ExifReport {
  /** `2026-05-03T10:14:05` as the camera's clock showed it. */
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
// Anyone who asked is gone.
process.once('disconnect', () => process.exit())

/** The reader leaves what is not plain ASCII as bytes. */
function textOf(value: unknown): string | null {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8')
  return typeof value === 'string' ? value : null
}

/** The process that reads the zone of one image and ends. It opens no connection, because the reader needs none. */
import sharp from 'sharp'
import { imagePixelsMax } from '#rules/constants.ts'
import { peakResidentBytes } from '../threads/resident-bytes.ts'
import { matchZone } from './match-zone.ts'
import { readFields, type ZoneReading } from './read-fields.ts'
import { drawTemplates } from './templates.ts'

export interface ZoneReport {
  /** Null if the image has no zone. */
  readonly reading: ZoneReading | null | { readonly refused: 'unreadable' | 'memory' }
  /** The maximum resident memory of the process, as the system reports it. */
  readonly residentBytes: number
  readonly workedMs: number
}

const readSideMax = 2400

process.once('message', ({ bytes, residentBytesMax }: { bytes: Uint8Array; residentBytesMax: number }) => {
  readZone(bytes).then(
    (reading) => report(reading, residentBytesMax),
    () => report({ refused: 'unreadable' }, residentBytesMax),
  )
})
// The parent process has ended.
process.once('disconnect', () => process.exit())

function report(reading: ZoneReport['reading'], residentBytesMax: number): void {
  const { user, system } = process.cpuUsage()
  const residentBytes = peakResidentBytes()
  const held = residentBytes > residentBytesMax ? ({ refused: 'memory' } as const) : reading
  process.send?.({ reading: held, residentBytes, workedMs: (user + system) / 1000 } satisfies ZoneReport)
}

/**
 * Decodes the image, finds the lines, compares the cells and reads the fields. Returns null if there is no zone. Throws
 * for an image that cannot be decoded.
 */
async function readZone(bytes: Uint8Array): Promise<ZoneReading | null> {
  sharp.cache(false)
  sharp.concurrency(1)
  const templates = await drawTemplates()
  const { data, info } = await sharp(bytes, { limitInputPixels: imagePixelsMax, sequentialRead: true })
    .resize({ width: readSideMax, height: readSideMax, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#fff' })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const zone = matchZone({ width: info.width, height: info.height, data }, templates)
  return zone && readFields(zone)
}

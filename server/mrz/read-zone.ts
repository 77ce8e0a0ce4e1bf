/** Reads the machine-readable zone of one image: decodes it, finds the lines, compares the cells, reads the fields. */
import sharp from 'sharp'
import { imagePixelsMax } from '#rules/constants.ts'
import { matchZone } from './match-zone.ts'
import { readFields, type ZoneReading } from './read-fields.ts'
import { drawTemplates } from './templates.ts'

const readSideMax = 2400

/** Returns null if there is no zone. Throws for an image that cannot be decoded. */
export async function readZone(bytes: Uint8Array): Promise<ZoneReading | null> {
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

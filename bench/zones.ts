/**
 * The reader of machine-readable zones on 200 specimens that are generated from a seed (ADR 228): half upright, half
 * with one to three of rotation, blur, darkness, a close cut, noise with coarse JPEG, and a small size.
 */
import { readPicture } from '#server/mrz/read-picture.ts'
import { zoneFields } from '#server/mrz/read-fields.ts'
import { distortionsOf, drawSpecimen, fieldTexts } from '#tests/mrz-specimens.ts'
import { resultWithMaximum, type Result } from './results.ts'

const specimens = 200

interface Tally {
  right: number
  fields: number
}

/** Counts a field as right if every character is right, whatever its confidence. */
export async function benchZones(firstSeed: number): Promise<Result[]> {
  const upright: Tally = { right: 0, fields: 0 }
  const distorted: Tally = { right: 0, fields: 0 }
  let [sureAndWrong, sure, ended, workedMs, residentBytes] = [0, 0, 0, 0, 0]
  for (let index = 0; index < specimens; index += 1) {
    const seed = firstSeed + index
    const distortions = distortionsOf(index, specimens, seed)
    const specimen = await drawSpecimen(seed, distortions)
    const report = await readPicture(specimen.picture)
    const tally = distortions.length === 0 ? upright : distorted
    tally.fields += zoneFields.length
    if ('ended' in report) {
      ended += 1
      continue
    }
    workedMs = Math.max(workedMs, report.workedMs)
    residentBytes = Math.max(residentBytes, report.residentBytes)
    const { reading } = report
    if (!reading || 'refused' in reading) continue
    const [truth, found] = [fieldTexts(specimen.lines), fieldTexts(reading.lines)]
    for (const field of zoneFields) {
      const isRight = found[field] === truth[field]
      const isSure = reading.fields[field].confidence > 0.95
      if (isRight) tally.right += 1
      if (isSure) sure += 1
      if (isSure && !isRight) sureAndWrong += 1
    }
  }
  return [
    shareResult('fields read, upright', upright, 0.98),
    shareResult('fields read, distorted', distorted, 0.85),
    resultWithMaximum('wrong fields above 95 % confidence', sureAndWrong, 0, '', `of ${sure}`),
    resultWithMaximum('readings that were ended', ended, 0, ''),
    resultWithMaximum('longest reading, processor', workedMs / 1000, 5, 's'),
    resultWithMaximum('most memory of the process', residentBytes / 1024 / 1024, 300, 'MB'),
  ]
}

function shareResult(what: string, { right, fields }: Tally, least: number): Result {
  const share = right / fields
  const percent = (value: number) => `${(value * 100).toFixed(1)} %`
  return {
    what,
    measured: percent(share),
    note: `${right} of ${fields}`,
    goal: `≥ ${percent(least)}`,
    held: share >= least,
  }
}

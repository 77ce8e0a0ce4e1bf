/** The reader of machine-readable zones on specimens that are generated from a seed (ADR 228). */
import { expect, test } from 'vitest'
import sharp from 'sharp'
import { makeJpeg } from '#tests/files.ts'
import { drawSpecimen, fieldTexts, type Distortion } from '#tests/mrz-specimens.ts'
import { readMrz } from '../features/documents/read-mrz.ts'
import { formats, type MatchedZone } from './match-zone.ts'
import { checkDigitOf, readFields, zoneFields } from './read-fields.ts'
import { readPicture } from './read-picture.ts'
import type { ZoneReport } from './zone-process.ts'
import { characters } from './templates.ts'

async function read(bytes: Uint8Array, execArgv: readonly string[] = []): Promise<ZoneReport> {
  const report = await readPicture(bytes, execArgv)
  if ('ended' in report) throw new Error(`the process ended: ${report.ended}`)
  return report
}

/** Returns the fields that were read wrong, with the reader's confidence. */
function wrongIn(lines: readonly string[], { reading }: ZoneReport): string[] {
  if (!reading || 'refused' in reading) return ['no zone']
  const [truth, found] = [fieldTexts(lines), fieldTexts(reading.lines)]
  return zoneFields
    .filter((field) => found[field] !== truth[field])
    .map((field) => `${field}: ${found[field]} for ${truth[field]}, ${reading.fields[field].confidence}`)
}

test.each<[seed: number, kind: string, distortions: Distortion[]]>([
  [2, '', []],
  [3, 'TD1', []],
  [5, '', []],
  [40, 'TD1', ['rotated']],
  [41, '', ['small']],
  [42, '', ['dark', 'cropped']],
  [43, '', ['noise']],
  [48, 'TD2', ['blurred']],
  // Its two Y were read as T with a confidence of up to 0.99.
  [910135, 'TD3', ['blurred', 'small']],
])('specimen %i %s %j is read without an error, within 300 MB', async (seed, kind, distortions) => {
  const specimen = await drawSpecimen(seed, distortions)
  if (kind !== '') expect(specimen.kind).toBe(kind)
  const report = await read(specimen.picture)
  expect(wrongIn(specimen.lines, report)).toEqual([])
  expect(report.residentBytes).toBeLessThan(300 * 1024 * 1024)
})

test('an image rotated by 90, 180 or 270 degrees is read', async () => {
  const specimen = await drawSpecimen(2, [])
  for (const turn of [90, 180, 270]) {
    const rotated = await sharp(specimen.picture).rotate(turn).png().toBuffer()
    expect(wrongIn(specimen.lines, await read(rotated))).toEqual([])
  }
})

test('an image without a zone gives none, and an image with part of one gives no certain wrong field', async () => {
  expect((await read(await makeJpeg(400))).reading).toBeNull()
  const specimen = await drawSpecimen(2, [])
  const { width, height } = await sharp(specimen.picture).metadata()
  const half = await sharp(specimen.picture)
    .extract({ left: 0, top: 0, width: Math.round(width * 0.6), height })
    .png()
    .toBuffer()
  const { reading } = await read(half)
  if (!reading || 'refused' in reading) return
  const truth = fieldTexts(specimen.lines)
  const found = fieldTexts(reading.lines)
  for (const field of zoneFields)
    if (found[field] !== truth[field]) expect(reading.fields[field].confidence).toBeLessThan(0.95)
})

test('the server’s own memory does not count towards the limit for an image', async () => {
  const held = Buffer.alloc(400 * 1024 * 1024, 1)
  const specimen = await drawSpecimen(2, [])
  expect(wrongIn(specimen.lines, await read(specimen.picture))).toEqual([])
  expect(held.at(-1)).toBe(1)
})

test('bytes that are not an image are rejected', async () => {
  expect((await read(Buffer.from('no picture'))).reading).toEqual({ refused: 'unreadable' })
})

test('the reader does not open a connection', async () => {
  const specimen = await drawSpecimen(2, [])
  // Every connection ends the process, so that a reader that opens one would return nothing.
  const shut = `
    import net from 'node:net'; import dns from 'node:dns'; import dgram from 'node:dgram'; import { syncBuiltinESMExports } from 'node:module'
    const end = () => process.exit(9)
    net.Socket.prototype.connect = end; net.connect = end; net.createConnection = end; dns.lookup = end; dgram.createSocket = end; globalThis.fetch = end
    syncBuiltinESMExports()`
  const preload = (code: string) => ['--import', `data:text/javascript,${encodeURIComponent(code)}`]
  expect(wrongIn(specimen.lines, await read(specimen.picture, preload(shut)))).toEqual([])
  // This tests the guard itself: a process that opens a connection returns nothing.
  const connects = `${shut}\nnet.connect(9, '127.0.0.1')`
  expect(await readPicture(specimen.picture, preload(connects))).toEqual({ ended: 'broken' })
})

/** Returns cells that match these lines, except that some match another character nearly as well. */
function cells(
  lines: readonly string[],
  doubts: readonly (readonly [line: number, at: number, like: string, likeness?: number])[],
  softness = 1.3,
) {
  const scored = (line: number, at: number, written: string) => {
    const scores = new Float32Array(characters.length).fill(0.2)
    scores[characters.indexOf(written)] = 0.9
    for (const [row, place, like, likeness = 0.885] of doubts)
      if (row === line && place === at) {
        scores[characters.indexOf(written)] = 0.88
        scores[characters.indexOf(like)] = likeness
      }
    return { k: at, scores, best: 0.9, dx: 0, dy: 0 }
  }
  const zone: Omit<MatchedZone, 'likeness'> = {
    format: formats.find(({ length }) => length === lines[0]?.length) ?? formats[0],
    softness,
    lines: lines.map((text, line) => [...text].map((written, at) => scored(line, at, written))),
  }
  return readFields(zone)
}

const specimenLines = [
  'P<D<<WEIDMANN<<CLARA<ELISABETH<<<<<<<<<<<<<<',
  `L01X00T47${checkDigitOf('L01X00T47')}D<<8603142F2909222<<<<<<<<<<<<<<<4`,
]

test('a check digit decides between similar readings, and the field is marked as chosen', () => {
  const { lines, fields } = cells(specimenLines, [[1, 6, 'I']])
  expect(lines).toEqual(specimenLines)
  expect(fields.number).toMatchObject({ checked: true, chosen: true })
  expect(fields.number.confidence).toBeLessThanOrEqual(0.95)
  expect(fields.birthDate).toMatchObject({ checked: true, chosen: false })
})

test('if no similar reading has the correct check digit, nothing is changed and no field is certain', () => {
  const wrong = specimenLines.map((line) => line.replace('L01X00T47', 'L01X00T57'))
  const { lines, fields } = cells(wrong, [])
  expect(lines).toEqual(wrong)
  expect(fields.number).toMatchObject({ checked: false, chosen: false })
  for (const field of ['number', 'surname', 'nationality'] as const) expect(fields[field].confidence).toBeLessThan(0.95)
})

// The examples of ICAO 9303 parts 5 and 6, and the first with the digit of an issuer that counts the filler.
test.each([
  ['TD1', ['I<UTOD23145890<7349<<<<<<<<<<<', '3407127M9507122UTO<<<<<<<<<<<2', 'STEVENSON<<PETER<JOHN<<<<<<<<<']],
  ['TD2', ['I<UTOSTEVENSON<<PETER<JOHN<<<<<<<<<<', 'D23145890<UTO3407127M95071227349<<<8']],
  ['TD1', ['I<UTOD23145894<7305<<<<<<<<<<<', '3407127M9507122UTO<<<<<<<<<<<2', 'STEVENSON<<PETER<JOHN<<<<<<<<<']],
])('%s: a number of more than nine characters is read with the rest in the optional data', (_kind, zone) => {
  const { lines, fields } = cells(zone, [])
  expect(lines).toEqual(zone)
  expect(fields.number).toMatchObject({ checked: true, chosen: false })
  expect(readMrz(lines, 2026).number).toMatch(/^D23145890734$|^D23145894730$/)
})

test('a long number whose check digit is wrong, or missing, is not certain', () => {
  for (const rest of ['7348', '<<<<']) {
    const zone = [
      `I<UTOD23145890<${rest}<<<<<<<<<<<`,
      '3407127M9507122UTO<<<<<<<<<<<2',
      'STEVENSON<<PETER<JOHN<<<<<<<<<',
    ]
    const { lines, fields } = cells(zone, [])
    expect(lines).toEqual(zone)
    expect(fields.number.checked).toBe(false)
    expect(fields.number.confidence).toBeLessThan(0.5)
  }
})

test('if the end of the surname is uncertain, so are the given names', () => {
  // The first filler after WEIDMANN looks a little more like a K.
  const { lines, fields } = cells(specimenLines, [[0, 13, 'K']])
  expect(fieldTexts(lines)).toMatchObject({ surname: 'WEIDMANNK<CLARA<ELISABETH'.replaceAll('<', ' '), givenNames: '' })
  for (const field of ['surname', 'givenNames'] as const) expect(fields[field].confidence).toBeLessThan(0.95)
})

test('the blurrier the characters, the lower the confidence for the same difference', () => {
  const surname = (softness: number) => cells(specimenLines, [[0, 7, 'F', 0.84]], softness).fields.surname.confidence
  expect(surname(1.3)).toBeGreaterThan(0.95)
  expect(surname(2.8)).toBeLessThan(0.95)
})

test('check digits are computed as in ICAO 9303', () => {
  expect(['520727', 'AB2134<<<', 'L898902C3'].map(checkDigitOf)).toEqual(['3', '5', '6'])
})

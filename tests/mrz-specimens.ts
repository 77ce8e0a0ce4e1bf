/**
 * Specimens of documents with a machine-readable zone, generated from a seed with OCR-B's outlines on paper with
 * guilloches. Names and numbers are invented. The same seed gives the same image.
 */
import sharp from 'sharp'
import { ocrBLine } from '#scripts/seed/pictures.ts'
import { checkDigitOf, layoutOf, type Span, type ZoneField } from '#server/mrz/read-fields.ts'

export const distortions = ['rotated', 'blurred', 'dark', 'cropped', 'noise', 'small'] as const
export type Distortion = (typeof distortions)[number]

export interface Specimen {
  readonly lines: readonly string[]
  readonly kind: 'TD1' | 'TD2' | 'TD3'
  readonly distortions: readonly Distortion[]
  readonly picture: Buffer
}

/** Returns a mulberry32 generator. */
function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const surnames =
  'ERIKSSON WEIDMANN OCONNOR VAN<DER<BERG MUELLER SZCZESNY GARCIA<LOPEZ NG QUIROGA BOUDJELLAL TAKAHASHI ABDULRAHMAN JOHANSSON KAUFMANN ZHUKOVSKIY FITZGERALD DOS<SANTOS HWANG XU IYER'
const givenNames =
  'ANNA<MARIA CLARA<ELISABETH JAN PATRICK<JAMES WILLEM ZOE BARTOSZ JOSE<IGNACIO WEI LUIS KARIMA HIROSHI YUSUF LARS<GUSTAV EVA DMITRIY QUINN FERNANDA MIN<JUN VIJAY'
const countries = [
  'UTO',
  'D<<',
  'GBR',
  'FRA',
  'POL',
  'ESP',
  'NLD',
  'SWE',
  'ITA',
  'JPN',
  'BRA',
  'IND',
  'CHE',
  'AUT',
  'USA',
  'KOR',
]

function specimenLines(random: () => number, kind: Specimen['kind']): string[] {
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T
  const of = (letters: string, length: number) =>
    Array.from({ length }, () => letters[Math.floor(random() * letters.length)]).join('')
  const two = (least: number, most: number) =>
    String(least + Math.floor(random() * (most - least + 1))).padStart(2, '0')
  const withDigit = (text: string) => text + checkDigitOf(text)
  const fill = (text: string, length: number) => text.slice(0, length).padEnd(length, '<')
  const name = `${pick(surnames.split(' '))}<<${pick(givenNames.split(' '))}`
  const number = withDigit(
    fill(of('ABCDEFGHIJKLMNOPQRSTUVWXYZ', 1 + Math.floor(random() * 2)) + of('0123456789ABCDEFGHKLMNPRSTUVWXYZ', 7), 9),
  )
  const birth = withDigit(two(40, 99) + two(1, 12) + two(1, 28))
  const expiry = withDigit(two(27, 36) + two(1, 12) + two(1, 28))
  const sex = pick(['M', 'F', 'F', 'M', '<'])
  const [country, issuer] = [pick(countries), pick(countries)]
  if (kind === 'TD1') {
    const optional = random() < 0.3 ? fill(of('0123456789', 8), 15) : fill('', 15)
    const first = `${pick(['I<', 'ID', 'AC'])}${issuer}${number}${optional}`
    const second = `${birth}${sex}${expiry}${country}${fill('', 11)}`
    return [first, second + checkDigitOf(first.slice(5) + birth + expiry + fill('', 11)), fill(name, 30)]
  }
  const length = kind === 'TD3' ? 44 : 36
  const first = fill(`${kind === 'TD3' ? 'P<' : 'I<'}${issuer}${name}`, length)
  const optional = random() < 0.4 ? of('0123456789', 6) : ''
  const personal = kind === 'TD3' ? withDigit(fill(optional, 14)) : fill(optional, 7)
  const second = `${number}${country}${birth}${sex}${expiry}${personal}`
  return [first, second + checkDigitOf(number + birth + expiry + personal)]
}

const millimetres = 10
const sizes = { TD1: [85.6, 54], TD2: [105, 74], TD3: [125, 88] } as const
const pitch = 2.54 * millimetres

/** Returns a page with printed text, a portrait, guilloches, and the zone along its lower edge. */
function specimenPage(
  random: () => number,
  kind: Specimen['kind'],
  lines: readonly string[],
): { svg: string; width: number; height: number; zoneTop: number } {
  const [width, height] = sizes[kind].map((side) => side * millimetres) as [number, number]
  const hue = Math.floor(random() * 360)
  const waves = Array.from({ length: 14 }, (_, index) => {
    const y = (index / 14) * height
    const high = 20 + random() * 60
    const [a, b] = [y + high, y - high]
    return `<path d="M0 ${y} C ${width * 0.3} ${a}, ${width * 0.6} ${b}, ${width} ${y + 20}" fill="none" stroke="hsl(${(hue + index * 12) % 360} 45% ${68 + random() * 14}%)" stroke-width="${1.5 + random() * 3}"/>`
  })
  const print = Array.from({ length: 6 }, (_, index) => {
    const word = (lines[0] ?? '').slice(5 + index, 12 + index * 3).replaceAll('<', '') || 'SPECIMEN'
    return `<g opacity="0.85">${ocrBLine(word, { x: width * 0.38, y: 90 + index * height * 0.09, pitch: 16 + random() * 9, stroke: 10 })}</g>`
  })
  const portrait = `<rect x="40" y="70" width="${width * 0.27}" height="${height * 0.5}" fill="hsl(${hue} 12% 72%)"/><ellipse cx="${40 + width * 0.135}" cy="${70 + height * 0.22}" rx="${width * 0.07}" ry="${height * 0.13}" fill="hsl(28 30% 52%)"/>`
  const apart = (kind === 'TD1' ? 4.2 + random() * 1.4 : 5.6 + random() * 0.8) * millimetres
  const stroke = random() * 26
  const left = (width - (lines[0]?.length ?? 0) * pitch) / 2
  const last = height - 45 - random() * 20
  const zone = lines.map((line, index) =>
    ocrBLine(line, { x: left, y: last - (lines.length - 1 - index) * apart, pitch, stroke }),
  )
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="hsl(${hue} 25% ${86 + random() * 8}%)"/>${waves.join('')}${portrait}${print.join('')}${zone.join('')}</svg>`
  return { svg, width, height, zoneTop: last - (lines.length - 1) * apart - pitch * 1.1 }
}

const randomBetween = (random: () => number, least: number, most: number) => least + random() * (most - least)

/** Draws a specimen: the seed determines its kind and texts. */
export async function drawSpecimen(seed: number, wanted: readonly Distortion[]): Promise<Specimen> {
  const random = seededRandom(seed)
  const kind = (['TD3', 'TD3', 'TD1', 'TD2'] as const)[Math.floor(random() * 4)] ?? 'TD3'
  const lines = specimenLines(random, kind)
  const page = specimenPage(random, kind, lines)
  const has = (one: Distortion) => wanted.includes(one)
  const desk = {
    r: 60 + Math.floor(random() * 120),
    g: 60 + Math.floor(random() * 90),
    b: 50 + Math.floor(random() * 80),
  }
  let drawn = sharp(Buffer.from(page.svg)).flatten({ background: '#fff' })
  if (has('cropped')) {
    const top = Math.round(page.zoneTop - randomBetween(random, 4, 14))
    const side = Math.round(randomBetween(random, 2, 20))
    drawn = drawn.extract({
      left: side,
      top,
      width: page.width - 2 * side,
      height: Math.round(page.height - top - randomBetween(random, 5, 25)),
    })
  } else {
    const margin = () => Math.round(randomBetween(random, 10, 120))
    drawn = drawn.extend({ top: margin(), bottom: margin(), left: margin(), right: margin(), background: desk })
  }
  drawn = sharp(await drawn.png({ compressionLevel: 1 }).toBuffer())
  if (has('rotated')) {
    const quarter = random() < 0.35 ? 90 * (1 + Math.floor(random() * 3)) : 0
    drawn = drawn.rotate(randomBetween(random, -20, 20) + quarter, { background: desk })
  } else if (wanted.length === 0) drawn = drawn.rotate(randomBetween(random, -1, 1), { background: desk })
  drawn = sharp(await drawn.png({ compressionLevel: 1 }).toBuffer())
  const { width } = await drawn.metadata()
  const scale = (has('small') ? randomBetween(random, 7.5, 11) : randomBetween(random, 15, 32)) / pitch
  drawn = drawn.resize({ width: Math.round(width * scale) })
  if (has('blurred')) drawn = drawn.blur(randomBetween(random, 0.1, 0.2) * pitch * scale)
  if (has('dark')) drawn = drawn.linear(randomBetween(random, 0.08, 0.3), randomBetween(random, 0, 12))
  const { data, info } = await drawn.removeAlpha().raw().toBuffer({ resolveWithObject: true })
  addNoise(data, random, has('noise') ? randomBetween(random, 10, 30) : has('dark') ? 4 : 2)
  const picture = await sharp(data, { raw: info })
    .jpeg({ quality: has('noise') ? Math.round(randomBetween(random, 10, 35)) : 88 })
    .toBuffer()
  return { lines, kind, distortions: wanted, picture }
}

/** Adds the noise of a sensor. */
function addNoise(data: Uint8Array, random: () => number, strength: number): void {
  for (let at = 0; at < data.length; at += 1) {
    const noise = (random() + random() + random() - 1.5) * strength * 1.15
    data[at] = Math.max(0, Math.min(255, (data[at] ?? 0) + noise))
  }
}

/** Returns the distortions: half upright, half with one to three. */
export function distortionsOf(index: number, of: number, seed = index): Distortion[] {
  if (index < of / 2) return []
  const random = seededRandom(seed + 7_919)
  const count = 1 + Math.floor(random() * 3)
  const first = distortions[seed % distortions.length] as Distortion
  const others = distortions.filter((one) => one !== first).sort(() => random() - 0.5)
  return [first, ...others.slice(0, count - 1)]
}

/** Returns the text of each field of the lines, without fillers. */
export function fieldTexts(lines: readonly string[]): Readonly<Record<ZoneField, string>> {
  const { spans } = layoutOf(lines[0]?.length ?? 0)
  const cut = ({ line, from, to }: Span) => (lines[line] ?? '').slice(from, to)
  const plain = (written: string) => written.replaceAll('<', ' ').trim()
  const [surname = '', givenNames = ''] = cut(spans.names).split('<<')
  return {
    surname: plain(surname),
    givenNames: plain(givenNames),
    number: plain(cut(spans.number)),
    nationality: plain(cut(spans.nationality)),
    birthDate: cut(spans.birthDate),
    sex: cut(spans.sex),
    expiry: cut(spans.expiry),
    issuer: plain(cut(spans.issuer)),
  }
}

/** Finds the two or three lines of a machine-readable zone in an image and compares their cells with OCR-B. */
import { halveImage, type GrayImage } from './gray-image.ts'
import { curveAt, findRows, type Row } from './find-rows.ts'
import { matchCell, matchRow, meanOf, fitRow, type CellPlacement, type Match } from './match-row.ts'
import type { Templates } from './templates.ts'

/** ICAO 9303: passports have 2 lines of 44 characters, cards and visas 2 of 36, cards 3 of 30. */
export const formats = [
  { lines: 2, length: 44 },
  { lines: 2, length: 36 },
  { lines: 3, length: 30 },
] as const
export type Format = (typeof formats)[number]

export interface MatchedZone {
  readonly format: Format
  /** For each line the match of each of its cells. */
  readonly lines: readonly (readonly Match[])[]
  /** The mean similarity of the best characters. */
  readonly likeness: number
  /** The softness of the templates that match best. */
  readonly softness: number
}

/** A minimum that prints of OCR-B reach, and paper or other print seldom does. */
const likenessMin = 0.55
const findingSideMax = 1400
/** Most rows of a picture lead to the same zone, and each takes about a second of the processor. */
const zonesMax = 2
const lineLengthMax = 44

/** Returns the zone that matches best, or null. */
export function matchZone(image: GrayImage, templates: readonly Templates[]): MatchedZone | null {
  const middle = templates[1]
  if (!middle) return null
  const levels = [image]
  for (let last = image; Math.min(last.width, last.height) > 300;) levels.push((last = halveImage(last)))
  const findingAt = levels.findIndex(({ width, height }) => Math.max(width, height) <= findingSideMax)
  const finding = levels[findingAt] ?? image
  let best: MatchedZone | null = null
  let zones = 0
  for (const found of findRows(finding)) {
    const sized = scaleToLevel(found, levels, findingAt)
    const seed = bestDirection(sized.image, sized.row, middle)
    if (!seed) continue
    const zone = matchZoneAround(sized.image, seed, templates)
    if (zone === null) continue
    zones += 1
    if (!best || weightOf(zone) > weightOf(best)) best = zone
    if (best.likeness > 0.8 || zones === zonesMax) break
  }
  return best
}

const weightOf = ({ format, likeness }: MatchedZone) => format.lines * format.length * (likeness - 0.5)

/** Characters 14 to 28 pixels apart are compared; larger ones in a smaller image. */
function scaleToLevel(row: Row, levels: readonly GrayImage[], level: number) {
  const pitchAt = (index: number) => Math.hypot(row.x[1], row.y[1]) * 2 ** (level - index)
  let chosen = 0
  while (chosen < levels.length - 1 && pitchAt(chosen) > 28) chosen += 1
  const scale = 2 ** (level - chosen)
  const shift = (scale - 1) / 2
  const x = [row.x[0] * scale + shift, row.x[1] * scale, 0] as const
  const y = [row.y[0] * scale + shift, row.y[1] * scale, 0] as const
  return { image: levels[chosen] ?? (levels[0] as GrayImage), row: { ...row, x, y } }
}

const uprightPlacement: CellPlacement = { tall: 1, lean: 0 }

/** The image may be upside down. */
function bestDirection(image: GrayImage, row: Row, templates: Templates): Row | null {
  const reversed: Row = {
    x: [row.x[0], -row.x[1], row.x[2]],
    y: [row.y[0], -row.y[1], row.y[2]],
    from: -row.to,
    to: -row.from,
  }
  const step = Math.max(1, Math.floor((row.to - row.from) / 10))
  const judged = [row, reversed].map((one) => ({
    one,
    likeness: meanOf(matchRow(image, one, templates, uprightPlacement, 3, step)),
  }))
  const [best] = judged.sort((a, b) => b.likeness - a.likeness)
  return best && best.likeness > 0.42 ? best.one : null
}

function matchZoneAround(image: GrayImage, seed: Row, templates: readonly Templates[]): MatchedZone | null {
  const middle = templates[1]
  if (!middle) return null
  let row = seed
  let placement = uprightPlacement
  for (const reach of [3, 2]) {
    row = fitRow(row, matchRow(image, row, middle, placement, reach), placement, false)
    placement = bestPlacement(image, row, middle, placement)
  }
  const soft = bestTemplates(image, row, placement, templates)
  if (meanOf(matchRow(image, row, soft, placement, 1, 2)) < likenessMin - 0.05) return null
  const missing = Math.max(2, lineLengthMax - (row.to - row.from))
  const fullRow = { ...row, from: row.from - missing, to: row.to + missing }
  const rows = [
    ...findNeighbourRows(image, row, fullRow, soft, placement, -1).reverse(),
    fullRow,
    ...findNeighbourRows(image, row, fullRow, soft, placement, 1),
  ]
  return chooseZone(image, rows, soft, placement)
}

/** Tries higher, lower and slanted characters, and keeps the best match. */
function bestPlacement(image: GrayImage, row: Row, templates: Templates, placement: CellPlacement): CellPlacement {
  const step = Math.max(1, Math.floor((row.to - row.from) / 12))
  const judge = (one: CellPlacement) => meanOf(matchRow(image, row, templates, one, 1, step))
  let best = { placement, likeness: judge(placement) }
  const ways: CellPlacement[] = [
    ...[-0.16, -0.08, 0.08, 0.16].map((by) => ({ ...placement, tall: placement.tall + by })),
    ...[-0.12, -0.06, 0.06, 0.12].map((by) => ({ ...placement, lean: placement.lean + by })),
  ]
  for (const way of ways) {
    const tried = {
      tall: best.placement.tall + way.tall - placement.tall,
      lean: best.placement.lean + way.lean - placement.lean,
    }
    const likeness = judge(tried)
    if (likeness > best.likeness) best = { placement: tried, likeness }
  }
  return best.placement
}

function bestTemplates(
  image: GrayImage,
  row: Row,
  placement: CellPlacement,
  templates: readonly Templates[],
): Templates {
  const step = Math.max(1, Math.floor((row.to - row.from) / 12))
  const judged = templates.map((one) => ({ one, likeness: meanOf(matchRow(image, row, one, placement, 1, step)) }))
  return judged.reduce((best, other) => (other.likeness > best.likeness ? other : best)).one
}

const rowDistances = { least: 1.4, most: 3.2, step: 0.15 }

/** Looks for the next two rows above or below, at the same distance. */
function findNeighbourRows(
  image: GrayImage,
  seen: Row,
  fullRow: Row,
  templates: Templates,
  placement: CellPlacement,
  side: 1 | -1,
): Row[] {
  const step = Math.max(1, Math.floor((seen.to - seen.from) / 10))
  const tried: { row: Row; distance: number; likeness: number }[] = []
  for (let distance: number = rowDistances.least; distance <= rowDistances.most; distance += rowDistances.step) {
    const row = shiftRow(seen, placement, side * distance)
    tried.push({ row, distance, likeness: meanOf(matchRow(image, row, templates, placement, 2, step)) })
  }
  const most = Math.max(...tried.map(({ likeness }) => likeness))
  if (most < likenessMin - 0.1) return []
  // The row after the next one also matches well, so the nearest that does is the next.
  const near = tried.findIndex(({ likeness }) => likeness > most - 0.1)
  const [best] = tried.slice(near, near + 3).sort((a, b) => b.likeness - a.likeness)
  if (!best) return []
  const second = shiftRow(seen, placement, side * best.distance * 2)
  return [best.row, second].map((row) => {
    const fitted = fitRow(row, matchRow(image, row, templates, placement, 3), placement, false)
    return { ...fitted, from: fullRow.from, to: fullRow.to }
  })
}

function shiftRow(row: Row, placement: CellPlacement, pitches: number): Row {
  const downX = -row.y[1] * placement.tall + row.x[1] * placement.lean
  const downY = row.x[1] * placement.tall + row.y[1] * placement.lean
  return {
    ...row,
    x: [row.x[0] + downX * pitches, row.x[1], row.x[2]],
    y: [row.y[0] + downY * pitches, row.y[1], row.y[2]],
  }
}

/** Chooses lines and the first character so that most cells contain a character of OCR-B. */
function chooseZone(
  image: GrayImage,
  rows: readonly Row[],
  templates: Templates,
  placement: CellPlacement,
): MatchedZone | null {
  const grades = rows.map((row) => gradesOf(image, row, templates, placement))
  let best: { format: Format; row: number; from: number; grade: number } | null = null
  for (const format of formats) {
    for (let row = 0; row + format.lines <= rows.length; row += 1) {
      const from = rows[row]?.from ?? 0
      const to = (rows[row]?.to ?? 0) - format.length + 1
      for (let start = from; start <= to; start += 1) {
        const lines = grades.slice(row, row + format.lines)
        const grade = lines.reduce(
          (sum, line) => sum + line.slice(start - from, start - from + format.length).reduce((a, b) => a + b, 0),
          0,
        )
        if (!best || grade > best.grade) best = { format, row, from: start, grade }
      }
    }
  }
  if (!best) return null
  const { format, row: first, from } = best
  const lines = rows.slice(first, first + format.lines).map((row) => {
    const cut = { ...row, from, to: from + format.length - 1 }
    return finalMatch(image, cut, templates, placement)
  })
  const likeness = meanOf(lines.flat())
  return likeness < likenessMin ? null : { format, lines, likeness, softness: templates.softness }
}

/** Returns for each cell how likely it belongs to the zone; cells beyond the image are evidence against it. */
function gradesOf(image: GrayImage, row: Row, templates: Templates, placement: CellPlacement): number[] {
  const grades: number[] = []
  for (let k = row.from; k <= row.to; k += 1) {
    const [x, y] = [curveAt(row.x, k), curveAt(row.y, k)]
    const inside = x > 0 && y > 0 && x < image.width && y < image.height
    grades.push(inside ? matchCell(image, row, k, templates, placement, 2).best - 0.6 : -0.6)
  }
  return grades
}

function finalMatch(image: GrayImage, row: Row, templates: Templates, placement: CellPlacement): Match[] {
  let fitted = row
  for (const reach of [2, 1])
    fitted = fitRow(fitted, matchRow(image, fitted, templates, placement, reach), placement, true)
  const inLine = matchRow(image, fitted, templates, placement, 0)
  return matchRow(image, fitted, templates, placement, 1).map((match, place) => ({
    ...match,
    scores: match.scores.map((score, index) => Math.max(inLine[place]?.scores[index] ?? -1, discountOffLine(score))),
  }))
}

/**
 * Returns the similarity of a character that matches only beside its line, with half as much again left unexplained:
 * the other cells of a line determine where a cell is, and most readings beside it are wrong. A blurred Y resembles a T
 * one pixel lower.
 */
function discountOffLine(score: number): number {
  return score <= 0 ? score : Math.sqrt(Math.max(0, 1 - 1.5 * (1 - score * score)))
}

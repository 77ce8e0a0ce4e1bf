/**
 * Places a row of cells on the image, moves it until OCR-B's characters match best, and returns how well each matches.
 */
import { shadeAt, type GrayImage } from './gray-image.ts'
import { curveAt, type Curve, type Row } from './find-rows.ts'
import { cell, characters, normalise, type Templates } from './templates.ts'

/** How a cell is placed on the image. */
export interface CellPlacement {
  /** The characters' height relative to their distance; 1 as in the font. */
  readonly tall: number
  /** The slant: the sideways shift of the upward direction. */
  readonly lean: number
}

export interface Match {
  readonly k: number
  /** The similarity to each of the characters, from -1 to 1, in their order. */
  readonly scores: Float32Array
  readonly best: number
  /** The offset of the best match from the centre of its cell, in the cell's pixels. */
  readonly dx: number
  readonly dy: number
}

const dots = cell.width * cell.height

/** Compares the cell at `k`, moved by up to `reach` pixels in each direction. */
export function matchCell(
  image: GrayImage,
  row: Row,
  k: number,
  templates: Templates,
  placement: CellPlacement,
  reach: number,
): Match {
  const wide = cell.width + 2 * reach
  const high = cell.height + 2 * reach
  const sampled = sampleCell(image, row, k, placement, wide, high)
  const scores = new Float32Array(characters.length).fill(-1)
  const one = new Float32Array(dots)
  let found = { best: -1, dx: 0, dy: 0 }
  for (let dy = -reach; dy <= reach; dy += 1) {
    for (let dx = -reach; dx <= reach; dx += 1) {
      for (let y = 0; y < cell.height; y += 1) {
        const from = (y + reach + dy) * wide + reach + dx
        one.set(sampled.subarray(from, from + cell.width), y * cell.width)
      }
      normalise(one)
      for (let index = 0; index < characters.length; index += 1) {
        const score = likeness(one, templates.cells, index * dots)
        if (score > (scores[index] ?? -1)) scores[index] = score
        if (score > found.best) found = { best: score, dx, dy }
      }
    }
  }
  return { k, scores, ...found }
}

function likeness(one: Float32Array, all: Float32Array, offset: number): number {
  let sum = 0
  for (let index = 0; index < dots; index += 1) sum += (one[index] ?? 0) * (all[offset + index] ?? 0)
  return sum
}

function sampleCell(
  image: GrayImage,
  { x, y }: Row,
  k: number,
  { tall, lean }: CellPlacement,
  wide: number,
  high: number,
): Float32Array {
  const rightX = (x[1] + 2 * x[2] * k) / cell.pitch
  const rightY = (y[1] + 2 * y[2] * k) / cell.pitch
  const downX = -rightY * tall + rightX * lean
  const downY = rightX * tall + rightY * lean
  const made = new Float32Array(wide * high)
  const [middleX, middleY] = [curveAt(x, k), curveAt(y, k)]
  for (let v = 0; v < high; v += 1) {
    for (let u = 0; u < wide; u += 1) {
      const right = u - (wide - 1) / 2
      const down = v - (high - 1) / 2
      made[v * wide + u] = shadeAt(
        image,
        middleX + right * rightX + down * downX,
        middleY + right * rightY + down * downY,
      )
    }
  }
  return made
}

export function matchRow(
  image: GrayImage,
  row: Row,
  templates: Templates,
  placement: CellPlacement,
  reach: number,
  step = 1,
): Match[] {
  const matches: Match[] = []
  for (let k = row.from; k <= row.to; k += step) matches.push(matchCell(image, row, k, templates, placement, reach))
  return matches
}

export function meanOf(matches: readonly Match[]): number {
  return matches.reduce((sum, { best }) => sum + best, 0) / Math.max(1, matches.length)
}

/** The minimum match of a character that may move its row. */
const trustedMatchMin = 0.55
const fitPointsMin = 6

/** Moves a row to the positions of its matches; slightly curved if enough of them show it. */
export function fitRow(row: Row, matches: readonly Match[], placement: CellPlacement, bends: boolean): Row {
  const points = matches
    .filter(({ best }) => best > trustedMatchMin)
    .map(({ k, dx, dy, best }) => {
      const rightX = (row.x[1] + 2 * row.x[2] * k) / cell.pitch
      const rightY = (row.y[1] + 2 * row.y[2] * k) / cell.pitch
      return {
        k,
        x: curveAt(row.x, k) + dx * rightX + dy * (rightX * placement.lean - rightY * placement.tall),
        y: curveAt(row.y, k) + dx * rightY + dy * (rightY * placement.lean + rightX * placement.tall),
        weight: best * best,
      }
    })
  if (points.length < fitPointsMin) return row
  const degree = bends && points.length >= 20 ? 2 : 1
  const of = (value: 'x' | 'y') => {
    const given = points.map((point) => ({ k: point.k, value: point[value], weight: point.weight }))
    return fitCurve(given, degree)
  }
  return { ...row, x: of('x'), y: of('y') }
}

/** Weighted least squares; distant points have less weight in a second round. */
function fitCurve(points: readonly { k: number; value: number; weight: number }[], degree: 1 | 2): Curve {
  const first = solveLeastSquares(points, degree)
  const again = points.map((point) => ({
    ...point,
    weight: point.weight / (1 + (point.value - curveAt(first, point.k)) ** 2),
  }))
  return solveLeastSquares(again, degree)
}

function solveLeastSquares(points: readonly { k: number; value: number; weight: number }[], degree: 1 | 2): Curve {
  const size = degree + 1
  const rows = Array.from({ length: size }, (_, line) => [
    ...Array.from({ length: size }, (__, column) =>
      points.reduce((sum, { k, weight }) => sum + weight * k ** (line + column), 0),
    ),
    points.reduce((sum, { k, value, weight }) => sum + weight * value * k ** line, 0),
  ])
  for (let pivot = 0; pivot < size; pivot += 1) {
    const top = rows[pivot] ?? []
    for (let line = 0; line < size; line += 1) {
      const other = rows[line] ?? []
      if (line === pivot) continue
      const factor = (other[pivot] ?? 0) / (top[pivot] ?? 1)
      for (let column = pivot; column <= size; column += 1)
        other[column] = (other[column] ?? 0) - factor * (top[column] ?? 0)
    }
  }
  const result = rows.map((line, index) => (line[size] ?? 0) / (line[index] ?? 1))
  return [result[0] ?? 0, result[1] ?? 0, result[2] ?? 0]
}

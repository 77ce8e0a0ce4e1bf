/**
 * What a chart draws: scales and paths of SVG in a field of 1000 by 100 that is stretched to any width (its strokes are
 * not), so that nothing is measured. Values are plain numbers: they are drawn, never added up (requirements 24.16).
 */
export const plotWidth = 1000
const plotHeight = 100

/** Most lines of the grid, the lowest among them. */
const marksMax = 4
/** Under this part of the largest value a range is drawn large: its axis does not begin at zero. */
const narrowPart = 0.25
/** Free above the highest value, as a part of the range. */
const headroom = 0.06

export interface Scale {
  readonly low: number
  readonly high: number
  /** Where the grid has its lines, lowest first. */
  readonly marks: readonly number[]
}

/** The axis of values; with `fromZero` zero is on it however narrow their range is. */
export function scaleOf(values: readonly number[], fromZero = false): Scale {
  const least = Math.min(...values, Infinity)
  const most = Math.max(...values, -Infinity)
  if (least > most) return { low: 0, high: 1, marks: [0] }
  const isNarrow =
    !fromZero && least < most && (least > 0 || most < 0) && most - least < narrowPart * Math.max(most, -least)
  const low = isNarrow ? least : Math.min(0, least)
  const high = isNarrow ? most : Math.max(0, most)
  const range = high - low || Math.abs(high) || 1
  for (let step = roundStep(range / marksMax); ; step = roundStep(step * 1.01)) {
    const lowest = Math.floor(low / step + 1e-9) * step
    const highest = low < high && high === 0 ? 0 : high + range * headroom
    const marks = marksFrom(lowest, highest, step)
    if (marks.length <= marksMax) return { low: lowest, high: highest, marks }
  }
}

/** The next of 1, 2, 2.5, 5 and 10 times a power of ten that is no smaller. */
function roundStep(atLeast: number): number {
  const power = 10 ** Math.floor(Math.log10(atLeast))
  const factor = [1, 2, 2.5, 5].find((one) => one * power >= atLeast * (1 - 1e-9)) ?? 10
  return factor * power
}

function marksFrom(lowest: number, highest: number, step: number): number[] {
  const count = Math.floor((highest - lowest) / step + 1e-9) + 1
  return Array.from({ length: count }, (_, index) => rounded(lowest + index * step))
}

/** Returns how far down a value is, in percent of the field: also the place of its word beside it. */
export function downOf({ low, high }: Scale, value: number): number {
  return rounded(((high - value) / (high - low)) * plotHeight)
}

/** Returns how far along the point at an index of so many is, as a part of the field; one alone is at its end. */
export function alongOf(index: number, count: number): number {
  return count > 1 ? index / (count - 1) : 1
}

interface LineOptions {
  /** A value holds until the next one, and then jumps. */
  steps?: boolean
  /** What of each value came or went at once: it is drawn as a jump, not as a slope. */
  jumps?: readonly number[]
}

/** The path of a line; where a value is missing it has a gap. */
export function linePath(values: readonly (number | null)[], scale: Scale, options: LineOptions = {}): string {
  return runsOf(values)
    .map((run) => runPath(run, values.length, scale, options))
    .join('')
}

/** The field between the lines of a path's runs and the lower edge. */
export function areaPath(values: readonly (number | null)[], scale: Scale, options: LineOptions = {}): string {
  return runsOf(values)
    .map((run) => {
      const [from, to] = [run[0]?.index ?? 0, run.at(-1)?.index ?? 0].map((index) => x(index, values.length))
      return `${runPath(run, values.length, scale, options)}L${to} ${plotHeight}L${from} ${plotHeight}Z`
    })
    .join('')
}

interface Place {
  readonly index: number
  readonly value: number
}

/** The values as runs without a gap. */
function runsOf(values: readonly (number | null)[]): Place[][] {
  const runs: Place[][] = [[]]
  for (const [index, value] of values.entries())
    if (value === null) runs.push([])
    else runs.at(-1)?.push({ index, value })
  return runs.filter(({ length }) => length > 0)
}

function runPath(run: readonly Place[], count: number, scale: Scale, { steps, jumps }: LineOptions): string {
  return run
    .map(({ index, value }, order) => {
      const [across, down] = [x(index, count), downOf(scale, value)]
      if (order === 0) return `M${across} ${down}`
      if (steps) return `H${across}V${down}`
      const jump = jumps?.[index] ?? 0
      return jump === 0 ? `L${across} ${down}` : `L${across} ${downOf(scale, value - jump)}V${down}`
    })
    .join('')
}

function x(index: number, count: number): number {
  return rounded(alongOf(index, count) * plotWidth)
}

/** The part of its place that a bar takes. */
const barPart = 0.64

/** A bar for each value, from zero; nothing where there is none. */
export function barsPath(values: readonly number[], scale: Scale): string {
  const place = plotWidth / values.length
  const zero = downOf(scale, 0)
  return values
    .map((value, index) =>
      value === 0
        ? ''
        : `M${rounded(index * place + (place * (1 - barPart)) / 2)} ${zero}V${downOf(scale, value)}h${rounded(place * barPart)}V${zero}Z`,
    )
    .join('')
}

/** What words on the axis of days have between them at least, as a part of the distance that most of them would have. */
const apartPart = 0.88

/** Returns the indexes that have a word on the axis of days: at most so many, evenly, the first and the last among them. */
export function labelled(count: number, most: number): number[] {
  const apart = (apartPart * (count - 1)) / (most - 1)
  for (let words = Math.min(count, most); words > 2; words -= 1) {
    const indexes = Array.from({ length: words }, (_, word) => Math.round(alongOf(word, words) * (count - 1)))
    // A few points that cannot be shared out evenly have fewer words, so that none comes close to the next.
    if (indexes.every((index, word) => word === 0 || index - (indexes[word - 1] ?? 0) >= apart)) return indexes
  }
  return count > 1 ? [0, count - 1] : count === 1 ? [0] : []
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}

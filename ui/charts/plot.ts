/**
 * Scales and SVG paths of charts, in a field of 1000 by 100 that is stretched to any width (its strokes are not), so
 * that nothing is measured. Values are plain numbers: they are drawn, never summed (requirements 24.16).
 */
export const plotWidth = 1000
const plotHeight = 100

/** Maximum grid lines, including the lowest. */
const marksMax = 4
/** If the range is below this part of the largest value, the axis does not begin at zero. */
const narrowPart = 0.25
/** Space above the highest value, as a part of the range. */
const headroom = 0.06

export interface Scale {
  readonly low: number
  readonly high: number
  /** The values of grid lines, lowest first. */
  readonly marks: readonly number[]
}

/** Returns the scale of values; with `fromZero` it includes zero however small their range is. */
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
    const marks = gridLines(lowest, highest, step)
    if (marks.length <= marksMax) return { low: lowest, high: highest, marks }
  }
}

/** Returns the smallest of 1, 2, 2.5, 5 and 10 times a power of ten that is not below the argument. */
function roundStep(atLeast: number): number {
  const power = 10 ** Math.floor(Math.log10(atLeast))
  const factor = [1, 2, 2.5, 5].find((one) => one * power >= atLeast * (1 - 1e-9)) ?? 10
  return factor * power
}

function gridLines(lowest: number, highest: number, step: number): number[] {
  const count = Math.floor((highest - lowest) / step + 1e-9) + 1
  return Array.from({ length: count }, (_, index) => rounded(lowest + index * step))
}

/** Returns the distance of a value from the top, in percent of the field; also the position of its label. */
export function topPercent({ low, high }: Scale, value: number): number {
  return rounded(((high - value) / (high - low)) * plotHeight)
}

/** Returns the horizontal position of a point by index, as a part of the field; a single point is at the end. */
export function xFraction(index: number, count: number): number {
  return count > 1 ? index / (count - 1) : 1
}

interface LineOptions {
  /** A value is constant until the next one. */
  steps?: boolean
  /** The deposited or withdrawn part of each value, which is drawn as a jump, not as a slope. */
  jumps?: readonly number[]
}

/** Returns the path of a line, with gaps for missing values. */
export function linePath(values: readonly (number | null)[], scale: Scale, options: LineOptions = {}): string {
  return runsOf(values)
    .map((run) => runPath(run, values.length, scale, options))
    .join('')
}

/** Returns the area between the line's runs and the lower edge. */
export function areaPath(values: readonly (number | null)[], scale: Scale, options: LineOptions = {}): string {
  return runsOf(values)
    .map((run) => {
      const [from, to] = [run[0]?.index ?? 0, run.at(-1)?.index ?? 0].map((index) => xCoordinate(index, values.length))
      return `${runPath(run, values.length, scale, options)}L${to} ${plotHeight}L${from} ${plotHeight}Z`
    })
    .join('')
}

interface RunPoint {
  readonly index: number
  readonly value: number
}

/** Returns the values as runs without gaps. */
function runsOf(values: readonly (number | null)[]): RunPoint[][] {
  const runs: RunPoint[][] = [[]]
  for (const [index, value] of values.entries())
    if (value === null) runs.push([])
    else runs.at(-1)?.push({ index, value })
  return runs.filter(({ length }) => length > 0)
}

function runPath(run: readonly RunPoint[], count: number, scale: Scale, { steps, jumps }: LineOptions): string {
  // A value between two gaps is a dot.
  const [only] = run
  if (only && run.length === 1) return `M${xCoordinate(only.index, count)} ${topPercent(scale, only.value)}h0`
  return run
    .map(({ index, value }, order) => {
      const [across, down] = [xCoordinate(index, count), topPercent(scale, value)]
      if (order === 0) return `M${across} ${down}`
      if (steps) return `H${across}V${down}`
      const jump = jumps?.[index] ?? 0
      if (jump === 0) return `L${across} ${down}`
      // What a day lost of its deposit would begin below the axis.
      const before = Math.min(Math.max(value - jump, scale.low), scale.high)
      return `L${across} ${topPercent(scale, before)}V${down}`
    })
    .join('')
}

function xCoordinate(index: number, count: number): number {
  return rounded(xFraction(index, count) * plotWidth)
}

/** The width of a bar as a part of its slot. */
const barPart = 0.64

/** Returns a bar for each value, from zero; none for zero. */
export function barsPath(values: readonly number[], scale: Scale): string {
  const place = plotWidth / values.length
  const zero = topPercent(scale, 0)
  return values
    .map((value, index) =>
      value === 0
        ? ''
        : `M${rounded(index * place + (place * (1 - barPart)) / 2)} ${zero}V${topPercent(scale, value)}h${rounded(place * barPart)}V${zero}Z`,
    )
    .join('')
}

/** The minimum distance between labels on the time axis, as a part of the distance at the maximum number of labels. */
const apartPart = 0.88

/**
 * Returns the indexes with a label on the time axis: at most `most`, evenly spaced, including the first and the last.
 */
export function labelledIndexes(count: number, most: number): number[] {
  const apart = (apartPart * (count - 1)) / (most - 1)
  for (let words = Math.min(count, most); words > 2; words -= 1) {
    const indexes = Array.from({ length: words }, (_, word) => Math.round(xFraction(word, words) * (count - 1)))
    // A few points without an even division have fewer labels, so that none is too close to the next.
    if (indexes.every((index, word) => word === 0 || index - (indexes[word - 1] ?? 0) >= apart)) return indexes
  }
  return count > 1 ? [0, count - 1] : count === 1 ? [0] : []
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}

/** Finds rows of evenly spaced characters, in any direction: candidates for a machine-readable zone. */
import { inkOf, type GrayImage } from './gray-image.ts'

/** The position of a row's characters: the centre of character `k` is x(k), y(k), each c0 + c1 k + c2 k². */
export interface Row {
  readonly x: Curve
  readonly y: Curve
  /** The first and last character that was detected. */
  readonly from: number
  readonly to: number
}

export type Curve = readonly [number, number, number]

export function curveAt([c0, c1, c2]: Curve, k: number): number {
  return c0 + c1 * k + c2 * k * k
}

interface Spot {
  readonly x: number
  readonly y: number
  /** The length of its longer side. */
  readonly size: number
}

const rowsMax = 6
const charactersMin = 9

/** Returns rows that look evenly spaced, those with the most characters first. */
export function findRows(image: GrayImage): Row[] {
  const longSide = Math.max(image.width, image.height)
  const found: (Row & { good: number })[] = []
  for (const size of [Math.round(longSide / 60), Math.round(longSide / 110)]) {
    const spots = spotsOf(image, Math.max(5, size))
    for (const angle of directionsOf(spots)) found.push(...rowsAlong(spots, angle))
  }
  return found.sort((a, b) => b.good - a.good).slice(0, rowsMax)
}

/** Returns the connected areas of ink that could be a character. */
function spotsOf(image: GrayImage, window: number): Spot[] {
  const { width, height } = image
  const ink = inkOf(image, window)
  const spots: Spot[] = []
  const stack: number[] = []
  const longest = Math.max(width, height) / 14
  for (let start = 0; start < ink.length; start += 1) {
    if (ink[start] !== 1) continue
    let [left, right, top, bottom, dots] = [width, 0, height, 0, 0]
    ink[start] = 2
    stack.push(start)
    for (let one = stack.pop(); one !== undefined; one = stack.pop()) {
      const x = one % width
      const y = (one - x) / width
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y)
      dots += 1
      for (let dy = y > 0 ? -1 : 0; dy <= (y < height - 1 ? 1 : 0); dy += 1) {
        for (let dx = x > 0 ? -1 : 0; dx <= (x < width - 1 ? 1 : 0); dx += 1) {
          const next = one + dy * width + dx
          if (ink[next] !== 1) continue
          ink[next] = 2
          stack.push(next)
        }
      }
    }
    const size = Math.max(right - left, bottom - top) + 1
    const thin = Math.min(right - left, bottom - top) + 1
    if (size >= 5 && size <= longest && thin * 7 >= size && dots >= size)
      spots.push({ x: (left + right) / 2, y: (top + bottom) / 2, size })
  }
  return spots
}

/** Returns a function that finds the neighbours of a spot, by a grid of squares. */
function neighboursOf(spots: readonly Spot[], far: number): (spot: Spot, reach: number) => Spot[] {
  const squares = new Map<number, Spot[]>()
  const key = (x: number, y: number) => Math.floor(x / far) * 100_000 + Math.floor(y / far)
  for (const spot of spots) {
    const square = key(spot.x, spot.y)
    squares.set(square, [...(squares.get(square) ?? []), spot])
  }
  return (spot, reach) => {
    const near: Spot[] = []
    for (let x = spot.x - reach; x <= spot.x + reach + far; x += far) {
      for (let y = spot.y - reach; y <= spot.y + reach + far; y += far) near.push(...(squares.get(key(x, y)) ?? []))
    }
    return near.filter((one) => one !== spot && Math.hypot(one.x - spot.x, one.y - spot.y) <= reach)
  }
}

const isAlike = (a: Spot, b: Spot) => a.size < b.size * 1.7 && b.size < a.size * 1.7
const squareSide = 24
const directions = 180
const directionsMax = 2

/** Returns the directions of most spots' nearest neighbours, in radians. */
function directionsOf(spots: readonly Spot[]): number[] {
  const near = neighboursOf(spots, squareSide)
  const votes = new Float64Array(directions)
  for (const spot of spots) {
    const next = near(spot, spot.size * 2)
      .filter((one) => isAlike(spot, one))
      .sort((a, b) => Math.hypot(a.x - spot.x, a.y - spot.y) - Math.hypot(b.x - spot.x, b.y - spot.y))
      .slice(0, 2)
    for (const one of next) {
      const turn = Math.round((Math.atan2(one.y - spot.y, one.x - spot.x) / Math.PI) * directions)
      const bin = (turn + 2 * directions) % directions
      votes[bin] = (votes[bin] ?? 0) + 1
    }
  }
  const soft = [...votes].map((_, bin) =>
    [-2, -1, 0, 1, 2].reduce((sum, by) => sum + (votes[(bin + by + directions) % directions] ?? 0), 0),
  )
  const chosen: number[] = []
  while (chosen.length < directionsMax) {
    const free = (bin: number) =>
      chosen.every((one) => Math.min(Math.abs(one - bin), directions - Math.abs(one - bin)) > 6)
    const best = soft.reduce((top, sum, bin) => (free(bin) && sum > (soft[top] ?? 0) ? bin : top), -1)
    if (best < 0 || (soft[best] ?? 0) < charactersMin) break
    chosen.push(best)
  }
  return chosen.map((bin) => (bin / directions) * Math.PI)
}

/** Chains each spot to its next to the right, and joins the chains on the same line. */
function rowsAlong(spots: readonly Spot[], angle: number): (Row & { good: number })[] {
  const cos = Math.cos(angle)
  const sin = Math.sin(angle)
  const rotated = spots.map((spot) => ({ ...spot, x: spot.x * cos + spot.y * sin, y: spot.y * cos - spot.x * sin }))
  const chains = chainsOf(rotated).sort((a, b) => b.length - a.length)
  const rows = joinChains(chains).flatMap((chain) => evenRow(chain) ?? [])
  return rows.map(({ x, y, ...rest }) => ({
    ...rest,
    x: [x[0] * cos - y[0] * sin, x[1] * cos - y[1] * sin, 0],
    y: [x[0] * sin + y[0] * cos, x[1] * sin + y[1] * cos, 0],
  }))
}

function chainsOf(spots: readonly Spot[]): Spot[][] {
  const near = neighboursOf(spots, squareSide)
  const next = new Map<Spot, Spot>()
  const taken = new Set<Spot>()
  const ways = spots.flatMap((spot) =>
    near(spot, spot.size * 2.8)
      .filter((one) => isAlike(spot, one) && one.x - spot.x > spot.size * 0.4)
      .filter((one) => Math.abs(one.y - spot.y) < 0.16 * (one.x - spot.x) + 0.22 * Math.max(one.size, spot.size))
      .map((one) => ({ spot, one, far: one.x - spot.x + 2 * Math.abs(one.y - spot.y) })),
  )
  for (const { spot, one } of ways.sort((a, b) => a.far - b.far)) {
    if (next.has(spot) || taken.has(one)) continue
    next.set(spot, one)
    taken.add(one)
  }
  return spots
    .filter((spot) => !taken.has(spot))
    .map((first) => {
      const chain = [first]
      for (let one = next.get(first); one; one = next.get(one)) chain.push(one)
      return chain
    })
    .filter((chain) => chain.length >= 4)
}

function joinChains(chains: readonly Spot[][]): Spot[][] {
  const rest = [...chains]
  const rows: Spot[][] = []
  for (let row = rest.shift(); row; row = rest.shift()) {
    let joined = row
    for (let index = 0; index < rest.length; index += 1) {
      const other = rest[index] ?? []
      const [slope, start] = fitLine(joined.map(({ x, y }) => [x, y]))
      const size = median(joined.map((spot) => spot.size))
      const apart = median(other.map((spot) => Math.abs(spot.y - start - slope * spot.x)))
      const alike = median(other.map((spot) => spot.size)) / size
      if (apart > size * 0.35 || alike > 1.4 || alike < 0.7) continue
      joined = [...joined, ...other].sort((a, b) => a.x - b.x)
      rest.splice(index, 1)
      index = -1
    }
    if (joined.length >= charactersMin) rows.push(joined)
  }
  return rows
}

/** Fits a line by least squares. */
function fitLine(points: readonly (readonly [number, number])[]): [slope: number, start: number] {
  const mean = (of: 0 | 1) => points.reduce((sum, point) => sum + point[of], 0) / points.length
  const [middleX, middleY] = [mean(0), mean(1)]
  const over = points.reduce((sum, [x, y]) => sum + (x - middleX) * (y - middleY), 0)
  const under = points.reduce((sum, [x]) => sum + (x - middleX) ** 2, 0)
  const slope = under === 0 ? 0 : over / under
  return [slope, middleY - slope * middleX]
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}

/** Finds the even distance of a row's spots. Returns null for uneven spacing, as in text for people. */
function evenRow(spots: readonly Spot[]): (Row & { good: number }) | null {
  const steps = spots.slice(1).map((spot, index) => spot.x - (spots[index]?.x ?? 0))
  const first = median(steps)
  if (first < 5) return null
  let best = { pitch: first, evenness: 0 }
  for (let pitch = first * 0.85; pitch <= first * 1.18; pitch *= 1.001) {
    let [cos, sin] = [0, 0]
    for (const { x } of spots) {
      cos += Math.cos((2 * Math.PI * x) / pitch)
      sin += Math.sin((2 * Math.PI * x) / pitch)
    }
    const evenness = Math.hypot(cos, sin) / spots.length
    if (evenness > best.evenness) best = { pitch, evenness }
  }
  const { pitch } = best
  if (best.evenness < 0.55) return null
  const start = spots[0]?.x ?? 0
  const turn = spots.map(({ x }) => (2 * Math.PI * (x - start)) / pitch)
  const phase = Math.atan2(
    turn.reduce((sum, one) => sum + Math.sin(one), 0),
    turn.reduce((sum, one) => sum + Math.cos(one), 0),
  )
  const origin = start + (phase / (2 * Math.PI)) * pitch
  const places = spots.map(({ x, y }) => ({ k: Math.round((x - origin) / pitch), x, y }))
  const good = places.filter(({ k, x }) => Math.abs(x - origin - k * pitch) < 0.2 * pitch)
  if (good.length < charactersMin) return null
  const [stepX, startX] = fitLine(good.map(({ k, x }) => [k, x]))
  const [stepY, startY] = fitLine(good.map(({ k, y }) => [k, y]))
  const ks = good.map(({ k }) => k)
  const bounds = { from: Math.min(...ks), to: Math.max(...ks) }
  return { x: [startX, stepX, 0], y: [startY, stepY, 0], ...bounds, good: new Set(ks).size * best.evenness }
}

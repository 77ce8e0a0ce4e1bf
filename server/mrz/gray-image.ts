/** Greyscale images and operations on them. */

export interface GrayImage {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** Returns the image at half its size, each pixel the mean of four. */
export function halveImage({ width, height, data }: GrayImage): GrayImage {
  const half = { width: width >> 1, height: height >> 1 }
  const made = new Uint8Array(half.width * half.height)
  for (let y = 0; y < half.height; y += 1) {
    for (let x = 0; x < half.width; x += 1) {
      const at = 2 * y * width + 2 * x
      const sum = (data[at] ?? 0) + (data[at + 1] ?? 0) + (data[at + width] ?? 0) + (data[at + width + 1] ?? 0)
      made[y * half.width + x] = sum >> 2
    }
  }
  return { ...half, data: made }
}

/** Returns the interpolated shade between pixels; beyond the edge that of the edge. */
export function shadeAt({ width, height, data }: GrayImage, x: number, y: number): number {
  const left = Math.min(Math.max(x, 0), width - 1.001)
  const top = Math.min(Math.max(y, 0), height - 1.001)
  const column = Math.floor(left)
  const line = Math.floor(top)
  const right = left - column
  const below = top - line
  const at = line * width + column
  const upper = (data[at] ?? 0) * (1 - right) + (data[at + 1] ?? 0) * right
  const lower = (data[at + width] ?? 0) * (1 - right) + (data[at + width + 1] ?? 0) * right
  return upper * (1 - below) + lower * below
}

/** Returns 1 for pixels darker than their surroundings, for characters about `size` pixels high. */
export function inkOf(image: GrayImage, size: number): Uint8Array {
  const { width, height, data } = image
  const sums = integralOf(image)
  const ink = new Uint8Array(width * height)
  const least = leastContrast(data)
  const row = width + 1
  for (let y = 0; y < height; y += 1) {
    const top = Math.max(0, y - size)
    const bottom = Math.min(height, y + size + 1)
    for (let x = 0; x < width; x += 1) {
      const left = Math.max(0, x - size)
      const right = Math.min(width, x + size + 1)
      const count = (bottom - top) * (right - left)
      const inside = (table: Float64Array) =>
        ((table[bottom * row + right] ?? 0) -
          (table[bottom * row + left] ?? 0) -
          (table[top * row + right] ?? 0) +
          (table[top * row + left] ?? 0)) /
        count
      const mean = inside(sums.plain)
      const spread = Math.sqrt(Math.max(0, inside(sums.squares) - mean * mean))
      if (mean - (data[y * width + x] ?? 0) > Math.max(least, spread * 0.75)) ink[y * width + x] = 1
    }
  }
  return ink
}

/** Returns a share of the range from the darkest to the lightest shade that the paper's grain does not reach. */
function leastContrast(data: Uint8Array): number {
  const counts = new Uint32Array(256)
  for (const shade of data) counts[shade] = (counts[shade] ?? 0) + 1
  const at = (share: number) => {
    let seen = 0
    return counts.findIndex((count) => (seen += count) >= share * data.length)
  }
  return Math.max(3, 0.06 * (at(0.98) - at(0.02)))
}

function integralOf({ width, height, data }: GrayImage) {
  const row = width + 1
  const plain = new Float64Array(row * (height + 1))
  const squares = new Float64Array(row * (height + 1))
  for (let y = 0; y < height; y += 1) {
    let sum = 0
    let squared = 0
    for (let x = 0; x < width; x += 1) {
      const shade = data[y * width + x] ?? 0
      sum += shade
      squared += shade * shade
      const at = (y + 1) * row + x + 1
      plain[at] = (plain[at - row] ?? 0) + sum
      squares[at] = (squares[at - row] ?? 0) + squared
    }
  }
  return { plain, squares }
}

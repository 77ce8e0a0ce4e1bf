/** OCR-B's characters as a cell of a line contains them: rendered from their outlines and blurred like an image. */
import sharp from 'sharp'
import ocrB from './ocr-b.json' with { type: 'json' }

export const characters = Object.keys(ocrB.outlines).join('')
/** The pixels of a cell, and those from one character to the next. */
export const cell = { width: 18, height: 26, pitch: 16 }
/** From the baseline to the middle of capitals, in the font's units. */
const middle = 351

/** For each blur the 37 characters, one after the other, each with a mean of 0 and a length of 1. */
export interface Templates {
  readonly softness: number
  readonly cells: Float32Array
}

const softnesses = [0.7, 1.3, 2, 2.4, 2.8]
const border = 8

/** Renders the templates, which takes 10 ms. */
export async function drawTemplates(): Promise<Templates[]> {
  const wide = cell.width + 2 * border
  const high = cell.height + 2 * border
  const scale = cell.pitch / ocrB.pitch
  const drawn = Object.values(ocrB.outlines).map((outline, index) => {
    const x = wide / 2 - (ocrB.pitch / 2) * scale
    const y = index * high + high / 2 + middle * scale
    return `<path transform="translate(${x} ${y}) scale(${scale} ${-scale})" d="${outline}"/>`
  })
  const size = `width="${wide}" height="${high * characters.length}"`
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" ${size}><rect ${size} fill="#fff"/>${drawn.join('')}</svg>`
  const made = []
  for (const softness of softnesses) {
    const soft = sharp(Buffer.from(picture)).flatten({ background: '#fff' }).blur(softness)
    made.push({ softness, cells: cutCells(await soft.toColourspace('b-w').raw().toBuffer(), wide, high) })
  }
  return made
}

function cutCells(data: Uint8Array, wide: number, high: number): Float32Array {
  const dots = cell.width * cell.height
  const cells = new Float32Array(dots * characters.length)
  for (let index = 0; index < characters.length; index += 1) {
    const one = cells.subarray(index * dots, (index + 1) * dots)
    for (let y = 0; y < cell.height; y += 1) {
      for (let x = 0; x < cell.width; x += 1)
        one[y * cell.width + x] = data[(index * high + border + y) * wide + border + x] ?? 0
    }
    normalise(one)
  }
  return cells
}

/** Subtracts the mean and scales the length to 1; a uniform shade becomes 0. Returns the original length. */
export function normalise(dots: Float32Array): number {
  let sum = 0
  for (const dot of dots) sum += dot
  const mean = sum / dots.length
  let squares = 0
  for (const dot of dots) squares += (dot - mean) ** 2
  const length = Math.sqrt(squares)
  const factor = length > 1 ? 1 / length : 0
  for (let at = 0; at < dots.length; at += 1) dots[at] = ((dots[at] ?? 0) - mean) * factor
  return length
}

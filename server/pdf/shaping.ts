/** Shapes runs of other scripts with HarfBuzz: joins, reorders and places their letters (ADR 305). */
import { existsSync, readFileSync } from 'node:fs'

/** Installed separately, like the fonts (`fonts/package.json`). */
const engine = new URL('../../fonts/node_modules/harfbuzzjs/dist/index.mjs', import.meta.url)
const binary = new URL('harfbuzz.wasm', engine)

/** The used part of harfbuzzjs. */
export interface HarfBuzz {
  readonly Blob: new (bytes: Uint8Array) => object
  readonly Face: new (blob: object) => object
  readonly Font: new (face: object) => HarfBuzzFont
  readonly Buffer: new () => HarfBuzzBuffer
  readonly Direction: { readonly LTR: number; readonly RTL: number }
  shape(font: HarfBuzzFont, buffer: HarfBuzzBuffer): void
}
interface HarfBuzzFont {
  /** The outline of a glyph as an SVG path, in units of the font. */
  glyphToPath(id: number): string
}
interface HarfBuzzBuffer {
  reset(): void
  addText(text: string): void
  guessSegmentProperties(): void
  setDirection(direction: number): void
  getGlyphInfos(): readonly { readonly codepoint: number; readonly cluster: number }[]
  getGlyphPositions(): readonly Position[]
}
interface Position {
  readonly xAdvance: number
  readonly yAdvance: number
  readonly xOffset: number
  readonly yOffset: number
}

interface Run {
  readonly text: string
  /** Odd: from right to left. */
  readonly level: number
}

/** A glyph in units of its font. */
interface Glyph extends Position {
  readonly id: number
  /** What reading programs find in its place. */
  readonly text: string
}

/** A run as it is drawn, from left to right, in units of its font. */
export interface ShapedRun {
  readonly width: number
  /** Where the first glyph starts. */
  readonly start: number
  readonly glyphs: readonly Glyph[]
  /** Parts of letters that are drawn and not written: SVG paths, made only for what is drawn. */
  readonly outlines: readonly { readonly path: () => string; readonly x: number; readonly y: number }[]
}

/** Returns the shaping engine, or null if it is not installed. */
export async function loadHarfBuzz(): Promise<HarfBuzz | null> {
  return existsSync(engine) && existsSync(binary) ? ((await import(engine.href)) as HarfBuzz) : null
}

const fonts = new Map<string, HarfBuzzFont>()

/** Returns the opened font of a file; a thread keeps those that its documents have used. */
export function openFont(harfBuzz: HarfBuzz, file: string): HarfBuzzFont {
  const opened = fonts.get(file)
  if (opened) return opened
  const font = new harfBuzz.Font(new harfBuzz.Face(new harfBuzz.Blob(readFileSync(file))))
  fonts.set(file, font)
  return font
}

let buffer: HarfBuzzBuffer | null = null

/** Returns the empty buffer of this thread: the memory of one for each run would be free only after the document. */
function emptyBuffer(harfBuzz: HarfBuzz): HarfBuzzBuffer {
  buffer ??= new harfBuzz.Buffer()
  buffer.reset()
  return buffer
}

/** Returns what is drawn for a run. */
export function shapeRun(harfBuzz: HarfBuzz, font: HarfBuzzFont, run: Run): ShapedRun {
  const glyphs = glyphsOf(harfBuzz, font, run)
  const width = glyphs.reduce((sum, { xAdvance }) => sum + xAdvance, 0)
  if (run.level % 2 === 0) return { width, start: 0, glyphs, outlines: [] }
  // From right to left a glyph without text, such as the dot of a letter, would put a wrong character into what is
  // read.
  let x = 0
  let start = 0
  const written: Glyph[] = []
  const outlines: { path: () => string; x: number; y: number }[] = []
  for (const glyph of glyphs) {
    const before = written.at(-1)
    if (glyph.text !== '') written.push(glyph)
    else {
      outlines.push({ path: () => font.glyphToPath(glyph.id), x: x + glyph.xOffset, y: glyph.yOffset })
      if (before) written[written.length - 1] = { ...before, xAdvance: before.xAdvance + glyph.xAdvance }
      else start += glyph.xAdvance
    }
    x += glyph.xAdvance
  }
  return { width, start, glyphs: written, outlines }
}

/** Returns the glyphs of a run; of those that stand together for some characters, one has them as its text. */
function glyphsOf(harfBuzz: HarfBuzz, font: HarfBuzzFont, { text, level }: Run): Glyph[] {
  const shaping = emptyBuffer(harfBuzz)
  shaping.addText(text)
  shaping.guessSegmentProperties()
  const isRightToLeft = level % 2 === 1
  shaping.setDirection(isRightToLeft ? harfBuzz.Direction.RTL : harfBuzz.Direction.LTR)
  harfBuzz.shape(font, shaping)
  const positions = shaping.getGlyphPositions()
  const glyphs = shaping.getGlyphInfos().flatMap(({ codepoint: id, cluster }, at) => {
    const position = positions[at]
    return position ? [{ ...position, id, cluster }] : []
  })
  const starts = [...new Set(glyphs.map(({ cluster }) => cluster))].toSorted((a, b) => a - b)
  const ends = new Map(starts.map((start, at) => [start, starts[at + 1] ?? text.length]))
  return glyphs.map(({ cluster, ...glyph }, at) => {
    // The first in reading order, which from right to left is the last one drawn.
    const isFirst = glyphs[isRightToLeft ? at + 1 : at - 1]?.cluster !== cluster
    const own = isFirst ? text.slice(cluster, ends.get(cluster)) : ''
    return { ...glyph, text: isRightToLeft ? reverseForReaders(own, cluster === glyphs[0]?.cluster) : own }
  })
}

/**
 * Reading programs reverse what is drawn from the right, also the characters of one glyph if one of them is a mark. A
 * mark at the left end counts as text from the left for them unless a right-to-left mark (U+200F) is before it.
 */
function reverseForReaders(text: string, isAtLeftEnd: boolean): string {
  if (text.length < 2 || !/\p{M}/u.test(text)) return text
  return (isAtLeftEnd ? '\u200f' : '') + [...text].toReversed().join('')
}

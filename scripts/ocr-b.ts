/**
 * Writes the outlines of OCR-B's 37 characters of a machine-readable zone from the font of Debian's `fonts-ocr-b`, for
 * the reader and its specimens: `node scripts/ocr-b.ts [font]`. The running product needs no font (ADR 228).
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import PDFDocument from 'pdfkit'

interface Opened {
  readonly _font: {
    readonly font: { glyphForCodePoint(code: number): { advanceWidth: number; path: { toSVG(): string } } }
  }
}

const font = process.argv[2] ?? '/usr/share/fonts/opentype/ocr-b/OCRB.otf'
const characters = '<0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'
// The library does not export a font's outlines: they are read from the opened font.
const opened: PDFKit.PDFDocument & Partial<Opened> = new PDFDocument().font(font)
function glyphOf(character: string) {
  const glyph = opened._font?.font.glyphForCodePoint(character.codePointAt(0) ?? 0)
  if (!glyph) throw new Error(`The font has no ${character}.`)
  return glyph
}
const glyphs = characters.split('').map((character) => [character, glyphOf(character)] as const)
const outlines = Object.fromEntries(glyphs.map(([character, { path }]) => [character, path.toSVG()]))
const pitch = glyphs[0]?.[1].advanceWidth
writeFileSync(
  join(import.meta.dirname, '../server/mrz/ocr-b.json'),
  `${JSON.stringify({ pitch, outlines }, null, 2)}\n`,
)

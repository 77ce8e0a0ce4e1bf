/** PDF documents with a font for every name (ADR 71, 245 and 305). Rendered by `renderPdf`. */
import { fileURLToPath } from 'node:url'
import { msg } from '#contract/message.ts'
import type { Language } from '#rules/choices.ts'
import { translate } from '../i18n/translate.ts'
import {
  areFontsInstalled,
  addLineBreakPoints,
  installedCuts,
  isPlainText,
  loadBidi,
  runsOf,
  type Run,
} from './scripts.ts'
import { loadHarfBuzz, openFont, shapeRun, type ShapedRun } from './shaping.ts'

interface PdfDocument {
  readonly page: PDFKit.PDFDocument
  /** The finished file; settles after `page.end()`. */
  readonly printed: Promise<Buffer>
  /**
   * True once a character was drawn that no installed font has while fonts are not installed. A character that no font
   * has is drawn as a box, and the document says so on its last page.
   */
  readonly awaitsFonts: () => boolean
}

/** `plain` and `strong` are the two fonts of a page: `page.font('strong')`. */
const faces = {
  plain: '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf',
  strong: '@expo-google-fonts/noto-sans/600SemiBold/NotoSans_600SemiBold.ttf',
} as const

/** More than any text that a document prints; a name has at most 100 characters. */
const textLengthMax = 2_000

const missingCharactersText = msg`Some characters in this document cannot be shown.`

/** Creates a document in the regular font. The file contains only the glyphs that it uses. */
export async function createPdf(options: PDFKit.PDFDocumentOptions, language: Language): Promise<PdfDocument> {
  // Loaded only for the first PDF: it takes 30 MB (requirements 25, memory at rest).
  const { default: PDFDocument } = await import('pdfkit')
  const page = new PDFDocument({ ...options, font: fileURLToPath(import.meta.resolve(faces.plain)) })
  for (const [name, file] of Object.entries(faces)) page.registerFont(name, fileURLToPath(import.meta.resolve(file)))
  page.font('plain')
  prepareTexts(page)
  const scripts = await drawEveryScript(page)
  const chunks: Buffer[] = []
  page.on('data', (chunk: Buffer) => chunks.push(chunk))
  const printed = new Promise<Buffer>((resolve, reject) => {
    page.once('end', () => resolve(Buffer.concat(chunks)))
    page.once('error', reject)
  })
  const end = page.end.bind(page)
  page.end = () => {
    if (scripts.lacksGlyphs()) writeMissingCharactersNotice(page, translate(missingCharactersText, language))
    end()
  }
  return { page, printed, awaitsFonts: () => scripts.lacksGlyphs() && !scripts.areInstalled }
}

/**
 * Makes a document end the lines of each text between words, and draw only the first characters of one that is longer
 * than any field, with an ellipsis: pdfkit measures the rest of a word again for each of its lines, so that its time
 * and memory grow with the square of the length.
 */
function prepareTexts(page: PDFKit.PDFDocument): void {
  const drawing = page as PDFKit.PDFDocument & TextDrawing
  for (const name of ['_text', 'boundsOfString'] as const) {
    const work = drawing[name].bind(page) as TextDrawing[typeof name]
    drawing[name] = (text: string, ...others: readonly unknown[]) =>
      work(addLineBreakPoints(limitLength(text)), ...others)
  }
}

function limitLength(text: string): string {
  return text.length > textLengthMax ? `${text.slice(0, textLengthMax).toWellFormed()}…` : text
}

/** Writes the sentence about missing characters at the bottom of the page. */
function writeMissingCharactersNotice(page: PDFKit.PDFDocument, sentence: string): void {
  page.page.margins.bottom = 0
  page.font('plain').fontSize(8)
  page.text(sentence, page.page.margins.left, page.page.height - 18, { lineBreak: false })
}

type TextOptions = PDFKit.Mixins.TextOptions & { lineWidth?: number; textWidth?: number; wordCount?: number }

/**
 * The functions with which pdfkit draws lines; its wrapping, alignment and tables use only this and `widthOfString`
 * (pdfkit 0.20).
 */
interface LineDrawing {
  _font: PdfkitFont
  _fontSize: number
  _fragment(text: string, x: number, y: number, options: TextOptions): void
}

/** The functions to which pdfkit gives every text that it draws or measures, also those of tables (pdfkit 0.20). */
interface TextDrawing {
  _text(text: string, ...others: readonly unknown[]): never
  boundsOfString(text: string, ...others: readonly unknown[]): never
}

/** The used part of a font of pdfkit 0.20, with that of fontkit 2.0 inside. */
interface PdfkitFont {
  readonly ascender: number
  readonly scale: number
  readonly font: {
    hasGlyphForCodePoint(codePoint: number): boolean
    getGlyph(id: number): { readonly advanceWidth: number }
    layout(text: string): object
  }
  readonly subset: { readonly glyphs: number[]; includeGlyph(id: number | string): number }
}

const fontsWithShapedGlyphs = new WeakSet<PdfkitFont>()

/**
 * Makes a font of pdfkit draw the glyphs of `shaped`, instead of those that its own library finds, and embed a glyph
 * once for each text that it stands for, so that reading programs find every text.
 */
function useShapedGlyphs(pdfkitFont: PdfkitFont, shaped: () => ShapedRun): void {
  if (fontsWithShapedGlyphs.has(pdfkitFont)) return
  fontsWithShapedGlyphs.add(pdfkitFont)
  const { font, subset } = pdfkitFont
  const include = subset.includeGlyph.bind(subset)
  const included = new Map<string, number>()
  subset.includeGlyph = (id) => {
    if (typeof id === 'number') return include(id)
    const at = included.get(id) ?? subset.glyphs.push(Number.parseInt(id, 10)) - 1
    included.set(id, at)
    return at
  }
  font.layout = () => {
    const { glyphs } = shaped()
    return {
      glyphs: glyphs.map(({ id, text }) => ({
        id: `${id} ${text}`,
        codePoints: [...text].map((char) => char.codePointAt(0)),
        advanceWidth: font.getGlyph(id).advanceWidth,
      })),
      // pdfkit scales them in place.
      positions: glyphs.map(({ xAdvance, yAdvance, xOffset, yOffset }) => ({ xAdvance, yAdvance, xOffset, yOffset })),
    }
  }
}

/**
 * Makes a document draw lines with characters that its own two fonts lack: with other fonts, and from right to left.
 */
async function drawEveryScript(
  page: PDFKit.PDFDocument,
): Promise<{ lacksGlyphs: () => boolean; areInstalled: boolean }> {
  const drawing = page as PDFKit.PDFDocument & LineDrawing
  const [bidi, harfBuzz] = [await loadBidi(), await loadHarfBuzz()]
  const cuts = installedCuts()
  for (const [cut, file] of cuts) page.registerFont(cut, file)
  const [fragment, width] = [drawing._fragment.bind(page), drawing.widthOfString.bind(page)]
  let isLacking = false
  const within = <Result>(cut: string | null, work: () => Result): Result => {
    const own = drawing._font
    if (cut !== null) page.font(cut)
    const result = work()
    drawing._font = own
    return result
  }
  const has = (cut: string | null, codePoint: number) =>
    (cut === null || (harfBuzz !== null && cuts.has(cut))) &&
    within(cut, () => drawing._font.font.hasGlyphForCodePoint(codePoint))
  /** Returns the run's shape, or null if it is in the document's own font. */
  const shapeOf = (run: Run): ShapedRun | null => {
    const file = run.cut === null ? undefined : cuts.get(run.cut)
    return harfBuzz === null || file === undefined ? null : shapeRun(harfBuzz, openFont(harfBuzz, file), run)
  }
  /** Returns the points of one unit of a font. */
  const unit = (cut: string | null) => within(cut, () => (drawing._font.scale / 1000) * drawing._fontSize)
  const widthOf = (run: Run) => {
    const shaped = shapeOf(run)
    return shaped === null ? width(run.text, { features: ['kern'] }) : shaped.width * unit(run.cut)
  }
  const widthOfRuns = (runs: readonly Run[]) => runs.reduce((sum, run) => sum + widthOf(run), 0)
  let drawn: ShapedRun = { width: 0, start: 0, glyphs: [], outlines: [] }
  /** Draws a run in another font. */
  const drawShaped = (
    run: Run,
    shaped: ShapedRun,
    { x, y, options }: { x: number; y: number; options: TextOptions & { baseline: number } },
  ) => {
    const size = unit(run.cut)
    within(run.cut, () => {
      useShapedGlyphs(drawing._font, () => drawn)
      drawn = shaped
      const draw = () => fragment(run.text, x + shaped.start * size, y, { ...options, textWidth: shaped.width * size })
      // Reading programs reverse right-to-left text themselves.
      if (run.level % 2 === 0) markText(page, run.text, draw)
      else draw()
    })
    for (const outline of shaped.outlines) {
      page.save()
      page.translate(x + outline.x * size, y - options.baseline - outline.y * size)
      page.scale(size, -size).path(outline.path()).fill().restore()
    }
  }
  drawing.widthOfString = (text, options) =>
    isPlainText(text) ? width(text, options) : widthOfRuns(runsOf(text, { bidi, has }))
  drawing._fragment = (text, x, y, options) => {
    if (isPlainText(text)) return fragment(text, x, y, options)
    const line = text.trimEnd()
    const runs = runsOf(line, { bidi, has })
    isLacking ||= runs.some(({ isMissing }) => isMissing)
    const { align, lineWidth = 0, width: _, ...rest } = options
    const free = lineWidth - widthOfRuns(runs)
    let left = x + (align === 'right' ? free : align === 'center' ? free / 2 : 0)
    const baseline = (-drawing._font.ascender / 1000) * drawing._fontSize
    for (const run of runs) {
      const shaped = shapeOf(run)
      const runOptions = { ...rest, baseline, features: ['kern' as const] }
      if (shaped === null) fragment(run.text, left, y, runOptions)
      else drawShaped(run, shaped, { x: left, y, options: runOptions })
      left += widthOf(run)
    }
  }
  return { lacksGlyphs: () => isLacking, areInstalled: areFontsInstalled(cuts, [bidi, harfBuzz]) }
}

/** Programs that read or search find letters as they are written, not as shapes in the order of the page. */
function markText(page: PDFKit.PDFDocument, actual: string, draw: () => void): void {
  const add = page.addContent.bind(page)
  // Inside the text object: some programs take the position of the text from the end of its mark.
  page.addContent = (content: string) => {
    if (content === 'ET') page.endMarkedContent()
    add(content)
    return content === 'BT' ? page.markContent('Span', { actual }) : page
  }
  draw()
  page.addContent = add
}

/** PDF documents with a font for every name (ADR 71 and 245). Rendered by `renderPdf`. */
import { fileURLToPath } from 'node:url'
import { msg } from '#contract/message.ts'
import type { Language } from '#rules/choices.ts'
import { translate } from '../i18n/translate.ts'
import { areFontsInstalled, installedCuts, isPlainText, loadBidi, runsOf, type Run } from './scripts.ts'

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

const lacking = msg`Some characters in this document cannot be shown.`

/** Creates a document in the regular font. The file contains only the glyphs that it uses. */
export async function createPdf(options: PDFKit.PDFDocumentOptions, language: Language): Promise<PdfDocument> {
  // Loaded only for the first PDF: it takes 30 MB (requirements 25, memory at rest).
  const { default: PDFDocument } = await import('pdfkit')
  const page = new PDFDocument({ ...options, font: fileURLToPath(import.meta.resolve(faces.plain)) })
  for (const [name, file] of Object.entries(faces)) page.registerFont(name, fileURLToPath(import.meta.resolve(file)))
  page.font('plain')
  const scripts = await drawEveryScript(page)
  const chunks: Buffer[] = []
  page.on('data', (chunk: Buffer) => chunks.push(chunk))
  const printed = new Promise<Buffer>((resolve, reject) => {
    page.once('end', () => resolve(Buffer.concat(chunks)))
    page.once('error', reject)
  })
  const end = page.end.bind(page)
  page.end = () => {
    if (scripts.lacksGlyphs()) sayLacking(page, translate(lacking, language))
    end()
  }
  return { page, printed, awaitsFonts: () => scripts.lacksGlyphs() && !scripts.areInstalled }
}

/** Writes the sentence about missing characters at the bottom of the page. */
function sayLacking(page: PDFKit.PDFDocument, sentence: string): void {
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
  _font: { ascender: number; font: FontkitFont }
  _fontSize: number
  _fragment(text: string, x: number, y: number, options: TextOptions): void
}

/** The used part of a font of fontkit 2.0. */
interface FontkitFont {
  hasGlyphForCodePoint(codePoint: number): boolean
  readonly _layoutEngine: { readonly engine: { readonly GPOSProcessor: MarkPositions } }
}
interface MarkPositions {
  getAnchor(anchor: object | null): object
  applyLookup(type: number, table: object): boolean
}
const noAnchor = new Error('this glyph has no anchor for that mark')
const tolerant = new WeakSet<object>()

/**
 * A mark whose base has no anchor for it keeps its position (OpenType, GPOS lookup types 4 to 6). fontkit throws in
 * this case, among others for names in Gurmukhi, Malayalam or Telugu.
 */
function allowMissingAnchors({ _layoutEngine }: FontkitFont): void {
  const positions = Object.getPrototypeOf(_layoutEngine.engine.GPOSProcessor) as MarkPositions
  if (tolerant.has(positions)) return
  tolerant.add(positions)
  const { getAnchor, applyLookup } = positions
  positions.getAnchor = function (this: MarkPositions, anchor) {
    if (anchor === null) throw noAnchor
    return getAnchor.call(this, anchor)
  }
  positions.applyLookup = function (this: MarkPositions, type, table) {
    try {
      return applyLookup.call(this, type, table)
    } catch (error) {
      if (error === noAnchor) return false
      throw error
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
  allowMissingAnchors(drawing._font.font)
  const cuts = installedCuts()
  const bidi = await loadBidi()
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
    (cut === null || cuts.has(cut)) && within(cut, () => drawing._font.font.hasGlyphForCodePoint(codePoint))
  const widthOf = ({ text, cut }: Run) => within(cut, () => width(text, { features: ['kern'] }))
  const widthOfRuns = (runs: readonly Run[]) => runs.reduce((sum, run) => sum + widthOf(run), 0)
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
      const draw = () => within(run.cut, () => fragment(run.text, left, y, { ...rest, baseline, features: ['kern'] }))
      // Reading programs reverse right-to-left text themselves.
      if (run.cut !== null && run.level % 2 === 0) markText(page, run.text, draw)
      else draw()
      left += widthOf(run)
    }
  }
  return { lacksGlyphs: () => isLacking, areInstalled: areFontsInstalled(cuts, bidi) }
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

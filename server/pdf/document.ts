/** PDF documents with a font for every name in Latin, Greek and Cyrillic script (ADR 71). Rendered by `renderPdf`. */
import { fileURLToPath } from 'node:url'

export interface PdfDocument {
  readonly page: PDFKit.PDFDocument
  /** The finished file; settles after `page.end()`. */
  readonly printed: Promise<Buffer>
}

/** `plain` and `strong` are the two faces of a page: `page.font('strong')`. */
const faces = {
  plain: '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf',
  strong: '@expo-google-fonts/noto-sans/600SemiBold/NotoSans_600SemiBold.ttf',
} as const

/** Creates a document in the regular font. The file contains only the glyphs that it uses. */
export async function createPdf(options: PDFKit.PDFDocumentOptions): Promise<PdfDocument> {
  // Loaded when somebody prints: it takes 30 MB (requirements 25, memory at rest).
  const { default: PDFDocument } = await import('pdfkit')
  const page = new PDFDocument({ ...options, font: fileURLToPath(import.meta.resolve(faces.plain)) })
  for (const [name, file] of Object.entries(faces)) page.registerFont(name, fileURLToPath(import.meta.resolve(file)))
  page.font('plain')
  const chunks: Buffer[] = []
  page.on('data', (chunk: Buffer) => chunks.push(chunk))
  const printed = new Promise<Buffer>((resolve, reject) => {
    page.once('end', () => resolve(Buffer.concat(chunks)))
    page.once('error', reject)
  })
  return { page, printed }
}

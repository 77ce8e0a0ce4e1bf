/** Real images and PDFs, and their upload. */
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import { strFromU8, unzipSync } from 'fflate'
import PDFDocument from 'pdfkit'
import sharp from 'sharp'

/** Returns a JPEG with some content, `side` pixels wide and high. */
export async function makeJpeg(side = 120): Promise<Buffer> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 40 }
  return sharp({ create: { width: side, height: side, channels: 3, background: '#e8e4da', noise } })
    .jpeg()
    .toBuffer()
}

/** Returns a PDF with this number of pages. */
export async function makePdf(
  pages: number,
  options: { userPassword?: string; info?: Record<string, string> } = {},
): Promise<Buffer> {
  const document = new PDFDocument({ autoFirstPage: false, ...options })
  const chunks: Buffer[] = []
  document.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise<void>((resolve) => document.on('end', resolve))
  for (let page = 1; page <= pages; page += 1)
    document.addPage({ size: 'A4' }).fontSize(24).text(`Statement, page ${page}`, 72, 72)
  document.end()
  await ended
  return Buffer.concat(chunks)
}

/** Returns a PDF with one page that is a scanned image. */
export async function pdfOfImage(picture: Buffer): Promise<Buffer> {
  const document = new PDFDocument({ size: 'A4' })
  const chunks: Buffer[] = []
  document.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise<void>((resolve) => document.on('end', resolve))
  document.image(picture, 40, 60, { width: 515 })
  document.end()
  await ended
  return Buffer.concat(chunks)
}

/**
 * Returns a PDF whose only page is empty and unpacks to this number of bytes when it is rendered; compressed, it is
 * tiny.
 */
export async function makeInflatingPdf(bytes: number): Promise<Buffer> {
  const deflated = await promisify(deflate)(Buffer.alloc(bytes, ' '))
  const before = `%PDF-1.7
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R >> endobj
4 0 obj << /Filter /FlateDecode /Length ${deflated.length} >>
stream
`
  const after = '\nendstream\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF\n'
  return Buffer.concat([Buffer.from(before), deflated, Buffer.from(after)])
}

/** Returns the text on the pages of a PDF as a PDF reader extracts it. */
export async function pdfText(bytes: Uint8Array): Promise<string> {
  const library = await PDFiumLibrary.init()
  const document = await library.loadDocument(bytes)
  const words = [...document.pages()].map((page) => page.getText()).join('\n')
  document.destroy()
  library.destroy()
  return words
}

/** Returns the files of an archive as texts, by name. */
export function textsOfZip(bytes: Uint8Array): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(unzipSync(bytes)).map(([name, file]) => [name, strFromU8(file)]))
}

export interface Uploaded {
  readonly status: number
  readonly json: { filename: string; url: string; code: string; errors: Record<string, string> }
}

/** Uploads bytes like a browser. */
export async function uploadTo(
  server: { url: string },
  as: { token: string },
  bytes: Buffer,
  filename: string,
  options: { twice?: boolean } = {},
): Promise<Uploaded> {
  const boundary = '----portal-test'
  const part = Buffer.concat([
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename*=UTF-8''${encodeURIComponent(filename)}\r\ncontent-type: image/jpeg\r\n\r\n`,
    ),
    bytes,
    Buffer.from('\r\n'),
  ])
  const body = Buffer.concat([part, ...(options.twice ? [part] : []), Buffer.from(`--${boundary}--\r\n`)])
  const response = await fetch(new URL('/upload', server.url), {
    method: 'POST',
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      ...(as.token === '' ? {} : { authorization: `Bearer ${as.token}` }),
    },
    body: new Uint8Array(body),
  })
  return { status: response.status, json: (await response.json()) as Uploaded['json'] }
}

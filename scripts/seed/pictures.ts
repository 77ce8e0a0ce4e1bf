/** Specimen documents of the demo's people: images and PDFs that are marked as specimens. */
import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import sharp from 'sharp'
import ocrB from '#server/mrz/ocr-b.json' with { type: 'json' }

export interface Bearer {
  readonly name: string
  readonly surname: string
  readonly born: string
  readonly nationality: string
  readonly number: string
  readonly expires: string
  readonly address: string
}

const width = 1240
const height = 870

/** Returns a passport's photo page as JPEG. */
export async function passportImage(bearer: Bearer): Promise<Buffer> {
  const line = (y: number, label: string, value: string) =>
    `<text x="470" y="${y}" font-size="22" fill="#6b5b62">${escape(label)}</text><text x="470" y="${y + 38}" font-size="34" font-weight="600" fill="#2a2028" font-family="DejaVu Sans Mono, monospace">${escape(value)}</text>`
  const waves = Array.from(
    { length: 26 },
    (_, n) =>
      `<path d="M0 ${40 + n * 26} q 31 -18 62 0 t 62 0 t 62 0 t 62 0 t 62 0 t 62 0 t 62 0 t 62 0 t 62 0 t 62 0 t 62 0 t 62 0 t 62 0 t 62 0 t 62 0 t 62 0 t 62 0 t 62 0 t 62 0 t 62 0" fill="none" stroke="#e3d3d6" stroke-width="2"/>`,
  )
  const [first, second] = mrzLines(bearer)
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="DejaVu Sans, Arial, sans-serif">
    <rect width="100%" height="100%" fill="#efe3e4"/>${waves.join('')}
    <text x="60" y="80" font-size="26" font-weight="700" fill="#5b3c46" letter-spacing="3">SPECIMEN · REISEPASS / PASSPORT</text>
    <rect x="60" y="120" width="360" height="460" fill="#d6ccd3"/><circle cx="240" cy="290" r="95" fill="#8d7f88"/><path d="M95 580 q 10 -170 145 -170 t 145 170 z" fill="#8d7f88"/>
    ${line(150, 'Surname', bearer.surname.toUpperCase())}${line(240, 'Given names', bearer.name.toUpperCase())}
    ${line(330, 'Nationality', bearer.nationality)}${line(420, 'Date of birth', bearer.born)}${line(510, 'Date of expiry', bearer.expires)}
    <text x="900" y="150" font-size="22" fill="#6b5b62">Passport No.</text><text x="900" y="188" font-size="34" font-weight="600" fill="#2a2028" font-family="DejaVu Sans Mono, monospace">${escape(bearer.number)}</text>
    <rect y="640" width="100%" height="230" fill="#f8f1f0"/>
    ${ocrBLine(first, { x: 61, y: 730, pitch: 25.4 })}${ocrBLine(second, { x: 61, y: 793, pitch: 25.4 })}</svg>`
  return sharp(Buffer.from(drawing)).jpeg({ quality: 82 }).toBuffer()
}

/** Returns a line of a machine-readable zone in OCR-B's own outlines, as SVG: `y` is the baseline. */
export function ocrBLine(
  line: string,
  { x, y, pitch, stroke = 0 }: { x: number; y: number; pitch: number; stroke?: number },
): string {
  const outlines: Readonly<Record<string, string>> = ocrB.outlines
  const scale = pitch / ocrB.pitch
  const drawn = [...line].map((character, index) => {
    const move = `translate(${x + index * pitch} ${y}) scale(${scale} ${-scale})`
    return `<path transform="${move}" fill="#1c1c22" stroke="#1c1c22" stroke-width="${stroke}" d="${outlines[character] ?? ''}"/>`
  })
  return drawn.join('')
}

/** Returns the two lines of the machine-readable zone (ICAO 9303, TD3), with their check digits. */
export function mrzLines(bearer: Bearer): [string, string] {
  const names = `${mrzText(bearer.surname)}<<${mrzText(bearer.name).replaceAll(' ', '<')}`
  const first = `P<${threeLetters[bearer.nationality] ?? 'UTO'}${names}`.padEnd(44, '<').slice(0, 44)
  const number = bearer.number.padEnd(9, '<')
  const filler = '<'.repeat(15)
  const born = mrzDate(bearer.born)
  const expires = mrzDate(bearer.expires)
  const front = `${number}${checkDigit(number)}${threeLetters[bearer.nationality] ?? 'UTO'}`
  const middle = `${born}${checkDigit(born)}<${expires}${checkDigit(expires)}${filler}`
  const composite = `${number}${checkDigit(number)}${born}${checkDigit(born)}${expires}${checkDigit(expires)}${filler}`
  return [first, `${front}${middle}${checkDigit(composite)}`]
}

const threeLetters: Readonly<Record<string, string>> = {
  DE: 'D<<',
  SE: 'SWE',
  LB: 'LBN',
  PL: 'POL',
  IT: 'ITA',
  IE: 'IRL',
  AT: 'AUT',
  CZ: 'CZE',
  PT: 'PRT',
  GB: 'GBR',
}

function mrzText(text: string): string {
  return text
    .replaceAll('ß', 'SS')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .replace(/[^A-Z ]/g, '<')
    .replaceAll('Ł', 'L')
}

function mrzDate(day: string): string {
  const [date = '', month = '', year = ''] = day.split('.')
  return `${year.slice(2)}${month}${date}`
}

function checkDigit(text: string): string {
  const weights = [7, 3, 1]
  let sum = 0
  for (const [place, character] of [...text].entries()) {
    sum += (character === '<' ? 0 : Number.parseInt(character, 36)) * (weights[place % 3] ?? 0)
  }
  return String(sum % 10)
}

/** Returns a photographed letter as JPEG, with a name, an address and a date: a utility bill or a bank statement. */
export function letterImage(title: string, bearer: Bearer, date: string): Promise<Buffer> {
  const rows = Array.from({ length: 8 }, (_, n): [string, string] => [`Position ${n + 1}`, ((n + 1) * 13.5).toFixed(2)])
  const text = (y: number, words: string, size = 22) =>
    `<text x="140" y="${y}" font-size="${size}">${escape(words)}</text>`
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="930" height="1316" viewBox="0 0 1240 1754" fill="#1c1c22" font-family="DejaVu Sans, Arial, sans-serif">
    <rect width="100%" height="100%" fill="#fbfaf7"/>${text(180, title, 40)}
    ${text(260, `${bearer.name} ${bearer.surname}`)}${text(296, bearer.address)}${text(372, `Date: ${date}`)}
    ${rows.map(([what, amount], n) => `${text(470 + n * 36, what)}<text x="1100" y="${470 + n * 36}" font-size="22" text-anchor="end">${amount}</text>`).join('')}
    ${text(840, 'SPECIMEN. An invented document for the demo.', 18)}</svg>`
  return sharp(Buffer.from(drawing)).jpeg({ quality: 82 }).toBuffer()
}

/** Returns a scanned letter as PDF. The server reads each PDF in a separate process, so the demo has few. */
export async function letterPdf(title: string, bearer: Bearer, date: string): Promise<Buffer> {
  const document = new PDFDocument({ size: 'A4', margin: 0 })
  const read = buffer(document)
  document.image(await letterImage(title, bearer, date), 0, 0, { width: document.page.width })
  document.end()
  return read
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

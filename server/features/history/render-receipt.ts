/** Renders a receipt as a PDF: one A4 page with the amount, the facts and how to verify it. */
import type { Language } from '#rules/choices.ts'
import { createPdf } from '../../pdf/document.ts'

const pointsPerMillimetre = 72 / 25.4
const labelWidth = 150
const gap = 10

export interface Receipt {
  readonly firm: string
  readonly title: string
  readonly client: string
  readonly amount: string
  readonly status: string
  readonly rows: readonly (readonly [label: string, value: string])[]
  readonly verify: string
  readonly created: string
  readonly language: Language
}

/** Returns the bytes of the PDF. */
export async function render(receipt: Receipt): Promise<Buffer> {
  const { firm, title, client, amount, status, rows, verify, created, language } = receipt
  const left = 20 * pointsPerMillimetre
  const { page, printed } = await createPdf(
    { size: 'A4', margin: left, info: { Title: title, Author: firm } },
    language,
  )
  const right = page.page.width - left
  page.font('plain').fontSize(11).text(firm)
  page.moveDown(2).font('strong').fontSize(18).text(title)
  page.moveDown(0.3).font('plain').fontSize(11).text(client)
  page.moveDown(1.2).font('strong').fontSize(22).text(amount)
  page.font('plain').fontSize(11).text(status)
  page.moveDown(1.2)
  for (const [label, value] of rows) {
    const top = page.y + 5
    drawRule(page, left, right)
    page.font('plain').fontSize(10).fillColor('#4c5456').text(label, left, top, { width: labelWidth })
    const afterLabel = page.y
    page.fillColor('black').font('strong')
    page.text(value, left + labelWidth + gap, top, { width: right - left - labelWidth - gap })
    page.y = Math.max(page.y, afterLabel) + 5
  }
  drawRule(page, left, right)
  page
    .font('plain')
    .fontSize(9)
    .fillColor('#4c5456')
    .text(verify, left, page.y + 16, { width: right - left })
  page.moveDown(0.6).text(created)
  page.end()
  return printed
}

function drawRule(page: PDFKit.PDFDocument, left: number, right: number): void {
  page.moveTo(left, page.y).lineTo(right, page.y).lineWidth(0.5).strokeColor('#b4b9ba').stroke()
}

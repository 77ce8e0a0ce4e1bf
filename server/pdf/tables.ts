/** Tables over several pages, with the header repeated on each, and page numbers. */

export interface PdfColumn {
  readonly title: string
  /** In points; columns without a width share the rest. */
  readonly width?: number | undefined
  readonly isFigure?: boolean | undefined
}

/** The remaining height below which the next page starts: room for a cell of five lines. */
const rowHeightMin = 64
const hairline = 0.5
const ruleUnderHead = 1.5
/** Between the title and the page number. */
const footGap = 16

/** Draws rows of texts; `strongLast`: the last one is their sum. */
export function drawTable(
  page: PDFKit.PDFDocument,
  columns: readonly PdfColumn[],
  rows: readonly (readonly string[])[],
  { strongLast = false }: { readonly strongLast?: boolean } = {},
): void {
  page.font('plain').fontSize(8)
  let table = beginTable(page, columns)
  for (const [at, row] of rows.entries()) {
    if (page.y > page.page.maxY() - rowHeightMin) {
      table.end()
      page.addPage()
      table = beginTable(page, columns)
    }
    const isSum = strongLast && at === rows.length - 1
    table.row(row.map((text) => (isSum ? { text, font: { src: 'strong' } } : text)))
  }
  table.end()
}

/** Draws the header of a table with its rule; figures are right-aligned. */
function beginTable(page: PDFKit.PDFDocument, columns: readonly PdfColumn[]) {
  const table = page.table({
    columnStyles: columns.map(({ width, isFigure = false }) => ({
      width: width ?? '*',
      align: { x: isFigure ? ('right' as const) : ('left' as const), y: 'top' as const },
    })),
    rowStyles: (at) =>
      at === 0 ? { font: { src: 'strong' }, border: [0, 0, ruleUnderHead, 0], borderColor: 'black' } : {},
    defaultStyle: { border: [0, 0, hairline, 0], borderColor: '#b4b9ba', padding: [3, 8, 3, 0] },
  })
  return table.row(columns.map(({ title }) => title))
}

/**
 * Writes the title and the page number at the bottom of each page, once the number of pages is known; a title that does
 * not fit beside the number ends with an ellipsis.
 */
export function numberPages(
  page: PDFKit.PDFDocument,
  title: string,
  numbered: (at: number, of: number) => string,
): void {
  const { start, count } = page.bufferedPageRange()
  for (let at = 0; at < count; at += 1) {
    page.switchToPage(start + at)
    const { height, width, margins } = page.page
    const [margin, foot] = [margins.left, margins.bottom]
    // Text below the margin would start a new page.
    margins.bottom = 0
    page.font('plain').fontSize(8)
    const [line, top] = [width - 2 * margin, height - foot + 14]
    const number = numbered(at + 1, count)
    page.text(truncateToWidth(page, title, line - page.widthOfString(number) - footGap), margin, top, {
      lineBreak: false,
    })
    page.text(number, margin, top, { width: line, lineBreak: false, align: 'right' })
  }
}

/** Returns the text, or as many of its characters as fit into a width, with an ellipsis. */
function truncateToWidth(page: PDFKit.PDFDocument, text: string, width: number): string {
  const fits = (shown: string) => page.widthOfString(shown) <= width
  if (fits(text)) return text
  const characters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
  const cutAfter = (count: number) => `${characters.slice(0, count).join('').trimEnd()}…`
  let [least, most] = [0, characters.length - 1]
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    if (fits(cutAfter(middle))) least = middle
    else most = middle - 1
  }
  return cutAfter(least)
}

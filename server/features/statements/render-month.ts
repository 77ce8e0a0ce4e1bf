/** Renders a monthly statement: A4 landscape, first the sum, then its details (requirements 24.31). */
import type { Message } from '#contract/message.ts'
import { groupByFour } from '#rules/digit-groups.ts'
import type { Language } from '#rules/choices.ts'
import { lotsText, monthAfter } from '#rules/trading-days.ts'
import { isolateDirection } from '../../pdf/scripts.ts'
import { drawTable, numberPages, type PdfColumn } from '../../pdf/tables.ts'
import { translate } from '../../i18n/translate.ts'
import { clockText, drawHead, margin, startDocument, labelsIn, type StatementHead } from './document-parts.ts'
import type { MonthEnd, StatementFacts } from './month-facts.ts'
import { figureText, lastDayBefore, monthText, platformTime, rowLabels, statementLabels } from './statement-labels.ts'

/** Maximum closed trades in the PDF; the month's CSV file contains all of them. */
const tradesMax = 2000

interface MonthStatement {
  readonly head: StatementHead
  readonly month: string
  readonly edition: number
  readonly facts: StatementFacts
}

/** Returns the bytes of the PDF; empty if the fonts of the client’s name are not installed yet. */
export async function render({ head, month, edition, facts }: MonthStatement): Promise<Buffer> {
  const { language } = head
  const labelText = labelsIn(language)
  const title = `${labelText('title')}, ${monthText(month, language)}`
  const { page, printed, awaitsFonts } = await startDocument(head, title)
  const [from, to] = [month, lastDayBefore(monthAfter(month))].map((day) => day.replaceAll('-', '/'))
  const zone = clockText(facts, language)
  drawHead(page, head, [
    [labelText('period'), labelText('days', { from: from ?? '', to: to ?? '', zone })],
    [labelText('edition'), edition === 1 ? '1' : labelText('corrected', { edition })],
  ])
  drawSum(page, facts, language)
  drawTrades(page, facts, language)
  drawPositions(page, facts, language)
  drawMovements(page, facts, language)
  numberPages(page, `${isolateDirection(head.client)} · ${groupByFour(head.number)} · ${title}`, (at, of) =>
    labelText('page', { at, of }),
  )
  page.end()
  const bytes = await printed
  return awaitsFonts() ? Buffer.alloc(0) : bytes
}

function drawSectionTitle(page: PDFKit.PDFDocument, title: string, roomMin = 150): void {
  if (page.y > page.page.maxY() - roomMin) page.addPage()
  page.moveDown(1.4).font('strong').fontSize(12).fillColor('black').text(title, margin).moveDown(0.4)
}

function drawNote(page: PDFKit.PDFDocument, text: string): void {
  page.moveDown(0.6).font('plain').fontSize(8).fillColor('#5b6467').text(text, margin).fillColor('black')
}

const equityOf = ({ balance, credit, floating }: MonthEnd) => BigInt(balance) + BigInt(credit) + BigInt(floating)

/** Draws opening equity, movements and closing equity, with the components of both. */
function drawSum(page: PDFKit.PDFDocument, { opening, closing, rows }: StatementFacts, language: Language): void {
  const labelText = labelsIn(language)
  const amount = (minor: bigint | string) => figureText(BigInt(minor), language)
  page.moveDown(1.4)
  const moved = (Object.entries(rowLabels) as [keyof typeof rowLabels, Message][]).flatMap(([name, label]) => {
    const minor = BigInt(rows[name] ?? '0')
    return minor === 0n ? [] : [[translate(label, language), amount(minor)]]
  })
  const change = BigInt(closing.floating) - BigInt(opening.floating)
  const top = page.y
  drawTable(
    page,
    [
      { title: labelText('summary'), width: 250 },
      { title: labelText('amount'), width: 110, isFigure: true },
    ],
    [
      [labelText('openingEquity'), amount(equityOf(opening))],
      ...moved,
      ...(change === 0n ? [] : [[labelText('floatingChange'), amount(change)]]),
      [labelText('closingEquity'), amount(equityOf(closing))],
    ],
    { strongLast: true },
  )
  const bottom = page.y
  page.y = top
  page.x = 430
  const part = (label: 'balance' | 'credit' | 'floating') => [
    labelText(label),
    amount(opening[label]),
    amount(closing[label]),
  ]
  drawTable(
    page,
    [
      { title: labelText('balances'), width: 150 },
      { title: labelText('opening'), width: 110, isFigure: true },
      { title: labelText('closing'), width: 110, isFigure: true },
    ],
    [
      part('balance'),
      part('credit'),
      part('floating'),
      [labelText('equity'), amount(equityOf(opening)), amount(equityOf(closing))],
    ],
    { strongLast: true },
  )
  page.x = margin
  page.y = Math.max(bottom, page.y)
  const other = (day: string) => ({ day: day.replaceAll('-', '/') })
  if (opening.day !== undefined) drawNote(page, labelText('openingDay', other(opening.day)))
  if (closing.day !== undefined) drawNote(page, labelText('closingDay', other(closing.day)))
  if (closing.margin !== undefined && closing.day === undefined)
    drawNote(page, labelText('closingMargin', { amount: amount(closing.margin) }))
}

const right = { isFigure: true } as const

function drawTrades(page: PDFKit.PDFDocument, { trades }: StatementFacts, language: Language): void {
  const labelText = labelsIn(language)
  const amount = (minor: bigint | string) => figureText(BigInt(minor), language)
  drawSectionTitle(page, `${labelText('trades')} (${trades.length})`)
  if (trades.length === 0) return drawNote(page, labelText('none'))
  const columns: PdfColumn[] = [
    { title: labelText('ticket'), width: 62 },
    { title: labelText('opened'), width: 92 },
    { title: labelText('closed'), width: 92 },
    { title: labelText('symbol'), width: 60 },
    { title: labelText('side'), width: 46 },
    { title: labelText('lots'), width: 42, ...right },
    { title: labelText('openPrice'), width: 76, ...right },
    { title: labelText('closePrice'), width: 66, ...right },
    { title: labelText('profit'), width: 58, ...right },
    { title: labelText('swap'), width: 46, ...right },
    { title: `${labelText('commission')}, ${labelText('fee')}`, width: 62, ...right },
    { title: labelText('result'), ...right },
  ]
  const result = (one: Pick<(typeof trades)[number], 'profit' | 'swap' | 'commission' | 'fee'>) =>
    BigInt(one.profit) + BigInt(one.swap) + BigInt(one.commission) + BigInt(one.fee)
  const sum = (of: (one: (typeof trades)[number]) => bigint) => amount(trades.reduce((all, one) => all + of(one), 0n))
  const costs = ({ commission, fee }: (typeof trades)[number]) => BigInt(commission) + BigInt(fee)
  drawTable(
    page,
    columns,
    [
      ...trades
        .slice(0, tradesMax)
        .map((one) => [
          one.ticket,
          platformTime(one.openedMs),
          platformTime(one.closedMs),
          one.symbol,
          labelText(one.side),
          lotsText(BigInt(one.volume)),
          one.openPrice,
          one.closePrice,
          amount(one.profit),
          amount(one.swap),
          amount(costs(one)),
          amount(result(one)),
        ]),
      [
        labelText('total'),
        '',
        '',
        '',
        '',
        '',
        '',
        '',
        sum(({ profit }) => BigInt(profit)),
        sum(({ swap }) => BigInt(swap)),
        sum(costs),
        sum(result),
      ],
    ],
    { strongLast: true },
  )
  if (trades.length > tradesMax) drawNote(page, labelText('tradesCut', { count: tradesMax, all: trades.length }))
  drawNote(page, labelText('costs'))
}

function drawPositions(
  page: PDFKit.PDFDocument,
  { positions, positionsMs, positionsDay, closing }: StatementFacts,
  language: Language,
): void {
  const labelText = labelsIn(language)
  const amount = (minor: string | null) => (minor === null ? '–' : figureText(BigInt(minor), language))
  drawSectionTitle(page, `${labelText('positions')} (${positions.length})`)
  if (positions.length === 0) return drawNote(page, labelText('none'))
  drawTable(
    page,
    [
      { title: labelText('ticket'), width: 90 },
      { title: labelText('opened'), width: 110 },
      { title: labelText('symbol'), width: 90 },
      { title: labelText('side'), width: 60 },
      { title: labelText('lots'), width: 60, ...right },
      { title: labelText('openPrice'), width: 90, ...right },
      { title: labelText('price'), width: 90, ...right },
      { title: labelText('swap'), width: 70, ...right },
      { title: labelText('profit'), ...right },
    ],
    positions.map((one) => {
      const net = BigInt(one.net)
      return [
        one.position,
        platformTime(one.openedMs),
        one.symbol,
        labelText(net > 0n ? 'buy' : 'sell'),
        lotsText(net > 0n ? net : -net),
        one.openPrice ?? '–',
        one.price ?? '–',
        amount(one.swap),
        amount(one.profit),
      ]
    }),
  )
  if (positionsDay !== undefined)
    return drawNote(page, labelText('positionsReported', { day: positionsDay.replaceAll('-', '/') }))
  if (positionsMs === null) return drawNote(page, labelText('positionsUnread'))
  const label = closing.day === undefined ? 'positionsRead' : 'positionsReadAt'
  drawNote(page, labelText(label, { time: platformTime(positionsMs) }))
}

function drawMovements(page: PDFKit.PDFDocument, { movements }: StatementFacts, language: Language): void {
  const labelText = labelsIn(language)
  drawSectionTitle(page, `${labelText('movements')} (${movements.length})`)
  if (movements.length === 0) return drawNote(page, labelText('none'))
  drawTable(
    page,
    [
      { title: labelText('date'), width: 120 },
      { title: labelText('type'), width: 200 },
      { title: labelText('reference'), width: 140 },
      { title: labelText('ticket'), width: 120 },
      { title: labelText('amount'), ...right },
    ],
    movements.map((one) => [
      platformTime(one.ms),
      rowText(one.row, language),
      one.reference ?? '',
      one.ticket,
      figureText(BigInt(one.amount), language),
    ]),
  )
}

/** Returns the label of a row of the sum. */
export function rowText(name: string, language: Language): string {
  const label = (rowLabels as Readonly<Record<string, Message>>)[name]
  return translate(label ?? statementLabels.other, language)
}

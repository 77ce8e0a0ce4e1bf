/** Renders the history as a PDF statement: A4 landscape, one table per list with its head on each page. */
import { msg, type Message } from '#contract/message.ts'
import {
  historyLists,
  type DepositRow,
  type HistoryList,
  type TransferRow,
  type WithdrawalRow,
} from '#contract/history.ts'
import { groupByFour } from '#rules/digit-groups.ts'
import { money, type Currency } from '#rules/money.ts'
import type { Language } from '#rules/choices.ts'
import { createPdf } from '../../pdf/document.ts'
import { isolateDirection } from '../../pdf/scripts.ts'
import { drawTable, numberPages } from '../../pdf/tables.ts'
import { amountText, momentText } from '../../i18n/format.ts'
import { stateText, translate } from '../../i18n/translate.ts'
import type { AccountBalance } from './account-balances.ts'
import { columnLabels, listTitles, rateText, type ColumnLabel } from './file-labels.ts'

/** Maximum rows per list; the statement says how many were omitted. */
export const pdfRowsMax = 500

const words = {
  statement: msg`Account statement`,
  none: msg`No entries in this period.`,
  balances: msg`Account balances`,
  ledger: msg`Balances in our ledger. Unrealised P&L of open positions is not included.`,
  made: msg`Created`,
  cut: msg`Only the latest {pdfRowsMax} are shown. For earlier ones, choose a shorter period or the CSV file.`,
  page: msg`Page {at} of {of}`,
} as const

export interface StatementHead {
  readonly firm: string
  readonly name: string
  readonly email: string
  readonly madeAt: Date
  readonly timeZone: string
  /** The filters as text; empty without filters. */
  readonly asked: string
}

export interface Payments {
  readonly deposits: readonly DepositRow[]
  readonly withdrawals: readonly WithdrawalRow[]
  readonly transfers: readonly TransferRow[]
}

interface Reader {
  readonly language: Language
  readonly timeZone: string
}

interface Column<Row> {
  readonly word: ColumnLabel
  /** In points; columns without a width share the rest. */
  readonly width?: number
  readonly isFigure?: boolean
  readonly cell: (row: Row, reader: Reader) => string
}

const wideAmount = 94
const dateColumn = { word: 'date', width: 96 } as const
const reference = { word: 'reference', width: 76 } as const
const account = { word: 'account', width: 56 } as const
const status = { word: 'status', width: 74 } as const

function amountCell(minor: bigint | null, currency: Currency, { language }: Reader): string {
  return minor === null ? '–' : amountText(money(minor, currency), language)
}

/** Returns a column of amounts, each with its currency. */
function amountColumn<Row>(
  word: ColumnLabel,
  width: number,
  read: (row: Row) => readonly [bigint | null, Currency],
): Column<Row> {
  return { word, width, isFigure: true, cell: (one, reader) => amountCell(...read(one), reader) }
}

/** Returns refunds and chargebacks by their own names beside the deposit, whose amount stays unchanged. */
function returnsOf(one: DepositRow, reader: Reader): string[] {
  const { refunded, chargedBack } = columnLabels
  const kinds = [
    [refunded, one.depositRefunded],
    [chargedBack, one.depositChargedBack],
  ] as const
  return kinds.flatMap(([word, minor]) =>
    minor > 0n ? [`${translate(word, reader.language)}: ${amountCell(minor, one.depositCurrency, reader)}`] : [],
  )
}

const columns: { readonly [List in HistoryList]: readonly Column<Payments[List][number]>[] } = {
  deposits: [
    { ...dateColumn, cell: (one, { timeZone }) => momentText(one.timestamp, timeZone) },
    { ...reference, cell: (one) => one.reference },
    { ...account, cell: (one) => groupByFour(one.accountNumber) },
    { word: 'method', width: 84, cell: (one) => one.depositMethod },
    amountColumn('amount', wideAmount, (one) => [one.depositAmountSent, one.depositCurrency]),
    amountColumn('received', wideAmount, (one) => [one.depositAmountReceived, one.depositCurrency]),
    amountColumn('fee', 66, (one) => [one.depositFee, one.depositCurrency]),
    { ...status, cell: (one, { language }) => stateText('deposit', one.status, language) },
    { word: 'comment', cell: (one, reader) => [...returnsOf(one, reader), one.comment].filter(Boolean).join('. ') },
  ],
  withdrawals: [
    { ...dateColumn, cell: (one, { timeZone }) => momentText(one.timestamp, timeZone) },
    { ...reference, cell: (one) => one.reference },
    { ...account, cell: (one) => groupByFour(one.accountNumber) },
    { word: 'method', width: 84, cell: (one) => one.withdrawalMethod },
    amountColumn('amount', wideAmount, (one) => [one.withdrawalAmount, one.withdrawalCurrency]),
    amountColumn('fee', 66, (one) => [one.withdrawalFee, one.withdrawalCurrency]),
    { word: 'bank', width: 112, cell: (one) => `${isolateDirection(one.bankName)} …${one.bankEnding}` },
    { ...status, cell: (one, { language }) => stateText('withdrawal', one.status, language) },
    { word: 'comment', cell: (one) => one.comment },
  ],
  transfers: [
    { ...dateColumn, cell: (one, { timeZone }) => momentText(one.timestamp, timeZone) },
    { ...reference, cell: (one) => one.reference },
    { ...account, word: 'from', cell: (one) => groupByFour(one.sourceAccount) },
    { word: 'to', width: 84, cell: (one) => groupByFour(one.destinationAccount) },
    amountColumn('amount', wideAmount, (one) => [one.transferAmount, one.transferCurrency]),
    amountColumn('arrives', wideAmount, (one) => [one.arrives, one.arrivesCurrency]),
    { word: 'rate', width: 66, isFigure: true, cell: (one, { language }) => rateOf(one, language) },
    { ...status, cell: (one, { language }) => stateText('transfer', one.status, language) },
    { word: 'comment', cell: (one) => one.comment },
  ],
}

const balanceColumns: readonly Column<AccountBalance>[] = [
  { ...account, width: 132, cell: (one) => groupByFour(one.accountNumber) },
  amountColumn('opening', 160, (one) => [one.opening, one.currency]),
  amountColumn('closing', 160, (one) => [one.closing, one.currency]),
]

/** Returns the rate, empty if both currencies are the same. */
function rateOf({ rate, transferCurrency, arrivesCurrency }: TransferRow, language: Language): string {
  return transferCurrency === arrivesCurrency ? '–' : rateText(rate, language)
}

const margin = 40
const titleHeightMin = 80

export interface Statement {
  readonly head: StatementHead
  readonly balances: readonly AccountBalance[]
  readonly payments: Payments
  readonly language: Language
}

/** Returns the bytes of the PDF. A list over the maximum says so. */
export async function render({ head, balances, payments, language }: Statement): Promise<Buffer> {
  const labelText = (message: Message, values?: Readonly<Record<string, number>>) =>
    translate(message, language, values)
  const { page, printed } = await createPdf(
    {
      size: 'A4',
      layout: 'landscape',
      margin,
      bufferPages: true,
      info: { Title: labelText(words.statement), Author: head.firm },
    },
    language,
  )
  page.font('plain').fontSize(9).text(head.firm)
  page.moveDown(1).font('strong').fontSize(16).text(labelText(words.statement))
  page.font('plain').fontSize(9).text(`${head.name}, ${head.email}`)
  page.text(`${labelText(words.made)} ${momentText(head.madeAt, head.timeZone)} (${head.timeZone})`)
  if (head.asked !== '') page.text(head.asked)
  const reader = { language, timeZone: head.timeZone }
  if (balances.length > 0) {
    page.moveDown(1.5).font('strong').fontSize(12).text(labelText(words.balances), margin).moveDown(0.5)
    renderTable(page, balanceColumns as readonly Column<unknown>[], balances, reader)
    page.moveDown(0.5).text(labelText(words.ledger), margin)
  }
  for (const list of historyLists) {
    if (page.y > page.page.maxY() - titleHeightMin) page.addPage()
    page.moveDown(1.5).font('strong').fontSize(12).text(translate(listTitles[list], language), margin).moveDown(0.5)
    renderTable(page, columns[list] as readonly Column<unknown>[], payments[list], reader)
  }
  numberPages(page, `${isolateDirection(head.name)} · ${labelText(words.statement)}`, (at, of) =>
    labelText(words.page, { at, of }),
  )
  page.end()
  return printed
}

function renderTable(
  page: PDFKit.PDFDocument,
  shown: readonly Column<unknown>[],
  rows: readonly unknown[],
  reader: Reader,
): void {
  page.font('plain').fontSize(8)
  if (rows.length === 0) {
    page.text(translate(words.none, reader.language))
    return
  }
  drawTable(
    page,
    shown.map(({ word, ...column }) => ({ ...column, title: translate(columnLabels[word], reader.language) })),
    rows.slice(0, pdfRowsMax).map((row) => shown.map(({ cell }) => cell(row, reader))),
  )
  if (rows.length > pdfRowsMax) page.moveDown(0.5).text(translate(words.cut, reader.language, { pdfRowsMax }), margin)
}

/** Exports the history as CSV and as a PDF statement. */
import { msg } from '#contract/message.ts'
import { stringify } from 'csv-stringify/sync'
import type {
  DepositRow,
  historyCsv as csvEndpoint,
  historyPdf as pdfEndpoint,
  TransferRow,
  WithdrawalRow,
} from '#contract/history.ts'
import type { QueryOf } from '#contract/endpoint.ts'
import type { Language } from '#rules/choices.ts'
import { groupByFour } from '#rules/digit-groups.ts'
import { decimalOf } from '#rules/money.ts'
import { BinaryResponse, requireClient, type Handler } from '../../http/handler.ts'
import { renderPdf } from '../../pdf/render-pdf.ts'
import { momentText, safeCell } from '../../i18n/format.ts'
import { stateText, translate } from '../../i18n/translate.ts'
import { requesterById } from '../clients/queries.ts'
import { accountBalances } from './account-balances.ts'
import { pdfRowsMax, type render } from './render-statement.ts'
import { columnLabels, type ColumnLabel } from './file-labels.ts'
import { historyPage, historyFirstPages, newestFirst } from './queries.ts'
import { filterOf, historyLabels } from './show-history.ts'

const rowsMax = 10_000
const statementRenderer = new URL('./render-statement.ts', import.meta.url)

/** Whom a file is for: its times are in the firm's zone. */
interface Reader {
  readonly timeZone: string
  readonly language: Language
}

type CsvColumn<Row> = readonly [label: ColumnLabel, cell: (row: Row, reader: Reader) => string]

const csvColumns: {
  readonly deposits: readonly CsvColumn<DepositRow>[]
  readonly withdrawals: readonly CsvColumn<WithdrawalRow>[]
  readonly transfers: readonly CsvColumn<TransferRow>[]
} = {
  deposits: [
    ['date', (row, { timeZone }) => momentText(row.timestamp, timeZone)],
    ['reference', (row) => row.reference],
    ['account', (row) => row.accountNumber],
    ['method', (row) => row.depositMethod],
    ['amount', (row) => decimalOf(row.depositAmountSent)],
    ['received', (row) => (row.depositAmountReceived === null ? '' : decimalOf(row.depositAmountReceived))],
    ['fee', (row) => decimalOf(row.depositFee)],
    ['refunded', (row) => decimalOf(row.depositRefunded)],
    ['chargedBack', (row) => decimalOf(row.depositChargedBack)],
    ['currency', (row) => row.depositCurrency],
    ['status', (row, { language }) => stateText('deposit', row.status, language)],
    ['comment', (row) => row.comment],
  ],
  withdrawals: [
    ['date', (row, { timeZone }) => momentText(row.timestamp, timeZone)],
    ['reference', (row) => row.reference],
    ['account', (row) => row.accountNumber],
    ['method', (row) => row.withdrawalMethod],
    ['amount', (row) => decimalOf(row.withdrawalAmount)],
    ['fee', (row) => decimalOf(row.withdrawalFee)],
    ['currency', (row) => row.withdrawalCurrency],
    ['bank', (row) => `${row.bankName} …${row.bankEnding}`],
    ['status', (row, { language }) => stateText('withdrawal', row.status, language)],
    ['comment', (row) => row.comment],
  ],
  transfers: [
    ['date', (row, { timeZone }) => momentText(row.timestamp, timeZone)],
    ['reference', (row) => row.reference],
    ['from', (row) => row.sourceAccount],
    ['to', (row) => row.destinationAccount],
    ['amount', (row) => decimalOf(row.transferAmount)],
    ['currency', (row) => row.transferCurrency],
    ['rate', (row) => row.rate],
    ['arrives', (row) => decimalOf(row.arrives)],
    ['currency', (row) => row.arrivesCurrency],
    ['status', (row, { language }) => stateText('transfer', row.status, language)],
    ['comment', (row) => row.comment],
  ],
}

const requestedLabels = {
  from: msg`From`,
  until: msg`until`,
  account: msg`account`,
  status: msg`status`,
}

export const historyCsv: Handler<typeof csvEndpoint> = async (dependencies, context) => {
  const { list } = context.query
  const filter = await filterOf(dependencies, context.query)
  const { timeZone } = await dependencies.settings.get('firm')
  const words = await historyLabels(dependencies, context.language)
  const order = { ...newestFirst, size: rowsMax + 1 }
  const found = await historyPage(dependencies.pool, list, requireClient(context).clientId, filter, order, words)
  const page = found.slice(0, rowsMax)
  const columns = csvColumns[list] as readonly CsvColumn<unknown>[]
  const reader = { timeZone, language: context.language }
  const cells = page.map((one) => columns.map(([, cell]) => safeCell(cell(one, reader))))
  // The CSV contains only rows, so a truncated file says so in its name.
  const name = found.length > rowsMax ? `${list}-newest-${rowsMax}.csv` : `${list}.csv`
  const heading = columns.map(([word]) => {
    const label = translate(columnLabels[word], context.language)
    // The page shows the reader's time zone, a file the firm's.
    return word === 'date' ? `${label} (${timeZone})` : label
  })
  return new BinaryResponse(stringify([heading, ...cells], { bom: true }), name)
}

export const historyPdf: Handler<typeof pdfEndpoint> = async (dependencies, context) => {
  const filter = await filterOf(dependencies, context.query)
  const { clientId } = requireClient(context)
  const { timeZone, legalName } = await dependencies.settings.get('firm')
  const words = await historyLabels(dependencies, context.language)
  const found = await historyFirstPages(
    dependencies.pool,
    clientId,
    filter,
    { ...newestFirst, size: pdfRowsMax + 1 },
    words,
  )
  const balances = await accountBalances(dependencies.pool, clientId, filter)
  const client = await requesterById(dependencies.pool, clientId)
  const head = {
    firm: legalName,
    name: `${client.name} ${client.surname}`,
    email: client.email,
    madeAt: context.now,
    timeZone,
    asked: requestedFilters(context.query, context.language),
  }
  return new BinaryResponse(
    await renderPdf<typeof render>(statementRenderer, {
      head,
      balances,
      payments: found,
      language: context.language,
    }),
    'statement.pdf',
  )
}

/** Returns the filters for the head of a statement that covers only some of the payments. */
function requestedFilters({ from, to, account, status }: QueryOf<typeof pdfEndpoint>, language: Language): string {
  const word = (name: keyof typeof requestedLabels) => translate(requestedLabels[name], language)
  const day = (date: string) => date.replaceAll('-', '/')
  const parts = [
    from === undefined ? null : `${word('from')} ${day(from)}`,
    to === undefined ? null : `${word('until')} ${day(to)}`,
    account === undefined ? null : `${word('account')} ${groupByFour(account)}`,
    status === undefined ? null : `${word('status')} ${stateText('', status, language)}`,
  ].filter((part) => part !== null)
  const asked = parts.join(', ')
  return asked.slice(0, 1).toUpperCase() + asked.slice(1)
}

/** Exports the history as CSV and as a PDF statement. */
import { msg } from '#contract/message.ts'
import { stringify } from 'csv-stringify/sync'
import type {
  DepositRow,
  historyCsv as csvEndpoint,
  HistoryList,
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

type Printed = readonly string[]

const csvColumns = {
  deposits: [
    'date',
    'reference',
    'account',
    'method',
    'amount',
    'received',
    'fee',
    'refunded',
    'chargedBack',
    'currency',
    'status',
    'comment',
  ],
  withdrawals: ['date', 'reference', 'account', 'method', 'amount', 'fee', 'currency', 'bank', 'status', 'comment'],
  transfers: [
    'date',
    'reference',
    'from',
    'to',
    'amount',
    'currency',
    'rate',
    'arrives',
    'currency',
    'status',
    'comment',
  ],
} as const satisfies Record<HistoryList, readonly ColumnLabel[]>

const requestedLabels = {
  from: msg`From`,
  until: msg`until`,
  account: msg`account`,
  status: msg`status`,
}

const printers = {
  deposits: (one: DepositRow, zone: string, language: Language): Printed => [
    momentText(one.timestamp, zone),
    one.reference,
    one.accountNumber,
    one.depositMethod,
    decimalOf(one.depositAmountSent),
    one.depositAmountReceived === null ? '' : decimalOf(one.depositAmountReceived),
    decimalOf(one.depositFee),
    decimalOf(one.depositRefunded),
    decimalOf(one.depositChargedBack),
    one.depositCurrency,
    stateText('deposit', one.status, language),
    one.comment,
  ],
  withdrawals: (one: WithdrawalRow, zone: string, language: Language): Printed => [
    momentText(one.timestamp, zone),
    one.reference,
    one.accountNumber,
    one.withdrawalMethod,
    decimalOf(one.withdrawalAmount),
    decimalOf(one.withdrawalFee),
    one.withdrawalCurrency,
    `${one.bankName} …${one.bankEnding}`,
    stateText('withdrawal', one.status, language),
    one.comment,
  ],
  transfers: (one: TransferRow, zone: string, language: Language): Printed => [
    momentText(one.timestamp, zone),
    one.reference,
    one.sourceAccount,
    one.destinationAccount,
    decimalOf(one.transferAmount),
    one.transferCurrency,
    one.rate,
    decimalOf(one.arrives),
    one.arrivesCurrency,
    stateText('transfer', one.status, language),
    one.comment,
  ],
} as const

export const historyCsv: Handler<typeof csvEndpoint> = async (dependencies, context) => {
  const { list } = context.query
  const filter = await filterOf(dependencies, context.query)
  const { timeZone } = await dependencies.settings.get('firm')
  const words = await historyLabels(dependencies, context.language)
  const order = { ...newestFirst, size: rowsMax + 1 }
  const found = await historyPage(dependencies.pool, list, requireClient(context).clientId, filter, order, words)
  const page = found.slice(0, rowsMax)
  const print = printers[list] as (one: unknown, zone: string, language: Language) => Printed
  const cells = page.map((one) => print(one, timeZone, context.language).map(safeCell))
  // The CSV contains only rows, so a truncated file says so in its name.
  const name = found.length > rowsMax ? `${list}-newest-${rowsMax}.csv` : `${list}.csv`
  const heading = csvColumns[list].map((word) => {
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

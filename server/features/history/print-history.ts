/** The history as CSV and as a statement on paper. */
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
import { groupedByFour } from '#rules/digit-groups.ts'
import { decimalOf } from '#rules/money.ts'
import { Bytes } from '../../http/binary-response.ts'
import { clientOf } from '../../http/request-context.ts'
import type { Language } from '../../http/problem.ts'
import type { Verb } from '../../http/register-endpoint.ts'
import { drawPaper } from '../../pdf/render-pdf.ts'
import type { Parts } from '../../dependencies.ts'
import { momentText, safeCell } from '../../i18n/format.ts'
import { requesterById } from '../accounts/queries.ts'
import { accountBalances } from './account-balances.ts'
import { paperRowsMax, type draw } from './render-statement.ts'
import { columnWords, statusWords, type ColumnWord } from './file-labels.ts'
import { historyPage, historyStart, newestFirst } from './queries.ts'
import { filterOf, historyWords } from './show-history.ts'

const rowsMax = 10_000
const statementDrawer = new URL('./render-statement.ts', import.meta.url)

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
} as const satisfies Record<HistoryList, readonly ColumnWord[]>

const askedWords = {
  en: { from: 'From', until: 'until', account: 'account', status: 'status' },
  de: { from: 'Von', until: 'bis', account: 'Konto', status: 'Stand' },
} as const satisfies Record<Language, object>

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
    statusWords[language][one.status],
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
    statusWords[language][one.status],
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
    statusWords[language][one.status],
    one.comment,
  ],
} as const

export function historyCsv(parts: Parts): Verb<typeof csvEndpoint> {
  return async (call) => {
    const { list } = call.query
    const filter = await filterOf(parts, call.query)
    const { timeZone } = await parts.settings.get('firm')
    const words = await historyWords(parts, call.language)
    const order = { ...newestFirst, size: rowsMax + 1 }
    const found = await historyPage(parts.pool, list, clientOf(call).clientId, filter, order, words)
    const page = found.slice(0, rowsMax)
    const print = printers[list] as (one: unknown, zone: string, language: Language) => Printed
    const cells = page.map((one) => print(one, timeZone, call.language).map(safeCell))
    // Rows are all that such a file holds: where it was cut its name says so.
    const name = found.length > rowsMax ? `${list}-newest-${rowsMax}.csv` : `${list}.csv`
    const heading = csvColumns[list].map((word) => columnWords[call.language][word])
    return new Bytes(stringify([heading, ...cells], { bom: true }), name)
  }
}

export function historyPdf(parts: Parts): Verb<typeof pdfEndpoint> {
  return async (call) => {
    const filter = await filterOf(parts, call.query)
    const { clientId } = clientOf(call)
    const { timeZone, legalName } = await parts.settings.get('firm')
    const words = await historyWords(parts, call.language)
    const found = await historyStart(parts.pool, clientId, filter, { ...newestFirst, size: paperRowsMax + 1 }, words)
    const balances = await accountBalances(parts.pool, clientId, filter)
    const client = await requesterById(parts.pool, clientId)
    const head = {
      firm: legalName,
      name: `${client.name} ${client.surname}`,
      email: client.email,
      madeAt: call.now,
      timeZone,
      asked: askedFor(call.query, call.language),
    }
    return new Bytes(
      await drawPaper<typeof draw>(statementDrawer, head, balances, found, call.language),
      'statement.pdf',
    )
  }
}

/** A statement of a part of the payments says of which part it is. */
function askedFor({ from, to, account, status }: QueryOf<typeof pdfEndpoint>, language: Language): string {
  const words = askedWords[language]
  const day = (date: string) => date.replaceAll('-', '/')
  const parts = [
    from === undefined ? null : `${words.from} ${day(from)}`,
    to === undefined ? null : `${words.until} ${day(to)}`,
    account === undefined ? null : `${words.account} ${groupedByFour(account)}`,
    status === undefined ? null : `${words.status} ${statusWords[language][status]}`,
  ].filter((part) => part !== null)
  const asked = parts.join(', ')
  return asked.slice(0, 1).toUpperCase() + asked.slice(1)
}

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
import { decimalOf } from '#rules/money.ts'
import { Bytes } from '../../http/bytes.ts'
import { clientOf, type Call } from '../../http/call.ts'
import type { Language } from '../../http/problem.ts'
import type { Verb } from '../../http/serve.ts'
import { inTurn, newPaper } from '../../paper.ts'
import type { Parts } from '../../parts.ts'
import { momentText, safeCell } from '../../wording.ts'
import { requesterById } from '../accounts/queries.ts'
import { historyPage, historyStart, newestFirst } from './queries.ts'
import { filterOf, historyWords } from './show-history.ts'

const rowsMax = 10_000
/** Of each list; what is left out is said. */
const paperRowsMax = 500

type Printed = readonly string[]

const headings = {
  en: {
    deposits: ['Date', 'Reference', 'Account', 'Method', 'Amount', 'Received', 'Fee', 'Currency', 'Status', 'Comment'],
    withdrawals: ['Date', 'Reference', 'Account', 'Method', 'Amount', 'Fee', 'Currency', 'Bank', 'Status', 'Comment'],
    transfers: [
      'Date',
      'Reference',
      'From account',
      'To account',
      'Amount',
      'Currency',
      'Rate',
      'Arrives',
      'Currency',
      'Status',
      'Comment',
    ],
  },
  de: {
    deposits: [
      'Datum',
      'Referenz',
      'Konto',
      'Zahlungsart',
      'Betrag',
      'Eingegangen',
      'Gebühr',
      'Währung',
      'Stand',
      'Bemerkung',
    ],
    withdrawals: [
      'Datum',
      'Referenz',
      'Konto',
      'Zahlungsart',
      'Betrag',
      'Gebühr',
      'Währung',
      'Bank',
      'Stand',
      'Bemerkung',
    ],
    transfers: [
      'Datum',
      'Referenz',
      'Von Konto',
      'Auf Konto',
      'Betrag',
      'Währung',
      'Kurs',
      'Ankommend',
      'Währung',
      'Stand',
      'Bemerkung',
    ],
  },
} as const satisfies Record<Language, Record<HistoryList, Printed>>

const titles = {
  en: {
    statement: 'Statement of payments',
    deposits: 'Deposits',
    withdrawals: 'Withdrawals',
    transfers: 'Internal transfers',
    none: 'None in this period.',
    made: 'Made',
    from: 'From',
    until: 'until',
    account: 'account',
    status: 'status',
    cut: `Only the newest ${paperRowsMax} are printed here. For the others choose a shorter period, or the CSV.`,
  },
  de: {
    statement: 'Aufstellung der Zahlungen',
    deposits: 'Einzahlungen',
    withdrawals: 'Auszahlungen',
    transfers: 'Interne Umbuchungen',
    none: 'Keine in diesem Zeitraum.',
    made: 'Erstellt',
    from: 'Von',
    until: 'bis',
    account: 'Konto',
    status: 'Stand',
    cut: `Hier stehen nur die neuesten ${paperRowsMax}. Wählen Sie für die übrigen einen kürzeren Zeitraum oder die CSV-Datei.`,
  },
} as const

/** The words that the history's page has for them. */
const statuses = {
  en: {
    pending: 'Pending',
    processing: 'Processing',
    approved: 'Approved',
    paid: 'Paid',
    returned: 'Returned',
    rejected: 'Rejected',
    cancelled: 'Cancelled',
  },
  de: {
    pending: 'Offen',
    processing: 'In Bearbeitung',
    approved: 'Genehmigt',
    paid: 'Ausgezahlt',
    returned: 'Zurückgekommen',
    rejected: 'Abgelehnt',
    cancelled: 'Storniert',
  },
} as const satisfies Record<Language, Record<DepositRow['status'] | WithdrawalRow['status'], string>>

const printers = {
  deposits: (one: DepositRow, zone: string, language: Language): Printed => [
    momentText(one.timestamp, zone),
    one.reference,
    one.accountNumber,
    one.depositMethod,
    decimalOf(one.depositAmountSent),
    one.depositAmountReceived === null ? '' : decimalOf(one.depositAmountReceived),
    decimalOf(one.depositFee),
    one.depositCurrency,
    statuses[language][one.status],
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
    statuses[language][one.status],
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
    statuses[language][one.status],
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
    return new Bytes(stringify([[...headings[call.language][list]], ...cells], { bom: true }), name)
  }
}

export function historyPdf(parts: Parts): Verb<typeof pdfEndpoint> {
  return async (call) => {
    const filter = await filterOf(parts, call.query)
    const { clientId } = clientOf(call)
    const { timeZone, legalName } = await parts.settings.get('firm')
    const words = await historyWords(parts, call.language)
    const found = await historyStart(parts.pool, clientId, filter, { ...newestFirst, size: paperRowsMax + 1 }, words)
    const client = await requesterById(parts.pool, clientId)
    const tables = {
      deposits: found.deposits.map((one) => printers.deposits(one, timeZone, call.language)),
      withdrawals: found.withdrawals.map((one) => printers.withdrawals(one, timeZone, call.language)),
      transfers: found.transfers.map((one) => printers.transfers(one, timeZone, call.language)),
    }
    const head = {
      firm: legalName,
      name: `${client.name} ${client.surname}`,
      email: client.email,
      made: `${momentText(call.now, timeZone)} (${timeZone})`,
      asked: askedFor(call.query, call.language),
    }
    return new Bytes(await inTurn(() => drawn(call, head, tables)), 'statement.pdf')
  }
}

interface Head {
  readonly firm: string
  readonly name: string
  readonly email: string
  readonly made: string
  /** The filters in words; empty where everything was asked for. */
  readonly asked: string
}

/** A statement of a part of the payments says of which part it is. */
function askedFor({ from, to, account, status }: QueryOf<typeof pdfEndpoint>, language: Language): string {
  const words = titles[language]
  const day = (date: string) => date.replaceAll('-', '/')
  const parts = [
    from === undefined ? null : `${words.from} ${day(from)}`,
    to === undefined ? null : `${words.until} ${day(to)}`,
    account === undefined ? null : `${words.account} ${account}`,
    status === undefined ? null : `${words.status} ${statuses[language][status]}`,
  ].filter((part) => part !== null)
  const asked = parts.join(', ')
  return asked.slice(0, 1).toUpperCase() + asked.slice(1)
}

/** A4 across, a table for each list. */
async function drawn(
  call: Pick<Call, 'language'>,
  head: Head,
  tables: Readonly<Record<HistoryList, readonly Printed[]>>,
): Promise<Buffer> {
  const words = titles[call.language]
  const { page, printed } = await newPaper({
    size: 'A4',
    layout: 'landscape',
    margin: 40,
    info: { Title: words.statement, Author: head.firm },
  })
  page.font('plain').fontSize(9).text(head.firm)
  page.moveDown(1).font('strong').fontSize(16).text(words.statement)
  page.font('plain').fontSize(9).text(`${head.name}, ${head.email}`).text(`${words.made} ${head.made}`)
  if (head.asked !== '') page.text(head.asked)
  for (const list of ['deposits', 'withdrawals', 'transfers'] as const) {
    page.moveDown(1.5).font('strong').fontSize(12).text(words[list]).moveDown(0.5)
    page.font('plain').fontSize(8)
    if (tables[list].length === 0) page.text(words.none)
    else
      page.table({
        data: [[...headings[call.language][list]], ...tables[list].slice(0, paperRowsMax).map((cells) => [...cells])],
        defaultStyle: { border: [0, 0, 0.5, 0], padding: 3 },
      })
    if (tables[list].length > paperRowsMax) page.moveDown(0.5).text(words.cut)
  }
  page.end()
  return printed
}

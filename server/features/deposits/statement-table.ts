/** The table of a statement file: its header, the recognised columns, and the firm's account that it names. */
import { parse } from 'csv-parse/sync'
import { isValidIBAN } from 'ibantools'
import type { StatementColumns } from '#contract/office/statements.ts'
import { statementLinesMax } from '#rules/constants.ts'
import type { Language } from '#rules/choices.ts'
import { Problem } from '../../http/problem.ts'
import { normalizeAccountNumber } from '../../settings/firm-bank-account.ts'
import { statementProblem } from './statement-errors.ts'

/** The names that banks use for the columns that we need, reduced to letters. */
const columnNames = {
  bookedOn: ['date', 'bookedon', 'bookingdate', 'valuedate', 'buchungstag'],
  amount: ['amount', 'betrag'],
  currency: ['currency', 'waehrung', 'whrung', 'währung'],
  payer: ['payer', 'name', 'debtor', 'counterparty', 'auftraggeber'],
  payerAccount: ['payeraccount', 'iban', 'account', 'counterpartyaccount', 'kontonummer'],
  remittance: ['remittance', 'reference', 'description', 'purpose', 'details', 'verwendungszweck'],
  payerReference: ['endtoendid', 'endtoendreference', 'customerreference', 'payerreference', 'kundenreferenz'],
  ownAccount: ['ouraccount', 'ownaccount', 'accountiban', 'auftragskonto', 'ibanauftragskonto', 'eigeneskonto'],
  opening: ['openingbalance', 'openingamount', 'anfangssaldo', 'startsaldo'],
  closing: ['closingbalance', 'closingamount', 'endsaldo', 'schlusssaldo'],
  bankId: ['id', 'bankid', 'transactionid', 'entryreference', 'accountservicerreference'],
} as const
export type Column = keyof typeof columnNames
type ColumnPlaces = Partial<Record<Column, number>>

/** Some banks write a few lines about the account before the header. */
const preambleLinesMax = 30

export interface StatementRow {
  readonly cells: readonly string[]
  /** The line number in the file. */
  readonly line: number
}

export interface StatementTable {
  /** Lines about the account, before the header. */
  readonly preamble: readonly StatementRow[]
  readonly header: readonly string[]
  readonly headerLine: number
  readonly places: ColumnPlaces
  readonly rows: readonly StatementRow[]
  /** The account that the file names; null if it names none. */
  readonly account: string | null
}

/**
 * Reads the rows of a file. `chosen` names columns by their position; null leaves one out. `own` are the firm's
 * accounts.
 */
export function statementTable(
  csv: string,
  { language, chosen, own }: { language: Language; chosen: StatementColumns | undefined; own: readonly string[] },
): StatementTable {
  const all = rowsOf(csv, language)
  const at = headerPlace(all)
  const { cells: header, line: headerLine } = all[at] ?? { cells: [], line: 1 }
  const rows = all.slice(at + 1)
  const found = { ...placesIn(header), ...chosenPlaces(chosen, header.length) }
  const places = withOwnAccount(found, header, rows, own)
  const preamble = all.slice(0, at)
  return { preamble, header, headerLine, places, rows, account: accountInFile(preamble, rows, places) }
}

/** Throws at the first row whose number of columns differs from the header's, and if there is no row at all. */
export function checkRows({ preamble, header, headerLine, places, rows }: StatementTable, language: Language): void {
  if (rows.length === 0) throw statementProblem(headerLine, 'noLines', language)
  if (rows.length > statementLinesMax)
    throw new Problem('statement-long', { values: { most: statementLinesMax }, field: 'csv' })
  // A payment above the header would be lost.
  const isPayment = ({ cells }: StatementRow) =>
    [places.bookedOn, places.amount].every((place) => place !== undefined && /\d/.test(cells[place] ?? ''))
  const invalidRow = preamble.find(isPayment) ?? rows.find(({ cells }) => cells.length !== header.length)
  if (invalidRow) throw statementProblem(invalidRow.line, 'columns', language)
}

function rowsOf(csv: string, language: Language): StatementRow[] {
  try {
    const rows: StatementRow[] = []
    parse(csv, {
      bom: true,
      delimiter: delimiterOf(csv),
      skip_empty_lines: true,
      relax_column_count: true,
      to: statementLinesMax + preambleLinesMax + 2,
      max_record_size: 10_000,
      on_record: (record: string[], { lines }) => {
        rows.push({ cells: record.map((cell) => cell.trim()), line: lines })
        return null
      },
    })
    return rows
  } catch (error) {
    const { lines = 1 } = error as Error & { lines?: number }
    throw statementProblem(lines, 'columns', language)
  }
}

/** Returns the delimiter that occurs most often in the header, so that decimal commas in the rows do not count. */
function delimiterOf(csv: string): string {
  const begin = csv.split(/\r?\n/, preambleLinesMax)
  const header = begin.find((text) => isHeader(text.split(/[;\t,]/))) ?? begin[0] ?? ''
  const count = (delimiter: string) => header.split(delimiter).length
  return [';', '\t', ','].reduce((best, one) => (count(one) > count(best) ? one : best))
}

function isHeader(cells: readonly string[]): boolean {
  const places = placesIn(cells.map((cell) => cell.replaceAll('"', '')))
  return places.bookedOn !== undefined && places.amount !== undefined
}

function headerPlace(rows: readonly StatementRow[]): number {
  const found = rows.slice(0, preambleLinesMax).findIndex(({ cells }) => isHeader(cells))
  return Math.max(found, 0)
}

function placesIn(header: readonly string[]): ColumnPlaces {
  const folded = header.map((name) => name.toLowerCase().replace(/[^\p{L}]/gu, ''))
  const places: ColumnPlaces = {}
  for (const [column, names] of Object.entries(columnNames) as [Column, readonly string[]][]) {
    const place = folded.findIndex((name) => names.includes(name))
    if (place >= 0) places[column] = place
  }
  return places
}

function chosenPlaces(chosen: StatementColumns | undefined, count: number): ColumnPlaces {
  const places: ColumnPlaces = {}
  for (const [column, place] of Object.entries(chosen ?? {}) as [Column, number | null | undefined][]) {
    if (place === undefined) continue
    if (place !== null && place >= count) throw new Problem('unknown-value', { field: 'columns' })
    // A column that was left out stays out even if its name was recognised.
    Object.assign(places, { [column]: place ?? undefined })
  }
  return places
}

/** Recognises the column that has one of the firm's accounts in every row; it is not the payer's. */
function withOwnAccount(
  places: ColumnPlaces,
  header: readonly string[],
  rows: readonly StatementRow[],
  own: readonly string[],
): ColumnPlaces {
  const place = header.findIndex((_, column) => {
    const values = new Set(rows.map(({ cells }) => normalizeAccountNumber(cells[column] ?? '')))
    const [only = ''] = values
    return values.size === 1 && own.includes(only)
  })
  if (place < 0) return places
  const { payerAccount, ...others } = places
  return { ...others, ...(payerAccount === place ? {} : { payerAccount }), ownAccount: place } as ColumnPlaces
}

function accountInFile(
  preamble: readonly StatementRow[],
  rows: readonly StatementRow[],
  { ownAccount }: ColumnPlaces,
): string | null {
  const inRows =
    ownAccount === undefined ? [] : rows.map(({ cells }) => normalizeAccountNumber(cells[ownAccount] ?? ''))
  const inPreamble = preamble.flatMap(({ cells }) =>
    cells.map((cell) => normalizeAccountNumber(cell.split(':').at(-1) ?? '')),
  )
  return inRows.find((text) => text !== '') ?? inPreamble.find((text) => isValidIBAN(text)) ?? null
}

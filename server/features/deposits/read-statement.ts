/**
 * Reading a bank statement as CSV (attack C15). Columns are found by their names; a file without ids gets them from the
 * line's own contents and its place among equal ones.
 */
import { createHash } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { statementLinesMax } from '#rules/constants.ts'
import { compareDays, dayOf, type Day } from '#rules/dates.ts'
import { minorOf, type Currency } from '#rules/money.ts'
import { Problem } from '../../http/problem.ts'
import type { StatementLine } from '../../ledger/bank-lines.ts'

/** The names that banks give to what we need, folded to letters. */
const columnNames = {
  bookedOn: ['date', 'bookedon', 'bookingdate', 'valuedate', 'buchungstag'],
  amount: ['amount', 'betrag'],
  currency: ['currency', 'waehrung', 'whrung', 'währung'],
  payer: ['payer', 'name', 'debtor', 'counterparty', 'auftraggeber'],
  payerAccount: ['payeraccount', 'iban', 'account', 'counterpartyaccount', 'kontonummer'],
  remittance: ['remittance', 'reference', 'description', 'purpose', 'details', 'verwendungszweck'],
  opening: ['openingbalance', 'openingamount', 'anfangssaldo', 'startsaldo'],
  closing: ['closingbalance', 'closingamount', 'endsaldo', 'schlusssaldo'],
  bankId: ['id', 'bankid', 'transactionid', 'entryreference', 'accountservicerreference'],
} as const
type Column = keyof typeof columnNames
const needed: readonly Column[] = ['bookedOn', 'amount', 'payer', 'remittance']
const bankIdMax = 64
const amountPattern = /^[+-]?\d{1,12}([.,]\d{1,2})?$/

export interface Statement {
  readonly lines: readonly StatementLine[]
  /** What the account held before the first line, and after the last, where the file says so. */
  readonly opening: bigint | null
  readonly closing: bigint | null
}

type BalanceColumn = 'opening' | 'closing'

/** Every line of the file and the balances that it names, or the refusal of its first bad line. */
export function readStatement(csv: string, currency: Currency, today: Day): Statement {
  const table = parsed(csv)
  const places = placesOf(table[0] ?? [])
  const equal = new Map<string, number>()
  const seen = new Map<string, string>()
  const balances: Record<BalanceColumn, bigint | null> = { opening: null, closing: null }
  const lines = table.slice(1).map((cells, index) => {
    const cell = (column: Column) => (places[column] === undefined ? '' : (cells[places[column]] ?? '').trim())
    const bad = (reason: string) =>
      new Problem('statement-invalid', { values: { line: index + 2, reason }, field: 'csv' })
    if (!amountPattern.test(cell('amount'))) throw bad('amount')
    const amountMinor = minorIn(cell('amount'))
    if (amountMinor === null || amountMinor === 0n) throw bad('amount')
    if (places.currency !== undefined && cell('currency').toUpperCase() !== currency) throw bad('currency')
    for (const column of ['opening', 'closing'] as const) {
      if (cell(column) === '') continue
      const balance = amountPattern.test(cell(column)) ? minorIn(cell(column)) : null
      // A statement has one of each: another one is of another statement.
      if (balance === null || (balances[column] ?? balance) !== balance) throw bad(column)
      balances[column] = balance
    }
    const day = dayOf(isoOf(cell('bookedOn')))
    if (!day || compareDays(day, today) > 0) throw bad('date')
    const texts = {
      payer: cell('payer'),
      payerAccount: cell('payerAccount').replace(/\s/g, '').toUpperCase(),
      remittance: cell('remittance'),
    }
    if (Object.values(texts).some((text) => text.length > 500 || /\p{Cc}/u.test(text))) throw bad('text')
    const line = { amountMinor, bookedOn: isoOf(cell('bookedOn')), ...texts }
    const given = cell('bankId')
    if (given.length > bankIdMax || !isOnlyOne(seen, given, line)) throw bad('id')
    return { ...line, bankId: given || derivedId(line, equal) }
  })
  return { lines, ...balances }
}

function minorIn(text: string): bigint | null {
  return minorOf(text.replace(',', '.').replace('+', ''))
}

/** An id that stands for two different payments is none: one of them would be lost. */
function isOnlyOne(seen: Map<string, string>, id: string, line: Omit<StatementLine, 'bankId'>): boolean {
  const whole = wholeOf(line)
  if (id === '' || (seen.get(id) ?? whole) === whole) {
    seen.set(id, whole)
    return true
  }
  return false
}

function wholeOf(line: Omit<StatementLine, 'bankId'>): string {
  return [line.bookedOn, line.amountMinor, line.payer, line.payerAccount, line.remittance].join('\n')
}

function parsed(csv: string): string[][] {
  const table = tableOf(csv)
  if (table.length > statementLinesMax + 1)
    throw new Problem('statement-long', { values: { most: statementLinesMax }, field: 'csv' })
  return table
}

function tableOf(csv: string): string[][] {
  try {
    const table: string[][] = parse(csv, {
      bom: true,
      delimiter: delimiterOf(csv),
      skip_empty_lines: true,
      to: statementLinesMax + 2,
      max_record_size: 10_000,
    })
    if (table.length < 2) throw new Error('no lines')
    return table
  } catch (error) {
    const { lines = 1, message } = error as Error & { lines?: number }
    throw new Problem('statement-invalid', { values: { line: lines, reason: message.slice(0, 120) }, field: 'csv' })
  }
}

/** What stands most often in the header: a decimal comma in the lines is no delimiter. */
function delimiterOf(csv: string): string {
  const header = csv.slice(0, csv.search(/\r?\n|$/))
  const count = (delimiter: string) => header.split(delimiter).length
  return [';', '\t', ','].reduce((best, one) => (count(one) > count(best) ? one : best))
}

function placesOf(header: readonly string[]): Partial<Record<Column, number>> {
  const folded = header.map((name) => name.toLowerCase().replace(/[^\p{L}]/gu, ''))
  const places: Partial<Record<Column, number>> = {}
  for (const [column, names] of Object.entries(columnNames) as [Column, readonly string[]][]) {
    const place = folded.findIndex((name) => names.includes(name))
    if (place >= 0) places[column] = place
  }
  const missing = needed.find((column) => places[column] === undefined)
  if (missing) throw new Problem('statement-invalid', { values: { line: 1, reason: missing }, field: 'csv' })
  return places
}

/** "21.11.2026" and "21/11/2026" as "2026-11-21". */
function isoOf(text: string): string {
  const match = /^(\d{2})[./](\d{2})[./](\d{4})$/.exec(text)
  return match ? `${match[3]}-${match[2]}-${match[1]}` : text
}

function derivedId(line: Omit<StatementLine, 'bankId'>, equal: Map<string, number>): string {
  const whole = wholeOf(line)
  const nth = (equal.get(whole) ?? 0) + 1
  equal.set(whole, nth)
  return createHash('sha256').update(`${whole}\n${nth}`).digest('base64url').slice(0, 32)
}

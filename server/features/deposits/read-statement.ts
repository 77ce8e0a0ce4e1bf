/**
 * Reading a bank statement as CSV (attack C15). Columns are found by their names; a file without ids gets them from the
 * line's own contents and its place among equal ones.
 */
import { createHash } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { statementLinesMax } from '#rules/constants.ts'
import { compareDays, dayOf, type Day } from '#rules/dates.ts'
import { minorOf, type Currency } from '#rules/money.ts'
import { Problem, type Language } from '../../http/problem.ts'
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
/** What a file must have, with what is said where it has not. */
const needed = [
  ['bookedOn', 'noDate'],
  ['amount', 'noAmount'],
  ['payer', 'noPayer'],
  ['remittance', 'noRemittance'],
] as const satisfies readonly [Column, string][]
const bankIdMax = 64
const amountPattern = /^[+-]?\d{1,12}([.,]\d{1,2})?$/

export interface Statement {
  readonly lines: readonly StatementLine[]
  /** What the account held before the first line, and after the last, where the file says so. */
  readonly opening: bigint | null
  readonly closing: bigint | null
}

type BalanceColumn = 'opening' | 'closing'

/** What can be wrong with a line, after "Line 3 of the statement could not be read:". */
const faults = {
  columns: {
    en: 'its columns are not those of the first line, or a quotation mark stands alone',
    de: 'Ihre Spalten sind nicht die der ersten Zeile, oder ein Anführungszeichen steht allein',
  },
  noLines: { en: 'no line stands under it', de: 'Unter ihr steht keine Zeile' },
  noDate: { en: 'it names no column for the date', de: 'Sie nennt keine Spalte für den Buchungstag' },
  noAmount: { en: 'it names no column for the amount', de: 'Sie nennt keine Spalte für den Betrag' },
  noPayer: { en: 'it names no column for the payer', de: 'Sie nennt keine Spalte für den Auftraggeber' },
  noRemittance: { en: 'it names no column for the reference', de: 'Sie nennt keine Spalte für den Verwendungszweck' },
  amount: {
    en: 'the amount is zero, or not a number with at most two decimals',
    de: 'Der Betrag ist null oder keine Zahl mit höchstens zwei Nachkommastellen',
  },
  currency: { en: 'the currency is not that of the account', de: 'Die Währung ist nicht die des Kontos' },
  opening: {
    en: 'the opening balance is not a number, or another one than before',
    de: 'Der Anfangssaldo ist keine Zahl oder ein anderer als zuvor',
  },
  closing: {
    en: 'the closing balance is not a number, or another one than before',
    de: 'Der Schlusssaldo ist keine Zahl oder ein anderer als zuvor',
  },
  date: { en: 'the date is not a day, or lies ahead', de: 'Das Datum ist kein Tag oder liegt in der Zukunft' },
  text: {
    en: 'a text is longer than 500 characters, or has signs that cannot be shown',
    de: 'Ein Text ist länger als 500 Zeichen oder enthält Zeichen, die sich nicht zeigen lassen',
  },
  id: {
    en: 'the id is too long, or stands for another payment too',
    de: 'Die Kennung ist zu lang oder steht noch für eine andere Zahlung',
  },
} as const satisfies Record<string, Record<Language, string>>

function unreadable(line: number, fault: keyof typeof faults, language: Language): Problem {
  return new Problem('statement-invalid', { values: { line, reason: faults[fault][language] }, field: 'csv' })
}

/**
 * Every line of the file and the balances that it names, or the refusal of its first bad line, which says in the
 * reader's language what is wrong with it.
 */
export function readStatement(csv: string, currency: Currency, today: Day, language: Language): Statement {
  const table = parsed(csv, language)
  const places = placesOf(table[0] ?? [], language)
  const equal = new Map<string, number>()
  const seen = new Map<string, string>()
  const balances: Record<BalanceColumn, bigint | null> = { opening: null, closing: null }
  const lines = table.slice(1).map((cells, index) => {
    const cell = (column: Column) => (places[column] === undefined ? '' : (cells[places[column]] ?? '').trim())
    const bad = (fault: keyof typeof faults) => unreadable(index + 2, fault, language)
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

function parsed(csv: string, language: Language): string[][] {
  const table = tableOf(csv, language)
  if (table.length < 2) throw unreadable(1, 'noLines', language)
  if (table.length > statementLinesMax + 1)
    throw new Problem('statement-long', { values: { most: statementLinesMax }, field: 'csv' })
  return table
}

function tableOf(csv: string, language: Language): string[][] {
  try {
    return parse(csv, {
      bom: true,
      delimiter: delimiterOf(csv),
      skip_empty_lines: true,
      to: statementLinesMax + 2,
      max_record_size: 10_000,
    })
  } catch (error) {
    const { lines = 1 } = error as Error & { lines?: number }
    throw unreadable(lines, 'columns', language)
  }
}

/** What stands most often in the header: a decimal comma in the lines is no delimiter. */
function delimiterOf(csv: string): string {
  const header = csv.slice(0, csv.search(/\r?\n|$/))
  const count = (delimiter: string) => header.split(delimiter).length
  return [';', '\t', ','].reduce((best, one) => (count(one) > count(best) ? one : best))
}

function placesOf(header: readonly string[], language: Language): Partial<Record<Column, number>> {
  const folded = header.map((name) => name.toLowerCase().replace(/[^\p{L}]/gu, ''))
  const places: Partial<Record<Column, number>> = {}
  for (const [column, names] of Object.entries(columnNames) as [Column, readonly string[]][]) {
    const place = folded.findIndex((name) => names.includes(name))
    if (place >= 0) places[column] = place
  }
  const missing = needed.find(([column]) => places[column] === undefined)
  if (missing) throw unreadable(1, missing[1], language)
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

/**
 * Reads a bank statement as CSV (requirements 28.15). Columns are found by name or chosen by a person. A file without
 * ids gets them from each line's contents and its position among equal lines.
 */
import { createHash } from 'node:crypto'
import { compareDays, dayOf, type PlainDate } from '#rules/dates.ts'
import { type Currency, minorOf } from '#rules/money.ts'
import type { Language } from '#rules/choices.ts'
import type { StatementLine } from '../../ledger/bank-lines.ts'
import { statementProblem, type Fault } from './statement-errors.ts'
import { checkRows, type Column, type StatementRow, type StatementTable } from './statement-table.ts'

/** Columns that a file must have, with the error if one is missing. */
const requiredColumns = [
  ['bookedOn', 'noDate'],
  ['amount', 'noAmount'],
  ['payer', 'noPayer'],
  ['remittance', 'noRemittance'],
] as const satisfies readonly [Column, Fault][]
const bankIdMax = 64

export interface Statement {
  readonly lines: readonly StatementLine[]
  /** The balance before the first line and after the last, if the file states it. */
  readonly opening: bigint | null
  readonly closing: bigint | null
}

type BalanceColumn = 'opening' | 'closing'
type FaultErrorFactory = (fault: Fault) => Error

/** The notation of a file's values, determined from all lines before the first line is parsed. */
interface Notation {
  /** Null if no column names it. */
  readonly currency: Currency | null
  readonly today: PlainDate
  readonly decimalMark: '.' | ',' | null
  readonly dayOrder: ReturnType<typeof orderOfShortDays>
}

/**
 * Returns every transaction of the file and its balances. Throws at the first invalid line, with the reason in the
 * reader's language.
 */
export function readStatement(
  table: StatementTable,
  { currency, today, language }: { currency: Currency; today: PlainDate; language: Language },
): Statement {
  const missing = requiredColumns.find(([column]) => table.places[column] === undefined)
  checkRows(table, language)
  if (missing) throw statementProblem(table.headerLine, missing[1], language)
  const column = (name: Column) => table.rows.map((row) => cellOf(table, row, name))
  const style: Notation = {
    currency: table.places.currency === undefined ? null : currency,
    today,
    decimalMark: decimalMarkOf([...column('amount'), ...column('opening'), ...column('closing')]),
    dayOrder: orderOfShortDays(column('bookedOn'), today),
  }
  const equal = new Map<string, number>()
  const seen = new Map<string, string>()
  const balances: Record<BalanceColumn, bigint | null> = { opening: null, closing: null }
  const lines = table.rows.map((row) => {
    const bad: FaultErrorFactory = (fault) => statementProblem(row.line, fault, language)
    const cell = (name: Column) => cellOf(table, row, name)
    const line = readLine(cell, style, bad)
    readBalances(cell, style, balances, bad)
    const given = cell('bankId')
    if (given.length > bankIdMax || !isOnlyOne(seen, given, line)) throw bad('id')
    return { ...line, bankId: given || derivedId(line, equal) }
  })
  return { lines, ...balances }
}

function cellOf({ places }: StatementTable, { cells }: StatementRow, name: Column): string {
  return places[name] === undefined ? '' : (cells[places[name]] ?? '')
}

function readLine(
  cell: (name: Column) => string,
  style: Notation,
  bad: FaultErrorFactory,
): Omit<StatementLine, 'bankId'> {
  const amountMinor = minorInStatement(cell('amount'), style.decimalMark)
  if (amountMinor === 'doubt') throw bad('amountDoubt')
  if (amountMinor === null || amountMinor === 0n) throw bad('amount')
  if (style.currency !== null && cell('currency').toUpperCase() !== style.currency) throw bad('currency')
  const bookedOn = isoInStatement(cell('bookedOn'), style.dayOrder)
  if (bookedOn === 'doubt') throw bad('dateDoubt')
  const day = dayOf(bookedOn)
  if (!day || compareDays(day, style.today) > 0) throw bad('date')
  const texts = {
    payer: cell('payer'),
    payerAccount: cell('payerAccount').replace(/\s/g, '').toUpperCase(),
    remittance: withReference(cell('remittance'), cell('payerReference')),
  }
  if (Object.values(texts).some((text) => text.length > 500 || /\p{Cc}/u.test(text))) throw bad('text')
  return { amountMinor, bookedOn, ...texts }
}

/** Returns the remittance with the payer's end-to-end reference; banks write "NOTPROVIDED" for none. */
function withReference(remittance: string, reference: string): string {
  if (reference === '' || reference.toUpperCase() === 'NOTPROVIDED' || remittance.includes(reference)) return remittance
  return remittance === '' ? reference : `${remittance} ${reference}`
}

function readBalances(
  cell: (name: Column) => string,
  style: Notation,
  balances: Record<BalanceColumn, bigint | null>,
  bad: FaultErrorFactory,
): void {
  for (const column of ['opening', 'closing'] as const) {
    if (cell(column) === '') continue
    const balance = minorInStatement(cell(column), style.decimalMark)
    // A statement has one opening and one closing balance: a different one belongs to another statement.
    if (balance === null || balance === 'doubt' || (balances[column] ?? balance) !== balance) throw bad(column)
    balances[column] = balance
  }
}

/** Returns whether an id belongs to one payment only: if two different payments shared it, one would be lost. */
function isOnlyOne(seen: Map<string, string>, id: string, line: Omit<StatementLine, 'bankId'>): boolean {
  const content = lineContent(line)
  if (id === '' || (seen.get(id) ?? content) === content) {
    seen.set(id, content)
    return true
  }
  return false
}

function lineContent(line: Omit<StatementLine, 'bankId'>): string {
  return [line.bookedOn, line.amountMinor, line.payer, line.payerAccount, line.remittance].join('\n')
}

function derivedId(line: Omit<StatementLine, 'bankId'>, equal: Map<string, number>): string {
  const content = lineContent(line)
  const nth = (equal.get(content) ?? 0) + 1
  equal.set(content, nth)
  return createHash('sha256').update(`${content}\n${nth}`).digest('base64url').slice(0, 32)
}

/**
 * Amounts and dates of a statement. Unambiguous values are accepted, including thousands separators and two-digit
 * years; an ambiguous value is rejected with its line number.
 */
const plainAmount = /^[+-]?\d{1,12}(?:([.,])\d{1,2})?$/
/** "1,234.56", "1.234,56", "1 234,56", "1'234": the same separator before each three digits. */
const groupedAmount = /^[+-]?\d{1,3}([.,'’ \u00a0\u202f])\d{3}(?:\1\d{3}){0,3}(?:([.,])\d{1,2})?$/

/** Returns the only decimal mark that the amounts of a file use; null if they use none or both. */
function decimalMarkOf(amounts: readonly string[]): '.' | ',' | null {
  const marks = new Set(amounts.flatMap((text) => plainAmount.exec(text)?.[1] ?? groupedAmount.exec(text)?.[2] ?? []))
  if (marks.size !== 1) return null
  return marks.has('.') ? '.' : ','
}

/**
 * Returns minor units, null for an invalid amount, or `doubt` if the separator in "1.234" may mean thousands or
 * decimals and the other amounts of the file do not determine which.
 */
function minorInStatement(text: string, decimalMark: '.' | ',' | null): bigint | 'doubt' | null {
  const plain = plainAmount.exec(text)
  if (plain) return minorOf(text.replace(',', '.').replace('+', ''))
  const [, group = '', decimal] = groupedAmount.exec(text) ?? []
  if (group === '' || group === decimal) return null
  const isMark = group === '.' || group === ','
  if (isMark && decimal === undefined && text.split(group).length === 2 && (decimalMark ?? group) === group)
    return 'doubt'
  return minorOf(text.replaceAll(group, '').replace(',', '.').replace('+', ''))
}

type DayOrder = 'dmy' | 'mdy' | 'ymd'
const yearsBackMax = 2
const shortDay = /^(\d{2})([./-])(\d{2})\2(\d{2})$/

/**
 * Returns the only order in which every date with a two-digit year is a valid recent date that is not in the future;
 * null if several orders or none fit.
 */
function orderOfShortDays(texts: readonly string[], today: PlainDate): DayOrder | null {
  const short = texts.filter((text) => shortDay.test(text))
  // Dates with full stops begin with the day in all countries that use them.
  if (short.every((text) => text.includes('.'))) return 'dmy'
  const fitting = (['dmy', 'mdy', 'ymd'] as const).filter((order) =>
    short.every((text) => {
      const day = dayOf(isoFromShortDay(text, order))
      // No statement is years old: "05/06/26" is not the 26th of June 2005.
      return day !== null && compareDays(day, today) <= 0 && day.year >= today.year - yearsBackMax
    }),
  )
  return fitting.length === 1 ? (fitting[0] ?? null) : null
}

function isoFromShortDay(text: string, order: DayOrder): string {
  const [, first, , second, third] = shortDay.exec(text) ?? []
  const [year, month, day] =
    order === 'dmy' ? [third, second, first] : order === 'mdy' ? [third, first, second] : [first, second, third]
  return `20${year}-${month}-${day}`
}

/**
 * Converts "21.11.2026", "21/11/2026" and "21.11.26" to "2026-11-21". Returns `doubt` for a two-digit year whose
 * position is not clear, and any other text unchanged.
 */
function isoInStatement(text: string, order: DayOrder | null): string {
  const long = /^(\d{2})[./](\d{2})[./](\d{4})$/.exec(text)
  if (long) return `${long[3]}-${long[2]}-${long[1]}`
  if (!shortDay.test(text)) return text
  return order === null ? 'doubt' : isoFromShortDay(text, order)
}

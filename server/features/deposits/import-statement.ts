/**
 * A bank statement as CSV: all of it or nothing, each line once, whichever file it comes in (attack C15). Columns are
 * found by their names; a file without ids gets them from the line's own contents and its place among equal ones.
 */
import { createHash } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import type { importStatement as endpoint } from '#contract/office/deposits.ts'
import { statementLinesMax } from '#rules/constants.ts'
import { compareDays, dayIn, dayOf, type Day } from '#rules/dates.ts'
import { minorOf, type Currency } from '#rules/money.ts'
import { record } from '../../db/events.ts'
import { row, run, sql } from '../../db/sql.ts'
import { transaction, type Transaction } from '../../db/transaction.ts'
import { staffOf, type Call } from '../../http/call.ts'
import { Problem } from '../../http/problem.ts'
import type { Verb } from '../../http/serve.ts'
import { addLines, type AddedLines, type StatementLine } from '../../ledger/bank-lines.ts'
import type { Parts } from '../../parts.ts'
import { fitsOf, linesShown } from './bank-line-answers.ts'
import { bankLinesByIds, openWires } from './queries.ts'
import { firmAccount } from './type-line.ts'

type Asked = Call<typeof endpoint>

/** The names that banks give to what we need, folded to letters. */
const columnNames = {
  bookedOn: ['date', 'bookedon', 'bookingdate', 'valuedate', 'buchungstag'],
  amount: ['amount', 'betrag'],
  currency: ['currency', 'waehrung', 'whrung', 'währung'],
  payer: ['payer', 'name', 'debtor', 'counterparty', 'auftraggeber'],
  payerAccount: ['payeraccount', 'iban', 'account', 'counterpartyaccount', 'kontonummer'],
  remittance: ['remittance', 'reference', 'description', 'purpose', 'details', 'verwendungszweck'],
  bankId: ['id', 'bankid', 'transactionid', 'entryreference', 'accountservicerreference'],
} as const
type Column = keyof typeof columnNames
const needed: readonly Column[] = ['bookedOn', 'amount', 'payer', 'remittance']
/** The answer shows so many of them; all are in the list. */
const linesShownMax = 200
const bankIdMax = 64
const amountPattern = /^[+-]?\d{1,12}([.,]\d{1,2})?$/

export function importStatement(parts: Parts): Verb<typeof endpoint> {
  return async (call) => {
    const account = await firmAccount(parts, call.body.bankAccount)
    const { timeZone } = await parts.settings.get('firm')
    const lines = readStatement(call.body.csv, account.currency, dayIn(call.now, timeZone))
    const { added, differing } = await transaction(parts.pool, (tx) => write(tx, call, account, lines))
    const outgoing = added.filter((line) => line.amountMinor < 0n).length
    const shown = await bankLinesByIds(
      parts.pool,
      added.slice(0, linesShownMax).map((line) => line.id),
    )
    const fits = await fitsOf(parts.pool, shown, await openWires(parts.pool, account.currency))
    return {
      imported: added.length,
      known: lines.length - added.length - differing,
      differing,
      outgoing,
      suggested: new Set(fits.map((fit) => fit.line.id)).size,
      lines: await linesShown(call as Call, parts.pool, shown),
    }
  }
}

/** Every line of the file, or the refusal of its first bad one. */
export function readStatement(csv: string, currency: Currency, today: Day): StatementLine[] {
  const table = parsed(csv)
  const places = placesOf(table[0] ?? [])
  const equal = new Map<string, number>()
  const seen = new Map<string, string>()
  return table.slice(1).map((cells, index) => {
    const cell = (column: Column) => (places[column] === undefined ? '' : (cells[places[column]] ?? '').trim())
    const bad = (reason: string) =>
      new Problem('statement-invalid', { values: { line: index + 2, reason }, field: 'csv' })
    if (!amountPattern.test(cell('amount'))) throw bad('amount')
    const amountMinor = minorOf(cell('amount').replace(',', '.').replace('+', ''))
    if (amountMinor === null || amountMinor === 0n) throw bad('amount')
    if (places.currency !== undefined && cell('currency').toUpperCase() !== currency) throw bad('currency')
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

async function write(
  tx: Transaction,
  call: Asked,
  account: { name: string; currency: Currency },
  lines: readonly StatementLine[],
): Promise<AddedLines> {
  const { csv, filename } = call.body
  const statement = await row<{ id: string }>(
    tx,
    sql`insert into statement_imports (sha256, name, bank_account, lines, added, imported_by, imported_at)
        values (${createHash('sha256').update(account.name).update(csv).digest()}, ${filename}, ${account.name},
          ${lines.length}, 0, ${staffOf(call).staffId}, ${call.now})
        on conflict (sha256) do nothing returning id`,
  )
  if (!statement) return { added: [], differing: 0 }
  const { added, differing } = await addLines(tx, call.act, account, lines, statement.id)
  await run(tx, sql`update statement_imports set added = ${added.length} where id = ${statement.id}`)
  await record(tx, call.act, {
    kind: 'statement',
    verb: 'import',
    record: statement.id,
    details: { name: filename, account: account.name, lines: lines.length, added: added.length, differing },
  })
  return { added, differing }
}

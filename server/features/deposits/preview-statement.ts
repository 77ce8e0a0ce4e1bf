/** What a statement file would bring, before anything of it is taken. */
import type { AnswerOf } from '#contract/endpoint.ts'
import { statementColumns, type previewStatement as endpoint } from '#contract/office/statements.ts'
import { dayIn } from '#rules/dates.ts'
import { sentence, Problem } from '../../http/problem.ts'
import type { Call } from '../../http/request-context.ts'
import { rows, sql } from '../../db/sql.ts'
import type { Parts } from '../../dependencies.ts'
import { accountOfStatement, firmAccountNames } from './firm-account.ts'
import { readStatement, type Statement } from './read-statement.ts'
import { statementTable, type StatementTable } from './statement-table.ts'

const linesShownMax = 5
const headerShownMax = 100

/** Reads the file as the import would, and says what keeps it from being imported instead of refusing it. */
export async function previewStatement(parts: Parts, call: Call<typeof endpoint>): Promise<AnswerOf<typeof endpoint>> {
  const { csv, columns, bankAccount } = call.body
  const table = statementTable(csv, { language: call.language, chosen: columns, own: await firmAccountNames(parts) })
  const account = await accountOfStatement(parts, bankAccount, table.account)
  const read = account ? await readable(parts, call, table, account.currency) : null
  const known = account && read && 'lines' in read ? await knownIds(parts, account.name, read) : new Set<string>()
  const lines = read && 'lines' in read ? read.lines : []
  return {
    account,
    header: table.header.slice(0, headerShownMax).map((name) => name.slice(0, 80)),
    columns: Object.fromEntries(
      Object.keys(statementColumns.shape).map((name) => [name, table.places[name as 'amount'] ?? null]),
    ) as AnswerOf<typeof endpoint>['columns'],
    count: lines.length,
    known: known.size,
    lines: lines
      .slice(0, linesShownMax)
      .map(({ bankId, amountMinor, ...line }) => ({ ...line, amount: amountMinor, isKnown: known.has(bankId) })),
    opening: read && 'lines' in read ? read.opening : null,
    closing: read && 'lines' in read ? read.closing : null,
    problem: read && 'problem' in read ? read.problem : null,
  }
}

async function readable(
  parts: Parts,
  call: Call<typeof endpoint>,
  table: StatementTable,
  currency: 'EUR' | 'GBP' | 'USD',
): Promise<Statement | { problem: string }> {
  const { timeZone } = await parts.settings.get('firm')
  try {
    return readStatement(table, { currency, today: dayIn(call.now, timeZone), language: call.language })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { problem: sentence(error.code, call.language, error.facts.values) }
  }
}

async function knownIds(parts: Parts, account: string, { lines }: Statement): Promise<Set<string>> {
  const found = await rows<{ id: string }>(
    parts.pool,
    sql`select bank_id as id from bank_lines where bank_account = ${account} and state <> 'rejected'
          and bank_id = any (${lines.map(({ bankId }) => bankId)}::text[])`,
  )
  return new Set(found.map(({ id }) => id))
}

/** Previews the import of a statement file. Nothing is stored. */
import type { ResponseOf } from '#contract/endpoint.ts'
import { statementColumns, type previewStatement as endpoint } from '#contract/office/statements.ts'
import { dayIn } from '#rules/dates.ts'
import { problemText, Problem } from '../../http/problem.ts'
import type { RequestContext, Handler } from '../../http/handler.ts'
import { rows } from '../../db/sql.ts'
import type { Dependencies } from '../../dependencies.ts'
import { accountOfStatement, firmAccountNumbers } from './firm-account.ts'
import { readStatement, type Statement } from './read-statement.ts'
import { statementTable, type StatementTable } from './statement-table.ts'

const linesShownMax = 5
const headerShownMax = 100

/** Reads the file as the import does, but returns the problem that prevents an import instead of throwing it. */
export const previewStatement: Handler<typeof endpoint> = async (dependencies, context) => {
  const { csv, columns, bankAccount } = context.body
  const table = statementTable(csv, {
    language: context.language,
    chosen: columns,
    own: await firmAccountNumbers(dependencies),
  })
  const account = await accountOfStatement(dependencies, bankAccount, table.account)
  const read = account ? await readOrProblem(dependencies, context, table, account.currency) : null
  const known =
    account && read && 'lines' in read ? await knownIds(dependencies, account.name, read) : new Set<string>()
  const lines = read && 'lines' in read ? read.lines : []
  return {
    account,
    header: table.header.slice(0, headerShownMax).map((name) => name.slice(0, 80)),
    columns: Object.fromEntries(
      Object.keys(statementColumns.shape).map((name) => [name, table.places[name as 'amount'] ?? null]),
    ) as ResponseOf<typeof endpoint>['columns'],
    count: lines.length,
    known: known.size,
    lines: lines.slice(0, linesShownMax).map(({ amountMinor, ...line }) => ({ ...line, amount: amountMinor })),
    problem: read && 'problem' in read ? read.problem : null,
  }
}

async function readOrProblem(
  dependencies: Dependencies,
  context: RequestContext<typeof endpoint>,
  table: StatementTable,
  currency: 'EUR' | 'GBP' | 'USD',
): Promise<Statement | { problem: string }> {
  const { timeZone } = await dependencies.settings.get('firm')
  try {
    return readStatement(table, { currency, today: dayIn(context.now, timeZone), language: context.language })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { problem: problemText(error.code, context.language, error.facts.values) }
  }
}

async function knownIds(dependencies: Dependencies, account: string, { lines }: Statement): Promise<Set<string>> {
  const found = await rows<{ id: string }>(dependencies.pool)`
    select bank_id as id from bank_lines where bank_account = ${account} and state <> 'rejected'
      and bank_id = any (${lines.map(({ bankId }) => bankId)}::text[])`
  return new Set(found.map(({ id }) => id))
}

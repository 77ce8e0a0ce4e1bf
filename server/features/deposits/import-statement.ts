/** Imports a bank statement completely or not at all, and each transaction once across files (requirements 28.15). */
import { createHash } from 'node:crypto'
import type { importStatement as endpoint } from '#contract/office/bank-lines.ts'
import { statementGap } from '#rules/client-money.ts'
import { dayIn } from '#rules/dates.ts'
import { decimalOf, money, type Currency } from '#rules/money.ts'
import { recordEvent, type AuditContext } from '../../db/events.ts'
import { row, run, transaction, type Transaction } from '../../db/sql.ts'
import { requireStaff, type RequestContext, type Handler } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { addLines, type AddedLines } from '../../ledger/bank-lines.ts'
import { reconcileWithBank } from '../../ledger/bank-balance.ts'
import { amountText } from '../../i18n/format.ts'
import { countMatchable, bankLineResponses } from './bank-line-responses.ts'
import type { FirmAccount } from '../../settings/firm-bank-account.ts'
import { accountOfStatement, firmAccountNumbers } from './firm-account.ts'
import { openWires } from './match-queries.ts'
import { bankLinesByIds } from './queries.ts'
import { readStatement, type Statement } from './read-statement.ts'
import { statementTable } from './statement-table.ts'

type EndpointContext = RequestContext<typeof endpoint>

/** Maximum transactions in the response; all are in the list. */
const linesShownMax = 200

/** Marks payouts of the lost period as paid if the statement shows them; does nothing without a recovery. */
export type AdoptPayouts = (tx: Transaction, auditContext: AuditContext) => Promise<number>

export function importStatement(adoptPayouts: AdoptPayouts): Handler<typeof endpoint> {
  return async (dependencies, context) => {
    const { csv, columns, bankAccount } = context.body
    const { language } = context
    const table = statementTable(csv, { language, chosen: columns, own: await firmAccountNumbers(dependencies) })
    const account = await accountOfStatement(dependencies, bankAccount, table.account)
    if (!account) throw new Problem('required', { field: 'bankAccount' })
    const { timeZone } = await dependencies.settings.get('firm')
    const read = readStatement(table, { currency: account.currency, today: dayIn(context.now, timeZone), language })
    const statement = withStatedBalances(context, read, account.currency)
    const { lines } = statement
    const { added, differing } = await transaction(dependencies.pool, async (tx) => {
      const written = await insertStatement(tx, context, { ...account, timeZone }, statement)
      await adoptPayouts(tx, context.auditContext)
      return written
    })
    const outgoing = added.filter((line) => line.amountMinor < 0n).length
    const taken = await bankLinesByIds(
      dependencies.pool,
      added.map((line) => line.id),
    )
    return {
      imported: added.length,
      known: lines.length - added.length - differing,
      differing,
      outgoing,
      suggested: await countMatchable(dependencies.pool, taken, await openWires(dependencies.pool, account.currency)),
      lines: await bankLineResponses(context as RequestContext, dependencies.pool, taken.slice(0, linesShownMax)),
    }
  }
}

interface StatedStatement extends Statement {
  /** The importer entered a balance that the file does not state. */
  readonly isEntered: boolean
}

/**
 * Returns the statement with the balances of the file or those that the clerk entered. If both exist they must be
 * equal, and the opening balance plus the transactions must equal the closing balance.
 */
function withStatedBalances(context: EndpointContext, read: Statement, currency: Currency): StatedStatement {
  const { opening: typedOpening = null, closing: typedClosing = null } = context.body
  for (const [field, typed] of [
    ['opening', typedOpening],
    ['closing', typedClosing],
  ] as const)
    if (typed !== null && (read[field] ?? typed) !== typed) throw new Problem('statement-other-balance', { field })
  const opening = read.opening ?? typedOpening
  const closing = read.closing ?? typedClosing
  if (opening !== null && closing === null) throw new Problem('required', { field: 'closing' })
  if (opening !== null && closing !== null) {
    const once = new Map(read.lines.map((line) => [line.bankId, line.amountMinor]))
    const lines = [...once.values()].reduce((sum, minor) => sum + minor, 0n)
    const gap = statementGap({ opening, lines, closing })
    const figure = (minor: bigint) => amountText(money(minor, currency), context.language)
    if (gap !== 0n)
      throw new Problem('statement-balance', {
        values: { opening: figure(opening), lines: figure(lines), closing: figure(closing), gap: figure(gap) },
        field: 'csv',
      })
  }
  return { lines: read.lines, opening, closing, isEntered: opening !== read.opening || closing !== read.closing }
}

async function insertStatement(
  tx: Transaction,
  context: EndpointContext,
  account: FirmAccount & { timeZone: string },
  { lines, opening, closing, isEntered }: StatedStatement,
): Promise<AddedLines> {
  const { csv, filename } = context.body
  const sha256 = createHash('sha256').update(account.name).update(csv)
  // The same file is imported again if it now has balances that were missing before.
  if (closing !== null) sha256.update(`\n${opening ?? ''} ${closing}`)
  const statement = await row<{ id: string }>(tx)`
    insert into statement_imports (sha256, name, bank_account, currency, lines, added, opening_minor, closing_minor,
        closing_on, balances_entered, imported_by, imported_at)
      values (${sha256.digest()}, ${filename}, ${account.name}, ${account.currency}, ${lines.length}, 0, ${opening},
        ${closing}, ${
          lines
            .map(({ bookedOn }) => bookedOn)
            .toSorted()
            .at(-1) ?? null
        }::date,
        ${isEntered}, ${requireStaff(context).staffId}, ${context.now})
      on conflict (sha256) do nothing returning id`
  if (!statement) return { added: [], differing: 0 }
  const { added, differing } = await addLines(tx, context.auditContext, account, lines, statement.id)
  await run(tx)`update statement_imports set added = ${added.length} where id = ${statement.id}`
  await recordEvent(tx, context.auditContext, {
    kind: 'statement',
    action: 'import',
    record: statement.id,
    details: {
      name: filename,
      ...(closing === null ? {} : { closing: decimalOf(closing) }),
      account: account.name,
      lines: lines.length,
      added: added.length,
      differing,
    },
  })
  if (closing !== null) await reconcileWithBank(tx, context.auditContext, statement.id, account.timeZone)
  return { added, differing }
}

/**
 * Creates the monthly statements that are due, each edition once (ADR 241). A month becomes due some days after its end
 * (`statementDueDays`), when trading-history/record-days.ts stores its last balances.
 */
import { createHash } from 'node:crypto'
import { portalPaths } from '#contract/portal-paths.ts'
import { accountMachine } from '#rules/accounts.ts'
import { clientLanguage } from '#rules/client-language.ts'
import type { ClientId } from '#rules/ids.ts'
import { recordEvent, type AuditContext } from '../../db/events.ts'
import { row, run, transaction, type Transaction } from '../../db/sql.ts'
import type { Dependencies } from '../../dependencies.ts'
import { forEachRow } from '../../jobs/each-row.ts'
import type { ScheduledTask } from '../../jobs/workers.ts'
import { notifyClient } from '../../mail/send-mail.ts'
import { renderPdf } from '../../pdf/render-pdf.ts'
import { requesterById } from '../clients/queries.ts'
import { monthFacts, type MonthProblem, type StatementFacts } from './month-facts.ts'
import { dueMonths, type DueMonth } from './queries.ts'
import type { render } from './render-month.ts'

const renderer = new URL('./render-month.ts', import.meta.url)
const everyMs = 60_000
const atOnce = 50
/** Statements that are being checked are checked again after this time. */
const againMs = 60 * 60_000

/** Stores a PDF; the result stores its record in the caller's transaction. */
type StoreDocument = (
  dependencies: Dependencies,
  document: {
    readonly clientId: ClientId
    readonly filename: string
    readonly bytes: Buffer
    readonly auditContext: AuditContext
  },
) => Promise<(tx: Transaction) => Promise<{ id: string }>>

export function statementTasks(dependencies: Dependencies, store: StoreDocument): ScheduledTask[] {
  return [{ name: 'draw-statements', everyMs, run: (now) => drawStatements(dependencies, store, now) }]
}

const renderMonth = (facts: Parameters<typeof render>[0]): Promise<Buffer> => renderPdf<typeof render>(renderer, facts)

/** Creates due statements. If two servers process the same month, the second finds it created. */
export async function drawStatements(
  dependencies: Dependencies,
  store: StoreDocument,
  now: Date,
  draw = renderMonth,
): Promise<void> {
  const due = await dueMonths(dependencies.jobs, now, atOnce)
  const named = due.map((one) => ({ ...one, id: one.accountId }))
  await forEachRow({ job: 'draw-statements', rows: named, log: dependencies.log }, (one) =>
    drawStatement(dependencies, { store, draw }, one, now),
  )
}

async function drawStatement(
  dependencies: Dependencies,
  { store, draw }: { readonly store: StoreDocument; readonly draw: typeof renderMonth },
  due: DueMonth,
  now: Date,
): Promise<void> {
  const { jobs } = dependencies
  const facts = await readMonthFacts(dependencies, due)
  if (typeof facts === 'string') return postponeMonth(dependencies, due, facts, now)
  const fingerprint = createHash('sha256')
    // Without the details that accompany the amounts: a change of them does not make a new edition.
    .update(JSON.stringify({ ...facts, positionsMs: null, clockBefore: undefined }))
    .digest('base64')
  if (fingerprint === due.fingerprint)
    return transaction(jobs, async (tx) => void (await completeMonth(tx, due, due.edition)))
  const client = await requesterById(jobs, due.clientId)
  const { legalName: firm, timeZone, languages } = await dependencies.settings.get('firm')
  const language = clientLanguage(languages, client.language)
  const edition = due.edition + 1
  const name = `${client.name} ${client.surname}`
  const { platform, login: number, accountType, currency, month } = due
  const head = { firm, client: name, platform, number, accountType, currency, language, createdAt: now, timeZone }
  const bytes = await draw({ head, month, edition, facts }).catch(async (error: unknown) => {
    await postponeMonth(dependencies, due, 'not-drawn', now)
    throw error
  })
  if (bytes.length === 0) return postponeMonth(dependencies, due, 'fonts-missing', now)
  const auditContext = { identity: { kind: 'clock' }, now } as const
  const filename = `statement-${number}-${month.slice(0, 7)}-${edition}.pdf`
  const keep = await store(dependencies, { clientId: due.clientId, filename, bytes, auditContext })
  await transaction(jobs, async (tx) => {
    if (!(await completeMonth(tx, due, edition))) return
    const file = await keep(tx)
    await run(tx)`
      insert into account_statements (account_id, month, edition, drawn_at, facts, fingerprint, file)
        values (${due.accountId}, ${month}, ${edition}, ${now}, ${JSON.stringify(facts)}::text::jsonb, ${fingerprint},
          ${file.id})`
    await recordEvent(tx, auditContext, {
      kind: accountMachine.name,
      action: 'drawStatement',
      record: due.accountId,
      clientId: due.clientId,
      details: { month: month.slice(0, 7), edition },
    })
    await notifyDrawn(tx, due, { client, edition, now })
  })
}

/** Returns all facts from one database snapshot; later deals are for the next check. */
function readMonthFacts(dependencies: Dependencies, { accountId, month }: DueMonth) {
  return transaction(dependencies.jobs, async (tx): Promise<StatementFacts | MonthProblem> => {
    await run(tx)`set transaction isolation level repeatable read, read only`
    return monthFacts(tx, accountId, month)
  })
}

/**
 * Returns false if another server created the edition, or a deal arrived in the meantime; the month is then checked
 * again.
 */
async function completeMonth(tx: Transaction, due: DueMonth, edition: number): Promise<boolean> {
  const settled = await run(tx)`
    update month_ends set edition = ${edition}, look_at = null, problem = null, tries = 0
      where account_id = ${due.accountId} and month = ${due.month} and edition = ${due.edition} and look_at = ${due.lookAt}`
  return settled === 1
}

async function postponeMonth(
  { jobs, log }: Dependencies,
  due: DueMonth,
  problem: MonthProblem | 'fonts-missing' | 'not-drawn',
  now: Date,
): Promise<void> {
  await run(jobs)`
    update month_ends set problem = ${problem}, tries = tries + 1, look_at = ${new Date(now.getTime() + againMs)}
      where account_id = ${due.accountId} and month = ${due.month} and look_at = ${due.lookAt}`
  log.warn({ account: due.accountId, month: due.month, problem }, 'statement not created')
}

type DrawnStatement = {
  readonly client: Awaited<ReturnType<typeof requesterById>>
  readonly edition: number
  readonly now: Date
}

/** Notifies the client of a new statement, unless the client may not log in and could not open the link. */
async function notifyDrawn(tx: Transaction, due: DueMonth, { client, edition, now }: DrawnStatement): Promise<void> {
  const approved = await row<{ id: string }>(tx)`
    select id from clients where id = ${due.clientId} and state = 'approved' for key share`
  if (approved === null) return
  const { platform, login, accountId, month } = due
  await notifyClient(tx, now, {
    kind: edition === 1 ? 'statement-ready' : 'statement-corrected',
    client,
    facts: { platform, number: login, month: month.slice(0, 7) },
    link: portalPaths.tradingAccount(platform, login),
    subject: accountMachine.name,
    record: accountId,
  })
}

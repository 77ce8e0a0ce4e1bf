/** The audit log: searched, exported, and verified (requirements 21.5). */
import type {
  auditCsv,
  searchAudit as searchEndpoint,
  verifyAudit as verifyEndpoint,
} from '#contract/office/records.ts'
import type { Language } from '#rules/choices.ts'
import type { ClientId } from '#rules/ids.ts'
import { isOfOperator, recordEvent } from '../../db/events.ts'
import { chainTip, verifyChain } from '../../db/audit-chain.ts'
import { transaction } from '../../db/sql.ts'
import { BinaryResponse, requireStaff, type RequestContext, type Handler } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { enforceLimit, perMinute } from '../../http/rate-limits.ts'
import { eventFor } from '../../office/masking.ts'
import { csvFilesOf, csvOf, filterForEvent } from '../../export/csv.ts'
import { pageOf } from '../../office/listing.ts'
import { clientBriefs } from '../../office/records.ts'
import { officeEvent } from '../../office/timeline.ts'
import type { Dependencies } from '../../dependencies.ts'
import { reasonText, safeCell, localizeReasons } from '../../i18n/format.ts'
import { auditListing, eventColumns, findUnchainedEvent, type AuditRow } from './queries.ts'

const csvRowsMax = 50_000
const verifiesPerMinute = 6

export const searchAudit: Handler<typeof searchEndpoint> = async (dependencies, context) => {
  const { roles } = requireStaff(context)
  const { rows, next } = await pageOf(dependencies, auditListing(roles), eventColumns, context.query)
  const owners = rows.map((one) => one.client_id)
  const [clientOf, tip] = await Promise.all([clientBriefs(dependencies, owners), chainTip(dependencies.pool)])
  return {
    rows: rows.map((one) => ({
      ...officeEvent(withStaffAccount(eventFor(one, roles)), context.language),
      number: one.number === null ? null : Number(one.number),
      record: one.record,
      client: clientOf(one.client_id),
    })),
    sealed: Number(tip?.number ?? 0n),
    next,
  }
}

/** Adds whose staff account an event concerns: a failed sign-in has no known actor. */
function withStaffAccount(event: AuditRow): AuditRow {
  const { staff_account: staffAccount, details } = event
  return staffAccount === null ? event : { ...event, details: { staffAccount, ...details } }
}

const csvColumns = [
  'number',
  'time',
  'kind',
  'verb',
  'from',
  'to',
  'actor',
  'actor_id',
  'actor_name',
  'record',
  'client',
  'address',
  'reference',
  'reason',
  'details',
]

/**
 * Exports the filtered log. Throws `export-too-long` rather than omit entries silently. The export is itself logged.
 */
export const auditFile: Handler<typeof auditCsv> = async (dependencies, context) => {
  const { query } = context
  const events = { list: auditListing(requireStaff(context).roles), columns: eventColumns, query, most: csvRowsMax + 1 }
  const { rows, bytes } = await csvOf(dependencies, events, csvColumns, csvCellsFor(context))
  if (rows > csvRowsMax) throw new Problem('export-too-long', { values: { most: csvRowsMax } })
  // A reference in the log identifies the exported events. One that matches nothing may be any text and is not stored.
  const filter = rows === 0 && query.reference ? { ...query, reference: true } : query
  await transaction(dependencies.pool, (tx) =>
    recordEvent(tx, context.auditContext, {
      kind: 'audit',
      action: 'export',
      details: { rows, filter: filterForEvent(filter) },
    }),
  )
  return new BinaryResponse(bytes, `audit-${context.now.toISOString().slice(0, 16).replace(/[:T]/g, '-')}.csv`)
}

/** Yields all events of a client as CSV files, newest first, in as many files as needed. */
export function eventFilesOf(
  dependencies: Dependencies,
  context: Pick<RequestContext, 'caller' | 'language'>,
  clientId: ClientId,
): AsyncGenerator<Buffer> {
  const events = {
    list: auditListing(requireStaff(context).roles),
    columns: eventColumns,
    query: { client: clientId },
    most: csvRowsMax,
  }
  return csvFilesOf(dependencies, events, csvColumns, csvCellsFor(context))
}

/** Returns the cells of an event for the caller: roles may read different numbers. */
function csvCellsFor(context: Pick<RequestContext, 'caller' | 'language'>): (one: AuditRow) => string[] {
  const { roles } = requireStaff(context)
  return (one) => csvCells(eventFor(one, roles), context.language)
}

/** Returns the cells of an event, guarded against formulas (requirements 30.3). */
function csvCells(one: AuditRow, language: Language): string[] {
  const typed = [
    one.kind,
    one.verb,
    one.from_state,
    one.to_state,
    isOfOperator(one) ? 'operator' : one.actor,
    one.actor_id,
    one.actor_name,
    one.record,
    one.client_id,
    one.address,
    one.reference,
    reasonText(one.reason, language),
    one.details === null ? null : JSON.stringify(localizeReasons(one.details, language)),
  ]
  return [String(one.number ?? ''), one.at.toISOString(), ...typed.map((cell) => safeCell(cell ?? ''))]
}

/** Verifies the whole chain and returns the first entry that differs from what was chained. */
export const verifyAudit: Handler<typeof verifyEndpoint> = async (dependencies, context) => {
  await enforceLimit(dependencies.pool, perMinute('verify-audit', 'office'), verifiesPerMinute, context.now)
  const verified = await verifyChain(dependencies.jobs)
  const added = verified.whole ? await findUnchainedEvent(dependencies.jobs) : null
  const tip = await chainTip(dependencies.pool)
  const whole = verified.whole && added === null
  await transaction(dependencies.pool, (tx) =>
    recordEvent(tx, context.auditContext, { kind: 'audit', action: 'verify', details: { whole } }),
  )
  const lastNumber = Number(tip?.number ?? 0n)
  const first = !verified.whole
    ? {
        number: Number(verified.number),
        eventId: String(verified.eventId),
        what: verified.wrong === 'missing' ? ('missing' as const) : ('altered' as const),
      }
    : added === null
      ? null
      : { number: lastNumber, eventId: String(added), what: 'added' as const }
  return {
    whole,
    checked: verified.whole ? Number(verified.sealed) : Number(verified.number),
    lastNumber,
    lastHash: tip?.hash.toString('hex') ?? null,
    at: context.now,
    first,
    epochs: verified.whole
      ? verified.epochs.map(({ epoch, afterNumber, afterHash, beganAt }) => ({
          epoch,
          afterNumber: Number(afterNumber),
          afterHash: afterHash.toString('hex'),
          at: beganAt,
        }))
      : [],
  }
}

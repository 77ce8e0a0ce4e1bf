/** The audit log: searched, exported, and verified (mechanics section 4). */
import type { AnswerOf, QueryOf } from '#contract/endpoint.ts'
import type {
  auditCsv,
  searchAudit as searchEndpoint,
  verifyAudit as verifyEndpoint,
} from '#contract/office/records.ts'
import { record } from '../../db/events.ts'
import { verifyEvents } from '../../db/audit-chain.ts'
import { transaction } from '../../db/transaction.ts'
import { Bytes } from '../../http/binary-response.ts'
import { staffOf, type Call } from '../../http/request-context.ts'
import { Problem, type Language } from '../../http/problem.ts'
import { limit } from '../../http/rate-limits.ts'
import { eventFor } from '../../office/masking.ts'
import { csvFilesOf, csvOf } from '../../export/csv.ts'
import { pageOf } from '../../office/listing.ts'
import { clientBriefs, officeEvent } from '../../office/records.ts'
import type { Parts } from '../../dependencies.ts'
import { reasonText, safeCell, withReasonsRead } from '../../i18n/format.ts'
import { auditListing, chainTip, eventColumns, slippedIn, type AuditRow } from './queries.ts'

const csvRowsMax = 50_000
const verifiesPerMinute = 6

export async function searchAudit(
  parts: Parts,
  call: Call<typeof searchEndpoint>,
): Promise<AnswerOf<typeof searchEndpoint>> {
  const { rows, next } = await pageOf<AuditRow, QueryOf<typeof searchEndpoint>>(
    parts,
    auditListing,
    eventColumns,
    call.query,
  )
  const clients = await clientBriefs(parts, parts.pool, [...new Set(rows.flatMap((one) => one.client_id ?? []))])
  const tip = await chainTip(parts.pool)
  const { roles } = staffOf(call)
  return {
    rows: rows.map((one) => ({
      ...officeEvent(eventFor(one, roles), call.language),
      number: one.number === null ? null : Number(one.number),
      record: one.record,
      client: one.client_id === null ? null : (clients.get(one.client_id) ?? null),
    })),
    sealed: Number(tip?.number ?? 0n),
    next,
  }
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

/** The log under its filters. Throws `export-too-long` rather than leave entries out unsaid. The export is an event too. */
export async function auditFile(parts: Parts, call: Call<typeof auditCsv>): Promise<Bytes> {
  const { query } = call
  const events = { list: auditListing, columns: eventColumns, query, most: csvRowsMax + 1 }
  const { rows, bytes } = await csvOf(parts, events, csvColumns, cellsFor(call))
  if (rows > csvRowsMax) throw new Problem('export-too-long', { values: { most: csvRowsMax } })
  await transaction(parts.pool, (tx) =>
    record(tx, call.act, { kind: 'audit', verb: 'export', details: { rows, filter: query } }),
  )
  return new Bytes(bytes, `audit-${call.now.toISOString().slice(0, 16).replace(/[:T]/g, '-')}.csv`)
}

/** All events of a client as CSV, the newest first, in as many files as it takes. */
export function eventFilesOf(
  parts: Parts,
  call: Pick<Call, 'caller' | 'language'>,
  clientId: string,
): AsyncGenerator<Buffer> {
  const events = { list: auditListing, columns: eventColumns, query: { client: clientId }, most: csvRowsMax }
  return csvFilesOf(parts, events, csvColumns, cellsFor(call))
}

/** The cells of an event for whoever asks: each role reads other numbers. */
function cellsFor(call: Pick<Call, 'caller' | 'language'>): (one: AuditRow) => string[] {
  const { roles } = staffOf(call)
  return (one) => lineOf(eventFor(one, roles), call.language)
}

/** The cells of an event, guarded against formulas (attack E3). */
function lineOf(one: AuditRow, language: Language): string[] {
  const typed = [
    one.kind,
    one.verb,
    one.from_state,
    one.to_state,
    one.actor,
    one.actor_id,
    one.actor_name,
    one.record,
    one.client_id,
    one.address,
    one.reference,
    reasonText(one.reason, language),
    one.details === null ? null : JSON.stringify(withReasonsRead(one.details, language)),
  ]
  return [String(one.number ?? ''), one.at.toISOString(), ...typed.map((cell) => safeCell(cell ?? ''))]
}

/** Walks the whole chain; says the first entry that is not as it was sealed. */
export async function verifyAudit(
  parts: Parts,
  call: Call<typeof verifyEndpoint>,
): Promise<AnswerOf<typeof verifyEndpoint>> {
  await limit(parts.pool, { name: 'verify-audit', who: 'office', windowSeconds: 60 }, verifiesPerMinute, call.now)
  const verified = await verifyEvents(parts.jobs)
  const added = verified.whole ? await slippedIn(parts.jobs) : null
  const tip = await chainTip(parts.pool)
  const whole = verified.whole && added === null
  await transaction(parts.pool, (tx) => record(tx, call.act, { kind: 'audit', verb: 'verify', details: { whole } }))
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
    at: call.now,
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

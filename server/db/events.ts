/** The event log: who did what to which record, when, from where and why (requirements 18.19). */
import { createHash, randomBytes } from 'node:crypto'
import type { ActorIdentity } from '#rules/actors.ts'
import type { ClientId } from '#rules/ids.ts'
import { rememberWrittenEvent } from './recent-events.ts'
import { sql, type Sql, type Transaction, requireRow } from './sql.ts'

/** Who acts, from where, when, and under which reference. Every handler and job receives one. */
export interface AuditContext {
  readonly identity: ActorIdentity
  readonly now: Date
  readonly address?: string
  /** The request's reference, which the person sees and the logs contain. */
  readonly reference?: string
}

interface Event {
  readonly kind: string
  readonly action: string
  readonly record?: string
  readonly clientId?: ClientId | null | undefined
  readonly from?: string
  readonly to?: string
  readonly reason?: string
  /** Personal values, before and after: stored separately, so that erasure can empty them. */
  readonly details?: Readonly<Record<string, unknown>>
}

/**
 * The reference of what the operator's commands do. The sealed log has no actor of its own for the operator: it stores
 * an external one, or the clock.
 */
export const operatorReference = 'operator'

/** Returns whether the operator caused an event at the server's command line. */
export function isOfOperator({
  actor,
  reference,
}: {
  readonly actor: string | null
  readonly reference: string | null
}) {
  return reference === operatorReference && (actor === 'outside' || actor === 'clock')
}

/** Writes one event in the caller's transaction and returns its id. */
export async function recordEvent(tx: Transaction, auditContext: AuditContext, event: Event): Promise<bigint> {
  const written = await requireRow<{ id: bigint }>(
    tx,
  )`with ${recordEventSql(auditContext, event)} select id from written`
  rememberWrittenEvent(tx, { id: written.id, at: auditContext.now, verb: event.action })
  return written.id
}

/** Writes an event about a client in the same way. */
export function recordClientEvent(
  tx: Transaction,
  auditContext: AuditContext,
  clientId: ClientId,
  event: Omit<Event, 'kind' | 'record' | 'clientId'>,
): Promise<bigint> {
  return recordEvent(tx, auditContext, { kind: 'client', record: clientId, clientId, ...event })
}

/**
 * Returns the insert of an event as part of a larger statement: `written`, a table of its "with". It writes an event
 * for each row of `from`, or one if `from` is omitted.
 */
export function recordEventSql(auditContext: AuditContext, event: Event, from: Sql = sql``): Sql {
  const salt = randomBytes(16)
  const details = event.details ? JSON.stringify(event.details, plain) : null
  const digest = details === null ? null : createHash('sha256').update(salt).update(details).digest()
  const written = sql`written as (
    insert into events (at, kind, record, client_id, verb, from_state, to_state, actor, actor_id, address, reference, reason,
      details_digest)
    select ${auditContext.now}, ${event.kind}, ${event.record ?? null}, ${event.clientId ?? null}, ${event.action},
      ${event.from ?? null}, ${event.to ?? null}, ${actorOf(auditContext.identity)}, ${'id' in auditContext.identity ? auditContext.identity.id : null},
      ${auditContext.address ?? null}, ${auditContext.reference ?? null}, ${event.reason ?? null}, ${digest}
    ${from} returning id)`
  if (details === null) return written
  return sql`${written}, detailed as (
    insert into event_details (event_id, salt, details) select id, ${salt}, ${details}::text::json from written)`
}

/** Returns the actor as the sealed log stores it: its word for an external one is older than ours (ADR 171). */
function actorOf({ kind }: ActorIdentity): string {
  return kind === 'external' ? 'outside' : kind
}

function plain(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}

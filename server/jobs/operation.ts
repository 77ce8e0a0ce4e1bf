/** Operations, the kinds of operations, and the lease under which a server processes one. */
import type { ClientId } from '#rules/ids.ts'
import type { AuditContext } from '../db/events.ts'
import { sql, type Transaction } from '../db/sql.ts'
import { openWorkItem, type WorkItem } from '../db/work-items.ts'

export type OperationState = 'waiting' | 'sending' | 'done' | 'refused' | 'unknown'

export interface Operation<Payload = unknown> {
  readonly id: string
  readonly kind: string
  readonly ref: string
  readonly target: string
  readonly payload: Payload
  readonly state: OperationState
  readonly tries: number
  readonly asked: number
  readonly askedFirstAt: Date | null
  readonly subject: string | null
  readonly record: string | null
  readonly clientId: ClientId | null
  /** The visible reference of its request, from which `ref` is derived; null for operations that move no balance. */
  readonly shown: string | null
  /** How many times the same leg was rejected and sent again before. */
  readonly generation: number
  readonly createdAt: Date
  /** When it was last sent; null if never. */
  readonly sentAt: Date | null
}

/** The columns of an `Operation`. */
export const operationColumns = sql`o.id, o.kind, o.ref, o.target, o.payload, o.state, o.tries, o.asked,
  o.asked_first_at as "askedFirstAt", o.subject, o.record, o.client_id as "clientId", o.shown, o.generation,
  o.created_at as "createdAt", o.sent_at as "sentAt"`

/** Returns the record of an operation. */
export async function recordOf<Id extends string, Found>(
  { id, subject, record }: Pick<Operation, 'id' | 'subject' | 'record'>,
  find: (record: Id) => Promise<Found | null>,
): Promise<Found> {
  const found = record === null ? null : await find(record as Id)
  if (!found) throw new Error(`operation ${id} has no ${subject}`)
  return found
}

/** Opens the item of an operation that requires a person; `more` are further facts of its second line. */
export function openOperationItem(
  tx: Transaction,
  {
    id,
    kind,
    subject,
    ref,
    tries,
    clientId,
  }: Pick<Operation, 'id' | 'kind' | 'subject' | 'ref' | 'tries' | 'clientId'>,
  state: string,
  now: Date,
  more: WorkItem['summary'] = { tries },
): Promise<void> {
  const item = { state, dueAt: now, clientId, summary: { kind, subject, ref, ...more } }
  return openWorkItem(tx, 'operation', id, now, item)
}

/** The longest delay between two attempts of an operation that is kept in an outage. */
export const outageDelayMsMax = 3_600_000

export type Outcome =
  | { readonly done: unknown }
  | { readonly refused: { reason: string; code: string; message: string } }

/** A kind of operation: how to send it, how to query it, and its effects. */
export interface OperationKind<Payload = unknown> {
  readonly kind: string
  /**
   * Sends it. Throws Rejected, Unavailable (not sent), or any other error, which means unknown. A call that must not be
   * sent twice leaves by `sendBy` (by `performance.now()`, ms) or not at all: the lease is valid until its response.
   */
  send(operation: Operation<Payload>, sendBy: number): Promise<unknown>
  /**
   * Returns why it may not be sent yet, in the transaction of its first send; it is then checked again after a while.
   */
  held?(tx: Transaction, operation: Operation<Payload>, now: Date): Promise<string | null>
  /** Queries the integration whether an unknown one was applied; null if it does not exist there. */
  find?(operation: Operation<Payload>): Promise<unknown>
  /** True if sending twice is harmless, as for mail or a status that is set. */
  readonly repeatable: boolean
  /** True if it moves no money: while recovery is open, those written since are sent. */
  readonly runsInRecovery?: true
  /**
   * The number of attempts without a send after which it is left to staff; without a limit if absent. `retryLater` of
   * drive-claimed.ts has the time between them.
   */
  readonly triesMax?: number
  /** How long it is leased to the server that sends it, ms: longer than a send can take; 45 s if absent. */
  readonly leaseMs?: number
  /**
   * True if it is kept when its integration is unavailable: attempts are up to an hour apart, and the next one that is
   * accepted releases all (mail-outage.ts).
   */
  readonly keptInOutage?: true
  /** Applies the outcome in the transaction that settles the operation. */
  settled(tx: Transaction, operation: Operation<Payload>, outcome: Outcome, auditContext: AuditContext): Promise<void>
}

/** An operation under this server's lease. */
export interface Claimed {
  readonly operation: Operation
  readonly lease: string
  /** It may have been sent before: query it, do not send it. */
  readonly ask: boolean
  readonly leasedAt: Date
  /** Until when it may be sent, by `performance.now()`, ms. */
  readonly sendBy: number
  /** It was never sent, as far as is known, after a failover that lost nothing. */
  readonly sendsWhenAbsent: boolean
}

export interface Driver {
  /** Processes one operation as far as possible now. */
  drive(id: string): Promise<void>
  /**
   * Processes every due operation, each integration's separately, and returns how many. An integration that does not
   * respond ends only its own run, and one whose run from an earlier sweep is still in progress is left out. Once
   * `isStopping` returns true, no further operation is begun.
   */
  sweep(isStopping?: () => boolean): Promise<number>
}

/** Operations, the kinds of operation, and the lease under which a server drives one. */
import type { ClientId } from '#rules/ids.ts'
import type { AuditContext } from '../db/events.ts'
import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { openWorkItem } from '../db/work-items.ts'

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
  /** The shown reference of its request, of which `ref` is derived; null for operations that move no balance. */
  readonly shown: string | null
  /** How many times the same leg was refused and sent again before. */
  readonly generation: number
  readonly createdAt: Date
  /** When it was last sent; null before. */
  readonly sentAt: Date | null
}

/** What an `Operation` is read from. */
export const operationColumns = sql`o.id, o.kind, o.ref, o.target, o.payload, o.state, o.tries, o.asked,
  o.asked_first_at as "askedFirstAt", o.subject, o.record, o.client_id as "clientId", o.shown, o.generation,
  o.created_at as "createdAt", o.sent_at as "sentAt"`

/** Returns the record that an operation is about. */
export async function recordOf<Id extends string, Found>(
  { id, subject, record }: Pick<Operation, 'id' | 'subject' | 'record'>,
  find: (record: Id) => Promise<Found | null>,
): Promise<Found> {
  const found = record === null ? null : await find(record as Id)
  if (!found) throw new Error(`operation ${id} names no ${subject}`)
  return found
}

/** Opens the item of an operation that waits for a person. */
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
): Promise<void> {
  const item = { state, dueAt: now, ...(clientId === null ? {} : { clientId }), summary: { kind, subject, ref, tries } }
  return openWorkItem(tx, 'operation', id, item, now)
}

export type Outcome =
  | { readonly done: unknown }
  | { readonly refused: { reason: string; code: string; message: string } }

/** What a kind of operation knows: how to send, how to ask, and what follows. */
export interface OperationKind<Payload = unknown> {
  readonly kind: string
  /** Sends it. Throws Rejected, Unavailable (not sent), or anything else, which means unknown. */
  send(operation: Operation<Payload>): Promise<unknown>
  /**
   * Returns why it may not be sent yet, asked in the transaction of its first send; it is then asked again after a
   * while.
   */
  held?(tx: Transaction, operation: Operation<Payload>, now: Date): Promise<string | null>
  /** Asks the integration whether an unknown one was applied; null means it is not there. */
  find?(operation: Operation<Payload>): Promise<unknown>
  /** True where sending twice does no harm: mail, a state that is set and not added to. */
  readonly repeatable: boolean
  /** True where it moves no money: while recovery is open, what was written since goes on. */
  readonly goesOnInRecovery?: true
  /** After how many tries that were not sent it is parked for staff; for ever where it matters. */
  readonly triesMax?: number
  /** Applies the outcome in the transaction that settles the operation. */
  settled(tx: Transaction, operation: Operation<Payload>, outcome: Outcome, auditContext: AuditContext): Promise<void>
}

/** An operation under this server's lease. */
export interface Claimed {
  readonly operation: Operation
  readonly lease: string
  /** It may have been sent before: ask, do not send. */
  readonly ask: boolean
  readonly leasedAt: Date
  /** It was never sent, as far as is known: after a failover that lost nothing. */
  readonly sendsWhenAbsent: boolean
}

export interface Driver {
  /** Drives one operation as far as it goes now. */
  drive(id: string): Promise<void>
  /**
   * Drives every operation whose time has come, each integration's apart from the others', and answers how many. An integration
   * that does not answer ends its own turn, and one whose turn is still running from an earlier sweep is left out.
   */
  sweep(): Promise<number>
}

/** SQL of transfers. */
import type { OperationState } from '#contract/office/decisions.ts'
import { listOfficeTransfers } from '#contract/office/transfers.ts'
import type { Currency } from '#rules/money.ts'
import type { TransferState } from '#rules/transfers.ts'
import type { Language } from '#rules/choices.ts'
import type { AccountId, ClientId, TransferId } from '#rules/ids.ts'
import { literal, row, rows, sql, type Connection } from '../../db/sql.ts'
import type { SignedInClientId } from '../../http/sessions.ts'
import { uuidOrNull } from '../../db/ids.ts'
import { errorOfAttempt, recordsNamed } from '../../office/lists.ts'
import { queue, byTimeOrAmount, amountBetween, whereEquals } from '../../office/listing.ts'
import { takenBack } from '../../jobs/cancel-unsent.ts'
import type { Platform } from '../../dependencies.ts'

/** A transfer with both accounts and its owner. */
export interface Transfer {
  readonly id: TransferId
  readonly clientId: ClientId
  readonly clientEmail: string
  readonly clientLanguage: Language
  readonly sourceId: AccountId
  readonly sourcePlatform: Platform
  readonly sourceLogin: string
  readonly destinationId: AccountId
  readonly destinationPlatform: Platform
  readonly destinationLogin: string
  readonly amountMinor: bigint
  readonly currency: Currency
  readonly rate: string
  readonly arrivesMinor: bigint
  readonly arrivesCurrency: Currency
  readonly reference: string
  readonly state: TransferState
  readonly comment: string
  readonly figures: Readonly<Record<string, unknown>>
  readonly decidedBy: string | null
  readonly requestedAt: Date
  readonly approvedAt: Date | null
  readonly rejectedAt: Date | null
  /** Whether its first leg has been enqueued and not sent yet, so that a check can still stop it. */
  readonly isDebitWaiting: boolean
  /** Whether the platform has carried it out. */
  readonly isDebitDone: boolean
  readonly version: number
}

/** Returns the time of the rate at the request, or null if it was not stored. */
export function rateAtOf({ figures }: Pick<Transfer, 'figures'>): Date | null {
  const at = typeof figures['rateAsOf'] === 'string' ? new Date(figures['rateAsOf']) : null
  return at && !Number.isNaN(at.getTime()) ? at : null
}

const hasDebitInState = (state: OperationState) => sql`exists (select from operations o where o.subject = 'transfer'
  and o.record = t.id and o.kind = 'balance' and o.payload ->> 'leg' = 'transfer-withdraw' and o.state = ${literal(state)})`

export const transferColumns = sql`t.id, t.client_id as "clientId", c.email::text as "clientEmail", c.language as "clientLanguage",
  t.source_account as "sourceId", s.platform as "sourcePlatform", s.login as "sourceLogin",
  t.destination_account as "destinationId", e.platform as "destinationPlatform", e.login as "destinationLogin",
  t.amount_minor as "amountMinor", t.currency, t.rate, t.arrives_minor as "arrivesMinor",
  t.arrives_currency as "arrivesCurrency", t.reference, t.state, t.comment, t.figures, t.decided_by as "decidedBy",
  t.requested_at as "requestedAt", t.approved_at as "approvedAt", t.rejected_at as "rejectedAt",
  ${hasDebitInState('waiting')} as "isDebitWaiting", ${hasDebitInState('done')} as "isDebitDone", t.version`
const tables = sql`transfers t join clients c on c.id = t.client_id
  join trading_accounts s on s.id = t.source_account join trading_accounts e on e.id = t.destination_account`

/** Returns one transfer, or null. */
export async function transferById(connection: Connection, id: TransferId) {
  return row<Transfer>(connection)`select ${transferColumns} from ${tables} where t.id = ${uuidOrNull(id)}::uuid`
}

/** Returns the client's own transfer, or null also for another client's. */
export async function ownTransfer(connection: Connection, clientId: SignedInClientId, id: string) {
  return row<Transfer>(connection)`
    select ${transferColumns} from ${tables} where t.id = ${uuidOrNull(id)}::uuid and t.client_id = ${clientId}`
}

/** The listing of transfers for staff. */
export const transferListing = queue(listOfficeTransfers, {
  name: 'transfers',
  tables,
  alias: 't',
  sorts: byTimeOrAmount('t.requested_at', 't.amount_minor'),
  waiting: ['pending', 'processing'],
  where: ({ currency, ...amounts }) => [
    whereEquals('t.currency', currency),
    ...amountBetween('t.amount_minor', amounts),
  ],
  finds: (words) =>
    recordsNamed(words, {
      table: 'transfers',
      id: 't.id',
      accounts: ['source_account', 'destination_account'],
      reference: true,
    }),
})

export interface LegRow {
  readonly leg: 'transfer-withdraw' | 'transfer-deposit' | 'transfer-compensate'
  readonly state: OperationState
  readonly ref: string
  readonly ticket: string | null
  readonly lastError: string | null
}

/**
 * Returns the operations of a transfer on its platforms, oldest first, without one that staff ended before it was sent.
 */
export async function legsOf(connection: Connection, id: string) {
  return rows<LegRow>(connection)`
    select payload ->> 'leg' as leg, state, ref, result -> 'done' ->> 'ticket' as ticket, ${errorOfAttempt}
      from operations where subject = 'transfer' and record = ${id} and kind = 'balance'
        and coalesce(result -> 'refused' ->> 'code', '') <> ${takenBack} order by created_at, id`
}

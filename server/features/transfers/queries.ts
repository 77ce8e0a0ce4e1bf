/** What transfers read. */
import type { Currency } from '#rules/money.ts'
import type { TransferState } from '#rules/transfers.ts'
import { row, rows, sql, type Connection } from '../../db/sql.ts'
import type { ClientId } from '../../http/sessions.ts'
import { isUuid } from '../../ids.ts'
import type { Platform } from '../../parts.ts'

/** A transfer with both accounts and its owner. */
export interface Transfer {
  readonly id: string
  readonly clientId: string
  readonly clientEmail: string
  readonly clientLanguage: 'en' | 'de'
  readonly sourceId: string
  readonly sourcePlatform: Platform
  readonly sourceLogin: string
  readonly destinationId: string
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
  readonly version: number
}

const columns = sql`t.id, t.client_id as "clientId", c.email::text as "clientEmail", c.language as "clientLanguage",
  t.source_account as "sourceId", s.platform as "sourcePlatform", s.login as "sourceLogin",
  t.destination_account as "destinationId", e.platform as "destinationPlatform", e.login as "destinationLogin",
  t.amount_minor as "amountMinor", t.currency, t.rate, t.arrives_minor as "arrivesMinor",
  t.arrives_currency as "arrivesCurrency", t.reference, t.state, t.comment, t.figures, t.decided_by as "decidedBy",
  t.requested_at as "requestedAt", t.approved_at as "approvedAt", t.rejected_at as "rejectedAt", t.version`
const tables = sql`transfers t join clients c on c.id = t.client_id
  join trading_accounts s on s.id = t.source_account join trading_accounts e on e.id = t.destination_account`

/** One transfer, or null. */
export async function transferById(connection: Connection, id: string): Promise<Transfer | null> {
  if (!isUuid(id)) return null
  return row<Transfer>(connection, sql`select ${columns} from ${tables} where t.id = ${id}`)
}

/** The client's own transfer, or null: another's is as if it were not there. */
export async function ownTransfer(connection: Connection, clientId: ClientId, id: string): Promise<Transfer | null> {
  if (!isUuid(id)) return null
  return row<Transfer>(
    connection,
    sql`select ${columns} from ${tables} where t.id = ${id} and t.client_id = ${clientId}`,
  )
}

export interface TransferFilter {
  readonly states: readonly TransferState[]
  readonly currency: Currency | null
  readonly words: string | null
  readonly from: Date | null
  readonly until: Date | null
  readonly after: { readonly at: Date; readonly id: string } | null
  readonly ascending: boolean
  readonly size: number
}

/** Transfers for staff by time, from a cursor on. */
export async function transferList(connection: Connection, filter: TransferFilter): Promise<Transfer[]> {
  const { after, words } = filter
  const beyond = filter.ascending ? sql`>` : sql`<`
  const direction = filter.ascending ? sql`asc` : sql`desc`
  return rows<Transfer>(
    connection,
    sql`select ${columns} from ${tables}
        where t.state = any (${[...filter.states]}::text[])
          and (${filter.currency}::text is null or t.currency = ${filter.currency})
          and (${filter.from}::timestamptz is null or t.requested_at >= ${filter.from})
          and (${filter.until}::timestamptz is null or t.requested_at < ${filter.until})
          ${after ? sql`and (t.requested_at, t.id) ${beyond} (${after.at}, ${after.id}::uuid)` : sql``}
          ${words ? sql`and (lower(c.name || ' ' || c.surname || ' ' || c.email::text) like ${words} or lower(t.reference) like ${words} or s.login like ${words} or e.login like ${words})` : sql``}
        order by t.requested_at ${direction}, t.id ${direction} limit ${filter.size}`,
  )
}

export interface LegRow {
  readonly leg: 'transfer-withdraw' | 'transfer-deposit' | 'transfer-compensate'
  readonly state: string
  readonly ref: string
  readonly ticket: string | null
  readonly lastError: string | null
}

/** The operations of a transfer at its platforms, oldest first. */
export async function legsOf(connection: Connection, id: string): Promise<LegRow[]> {
  return rows<LegRow>(
    connection,
    sql`select payload ->> 'leg' as leg, state, ref, result -> 'done' ->> 'ticket' as ticket, last_error as "lastError"
        from operations where subject = 'transfer' and record = ${id} and kind = 'balance' order by created_at, id`,
  )
}

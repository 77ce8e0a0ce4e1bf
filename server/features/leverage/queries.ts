/** What changes of an account's leverage read. */
import type { ClientStatus } from '#rules/choices.ts'
import type { LeverageRequestState } from '#rules/leverage-requests.ts'
import type { Currency } from '#rules/money.ts'
import { row, rows, sql, type Connection } from '../../db/sql.ts'
import { isUuid } from '../../ids.ts'
import type { Platform } from '../../parts.ts'

/** A request with its account and owner, for staff and for what follows from the platform's answer. */
export interface LeverageRequest {
  readonly id: string
  readonly clientId: string
  readonly clientEmail: string
  readonly clientStatus: ClientStatus
  readonly accountId: string
  readonly platform: Platform
  readonly login: string
  readonly currency: Currency
  readonly accType: 'Standard' | 'ECN'
  readonly requestType: 'live' | 'demo'
  readonly accountStatus: ClientStatus
  readonly accountState: string
  readonly accountLeverage: number
  readonly from: number
  readonly to: number
  readonly state: LeverageRequestState
  readonly reason: string | null
  readonly decidedBy: string | null
  readonly requestedAt: Date
  readonly decidedAt: Date | null
  readonly version: number
}

const columns = sql`l.id, l.client_id as "clientId", c.email::text as "clientEmail",
  c.client_status as "clientStatus", l.account_id as "accountId", a.platform, a.login, a.currency,
  a.acc_type as "accType", a.request_type as "requestType", a.client_status as "accountStatus",
  a.state as "accountState", a.leverage as "accountLeverage", l.from_leverage as "from", l.to_leverage as "to", l.state,
  l.reason, l.decided_by as "decidedBy", l.requested_at as "requestedAt", l.decided_at as "decidedAt", l.version`
const tables = sql`leverage_requests l join clients c on c.id = l.client_id
  join trading_accounts a on a.id = l.account_id`

/** One request, or null. */
export async function leverageRequestById(connection: Connection, id: string): Promise<LeverageRequest | null> {
  if (!isUuid(id)) return null
  return row<LeverageRequest>(connection, sql`select ${columns} from ${tables} where l.id = ${id}`)
}

export interface LeverageFilter {
  readonly states: readonly LeverageRequestState[]
  /** Part of a client's name or address, or an account's number. */
  readonly words: string | null
  readonly after: { readonly at: Date; readonly id: string } | null
  readonly ascending: boolean
  readonly size: number
}

/** Requests by time, from a cursor on. */
export async function leverageRequests(connection: Connection, filter: LeverageFilter): Promise<LeverageRequest[]> {
  const { after, words } = filter
  const beyond = filter.ascending ? sql`>` : sql`<`
  const direction = filter.ascending ? sql`asc` : sql`desc`
  return rows<LeverageRequest>(
    connection,
    sql`select ${columns} from ${tables}
        where l.state = any (${[...filter.states]}::text[])
          ${after ? sql`and (l.requested_at, l.id) ${beyond} (${after.at}, ${after.id}::uuid)` : sql``}
          ${words ? sql`and (lower(c.name || ' ' || c.surname || ' ' || c.email::text) like ${words} or a.login like ${words})` : sql``}
        order by l.requested_at ${direction}, l.id ${direction} limit ${filter.size}`,
  )
}

/** Whether a change of the account's leverage waits, for staff or for the platform. */
export async function isLeveragePending(connection: Connection, accountId: string): Promise<boolean> {
  const found = await row<{ id: string }>(
    connection,
    sql`select id from leverage_requests where account_id = ${accountId} and state in ('pending', 'processing')`,
  )
  return found !== null
}

/** Clients as the back office reads them. */
import type { ClientStatus, Language } from '#rules/choices.ts'
import type { ClientState } from '#rules/clients.ts'
import { row, sql, type Connection } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { isUuid } from '../../ids.ts'

export interface DecisionSubject {
  id: string
  email: string
  language: Language
  state: ClientState
  client_status: ClientStatus
  identity_approved_at: Date | null
  address_approved_at: Date | null
  wanted_account: Readonly<Record<string, unknown>> | null
}

/** A client about whom staff decide, locked until the transaction ends; null for an id that is none. */
export async function subjectForDecision(tx: Transaction, id: string): Promise<DecisionSubject | null> {
  if (!isUuid(id)) return null
  return row<DecisionSubject>(
    tx,
    sql`select id, email::text as email, language, state, client_status, identity_approved_at, address_approved_at,
          wanted_account
        from clients where id = ${id} for no key update`,
  )
}

/** What the firm owes a client over all accounts, as a sum of absolute balances: zero means nothing either way. */
export async function owedTo(connection: Connection, clientId: string): Promise<bigint> {
  const found = await row<{ owed: bigint }>(
    connection,
    sql`select coalesce(sum(abs(l.balance_minor)), 0)::bigint as owed from ledger_accounts l
        join trading_accounts a on a.id = l.trading_account where a.client_id = ${clientId} and l.kind = 'client'`,
  )
  return found?.owed ?? 0n
}

/** How many requests of a client still wait for a decision, a platform or a bank. */
export async function openRequestsOf(connection: Connection, clientId: string): Promise<number> {
  const found = await row<{ open: number }>(
    connection,
    sql`select ((select count(*) from deposits where client_id = ${clientId} and state in ('pending', 'processing'))
          + (select count(*) from withdrawals where client_id = ${clientId}
              and state in ('pending', 'second_approval', 'processing', 'approved'))
          + (select count(*) from transfers where client_id = ${clientId} and state in ('pending', 'processing'))
          + (select count(*) from trading_accounts where client_id = ${clientId} and state = 'processing'))::int as open`,
  )
  return found?.open ?? 0
}

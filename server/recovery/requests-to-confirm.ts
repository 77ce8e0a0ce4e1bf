/**
 * Requests that the client must confirm again after a loss: a cancellation leaves no trace at the integrations, so an
 * open request may be one that the client had cancelled (requirements 20.16).
 */
import type { Pool } from 'pg'
import { portalPaths } from '#contract/portal-paths.ts'
import type { Language } from '#rules/choices.ts'
import { clientMachine } from '#rules/clients.ts'
import type { ClientId } from '#rules/ids.ts'
import { type AuditContext, recordEvent } from '../db/events.ts'
import { row, rows, run, sql, type Connection, transaction, type Transaction } from '../db/sql.ts'
import type { SignedInClientId } from '../http/sessions.ts'
import { uuidOrNull } from '../db/ids.ts'
import { notifyClient } from '../mail/send-mail.ts'
import type { Recovery } from './stopped-money.ts'

/**
 * Every kind of request that a client can cancel, and the states in which it is still pending. Last balances with their
 * bank details, and changes that staff requested, are cancelled by staff alone.
 */
const openRequests = sql`
  select 'withdrawal' as kind, id as record, client_id, requested_at as asked from withdrawals
    where state in ('pending', 'second_approval') and entered_by is null
  union all select 'transfer', id, client_id, requested_at from transfers where state = 'pending'
  union all select 'account', id, client_id, requested_at from trading_accounts where state = 'pending'
  union all select 'leverage_request', id, client_id, requested_at from leverage_requests where state = 'pending'
  union all select 'bank_details', id, client_id, added_at from bank_details b where state = 'pending'
    and not exists (select from withdrawals w where w.bank_id = b.id and w.entered_by is not null)
  union all select 'profile_change', id, client_id, requested_at from profile_changes
    where state = 'pending' and asked_by is null
  union all select 'professional', id, client_id, submitted_at from professional_applications
    where state in ('pending', 'more_asked')`

/** Blocks open requests until their client confirms them. Returns how many were added; a second run adds new ones. */
export async function requestConfirmations(
  tx: Transaction,
  recovery: Recovery,
  auditContext: AuditContext,
): Promise<number> {
  return run(tx)`insert into recovery_confirmations (recovery, kind, record, client_id, asked_at)
      select ${recovery.id}, o.kind, o.record, o.client_id, ${auditContext.now} from (${openRequests}) o
      where o.asked <= ${recovery.widenedAt}
      on conflict do nothing`
}

/**
 * Notifies each client once, by mail and notice, how many of their requests need confirmation: after adoption, so that
 * requests that recovery has settled are not included. Returns how many clients were notified.
 */
export async function notifyWhatToConfirm(pool: Pool, recovery: Pick<Recovery, 'id'>, now: Date): Promise<number> {
  const unnotified = sql`
    from recovery_confirmations c join (${openRequests}) o on o.kind = c.kind and o.record = c.record
      join clients p on p.id = c.client_id
    where c.recovery = ${recovery.id} and c.confirmed_at is null and c.told_at is null and p.state = 'approved'`
  const clients = await rows<{ id: ClientId; email: string; language: Language; count: number }>(pool)`
    select p.id, p.email::text as email, p.language, count(*)::int as count ${unnotified}
      group by p.id order by p.id`
  for (const client of clients)
    await transaction(pool, async (tx) => {
      const updated = await run(tx)`update recovery_confirmations set told_at = ${now}
          where recovery = ${recovery.id} and client_id = ${client.id} and told_at is null`
      if (updated === 0) return // Another run of `recover` has notified this client meanwhile.
      const kind = 'requests-to-confirm'
      const link = portalPaths.tradingAccounts
      const facts = { count: client.count }
      await notifyClient(tx, now, { kind, client, facts, link, subject: clientMachine.name, record: client.id })
    })
  return clients.length
}

interface RequestToConfirm {
  readonly kind: string
  readonly id: string
  readonly reference: string | null
  readonly amountMinor: bigint | null
  readonly currency: string | null
  readonly account: string | null
  readonly requestedAt: Date
}

/** Returns what a client still has to confirm, the oldest first, without requests decided or cancelled meanwhile. */
export function requestsToConfirm(connection: Connection, clientId: SignedInClientId): Promise<RequestToConfirm[]> {
  return rows<RequestToConfirm>(connection)`
    select c.kind, c.record as id, coalesce(w.reference, t.reference) as reference,
        coalesce(w.amount_minor, t.amount_minor) as "amountMinor", coalesce(w.currency, t.currency, b.currency) as currency,
        a.login as account, o.asked as "requestedAt"
      from recovery_confirmations c join (${openRequests}) o on o.kind = c.kind and o.record = c.record
        left join withdrawals w on c.kind = 'withdrawal' and w.id = c.record
        left join transfers t on c.kind = 'transfer' and t.id = c.record
        left join bank_details b on c.kind = 'bank_details' and b.id = c.record
        left join leverage_requests l on c.kind = 'leverage_request' and l.id = c.record
        left join trading_accounts a on a.id = coalesce(w.account_id, t.source_account, l.account_id)
      where c.client_id = ${clientId} and c.confirmed_at is null order by o.asked, c.record`
}

/** Confirms one request of the client. Returns false if there is none to confirm. */
export async function confirmAgain(
  tx: Transaction,
  clientId: SignedInClientId,
  kind: string,
  id: string,
  auditContext: AuditContext,
): Promise<boolean> {
  const confirmed = await run(tx)`update recovery_confirmations set confirmed_at = ${auditContext.now}
      where client_id = ${clientId} and kind = ${kind} and record = ${uuidOrNull(id)}::uuid and confirmed_at is null`
  if (confirmed === 0) return false
  await recordEvent(tx, auditContext, { kind, action: 'confirmAgain', record: id, clientId })
  return true
}

/** Returns whether a request is pending until its client confirms it again. */
export async function awaitsClient(connection: Connection, kind: string, id: string): Promise<boolean> {
  const found = await row<{ waits: boolean }>(connection)`
    select exists (select from recovery_confirmations where kind = ${kind} and record = ${uuidOrNull(id)}::uuid
      and confirmed_at is null) as waits`
  return found?.waits ?? false
}

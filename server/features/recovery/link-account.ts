/** Links an account that exists only on a platform to a client, or keeps it disabled, as two people decide. */
import { liveAccountsIn, type GroupRow } from '#rules/platform-groups.ts'
import { recoveryItemMachine } from '#rules/recovery-items.ts'
import type { ClientId, RecoveryItemId } from '#rules/ids.ts'
import { applyTransition } from '../../db/transition.ts'
import { recordEvent, type AuditContext } from '../../db/events.ts'
import { row, rows, run, type Connection, type Transaction } from '../../db/sql.ts'
import { Problem } from '../../http/problem.ts'
import type { RecoveryItem } from './queries.ts'

interface NamedClient {
  readonly clientId: ClientId
  readonly email: string
}

/** Returns the approved client of an email address. Throws a Problem if there is none. */
export async function requireClientByEmail(connection: Connection, email: string | undefined): Promise<NamedClient> {
  if (email === undefined || email === '') throw new Problem('required', { field: 'clientEmail' })
  const client = await row<NamedClient>(connection)`
    select id as "clientId", email::text as email from clients where email = ${email}::citext and state = 'approved'`
  if (!client) throw new Problem('client-unknown', { field: 'clientEmail' })
  return client
}

/**
 * Returns the attributes of accounts in its group and the platform's data. Throws a Problem if the settings do not
 * assign the group to exactly one kind of live account.
 */
export async function openingAttributes(
  connection: Connection,
  groups: readonly GroupRow[],
  { platform, login, currency }: RecoveryItem,
) {
  const kept = await row<{ group: string; leverage: number | null; openedAt: Date | null }>(connection)`
    select group_name as "group", leverage, opened_at as "openedAt" from recovery_accounts
      where platform = ${platform} and login = ${login}`
  const group = kept && (platform === 'MT4' || platform === 'MT5') ? liveAccountsIn(groups, platform, kept.group) : null
  if (!kept || !group || kept.leverage === null || group.currency !== currency)
    throw new Problem('recovery-group', { field: 'action' })
  return { ...group, name: kept.group, leverage: kept.leverage, openedAt: kept.openedAt }
}

/**
 * Writes the record of the account for the named client. The platform is not called: the account stays disabled there.
 */
export async function linkAccount(
  tx: Transaction,
  groups: readonly GroupRow[],
  item: RecoveryItem,
  confirmedBy: string,
  auditContext: AuditContext,
): Promise<void> {
  const { id, clientId, platform, login, currency, dealAt } = item
  const { type, status, name, leverage, openedAt } = await openingAttributes(tx, groups, item)
  const client = await row(tx)`select 1 from clients where id = ${clientId} and state = 'approved' for share`
  if (clientId === null || !client) throw new Problem('client-unknown')
  const written = await row<{ id: RecoveryItemId }>(tx)`
    insert into trading_accounts (client_id, request_type, platform, acc_type, currency, leverage, client_status, state,
        login, group_name, decided_by, requested_at, decided_at, opened_at)
      values (${clientId}, 'live', ${platform}, ${type}, ${currency}, ${leverage},
        ${status}, 'approved', ${login}, ${name}, ${confirmedBy}, ${openedAt ?? dealAt}, ${auditContext.now},
        ${openedAt ?? dealAt})
      on conflict (platform, login) do nothing returning id`
  if (!written) throw new Problem('account-known')
  const details = { platform, login, leverage }
  await recordEvent(tx, auditContext, {
    kind: 'account',
    action: 'recover',
    record: written.id,
    clientId,
    to: 'approved',
    details,
  })
  await run(tx)`update recovery_items set account_id = ${written.id}, record = ${written.id} where id = ${id}`
  // Deals of this account can now be decided: the next run of recover finds their owner.
  await run(tx)`update recovery_items set kind = 'request-lost', account_id = ${written.id}, client_id = ${clientId}
      where kind = 'account-unknown' and state = 'open' and platform = ${platform} and login = ${login}`
}

/**
 * Settles the deals of an account that stays disabled: it belongs to no client, so they enter no client's ledger
 * account.
 */
export async function settleDeals(
  tx: Transaction,
  { platform, login }: RecoveryItem,
  auditContext: AuditContext,
): Promise<void> {
  const deals = await rows<{ id: RecoveryItemId }>(tx)`select id from recovery_items
      where kind = 'account-unknown' and state = 'open' and platform = ${platform} and login = ${login}
      order by id for update`
  for (const { id } of deals)
    await applyTransition(tx, recoveryItemMachine, auditContext, { id }, 'clear', { workItem: null })
}

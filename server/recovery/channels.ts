/**
 * Ends recovery: each channel opens when its work is done, and the row is closed when both are open and access is
 * confirmed. `recover.ts` opens the accounts, `features/recovery/say-confirmed.ts` the payouts.
 */
import { nonBlockingFindings } from '#rules/recovery-items.ts'
import { recordEvent, type AuditContext } from '../db/events.ts'
import { row, run, sql, type Transaction } from '../db/sql.ts'
import { notifyChange, closeWorkItem } from '../db/work-items.ts'
import { recoveryOf } from './stopped-money.ts'

type Channel = 'accounts' | 'payouts'

/** Opens a channel of the open recovery. Returns false if it was already open. */
export async function openChannel(tx: Transaction, channel: Channel, auditContext: AuditContext): Promise<boolean> {
  const column = channel === 'accounts' ? sql`accounts_open_at` : sql`payouts_open_at`
  const opened = await row<{ id: string }>(tx)`
    update recovery set ${column} = ${auditContext.now} where closed_at is null and ${column} is null returning id`
  if (!opened) return false
  await recordEvent(tx, auditContext, { kind: 'recovery', action: 'openChannel', record: opened.id, reason: channel })
  await notifyChange(tx, 'recovery', opened.id)
  return true
}

/** Closes recovery if nothing is left to do. Returns whether it did. */
export async function closeIfDone(tx: Transaction, auditContext: AuditContext): Promise<boolean> {
  const recovery = await recoveryOf(tx)
  if (!recovery?.accountsOpenAt || !recovery.payoutsOpenAt) return false
  const left = await row<{ said: number; items: number }>(tx)`
    select (select count(*)::int from recovery_statements where recovery = ${recovery.id}
        and statement in ('access-compliance', 'access-administrator')) as said,
      (select count(*)::int from recovery_items where state <> 'settled' and kind <> all (${nonBlockingFindings}::text[])) as items`
  if (!left || left.said < 2 || left.items > 0) return false
  await run(tx)`update recovery set closed_at = ${auditContext.now} where id = ${recovery.id}`
  await recordEvent(tx, auditContext, { kind: 'recovery', action: 'closeRecovery', record: recovery.id })
  await closeWorkItem(tx, 'recovery', recovery.id, auditContext)
  return true
}

/**
 * Recovery, a state of the product: platform, provider or bank know more than this database (requirements 20.10, ADR
 * 105). While it is open, only those who settle it move money; each channel opens separately.
 */
import { recordEvent, type AuditContext } from '../db/events.ts'
import { row, run, sql, type Transaction, requireRow } from '../db/sql.ts'
import { notifyChange, openWorkItem } from '../db/work-items.ts'
import { workItemDueIn } from '../office/due-dates.ts'
import type { Recovery, RecoverySign } from './stopped-money.ts'

/** A detected sign. */
interface Sign {
  readonly sign: RecoverySign
  /** From when on integrations may know more; an earlier time than that of the open recovery moves it back. */
  readonly since: Date
  readonly now: Date
}

/**
 * Opens recovery, with its event and its item for operations, finance and administrators. There is at most one: a later
 * sign changes it only if its `since` is earlier, a channel was already open, or the database was replaced. The caller
 * leaves out signs for which recovery has an item.
 */
export async function openRecovery(tx: Transaction, { sign, since, now }: Sign): Promise<{ id: string }> {
  const auditContext: AuditContext = { identity: { kind: 'clock' }, now, reference: 'recovery' }
  const made = await row<{ id: string }>(tx)`
    insert into recovery (since, sign, opened_at) values (${since}, ${sign}, ${now})
      on conflict ((true)) where closed_at is null do nothing returning id`
  if (!made) return stopChannelsAgain(tx, { sign, since, now }, auditContext)
  await recordEvent(tx, auditContext, {
    kind: 'recovery',
    action: 'openRecovery',
    record: made.id,
    reason: sign,
    details: { since: since.toISOString() },
  })
  await requireStatusCheck(tx)
  await skipBatchNumbers(tx)
  if (sign !== 'lost-event') await endRevivedSessions(tx, now)
  const dueAt = await workItemDueIn(tx, 'recovery', now)
  await openWorkItem(tx, 'recovery', made.id, now, { state: 'open', dueAt, summary: { sign } })
  return made
}

/** Signs that the database itself has been replaced, by one in which nothing of the open recovery can be relied on. */
const signsOfReplacement: readonly RecoverySign[] = ['restored', 'other-database']

/**
 * Stops reopened channels again, after another sign of loss while recovery is open, and makes void what was confirmed
 * before the sign (requirements 24.207).
 */
async function stopChannelsAgain(
  tx: Transaction,
  { sign, since, now }: Sign,
  auditContext: AuditContext,
): Promise<{ id: string }> {
  const open = await requireRow<Omit<Recovery, 'sign' | 'openedAt' | 'widenedAt'>>(tx)`
    select id, since, accounts_open_at as "accountsOpenAt", payouts_open_at as "payoutsOpenAt" from recovery
      where closed_at is null for update`
  const stopsAgain = open.accountsOpenAt !== null || open.payoutsOpenAt !== null || signsOfReplacement.includes(sign)
  if (!stopsAgain && since >= open.since) return { id: open.id }
  await run(tx)`
    update recovery set since = least(since, ${since}::timestamptz), accounts_open_at = null, payouts_open_at = null,
        widened_at = ${now}
      where id = ${open.id}`
  await voidConfirmations(tx, open.id)
  if (signsOfReplacement.includes(sign)) {
    await skipBatchNumbers(tx)
    await endRevivedSessions(tx, now)
  }
  await recordEvent(tx, auditContext, {
    kind: 'recovery',
    action: 'widenRecovery',
    record: open.id,
    reason: sign,
    details: { since: since.toISOString() },
  })
  await requireStatusCheck(tx)
  await notifyChange(tx, 'recovery', open.id)
  return { id: open.id }
}

/** Deletes what people and `recover` have stated about a loss that turned out to be larger; the audit log keeps it. */
async function voidConfirmations(tx: Transaction, recovery: string): Promise<void> {
  await run(tx)`delete from recovery_statements where recovery = ${recovery}`
  await run(tx)`delete from recovery_balances where recovery = ${recovery}`
  await run(tx)`delete from recovery_cleared where recovery = ${recovery}`
  await run(tx)`update recovery_confirmations set confirmed_at = null, told_at = null
      where recovery = ${recovery} and confirmed_at is not null`
}

/**
 * Marks operations that seem unsent to be queried before they are sent (requirements 33.25). If the integration does
 * not know one, a person sends it, or, if nothing was lost, the program.
 */
export async function requireStatusCheck(tx: Transaction, absent: 'person' | 'send' = 'person'): Promise<number> {
  return run(
    tx,
    absent === 'send'
      ? sql`update operations set ask_first = true, sends_when_absent = true where state = 'waiting' and not ask_first`
      : sql`update operations set ask_first = true, sends_when_absent = false
            where (state = 'waiting' and not ask_first) or (state in ('waiting', 'unknown') and sends_when_absent)`,
  )
}

const numbersLeftOut = 100_000
const batchNumbersLeftOut = 1_000

/** Skips the batch numbers of the lost time, which the bank may know. */
async function skipBatchNumbers(tx: Transaction): Promise<void> {
  await run(tx)`select setval('payout_batches_number_seq',
        (select last_value from payout_batches_number_seq) + ${batchNumbersLeftOut}::bigint)`
}

/**
 * In a restored copy, sessions that were ended and one-time ids that were used in the lost time are valid again, and
 * numbers assigned to clients in that time are free again.
 */
async function endRevivedSessions(tx: Transaction, now: Date): Promise<void> {
  await run(tx)`update sessions set ended_at = ${now} where ended_at is null`
  await run(tx)`update one_time_links set replaced_at = ${now} where used_at is null and replaced_at is null`
  await run(tx)`select setval('client_numbers', (select last_value from client_numbers) + ${numbersLeftOut}::bigint)`
}

/** SQL of payout batches. */
import { listPayoutBatches, withBank } from '#contract/office/payout-batches.ts'
import { batchNumber, readBatchNumber, type PayoutBatchState } from '#rules/payout-batches.ts'
import type { PayoutBatchId, StaffId, WithdrawalId } from '#rules/ids.ts'
import type { Currency } from '#rules/money.ts'
import { row, rows, sql, type Connection, type Transaction } from '../../../db/sql.ts'
import { uuidOrNull } from '../../../db/ids.ts'
import { mayRelease } from '../../../office/batch-release.ts'
import { amountBetween, whereEquals, queue, type Columns } from '../../../office/listing.ts'
import { withdrawalColumns, withdrawalTables, type Withdrawal } from '../queries.ts'

export interface PayoutBatch {
  readonly id: PayoutBatchId
  readonly number: bigint
  readonly currency: Currency
  readonly state: PayoutBatchState
  readonly count: number
  readonly totalMinor: bigint
  readonly sha256: string | null
  /** The firm's account at the release; null before it, and for batches released before it was stored. */
  readonly bankAccount: string | null
  readonly createdBy: string | null
  readonly createdAt: Date
  readonly releasedBy: string | null
  readonly releasedAt: Date | null
  readonly confirmedBy: string | null
  readonly sentAt: Date | null
  readonly voidAskedBy: string | null
  readonly voidAskedAt: Date | null
  readonly voidReason: string | null
  readonly voidedBy: string | null
  readonly voidedAt: Date | null
  readonly version: number
}

export const batchColumns: Columns<PayoutBatch> = sql`b.id, b.number, b.currency, b.state, b.count, b.total_minor as "totalMinor", b.sha256, b.bank_account as "bankAccount",
  b.created_by as "createdBy", b.created_at as "createdAt", b.released_by as "releasedBy",
  b.released_at as "releasedAt", b.confirmed_by as "confirmedBy", b.sent_at as "sentAt",
  b.void_asked_by as "voidAskedBy", b.void_asked_at as "voidAskedAt", b.void_reason as "voidReason",
  b.voided_by as "voidedBy", b.voided_at as "voidedAt", b.version`

/** Returns one batch, or null. */
export async function batchById(connection: Connection, id: PayoutBatchId) {
  return row<PayoutBatch>(connection)`select ${batchColumns} from payout_batches b where b.id = ${uuidOrNull(id)}::uuid`
}

/** Returns one batch and locks its row until the transaction ends, or null. */
export async function lockBatch(tx: Transaction, id: PayoutBatchId) {
  return row<PayoutBatch>(
    tx,
  )`select ${batchColumns} from payout_batches b where b.id = ${uuidOrNull(id)}::uuid for update`
}

const atBank: readonly PayoutBatchState[] = ['released', 'void_requested']

/** The listing of batches for staff. */
export const batchListing = queue(listPayoutBatches, {
  name: 'payout-batches',
  tables: sql`payout_batches b`,
  alias: 'b',
  sorts: { createdAt: { by: 'b.created_at', type: 'timestamptz' } },
  waiting: ['created', 'released', 'void_requested'],
  groups: { [withBank]: atBank },
  where: ({ currency, ...amounts }) => [
    whereEquals('b.currency', currency),
    ...amountBetween('b.total_minor', amounts),
  ],
  finds: (words) => {
    const number = readBatchNumber(words)
    return number === null
      ? sql`exists (select from payout_batch_payments p join withdrawals w on w.id = p.withdrawal_id
          where p.batch_id = b.id and w.reference = ${words.trim().toUpperCase()})`
      : sql`b.number = ${number}`
  },
})

/** A withdrawal in a batch. */
export interface BatchPayment extends Withdrawal {
  /** False if it was left out or the batch is void. */
  readonly live: boolean
  /** Why it was left out at the release. */
  readonly leftOut: readonly string[] | null
}

/** Returns the payments of a batch in the order of its file. */
export function paymentsOf(connection: Connection, batchId: string) {
  return rows<BatchPayment>(connection)`select ${withdrawalColumns}, p.live, p.left_out as "leftOut"
      from ${withdrawalTables} join payout_batch_payments p on p.withdrawal_id = w.id
      where p.batch_id = ${batchId} order by w.approved_at, w.id`
}

/** Returns the payments of a batch and locks their withdrawals and clients until the transaction ends. */
export async function lockPayments(tx: Transaction, batchId: PayoutBatchId): Promise<BatchPayment[]> {
  const ids = await rows<{ id: string }>(tx)`
    select withdrawal_id as id from payout_batch_payments where batch_id = ${batchId} and live`
  await lockPayees(
    tx,
    ids.map(({ id }) => id),
  )
  return (await paymentsOf(tx, batchId)).filter(({ live }) => live)
}

/** Locks the clients of some withdrawals, then the withdrawals: a concurrent suspension waits, or is seen. */
async function lockPayees(tx: Transaction, withdrawalIds: readonly string[]): Promise<void> {
  await rows(tx)`select c.id from clients c where c.id in (select client_id from withdrawals
        where id = any (${[...withdrawalIds]}::uuid[])) order by c.id for share`
  await rows(tx)`select id from withdrawals where id = any (${[...withdrawalIds]}::uuid[]) order by id for update`
}

const inNoBatch = sql`w.state = 'approved'
  and w.reversal_asked_by is null and not exists (select from payout_batch_payments p where p.withdrawal_id = w.id and p.live)`
const readyShownMax = 200

const isReady = (currency: Currency) => sql`${inNoBatch} and w.currency = ${currency}`

/** Returns the approved amounts that are in no batch, by currency. */
export function readySums(connection: Connection) {
  return rows<{ currency: Currency; count: number; sum: bigint }>(connection)`
    select w.currency, count(*)::int as count, sum(w.amount_minor - w.fee_minor)::bigint as sum
      from withdrawals w where ${inNoBatch} group by w.currency`
}

/** Counts the open batches by state, without closed and void ones. */
export function openBatches(connection: Connection) {
  return rows<{ state: PayoutBatchState; count: number }>(
    connection,
  )`select b.state, count(*)::int as count from payout_batches b
      where b.state = any (${['created', ...atBank, 'partly_returned']}::text[]) group by b.state`
}

/** Returns which of these batches one person may release. */
export async function releasableBy(
  connection: Connection,
  staffId: StaffId,
  batchIds: readonly string[],
  byUninvolved: boolean,
): Promise<ReadonlySet<string>> {
  if (batchIds.length === 0) return new Set()
  const found = await rows<{ id: string }>(connection)`
    select b.id from payout_batches b join staff s on s.id = ${staffId}
      where b.id = any (${[...batchIds]}::uuid[]) and b.state = 'created' and ${mayRelease(byUninvolved)}`
  return new Set(found.map(({ id }) => id))
}

/** Returns the ledger's bank balance in a currency, in minor units. */
export async function bankBalance(connection: Connection, currency: Currency): Promise<bigint> {
  const found = await row<{ held: bigint }>(connection)`
    select coalesce(sum(balance_minor), 0)::bigint as held from ledger_accounts
      where kind = 'bank' and currency = ${currency}`
  return found?.held ?? 0n
}

/** Returns approved withdrawals in no batch, oldest first: the first 200, and count and total of all. */
export async function readyWithdrawals(
  connection: Connection,
  currency: Currency,
): Promise<{ found: Withdrawal[]; count: number; sum: bigint }> {
  const found = await rows<Withdrawal>(connection)`
    select ${withdrawalColumns} from ${withdrawalTables} where ${isReady(currency)}
      order by w.approved_at, w.id limit ${readyShownMax}`
  const all = await row<{ count: number; sum: bigint }>(connection)`
    select count(*)::int as count, coalesce(sum(w.amount_minor - w.fee_minor), 0)::bigint as sum
      from withdrawals w where ${isReady(currency)}`
  return { found, count: all?.count ?? 0, sum: all?.sum ?? 0n }
}

/** Returns and locks ready withdrawals: those named, or the oldest `most`. */
export async function lockReady(
  tx: Transaction,
  currency: Currency,
  named: readonly string[] | undefined,
  most: number,
) {
  const wanted = named ? sql`and w.id = any (${named.map(uuidOrNull)}::uuid[])` : sql``
  const ids = await rows<{ id: string }>(tx)`
    select w.id from withdrawals w where ${isReady(currency)} ${wanted} order by w.approved_at, w.id limit ${most}`
  const locked = ids.map(({ id }) => id)
  await lockPayees(tx, locked)
  return rows<Withdrawal>(tx)`
    select ${withdrawalColumns} from ${withdrawalTables} where w.id = any (${locked}::uuid[]) and ${isReady(currency)}
      order by w.approved_at, w.id`
}

interface BatchOfWithdrawal {
  readonly id: PayoutBatchId
  readonly number: string
  readonly state: PayoutBatchState
  /** As in `PayoutBatch`. */
  readonly bankAccount: string | null
}

/** Returns the batch of a withdrawal, or null if it is in none or only in void ones. */
export async function batchOf(connection: Connection, withdrawalId: WithdrawalId): Promise<BatchOfWithdrawal | null> {
  const found = await row<Omit<BatchOfWithdrawal, 'number'> & { number: bigint }>(connection)`
    select b.id, b.number, b.state, b.bank_account as "bankAccount" from payout_batch_payments p join payout_batches b on b.id = p.batch_id
      where p.withdrawal_id = ${withdrawalId} and p.live`
  return found && { ...found, number: batchNumber(found.number) }
}

/** Returns the batches that no active person may release. `batchId` limits the search to one batch. */
export async function unreleasableBatches(
  connection: Connection,
  byUninvolved: boolean,
  batchId?: string,
): Promise<{ id: string; number: string }[]> {
  const found = await rows<{ id: string; number: bigint }>(connection)`
    select b.id, b.number from payout_batches b where b.state = 'created'
        ${batchId === undefined ? sql`` : sql`and b.id = ${batchId}`}
        and not exists (select from staff s where ${mayRelease(byUninvolved)})
      order by b.number`
  return found.map(({ id, number }) => ({ id, number: batchNumber(number) }))
}

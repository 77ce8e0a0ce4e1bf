/**
 * Epochs of the event log's seals. After a recovery, events may have been sealed elsewhere that this database lost: the
 * chain then continues as a new epoch that contains the last number and hash known here, so that verification neither
 * fails nor hides the loss (requirements 20.18, ADR 148).
 */
import { createHash } from 'node:crypto'
import { row, rows, sql, type Connection, type Transaction } from './sql.ts'

export interface ChainEpoch {
  readonly epoch: number
  readonly recovery: string
  /** The last known seal and its hash; 0 and zeros if there was none. */
  readonly afterNumber: bigint
  readonly afterHash: Buffer
  /** Events with lower ids existed before it started; from this one on some had no seal. */
  readonly firstUnsealed: bigint
  readonly lastBefore: bigint
  readonly beganAt: Date
}

const columns = sql`epoch, recovery, after_number as "afterNumber", after_hash as "afterHash",
  first_unsealed as "firstUnsealed", last_before as "lastBefore", began_at as "beganAt"`

/** Returns all epochs after the first, in order. */
export function chainEpochs(connection: Connection): Promise<ChainEpoch[]> {
  return rows<ChainEpoch>(connection)`select ${columns} from seal_epochs order by epoch`
}

/** Starts an epoch for each recovery that has none, after the last seal; the caller holds the sealer's lock. */
export async function beginDueEpochs(tx: Transaction, last: { number: bigint; hash: Buffer }): Promise<void> {
  const due = await row<{ due: boolean }>(tx)`
    select exists (select from recovery r where not exists (select from seal_epochs e where e.recovery = r.id)) as due`
  if (!due?.due) return
  await tx.query(
    `insert into seal_epochs (epoch, recovery, after_number, after_hash, first_unsealed, last_before, began_at)
     select coalesce((select max(epoch) from seal_epochs), 1) + row_number() over (order by r.opened_at, r.id), r.id, $1, $2,
       coalesce((select min(e.id) from events e where not exists (select from event_seals s where s.event_id = e.id)), b.last + 1),
       b.last, r.opened_at
     from recovery r cross join (select coalesce(max(id), 0) as last from events) b
     where not exists (select from seal_epochs e where e.recovery = r.id)`,
    [String(last.number), last.hash],
  )
}

/** Returns the link that an epoch adds to the chain, before that of its first event. */
export function linkOfEpoch(previous: Buffer, { epoch, recovery, afterNumber, afterHash }: ChainEpoch): Buffer {
  const text = JSON.stringify(['epoch', epoch, recovery, String(afterNumber), afterHash.toString('hex')])
  return createHash('sha256').update(previous).update(text).digest()
}

/**
 * By how many ids a transaction that was open when an epoch started may be behind: identities are assigned before the
 * commit.
 */
export const idsInFlight = 1_000n

/**
 * Numbers committed events without gaps and chains them by hash, once a second, separately from the transactions that
 * write them (requirements 18.19). Verification names the first altered, missing or added row.
 */
import { createHash } from 'node:crypto'
import type { Pool } from 'pg'
import type { ClientId } from '#rules/ids.ts'
import { beginDueEpochs, idsInFlight, linkOfEpoch, chainEpochs, type ChainEpoch } from './chain-epochs.ts'
import { row, rows, run, sql, type Connection, transaction, type Transaction } from './sql.ts'

const lockKey = 7_420_003
const atOnce = 500

interface EventRow {
  id: bigint
  at: Date
  kind: string
  record: string | null
  client_id: ClientId | null
  verb: string
  from_state: string | null
  to_state: string | null
  actor: string
  actor_id: string | null
  address: string | null
  reference: string | null
  reason: string | null
  details_digest: Buffer | null
}

/** Columns by name, because a newer version may add columns while this one runs (requirements 33.4). */
const eventColumns = sql`e.id, e.at, e.kind, e.record, e.client_id, e.verb, e.from_state, e.to_state, e.actor, e.actor_id,
  e.address, e.reference, e.reason, e.details_digest`

interface ChainLink {
  readonly number: bigint
  readonly hash: Buffer
}

/** Returns the last link of the chain, or null before the first. */
export function chainTip(connection: Connection): Promise<ChainLink | null> {
  return row<ChainLink>(connection)`select number, hash from event_seals order by number desc limit 1`
}

/** Seals the committed events older than every running transaction. Returns how many were sealed. */
export async function appendToChain(pool: Pool): Promise<number> {
  return transaction(pool, async (tx) => {
    const held = await row<{ held: boolean }>(tx)`select pg_try_advisory_xact_lock(${lockKey}) as held`
    if (!held?.held) return 0
    let { number, hash } = (await chainTip(tx)) ?? { number: 0n, hash: noHash }
    await beginDueEpochs(tx, { number, hash })
    const epochs = await chainEpochs(tx)
    const unsealed = await unchainedEvents(tx, epochs.at(-1))
    if (unsealed.length > 0) hash = addEpochLinks(hash, number, epochs)
    for (const event of unsealed) {
      number += 1n
      hash = eventLinkHash(hash, number, event)
      await run(tx)`insert into event_seals (number, event_id, hash) values (${number}, ${event.id}, ${hash})`
    }
    return unsealed.length
  })
}

const noHash = Buffer.alloc(32)

/** Adds the links of the epochs that start after this number to the chain's hash. */
function addEpochLinks(hash: Buffer, number: bigint, epochs: readonly ChainEpoch[]): Buffer {
  return epochs.filter(({ afterNumber }) => afterNumber === number).reduce(linkOfEpoch, hash)
}

/**
 * Returns the next events to append, by transaction and id. Events from before an epoch may have transaction numbers
 * of another cluster: they come first, by id, once no running transaction can have that number.
 */
async function unchainedEvents(tx: Transaction, epoch: ChainEpoch | undefined): Promise<EventRow[]> {
  const { lastBefore = 0n, firstUnsealed = 0n, afterNumber = 0n } = epoch ?? {}
  const before = epoch
    ? await rows<EventRow>(tx)`
      select ${eventColumns} from events e where e.id between ${firstUnsealed - idsInFlight} and ${lastBefore}
          and (e.transaction_id < pg_snapshot_xmin(pg_current_snapshot())
            or e.transaction_id >= pg_snapshot_xmax(pg_current_snapshot()))
          and not exists (select from event_seals s where s.event_id = e.id)
        order by e.id limit ${atOnce}`
    : []
  const last = await row<{ transaction: string; id: bigint }>(tx)`
    select e.transaction_id::text as transaction, e.id from event_seals s join events e on e.id = s.event_id
      where s.number > ${afterNumber} and e.id > ${lastBefore} order by s.number desc limit 1`
  const since = await rows<EventRow>(tx)`
    select ${eventColumns} from events e where e.transaction_id < pg_snapshot_xmin(pg_current_snapshot())
      and (e.transaction_id, e.id) > (${last?.transaction ?? '0'}::xid8, ${last?.id ?? 0n}::bigint)
      and e.id > ${lastBefore}
      order by e.transaction_id, e.id limit ${atOnce - before.length}`
  return [...before, ...since]
}

function eventLinkHash(previous: Buffer, number: bigint, event: EventRow): Buffer {
  const text = JSON.stringify([
    String(number),
    String(event.id),
    event.at.toISOString(),
    event.kind,
    event.record,
    event.client_id,
    event.verb,
    event.from_state,
    event.to_state,
    event.actor,
    event.actor_id,
    event.address,
    event.reference,
    event.reason,
    event.details_digest?.toString('hex') ?? null,
  ])
  return createHash('sha256').update(previous).update(text).digest()
}

type Verification =
  | {
      readonly whole: true
      readonly sealed: bigint
      readonly waiting: bigint
      /** The end of the log of an earlier copy of this database, in which the log may have continued. */
      readonly epochs: readonly ChainEpoch[]
    }
  | {
      readonly whole: false
      readonly number: bigint
      readonly eventId: bigint
      readonly wrong: 'altered' | 'missing' | 'details'
    }

interface ChainedEvent extends EventRow {
  number: bigint
  hash: Buffer
  event_id: bigint
  present: boolean
  salt: Buffer | null
  details: string | null
}

/**
 * Verifies the chain from its first link and returns that it is intact, or the first event that differs from its seal.
 */
export async function verifyChain(connection: Connection): Promise<Verification> {
  const epochs = await chainEpochs(connection)
  let number = 0n
  let hash: Buffer = noHash
  for (;;) {
    const links = await rows<ChainedEvent>(connection)`
      select ${eventColumns}, s.number, s.hash, s.event_id, e.id is not null as present, d.salt, d.details::text as details
        from event_seals s left join events e on e.id = s.event_id left join event_details d on d.event_id = e.id
        where s.number > ${number} order by s.number limit ${atOnce}`
    for (const one of links) {
      const begun = epochs.find(({ afterNumber, afterHash }) => afterNumber === number && !afterHash.equals(hash))
      if (begun) return { whole: false, number: number + 1n, eventId: one.event_id, wrong: 'altered' }
      hash = addEpochLinks(hash, number, epochs)
      number += 1n
      if (one.number !== number || !one.present)
        return { whole: false, number, eventId: one.event_id, wrong: 'missing' }
      hash = eventLinkHash(hash, number, one)
      if (!hash.equals(one.hash)) return { whole: false, number, eventId: one.event_id, wrong: 'altered' }
      if (!areDetailsIntact(one)) return { whole: false, number, eventId: one.event_id, wrong: 'details' }
    }
    if (links.length < atOnce) break
  }
  if (epochs.some(({ afterNumber }) => afterNumber > number))
    return { whole: false, number: number + 1n, eventId: 0n, wrong: 'missing' }
  const waiting = await row<{ waiting: bigint }>(connection)`
    select count(*) as waiting from events e where not exists (select from event_seals s where s.event_id = e.id)`
  return { whole: true, sealed: number, waiting: waiting?.waiting ?? 0n, epochs }
}

/** Returns whether details match their digest. Those that erasure emptied count too: the digest stays in the chain. */
function areDetailsIntact(event: ChainedEvent): boolean {
  if (event.details === null || event.details_digest === null || event.salt === null) return true
  return createHash('sha256').update(event.salt).update(event.details).digest().equals(event.details_digest)
}

/**
 * Numbers committed events without gaps and chains them by hash, once a second, apart from the transactions that write
 * them (mechanics section 4). Verification names the first altered, missing or added row.
 */
import { createHash } from 'node:crypto'
import type { Pool } from 'pg'
import { row, rows, run, sql, type Connection } from './sql.ts'
import { transaction } from './transaction.ts'

const lockKey = 7_420_003
const atOnce = 500

interface EventRow {
  id: bigint
  at: Date
  kind: string
  record: string | null
  client_id: string | null
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

/** Each by its name: a newer version may add columns while this one works (fault K4). */
const eventColumns = sql`e.id, e.at, e.kind, e.record, e.client_id, e.verb, e.from_state, e.to_state, e.actor, e.actor_id,
  e.address, e.reference, e.reason, e.details_digest`

interface Seal {
  number: bigint
  transaction_id: string
  event_id: bigint
  hash: Buffer
}

/** Seals what is committed and older than every running transaction. Answers how many were sealed. */
export async function sealEvents(pool: Pool): Promise<number> {
  return transaction(pool, async (tx) => {
    const held = await row<{ held: boolean }>(tx, sql`select pg_try_advisory_xact_lock(${lockKey}) as held`)
    if (!held?.held) return 0
    const last = await row<Seal>(
      tx,
      sql`select s.number, s.event_id, s.hash, e.transaction_id::text as transaction_id
          from event_seals s join events e on e.id = s.event_id order by s.number desc limit 1`,
    )
    const unsealed = await rows<EventRow>(
      tx,
      sql`select ${eventColumns} from events e where e.transaction_id < pg_snapshot_xmin(pg_current_snapshot())
          and (e.transaction_id, e.id) > (${last?.transaction_id ?? '0'}::xid8, ${last?.event_id ?? 0n}::bigint)
          order by e.transaction_id, e.id limit ${atOnce}`,
    )
    let number = last?.number ?? 0n
    let hash = last?.hash ?? Buffer.alloc(32)
    for (const event of unsealed) {
      number += 1n
      hash = link(hash, number, event)
      await run(tx, sql`insert into event_seals (number, event_id, hash) values (${number}, ${event.id}, ${hash})`)
    }
    return unsealed.length
  })
}

function link(previous: Buffer, number: bigint, event: EventRow): Buffer {
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

export type Verification =
  | { readonly whole: true; readonly sealed: bigint; readonly waiting: bigint }
  | {
      readonly whole: false
      readonly number: bigint
      readonly eventId: bigint
      readonly wrong: 'altered' | 'missing' | 'details'
    }

interface Sealed extends EventRow {
  number: bigint
  hash: Buffer
  event_id: bigint
  present: boolean
  salt: Buffer | null
  details: string | null
}

/** Walks the chain from its first link and answers whole, or the first event that is not as it was sealed. */
export async function verifyEvents(connection: Connection): Promise<Verification> {
  let number = 0n
  let hash = Buffer.alloc(32)
  for (;;) {
    const links = await rows<Sealed>(
      connection,
      sql`select ${eventColumns}, s.number, s.hash, s.event_id, e.id is not null as present, d.salt, d.details::text as details
          from event_seals s left join events e on e.id = s.event_id left join event_details d on d.event_id = e.id
          where s.number > ${number} order by s.number limit ${atOnce}`,
    )
    for (const one of links) {
      number += 1n
      if (one.number !== number || !one.present)
        return { whole: false, number, eventId: one.event_id, wrong: 'missing' }
      hash = Buffer.from(link(hash, number, one))
      if (!hash.equals(one.hash)) return { whole: false, number, eventId: one.event_id, wrong: 'altered' }
      if (!detailsHold(one)) return { whole: false, number, eventId: one.event_id, wrong: 'details' }
    }
    if (links.length < atOnce) break
  }
  const waiting = await row<{ waiting: bigint }>(
    connection,
    sql`select count(*) as waiting from events e where not exists (select from event_seals s where s.event_id = e.id)`,
  )
  return { whole: true, sealed: number, waiting: waiting?.waiting ?? 0n }
}

/** Details that erasure emptied hold too: the digest stays in the chain. */
function detailsHold(event: Sealed): boolean {
  if (event.details === null || event.details_digest === null || event.salt === null) return true
  return createHash('sha256').update(event.salt).update(event.details).digest().equals(event.details_digest)
}

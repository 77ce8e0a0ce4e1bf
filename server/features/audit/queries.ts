import { empty, join, row, rows, sql, type Connection, type Sql } from '../../db/sql.ts'

export interface AuditRow {
  readonly id: bigint
  readonly number: bigint | null
  readonly at: Date
  readonly kind: string
  readonly record: string | null
  readonly client_id: string | null
  readonly verb: string
  readonly from_state: string | null
  readonly to_state: string | null
  readonly actor: 'client' | 'staff' | 'outside' | 'clock'
  readonly actor_id: string | null
  readonly actor_name: string | null
  readonly address: string | null
  readonly reference: string | null
  readonly reason: string | null
  readonly details: Record<string, unknown> | null
}

export interface AuditFilter {
  readonly kind?: string | undefined
  readonly verb?: string | undefined
  readonly record?: string | undefined
  readonly client?: string | undefined
  readonly actor?: string | undefined
  readonly reference?: string | undefined
  /** A pattern for `like`, or null. */
  readonly words: string | null
  readonly from: Date | null
  readonly until: Date | null
}

function where(filter: AuditFilter): Sql {
  const conditions: Sql[] = [sql`true`]
  if (filter.kind !== undefined) conditions.push(sql`e.kind = ${filter.kind}`)
  if (filter.verb !== undefined) conditions.push(sql`e.verb = ${filter.verb}`)
  if (filter.record !== undefined) conditions.push(sql`e.record = ${filter.record}::uuid`)
  if (filter.client !== undefined) conditions.push(sql`e.client_id = ${filter.client}::uuid`)
  if (filter.actor !== undefined) conditions.push(sql`e.actor_id = ${filter.actor}::uuid`)
  if (filter.reference !== undefined) conditions.push(sql`e.reference = ${filter.reference}`)
  if (filter.from) conditions.push(sql`e.at >= ${filter.from}`)
  if (filter.until) conditions.push(sql`e.at < ${filter.until}`)
  if (filter.words !== null) {
    conditions.push(sql`(lower(e.reason) like ${filter.words} or lower(e.reference) like ${filter.words} or e.kind || '.' || e.verb like ${filter.words}
      or lower(s.name) like ${filter.words} or lower(c.name || ' ' || c.surname) like ${filter.words})`)
  }
  return join(conditions, ' and ')
}

/** Events, the newest first, before an id. */
export function auditRows(
  connection: Connection,
  filter: AuditFilter,
  before: bigint | null,
  size: number,
): Promise<AuditRow[]> {
  return rows<AuditRow>(
    connection,
    sql`select e.id, l.number, e.at, e.kind, e.record, e.client_id, e.verb, e.from_state, e.to_state, e.actor, e.actor_id,
          coalesce(s.name, a.name || ' ' || a.surname) as actor_name, e.address, e.reference, e.reason, d.details
        from events e left join event_seals l on l.event_id = e.id left join event_details d on d.event_id = e.id
          left join staff s on e.actor = 'staff' and s.id = e.actor_id
          left join clients a on e.actor = 'client' and a.id = e.actor_id
          left join clients c on c.id = e.client_id
        where ${where(filter)} ${before === null ? empty : sql`and e.id < ${before}`}
        order by e.id desc limit ${size}`,
  )
}

export interface Tip {
  readonly number: bigint
  readonly hash: Buffer
}

/** The last link of the chain, or null before the first. */
export function chainTip(connection: Connection): Promise<Tip | null> {
  return row<Tip>(connection, sql`select number, hash from event_seals order by number desc limit 1`)
}

/** An event that was slipped in before the chain's end: the sealer goes by transactions, and it has none of its own. */
export async function slippedIn(connection: Connection): Promise<bigint | null> {
  const found = await row<{ id: bigint }>(
    connection,
    sql`select e.id from events e
        where not exists (select from event_seals s where s.event_id = e.id)
          and (e.transaction_id, e.id) < (select t.transaction_id, t.id from event_seals s join events t on t.id = s.event_id
            order by s.number desc limit 1)
        order by e.id limit 1`,
  )
  return found?.id ?? null
}

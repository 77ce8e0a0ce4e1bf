import { searchAudit } from '#contract/office/records.ts'
import type { StaffRole } from '#rules/actors.ts'
import type { ClientId } from '#rules/ids.ts'
import { idsInFlight, chainEpochs } from '../../db/chain-epochs.ts'
import { empty, raw, row, sql, type Connection, type Sql } from '../../db/sql.ts'
import { isUuid } from '../../db/ids.ts'
import { clientsNamed, wordsPattern } from '../../office/lists.ts'
import { listing, whereEquals, type Columns } from '../../office/listing.ts'
import { standardReasonsWith } from '../../office/standard-reasons.ts'
import { readableKinds } from '../../office/work-item-access.ts'
import { isDecision } from '../reports/queries.ts'
import type { EventRow } from '../../office/timeline.ts'

export interface AuditRow extends EventRow {
  readonly number: bigint | null
  readonly record: string | null
  readonly client_id: ClientId | null
  /** The name of the staff member whose account the event concerns, unless that person acted. */
  readonly staff_account: string | null
}

export const eventColumns: Columns<AuditRow> = sql`e.id, l.number, e.at, e.kind, e.record, e.client_id, e.verb, e.from_state, e.to_state, e.actor,
  e.actor_id, coalesce(s.name, a.name || ' ' || a.surname) as actor_name, e.address, e.reference, e.reason, d.details,
  o.name as staff_account`

/** The listing of events for a person, newest first; searched by reason, reference, client or actor. */
export const auditListing = (roles: readonly StaffRole[]) =>
  listing(searchAudit, {
    name: 'audit',
    tables: sql`events e left join event_seals l on l.event_id = e.id left join event_details d on d.event_id = e.id
    left join staff s on e.actor = 'staff' and s.id = e.actor_id
    left join clients a on e.actor = 'client' and a.id = e.actor_id
    left join staff o on e.kind = 'staff' and o.id = e.record and o.id is distinct from e.actor_id`,
    id: { by: 'e.id', type: 'bigint' },
    sorts: { at: { by: 'e.at', type: 'timestamptz' } },
    at: { by: 'e.at', type: 'timestamptz' },
    standard: () => ({ sort: 'at', direction: 'desc' }),
    where: ({ kind, verb: action, reference, record, client, actor, decisions }) => [
      whereEquals('e.kind', kind),
      whereEquals('e.verb', action),
      whereEquals('e.reference', reference),
      idCondition('e.record', record),
      idCondition('e.client_id', client),
      idCondition('e.actor_id', actor),
      decisions === true ? isDecision(readableKinds(roles)) : empty,
    ],
    finds: (words) => sql`e.id in (
    select id from events where reason is not null and lower(reason) like any (${patternsOf(words)}::text[])
    union select event_id from event_details where details ->> 'clientReason' is not null
      and lower(details ->> 'clientReason') like any (${patternsOf(words)}::text[])
    union select id from events where reference in (${words}, ${words.toUpperCase()})
    union select id from events where client_id in (${clientsNamed(words)})
    union select id from events where actor_id in (select id from staff where lower(name) like ${wordsPattern(words)}))`,
  })

/** Returns patterns for a search text and for the keys of the standard reasons that contain it. */
function patternsOf(words: string): string[] {
  return [wordsPattern(words) ?? '%', ...standardReasonsWith(words)]
}

/** Returns a condition for a given id; an unknown id matches nothing. */
function idCondition(column: string, id: string | undefined): Sql {
  if (id === undefined) return empty
  return isUuid(id) ? sql`${raw(column)} = ${id}::uuid` : sql`false`
}

/**
 * Returns an event that is not in the chain although the chain is already past it, or null. Events are chained in the
 * order of their transactions, so such an event was inserted later.
 */
export async function findUnchainedEvent(connection: Connection): Promise<bigint | null> {
  const { lastBefore = 0n, firstUnsealed = 0n, afterNumber = 0n } = (await chainEpochs(connection)).at(-1) ?? {}
  const found = await row<{ id: bigint }>(connection)`select e.id from events e
      where not exists (select from event_seals s where s.event_id = e.id)
        and ((e.id > ${lastBefore} and (e.transaction_id, e.id) < (select t.transaction_id, t.id from event_seals s
            join events t on t.id = s.event_id where t.id > ${lastBefore} and s.number > ${afterNumber}
            order by s.number desc limit 1))
          or e.id < ${firstUnsealed - idsInFlight})
      order by e.id limit 1`
  return found?.id ?? null
}

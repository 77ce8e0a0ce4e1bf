/** The events of a record in the form for staff. */
import type { OfficeEvent } from '#contract/office/decisions.ts'
import type { Language } from '#rules/choices.ts'
import { titleOfCheck } from '../checks/check-texts.ts'
import type { KeptCheck } from '../checks/stored-checks.ts'
import { isOfOperator } from '../db/events.ts'
import { rows, sql, type Connection, type Sql } from '../db/sql.ts'
import { reasonText, localizeReasons } from '../i18n/format.ts'
import { answerText, findingText } from './answer-text.ts'

export interface EventRow {
  id: bigint
  at: Date
  kind: string
  verb: string
  from_state: string | null
  to_state: string | null
  actor: OfficeEvent['actor']['kind']
  actor_id: string | null
  actor_name: string | null
  address: string | null
  reference: string | null
  reason: string | null
  details: Record<string, unknown> | null
}

/** Returns the events of a record, newest first. */
export function timelineOf(
  connection: Connection,
  kinds: readonly string[],
  recordId: string,
  language: Language,
): Promise<OfficeEvent[]> {
  return eventsWhere(connection, sql`e.kind = any (${[...kinds]}::text[]) and e.record = ${recordId}`, language)
}

/** Returns the events of all documents of a client and of their item in the inbox, which has the client’s id. */
export function documentTimelineOf(
  connection: Connection,
  clientId: string,
  language: Language,
): Promise<OfficeEvent[]> {
  return eventsWhere(
    connection,
    sql`e.kind = 'document' and (e.client_id = ${clientId} or e.record = ${clientId})`,
    language,
  )
}

async function eventsWhere(connection: Connection, condition: Sql, language: Language): Promise<OfficeEvent[]> {
  const found = await rows<EventRow>(connection)`
    select e.id, e.at, e.kind, e.verb, e.from_state, e.to_state, e.actor, e.actor_id,
        coalesce(s.name, c.name || ' ' || c.surname) as actor_name, e.address, e.reference, e.reason, d.details
      from events e left join event_details d on d.event_id = e.id
        left join staff s on e.actor = 'staff' and s.id = e.actor_id
        left join clients c on e.actor = 'client' and c.id = e.actor_id
      where ${condition} order by e.id desc limit 100`
  return found.map((event) => officeEvent(event, language))
}

/** Returns an event row in the form of the contract. */
export function officeEvent(event: EventRow, language: Language): OfficeEvent {
  // The event's subject, such as a section of the settings, is returned in addition to the change.
  const { before, after, checks, ...about } = (event.details ?? {}) as {
    before?: Record<string, unknown>
    after?: Record<string, unknown>
    checks?: readonly KeptCheck[]
  }
  const localized = localizeReasons({ ...about, ...after }, language)
  return {
    id: String(event.id),
    at: event.at,
    kind: event.kind,
    verb: event.verb,
    from: event.from_state,
    to: event.to_state,
    actor: { kind: event.actor, id: event.actor_id, name: event.actor_name, isOperator: isOfOperator(event) },
    address: event.address,
    reference: event.reference,
    reason: reasonOf(event, language),
    before: before ?? null,
    after: Object.keys(localized).length > 0 ? localized : null,
    ...(checks ? { checks: checks.map((one) => checkOfEvent(one, language)) } : {}),
  }
}

/** Events whose reason is the virus scanner's name of its finding. */
const scans: ReadonlySet<string> = new Set(['scan', 'refuseInfected'])

/** What commands wrote as their reason before events named the operator. */
const operatorReasons: readonly (string | null)[] = ['operator', 'by the operator']

function reasonOf(event: EventRow, language: Language): string | null {
  const { kind, verb, reason } = event
  if (isOfOperator(event) && operatorReasons.includes(reason)) return null
  if (kind === 'file' && scans.has(verb) && reason !== null) return findingText(reason, language)
  return answerText(reasonText(reason, language), language)
}

function checkOfEvent({ name, result, acknowledged, override }: KeptCheck, language: Language) {
  return {
    title: titleOfCheck(name, language),
    result,
    acknowledged: acknowledged === true,
    overridden: override !== undefined,
  }
}

/** Changes of a verified identity as compliance reads them. */
import type { getProfileChange, listProfileChanges } from '#contract/office/profile-changes.ts'
import { countryOf } from '#rules/countries.ts'
import { profileChangeLife, type DecidedField, type ProfileChangeState } from '#rules/profile-changes.ts'
import type { Check } from '#contract/office/decisions.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import { row, rows, sql, type Connection } from '../../db/sql.ts'
import { staffOf, type Call } from '../../http/call.ts'
import { Problem } from '../../http/problem.ts'
import { isUuid } from '../../ids.ts'
import { cursorAfter, momentOf, paged, placeOf } from '../../office/page-cursor.ts'
import { clientBrief, clientBriefs, recordFieldsOf, staffNames } from '../../office/records.ts'
import type { Parts } from '../../parts.ts'

export interface ProfileChange {
  id: string
  clientId: string
  field: DecidedField
  from: string | null
  to: string
  state: ProfileChangeState
  reason: string | null
  decidedBy: string | null
  requestedAt: Date
  decidedAt: Date | null
  version: number
  email: string
  language: 'en' | 'de'
}

const selected = sql`select p.id, p.client_id as "clientId", p.field, p.from_value as from, p.to_value as to, p.state, p.reason,
    p.decided_by as "decidedBy", p.requested_at as "requestedAt", p.decided_at as "decidedAt", p.version,
    c.email::text as email, c.language
  from profile_changes p join clients c on c.id = p.client_id`

/** One change, or null. */
export async function profileChangeById(connection: Connection, id: string): Promise<ProfileChange | null> {
  return isUuid(id) ? row<ProfileChange>(connection, sql`${selected} where p.id = ${id}`) : null
}

const pageSize = 50

/** Changes in a state, the oldest first; without one those that wait. */
export async function listChanges(parts: Parts, { query }: Call<typeof listProfileChanges>) {
  const place = placeOf(query.cursor)
  const size = query.size ?? pageSize
  const text = query.q ? `%${query.q.toLowerCase().replace(/[\\%_]/g, String.raw`\$&`)}%` : null
  const found = await rows<ProfileChange & { dueAt: Date | null; assignee: string | null }>(
    parts.pool,
    sql`select l.*, w.due_at as "dueAt", w.assignee from (${selected}
          where p.state = ${query.state ?? 'pending'}
            and (${text}::text is null or lower(c.name || ' ' || c.surname || ' ' || c.email::text) like ${text})) l
        left join work_items w on w.kind = 'profile_change' and w.record = l.id and w.closed_at is null
        where ${place === null} or (l."requestedAt", l.id) > (${place ? momentOf(place.value) : null}::timestamptz, ${place?.id ?? null}::uuid)
        order by l."requestedAt", l.id limit ${size + 1}`,
  )
  const page = paged(found, size, (one) => cursorAfter(one.requestedAt.toISOString(), one.id))
  const clients = await clientBriefs(
    parts,
    parts.pool,
    page.rows.map(({ clientId }) => clientId),
  )
  const names = await staffNames(
    parts.pool,
    page.rows.map(({ assignee }) => assignee),
  )
  return {
    rows: page.rows.flatMap(({ id, version, requestedAt, dueAt, assignee, clientId, state, field, from, to }) => {
      const client = clients.get(clientId)
      if (!client) return []
      return {
        id,
        version,
        createdAt: requestedAt,
        dueAt,
        assignee: (assignee && names.get(assignee)) || null,
        client,
        state,
        field,
        from,
        to,
      }
    }),
    next: page.next,
  }
}

type Page = AnswerOf<typeof getProfileChange>['change']

/** The page of one change, with the documents that were approved. Throws `not-found`. */
export async function profileChangePage(parts: Parts, call: Call, id: string): Promise<Page> {
  const change = await profileChangeById(parts.pool, id)
  if (!change) throw new Problem('not-found')
  const own = staffOf(call).email.toLowerCase() === change.email.toLowerCase() ? new Problem('own-request') : null
  const { changes } = await parts.settings.get('countries')
  const country = (code: string | null) => (code === null ? null : countryOf(code, changes))
  const [before, after] = [country(change.from), country(change.to)]
  const risky = change.field === 'country' || change.field === 'nationality'
  const unavailable = change.field === 'country' && !after?.available ? new Problem('country-unavailable') : null
  const { kind, requestedAt: createdAt, ...stands } = { kind: profileChangeLife.name, ...change }
  return {
    ...(await recordFieldsOf(call, parts.pool, {
      ...stands,
      kind,
      createdAt,
      life: profileChangeLife,
      refusals: { approve: own ?? unavailable, reject: own },
    })),
    state: change.state,
    client: await clientBrief(parts, parts.pool, change.clientId),
    field: change.field,
    from: change.from,
    to: change.to,
    risk: risky
      ? { fromLevel: before?.level ?? 5, toLevel: after?.level ?? 5, toAvailable: after?.available ?? false }
      : null,
    checks: riskChecks(risky, before?.level ?? null, after?.level ?? null),
    documents: await approvedDocuments(parts.pool, change.clientId),
  }
}

function riskChecks(risky: boolean, from: number | null, to: number | null): Check[] {
  if (!risky) return []
  const verdict = to === null || to >= 5 ? 'differs' : from !== null && to > from ? 'warn' : 'ok'
  return [
    {
      code: 'countryRisk',
      verdict,
      ours: from === null ? null : String(from),
      theirs: to === null ? null : String(to),
      note: null,
    },
  ]
}

async function approvedDocuments(connection: Connection, clientId: string): Promise<Page['documents']> {
  return rows<Page['documents'][number]>(
    connection,
    sql`select d.id, d.kind, d.state, f.id as "fileId", f.media_type as "mediaType", coalesce(f.pages, 1) as pages
        from documents d left join files f on f.id = d.front_file and f.state = 'clean'
        where d.client_id = ${clientId} and d.state in ('approved', 'expired', 'uploaded', 'pending_approval') order by d.created_at, d.id`,
  )
}

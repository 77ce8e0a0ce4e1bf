/** Shows the outcome of an item that has left the inbox while a colleague had it open (requirements 24.62). */
import type { ResponseOf } from '#contract/endpoint.ts'
import type { getItemEnd } from '#contract/office/inbox.ts'
import type { WorkItemKind } from '#rules/work-items.ts'
import { isOfOperator } from '../../db/events.ts'
import { row } from '../../db/sql.ts'
import { uuidOrNull } from '../../db/ids.ts'
import { requireStaff, type Handler } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { readableKinds } from '../../office/work-item-access.ts'

interface EndRow {
  readonly kind: WorkItemKind
  readonly record: string
  readonly at: Date
  readonly state: string | null
  readonly actor: NonNullable<ResponseOf<typeof getItemEnd>['by']>['kind'] | null
  readonly actorId: string | null
  readonly actorName: string | null
  readonly reference: string | null
}

/** A documents item refers to its client, while its events refer to each document. */
export const showItemEnd: Handler<typeof getItemEnd> = async ({ pool }, context) => {
  const end = await row<EndRow>(pool)`
    select w.kind, w.record, w.closed_at as at, e.to_state as state, e.actor, e.actor_id as "actorId",
        coalesce(s.name, c.name || ' ' || c.surname) as "actorName", e.reference
      from work_items w
        left join lateral (select to_state, actor, actor_id, reference from events
          where kind = w.kind and (record = w.record or kind = 'document' and client_id = w.client_id)
            and at = w.closed_at and to_state is distinct from from_state order by id desc limit 1) e on true
        left join staff s on e.actor = 'staff' and s.id = e.actor_id
        left join clients c on e.actor = 'client' and c.id = e.actor_id
      where w.id = ${uuidOrNull(context.params.id)}::uuid and w.closed_at is not null
        and w.kind = any (${readableKinds(requireStaff(context).roles)}::text[])`
  if (!end) throw new Problem('not-found')
  const { kind, record, at, state, actor, actorId, actorName } = end
  const by = actor && { kind: actor, id: actorId, name: actorName, isOperator: isOfOperator(end) }
  return { kind, record, at, state, by }
}

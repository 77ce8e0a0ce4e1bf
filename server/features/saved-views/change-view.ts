/**
 * Saves, changes and deletes a person's views of a list. Views affect only what that person and the team see first.
 * Only the deletion of another person's view is logged.
 */
import {
  viewedLists,
  type changeView as changeEndpoint,
  type removeView as removeEndpoint,
  type saveView as saveEndpoint,
} from '#contract/office/saved-views.ts'
import { savedViewsMax } from '#rules/constants.ts'
import { can, readPermissions } from '#rules/permissions.ts'
import { recordEvent } from '../../db/events.ts'
import { run, transaction, requireRow } from '../../db/sql.ts'
import { uuidOrNull } from '../../db/ids.ts'
import { Problem, requireFound } from '../../http/problem.ts'
import { authorize } from '../../http/register-endpoint.ts'
import { requireStaff, type Handler } from '../../http/handler.ts'
import { isNameUsed, lockOwnView, lockViews, removeLeftView } from './queries.ts'

export const saveView: Handler<typeof saveEndpoint> = async (dependencies, context) => {
  const { staffId } = requireStaff(context)
  const { list, name, query, shared } = context.body
  authorize(readPermissions[viewedLists[list]], context.caller)
  return transaction(dependencies.pool, async (tx) => {
    if ((await lockViews(tx, list, staffId)) >= savedViewsMax)
      throw new Problem('too-many-views', { values: { most: savedViewsMax } })
    if (await isNameUsed(tx, { list, staffId, name, except: null }))
      throw new Problem('view-name-used', { field: 'name' })
    const saved = await requireRow<{ id: string }>(tx)`
      insert into saved_views (list, owner, name, query, shared, created_at)
        values (${list}, ${staffId}, ${name}, ${JSON.stringify(query)}::jsonb, ${shared}, ${context.now}) returning id`
    return { id: saved.id }
  })
}

export const changeView: Handler<typeof changeEndpoint> = async (dependencies, context) => {
  const { staffId } = requireStaff(context)
  const { id } = context.params
  const { name, query, shared } = context.body
  return transaction(dependencies.pool, async (tx) => {
    const before = requireFound(await lockOwnView(tx, id, staffId))
    const { list, ...fields } = before
    await lockViews(tx, list, staffId)
    if (await isNameUsed(tx, { list, staffId, name, except: id }))
      throw new Problem('view-name-used', { field: 'name' })
    await run(tx)`update saved_views set name = ${name}, query = ${JSON.stringify(query)}::jsonb, shared = ${shared}
        where id = ${id}::uuid`
    return { before: { name: fields.name, query: fields.query, shared: fields.shared } }
  })
}

export const removeView: Handler<typeof removeEndpoint> = async (dependencies, context) => {
  const { staffId, roles } = requireStaff(context)
  const { id } = context.params
  return transaction(dependencies.pool, async (tx) => {
    const own = await run(tx)`delete from saved_views where id = ${uuidOrNull(id)}::uuid and owner = ${staffId}`
    if (own > 0) return {}
    const left = requireFound(can('removeLeftView', roles) ? await removeLeftView(tx, id) : null)
    // Logged without its name, which may contain a client's name.
    const { id: record, ...details } = left
    await recordEvent(tx, context.auditContext, { kind: 'saved_view', action: 'remove', record, details })
    return {}
  })
}

/** Saved views of the lists (requirements 24.6). */
import * as z from 'zod/mini'
import { listInbox } from '#contract/office/inbox.ts'
import * as office from '#contract/office/saved-views.ts'
import { can, readPermissions } from '#rules/permissions.ts'
import { authorize, type RegisterEndpoint } from '../../http/register-endpoint.ts'
import { requireStaff, type RequestContext } from '../../http/handler.ts'
import { deciderOf } from '../../office/work-item-access.ts'
import type { Dependencies } from '../../dependencies.ts'
import { countByFilter, todayOf } from '../inbox/queries.ts'
import { changeView, removeView, saveView } from './change-view.ts'
import { viewsOf, type ViewRow } from './queries.ts'

export function savedViewRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(office.listSavedViews, async (dependencies, context) => {
    const { list } = context.query
    authorize(readPermissions[office.viewedLists[list]], context.caller)
    const { staffId, roles } = requireStaff(context)
    const views = await viewsOf(dependencies.pool, list, staffId)
    const counts = list === 'inbox' ? await countsOf(dependencies, context, views) : []
    return {
      views: views.map(({ ownerId, ownerName, ownerState, ...view }, place) => ({
        ...view,
        own: ownerId === staffId,
        owner: { id: ownerId, name: ownerName },
        mayRemove: ownerState === 'deactivated' && can('removeLeftView', roles),
        count: counts[place] ?? null,
      })),
    }
  })
  registerEndpoint(office.saveView, saveView)
  registerEndpoint(office.changeView, changeView)
  registerEndpoint(office.removeView, removeView)
}

/** Returns how many items each view of the inbox shows now; null if its filters are no longer valid for the inbox. */
async function countsOf(dependencies: Dependencies, context: RequestContext, views: readonly ViewRow[]) {
  const filters = views.map(({ query: { columns: _columns, ...query } }) => z.safeDecode(listInbox.query, query))
  const known = filters.flatMap(({ data }) => data ?? [])
  const today = await todayOf(dependencies, context.now)
  const counted = await countByFilter(dependencies.pool, await deciderOf(dependencies, context), today, known)
  const left = counted.values()
  return filters.map(({ data }) => (data ? (left.next().value ?? null) : null))
}

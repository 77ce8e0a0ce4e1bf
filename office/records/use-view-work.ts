import { useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import {
  changeView,
  listSavedViews,
  removeView,
  type SavedView,
  saveView,
  type ViewedList,
} from '#contract/office/saved-views.ts'
import { call } from '#ui/api/call.ts'
import { refresh } from '#ui/api/endpoint-query.ts'
import { useUndoableWork } from './use-undoable-work.ts'

type ViewFields = Pick<SavedView, 'name' | 'query' | 'shared'>

/** Saves, changes and deletes views, each with undo. `show` opens a view, or the list without one. */
export function useViewWork(list: ViewedList, show: (view: Pick<SavedView, 'id' | 'query'> | null) => void) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const { run, offerUndo, ...state } = useUndoableWork([listSavedViews])
  return {
    ...state,
    save: (fields: ViewFields, onDone: () => void) =>
      run(async () => {
        const { id } = await call(saveView, { list, ...fields })
        await refresh(queries, [listSavedViews])
        show({ id, query: fields.query })
        offerUndo(t`View saved.`, async () => {
          await call(removeView, { id })
          show(null)
        })
      }, onDone),
    change: (view: SavedView, change: Partial<ViewFields>, onDone?: () => void) =>
      run(async () => {
        const { id, name, query, shared } = view
        const { before } = await call(changeView, { id, name, query, shared, ...change })
        if (change.query) show({ id, query: change.query })
        offerUndo(change.query ? t`Filters of the view saved.` : t`View changed.`, async () => {
          await call(changeView, { id, ...before })
          show({ id, query: before.query })
        })
      }, onDone),
    remove: (view: SavedView) =>
      run(async () => {
        const { id, name, query, shared } = view
        await call(removeView, { id })
        show(null)
        offerUndo(t`View deleted.`, async () => {
          const again = await call(saveView, { list, name, query, shared })
          await refresh(queries, [listSavedViews])
          show({ id: again.id, query })
        })
      }),
  }
}

import { useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  changeView,
  listSavedViews,
  removeView,
  type SavedView,
  saveView,
  type ViewedList,
} from '#contract/office/saved-views.ts'
import { ApiError } from '#ui/api/api-error.ts'
import { call } from '#ui/api/call.ts'
import { refresh } from '#ui/api/endpoint-query.ts'
import { showToast } from '#ui/feedback/toasts.tsx'
import { showUndoToast } from './undo-toast.tsx'

type ViewFields = Pick<SavedView, 'name' | 'query' | 'shared'>

/** Saves, changes and deletes views, each with its undo. `show` opens a view, or the list without one. */
export function useViewWork(list: ViewedList, show: (view: Pick<SavedView, 'id' | 'query'> | null) => void) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const work = useMutation({
    networkMode: 'always',
    mutationFn: (act: () => Promise<void>) => act(),
    onSettled: () => refresh(queries, [listSavedViews]),
  })
  const undo = (text: string, act: () => Promise<void>) =>
    showUndoToast(text, () =>
      work.mutate(
        async () => {
          await act()
          showToast(t`Undone.`)
        },
        { onError: tellFailure },
      ),
    )
  return {
    isPending: work.isPending,
    error: work.error instanceof ApiError ? work.error : null,
    reset: work.reset,
    save: (fields: ViewFields, onDone: () => void) =>
      work.mutate(
        async () => {
          const { id } = await call(saveView, { list, ...fields })
          await refresh(queries, [listSavedViews])
          show({ id, query: fields.query })
          undo(t`View saved.`, async () => {
            await call(removeView, { id })
            show(null)
          })
        },
        { onSuccess: onDone },
      ),
    change: (view: SavedView, change: Partial<ViewFields>, onDone?: () => void) =>
      work.mutate(
        async () => {
          const { id, name, query, shared } = view
          const { before } = await call(changeView, { id, name, query, shared, ...change })
          if (change.query) show({ id, query: change.query })
          undo(change.query ? t`Filters of the view saved.` : t`View changed.`, async () => {
            await call(changeView, { id, ...before })
            show({ id, query: before.query })
          })
        },
        onDone ? { onSuccess: onDone } : { onError: tellFailure },
      ),
    remove: (view: SavedView) =>
      work.mutate(
        async () => {
          const { id, name, query, shared } = view
          await call(removeView, { id })
          show(null)
          undo(t`View deleted.`, async () => {
            const again = await call(saveView, { list, name, query, shared })
            await refresh(queries, [listSavedViews])
            show({ id: again.id, query })
          })
        },
        { onError: tellFailure },
      ),
  }
}

function tellFailure(thrown: Error): void {
  if (thrown instanceof ApiError) showToast(thrown.error, { kind: 'bad' })
}

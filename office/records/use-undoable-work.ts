import { useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Endpoint } from '#contract/endpoint.ts'
import { ApiError } from '#ui/api/api-error.ts'
import { refreshEndpoints } from '#ui/api/endpoint-query.ts'
import { showToast } from '#ui/feedback/toasts.tsx'
import { showFailure } from './show-failure.ts'
import { showUndoToast } from './undo-toast.tsx'

type Act = () => Promise<unknown>

/** Runs changes that can be undone, then reloads the data that they changed. */
export function useUndoableChange(changed: readonly Endpoint[]) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const work = useMutation({
    networkMode: 'always',
    mutationFn: (act: Act) => act(),
    onSettled: () => refreshEndpoints(queries, changed),
  })
  /** With `onDone` the form shows the error; without it, a toast does. */
  const run = (act: Act, onDone?: () => void) =>
    work.mutate(act, onDone ? { onSuccess: onDone } : { onError: showFailure })
  return {
    run,
    isPending: work.isPending,
    failure: work.error instanceof ApiError ? work.error : null,
    reset: work.reset,
    /** Shows what was done, with a button to undo it. */
    offerUndo: (text: string, act: Act) =>
      showUndoToast(text, () =>
        run(async () => {
          await act()
          showToast(() => t`Undone.`)
        }),
      ),
  }
}

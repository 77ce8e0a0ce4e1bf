import { ApiError } from '#ui/api/api-error.ts'
import { showToast } from '#ui/feedback/toasts.tsx'

/** Shows in a toast why a change or a download failed. */
export function showFailure(thrown: unknown): void {
  if (thrown instanceof ApiError) showToast(() => thrown.error, { kind: 'bad' })
}

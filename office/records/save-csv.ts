import { useState } from 'react'
import { ApiError } from '#ui/api/api-error.ts'
import { showToast } from '#ui/feedback/toasts.tsx'
import { saveFile } from '#ui/api/upload.ts'

/** Returns the state of a download button: starts the download, shows its progress and an error. */
export function useCsv(path: string, name: string): { isPending: boolean; save: () => void } {
  const [isPending, setPending] = useState(false)
  const save = () => {
    setPending(true)
    saveFile(path, name)
      .catch((thrown: unknown) => {
        if (thrown instanceof ApiError) showToast(thrown.error, { kind: 'bad' })
        else throw thrown
      })
      .finally(() => setPending(false))
  }
  return { isPending, save }
}

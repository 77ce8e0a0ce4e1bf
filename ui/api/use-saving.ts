/** Saves a file created by the server, and reports a failure. */
import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { showToast } from '../feedback/toasts.tsx'
import { ApiError } from './api-error.ts'
import { saveFile } from './upload.ts'

export function useFileDownload() {
  const { t } = useLingui()
  const [isPending, setPending] = useState(false)
  const save = (path: string, name: string) => {
    setPending(true)
    saveFile(path, name)
      .catch((thrown: unknown) =>
        showToast(() => (thrown instanceof ApiError ? thrown.error : t`Something went wrong!`), { kind: 'bad' }),
      )
      .finally(() => setPending(false))
  }
  return { isPending, save }
}

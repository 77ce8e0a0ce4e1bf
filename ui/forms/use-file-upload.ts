/** The upload of one file in a form: progress, cancellation, error and preview. */
import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../api/api-error.ts'
import { uploadFile } from '../api/upload.ts'
import { numberFormat } from '../text/formats.ts'

export type FileUploadState =
  | { state: 'idle' }
  | { state: 'sending'; file: File; picture: string | null; part: number; stop: AbortController }
  /** `again` sends the same file again, if that may help. */
  | { state: 'failed'; sentence: () => string; again?: () => void }

/** Uploads one file at a time: a newly chosen one replaces it. `onTaken` is called after success. */
export function useFileUpload(bytesMax: number, onTaken: (filename: string, picture: string | null) => void) {
  const { t, i18n } = useLingui()
  const [sending, setSending] = useState<FileUploadState>({ state: 'idle' })
  const pictureOf = useImageUrls()
  const current = useRef<AbortController | null>(null)
  useEffect(() => () => current.current?.abort(), [])

  const refuse = (sentence: () => string) => {
    current.current?.abort()
    current.current = null
    setSending({ state: 'failed', sentence })
  }
  const send = async (file: File): Promise<void> => {
    const megabytes = (bytes: number) =>
      numberFormat(i18n.locale, { maximumFractionDigits: 1 }).format(bytes / 1_048_576)
    if (file.size > bytesMax)
      return refuse(
        () =>
          t`This file is ${megabytes(file.size)}\u00a0MB. The maximum is ${megabytes(bytesMax)}\u00a0MB. A photo is usually smaller than a scan.`,
      )
    current.current?.abort()
    const stop = new AbortController()
    current.current = stop
    const isCurrent = () => current.current === stop
    const begun = { state: 'sending', file, picture: pictureOf(file), part: 0, stop } as const
    setSending(begun)
    try {
      const { filename } = await uploadFile(file, {
        signal: stop.signal,
        onProgress: (part) => isCurrent() && setSending({ ...begun, part }),
      })
      if (!isCurrent()) return
      setSending({ state: 'idle' })
      onTaken(filename, begun.picture)
    } catch (thrown) {
      if (!isCurrent()) return
      if (thrown instanceof ApiError && thrown.code === 'stopped') setSending({ state: 'idle' })
      else
        setSending({
          state: 'failed',
          sentence: () => uploadErrorText(thrown, t`Something went wrong!`),
          ...(isRetryUseful(thrown) ? { again: () => void send(file) } : {}),
        })
    }
  }
  return { sending, send, refuse }
}

/** Returns whether a retry may help: an examined file is rejected again, a failed transfer may succeed. */
function isRetryUseful(thrown: unknown): boolean {
  return !(thrown instanceof ApiError) || thrown.status < 400 || thrown.status >= 500 || thrown.retryAfter !== undefined
}

function uploadErrorText(thrown: unknown, otherwise: string): string {
  return thrown instanceof ApiError ? (thrown.errors['file'] ?? thrown.error) : otherwise
}

/** Returns a function that creates blob URLs of images; they are released on unmount. */
function useImageUrls(): (file: File) => string | null {
  const made = useRef<string[]>([])
  useEffect(() => {
    const addresses = made.current
    return () => {
      for (const address of addresses) URL.revokeObjectURL(address)
    }
  }, [])
  return (file) => {
    if (!file.type.startsWith('image/')) return null
    const address = URL.createObjectURL(file)
    made.current.push(address)
    return address
  }
}

/** Ignores files dropped beside the field: the browser would open them and lose the entered values. */
export function useUnloadGuard(): void {
  useEffect(() => {
    const keep = (event: globalThis.DragEvent) => {
      if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'none'
    }
    addEventListener('dragover', keep)
    addEventListener('drop', keep)
    return () => {
      removeEventListener('dragover', keep)
      removeEventListener('drop', keep)
    }
  }, [])
}

/** Uploads with progress, and files shown as blob URLs (requirements 6.14). */
import { i18n } from '@lingui/core'
import { useEffect, useState } from 'react'
import { apiErrorOf, noResponseError, toReadError, sessionOfCalls } from './call.ts'
import { ApiError, serverTexts } from './api-error.ts'
import { withStepUp } from '../auth/step-up.ts'

interface UploadedFile {
  filename: string
  /** A signed link that expires within minutes. */
  url: string
}

interface UploadOptions {
  /** From 0 to 1. */
  onProgress?: (part: number) => void
  signal?: AbortSignal
}

/** POSTs the field `file` to {host}/upload (requirements 6.10); throws an ApiError. */
export function uploadFile(file: File, { onProgress, signal }: UploadOptions = {}): Promise<UploadedFile> {
  const token = sessionOfCalls().token()
  const form = new FormData()
  form.append('file', file)
  return new Promise((resolve, reject) => {
    // fetch does not report upload progress.
    const request = new XMLHttpRequest()
    request.open('POST', '/upload')
    request.responseType = 'json'
    request.setRequestHeader('accept', 'application/json')
    request.setRequestHeader('accept-language', i18n.locale)
    if (token) request.setRequestHeader('authorization', `Bearer ${token}`)
    request.upload.onprogress = (event) => event.lengthComputable && onProgress?.(event.loaded / event.total)
    request.onerror = () => reject(noResponseError())
    request.onabort = () => reject(new ApiError({ status: 0, code: 'stopped', texts: () => serverTexts('') }))
    request.onload = async () => {
      const answer = request.response as { success?: boolean; filename?: unknown; url?: unknown } | null
      if (request.status < 300 && typeof answer?.filename === 'string' && typeof answer.url === 'string') {
        resolve({ filename: answer.filename, url: answer.url })
        return
      }
      if (request.status === 401 && (await sessionOfCalls().reject(token)))
        return resolve(uploadFile(file, { ...(onProgress ? { onProgress } : {}), ...(signal ? { signal } : {}) }))
      reject(
        apiErrorOf({ status: request.status, headers: { get: (name) => request.getResponseHeader(name) } }, answer),
      )
    }
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(form)
  })
}

interface FileRequest {
  /** Sent as JSON, by POST. */
  body?: object | undefined
  signal?: AbortSignal
}

/** Returns the bytes of a file that the session may see; throws an ApiError, also if the transfer is incomplete. */
async function fetchFile(path: string, request: FileRequest): Promise<Blob> {
  const { body, signal } = request
  const session = sessionOfCalls()
  const token = session.token()
  const headers = new Headers({ 'accept-language': i18n.locale })
  if (token) headers.set('authorization', `Bearer ${token}`)
  if (body) headers.set('content-type', 'application/json')
  const sent = body ? { method: 'POST', body: JSON.stringify(body) } : {}
  try {
    const response = await fetch(path, { headers, ...sent, ...(signal ? { signal } : {}) })
    if (response.ok) return await response.blob()
    if (response.status === 401 && (await session.reject(token))) return await fetchFile(path, request)
    const failure = apiErrorOf(response, await response.json().catch(() => null))
    // The filters in a file's address are those of the list beside it, which shows what is wrong with their values.
    throw body ? failure : toReadError(failure, () => true)
  } catch (thrown) {
    if (thrown instanceof ApiError || signal?.aborted) throw thrown
    throw noResponseError()
  }
}

/** Returns a blob: URL of a file for an <img>, released on unmount; null while loading. */
export function useFileUrl(path: string | null): { address: string | null; failure: unknown } {
  const [shown, setShown] = useState<{ path: string | null; address: string | null; failure: unknown }>({
    path: null,
    address: null,
    failure: null,
  })
  useEffect(() => {
    if (path === null) return
    const stop = new AbortController()
    let address: string | null = null
    withStepUp(() => fetchFile(path, { signal: stop.signal })).then(
      (blob) => {
        address = URL.createObjectURL(blob)
        setShown({ path, address, failure: null })
      },
      (failure: unknown) => {
        if (!stop.signal.aborted) setShown({ path, address: null, failure })
      },
    )
    return () => {
      stop.abort()
      if (address) URL.revokeObjectURL(address)
    }
  }, [path])
  return shown.path === path ? shown : { address: null, failure: null }
}

/** Saves a fetched file through the browser; `body` is the request's body. Throws an ApiError. */
export async function saveFile(path: string, name: string, body?: object): Promise<void> {
  const address = URL.createObjectURL(await withStepUp(() => fetchFile(path, { body })))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

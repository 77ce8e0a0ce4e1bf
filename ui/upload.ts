/** Files on their way up with progress, and files shown on screen as blob addresses (mechanics, section 6). */
import { i18n } from '@lingui/core'
import { useEffect, useState } from 'react'
import { failureOf, noAnswer, sessionOfCalls } from './call.ts'
import { Failure } from './failure.ts'
import { withProof } from './proof.ts'

export interface UploadedFile {
  filename: string
  /** A signed link that expires in minutes. */
  url: string
}

export interface UploadOptions {
  /** 0 to 1. */
  onProgress?: (part: number) => void
  signal?: AbortSignal
}

/** POST {host}/upload with the field `file` (product-decisions section 10); throws a Failure. */
export function uploadFile(file: File, { onProgress, signal }: UploadOptions = {}): Promise<UploadedFile> {
  const token = sessionOfCalls().token()
  const form = new FormData()
  form.append('file', file)
  return new Promise((resolve, reject) => {
    // fetch does not tell how much has been sent.
    const request = new XMLHttpRequest()
    request.open('POST', '/upload')
    request.responseType = 'json'
    request.setRequestHeader('accept', 'application/json')
    request.setRequestHeader('accept-language', i18n.locale)
    if (token) request.setRequestHeader('authorization', `Bearer ${token}`)
    request.upload.onprogress = (event) => event.lengthComputable && onProgress?.(event.loaded / event.total)
    request.onerror = () => reject(noAnswer())
    request.onabort = () => reject(new Failure({ status: 0, code: 'stopped', error: '' }))
    request.onload = () => {
      const answer = request.response as { success?: boolean; filename?: unknown; url?: unknown } | null
      if (request.status < 300 && typeof answer?.filename === 'string' && typeof answer.url === 'string') {
        resolve({ filename: answer.filename, url: answer.url })
        return
      }
      if (request.status === 401 && sessionOfCalls().token() === token) sessionOfCalls().end('ended')
      reject(failureOf({ status: request.status, headers: { get: (name) => request.getResponseHeader(name) } }, answer))
    }
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(form)
  })
}

/** The bytes of a file that the bearer may see. */
export function fetchFile(path: string, signal?: AbortSignal): Promise<Blob> {
  return withProof(() => fetched(path, signal))
}

async function fetched(path: string, signal?: AbortSignal): Promise<Blob> {
  const token = sessionOfCalls().token()
  let response: Response
  try {
    response = await fetch(path, {
      headers: { 'accept-language': i18n.locale, ...(token ? { authorization: `Bearer ${token}` } : {}) },
      ...(signal ? { signal } : {}),
    })
  } catch (thrown) {
    if (signal?.aborted) throw thrown
    throw noAnswer()
  }
  if (!response.ok) throw failureOf(response, await response.json().catch(() => null))
  return response.blob()
}

/** A blob: address of a file for an <img>, freed when the screen goes; null while it loads. */
export function useFileAddress(path: string | null): { address: string | null; failure: unknown } {
  const [shown, setShown] = useState<{ path: string | null; address: string | null; failure: unknown }>({
    path: null,
    address: null,
    failure: null,
  })
  useEffect(() => {
    if (path === null) return
    const stop = new AbortController()
    let address: string | null = null
    fetchFile(path, stop.signal).then(
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

/** Hands a fetched file to the browser to be saved. */
export async function saveFile(path: string, name: string): Promise<void> {
  const address = URL.createObjectURL(await fetchFile(path))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** Live screens: the server's stream of changes, read by fetch, since EventSource cannot send the bearer (requirements 21.1). */
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import * as z from 'zod/mini'
import { inboxCounts, listInbox } from '#contract/office/inbox.ts'
import { refresh } from '#ui/api/endpoint-query.ts'
import { session } from '../session.ts'

const changesPath = '/api/backoffice/changes'
const againMsMin = 1000
const againMsMax = 30_000

const change = z.object({ kind: z.string(), id: z.string(), version: z.optional(z.union([z.string(), z.number()])) })
export type Change = z.output<typeof change>

const listeners = new Set<(change: Change) => void>()

/** Calls back on every change of a record; a screen reads its data again, or says that somebody decided meanwhile. */
export function useChanges(onChange: (change: Change) => void): void {
  useEffect(() => {
    listeners.add(onChange)
    return () => void listeners.delete(onChange)
  }, [onChange])
}

/** Keeps the stream open while somebody is signed in; the menu's counts and the inbox follow it. */
export function useLiveChanges(signedIn: boolean): void {
  const queries = useQueryClient()
  useEffect(() => {
    if (!signedIn) return
    const stop = new AbortController()
    void follow(queries, stop.signal)
    return () => stop.abort()
  }, [signedIn, queries])
}

async function follow(queries: QueryClient, signal: AbortSignal): Promise<void> {
  let againMs = againMsMin
  let missed = false
  while (!signal.aborted) {
    const begun = Date.now()
    try {
      await readStream(queries, signal, missed)
    } catch {
      // A broken stream is opened again below; lists are read again when it stands.
    }
    missed = true
    if (Date.now() - begun > againMsMax) againMs = againMsMin
    await pause(againMs, signal)
    againMs = Math.min(againMs * 2, againMsMax)
  }
}

/** `missed`: a stream stood before, so that what changed meanwhile was not heard; the page itself has just been read. */
async function readStream(queries: QueryClient, signal: AbortSignal, missed: boolean): Promise<void> {
  const token = session.token()
  if (token === null) return
  const response = await fetch(changesPath, {
    headers: { accept: 'text/event-stream', authorization: `Bearer ${token}`, 'x-background': '1' },
    signal,
  })
  if (response.status === 401 && session.token() === token) session.end('ended')
  if (!response.ok || !response.body) return
  if (missed) await refresh(queries, [listInbox, inboxCounts])
  let rest = ''
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return
    const events = (rest + value).split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) tellOf(event, queries)
  }
}

function tellOf(event: string, queries: QueryClient): void {
  const data = event
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5))
    .join('\n')
  if (data === '') return
  const parsed = change.safeParse(JSON.parse(data))
  if (!parsed.success) return
  for (const listener of listeners) listener(parsed.data)
  void refresh(queries, [listInbox, inboxCounts])
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

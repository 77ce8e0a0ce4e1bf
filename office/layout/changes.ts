/** Live screens: the server's stream of changes (requirements 21.1). */
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import * as z from 'zod/mini'
import { changesPath, inboxCounts, listInbox } from '#contract/office/inbox.ts'
import { listSavedViews } from '#contract/office/saved-views.ts'
import { refreshEndpoints } from '#ui/api/endpoint-query.ts'
import { followStream } from '#ui/api/event-stream.ts'
import { session } from '../session.ts'

const change = z.object({ kind: z.string(), id: z.string(), version: z.optional(z.union([z.string(), z.number()])) })
export type Change = z.output<typeof change>

const listeners = new Set<(change: Change) => void>()
const openings = new Set<() => void>()

/**
 * Calls back on every change of a record, so that a screen reloads its data or reports another person's decision.
 * `onOpen`: the stream has just opened, and changes since the screen's last reading were missed.
 */
export function useChanges(onChange: (change: Change) => void, onOpen?: () => void): void {
  const changed = useEffectEvent(onChange)
  const opened = useEffectEvent(() => onOpen?.())
  useEffect(() => {
    const hear = (change: Change) => changed(change)
    const open = () => opened()
    listeners.add(hear)
    openings.add(open)
    return () => {
      listeners.delete(hear)
      openings.delete(open)
    }
  }, [])
}

/** Keeps the stream open while a member of staff is signed in, and updates the menu's counts and the inbox. */
export function useLiveChanges(signedIn: boolean): void {
  const queries = useQueryClient()
  useEffect(() => {
    if (!signedIn) return
    const stop = new AbortController()
    void followStream({
      path: changesPath,
      session,
      signal: stop.signal,
      onEvent: (data) => refreshOf(data, queries),
      onOpen: async (again) => {
        for (const opened of openings) opened()
        if (again) await refreshEndpoints(queries, [listInbox, inboxCounts, listSavedViews])
      },
    })
    return () => stop.abort()
  }, [signedIn, queries])
}

function refreshOf(data: unknown, queries: QueryClient): void {
  const parsed = change.safeParse(data)
  if (!parsed.success) return
  for (const listener of listeners) listener(parsed.data)
  void refreshEndpoints(queries, [listInbox, inboxCounts, listSavedViews])
}

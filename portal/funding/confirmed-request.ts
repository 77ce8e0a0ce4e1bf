import { useCallback, useEffect, useRef, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import type { ResponseOf, Endpoint } from '#contract/endpoint.ts'
import { requestStatus } from '#contract/request-status.ts'
import { settings } from '#contract/settings.ts'
import { call, apiErrorOf, type InputOf } from '#ui/api/call.ts'
import { refreshEndpoints } from '#ui/api/endpoint-query.ts'
import { ApiError } from '#ui/api/api-error.ts'
import type { StepUpSubject } from '#ui/auth/step-up.ts'
import { stateWithoutResponse, statusPollMs } from './request-state.ts'
import type { StoredRequest } from './stored-request.ts'

/** How often a request may be in progress when queried before its button is enabled again. */
const statusPollsMax = 12

/**
 * What is known of a request without a response. `arriving`: the server is processing it. `delayed`: the same for so
 * long that its button is enabled, which sends it under the same key. `offline`: the server could not be reached.
 * `expected` and `absent`: it has not arrived yet, or never will; its button sends it under the same key. `forgotten`:
 * too long ago. `unreadable`: it was accepted, by a server of another version than this page.
 */
export type Unsettled =
  | { what: 'asking' | 'arriving' | 'delayed' | 'offline' | 'expected' | 'absent' | 'forgotten' | 'unreadable' }
  | { what: 'not-taken'; failure: ApiError }

/** What is queried again: it changes without the client. */
const polled: readonly Unsettled['what'][] = ['arriving', 'delayed', 'offline', 'expected']

interface ConfirmedRequest<E extends Endpoint, Draft> {
  kept: StoredRequest<Draft>
  keep: (kept: StoredRequest<Draft>) => void
  refreshes: readonly Endpoint[]
  /** False if the stored request belongs to another endpoint. */
  asks?: boolean
  /** The subject that the step-up dialog names, if the endpoint requires a confirmation of its own. */
  subject?: StepUpSubject
  onDone: (answer: ResponseOf<E>) => void
  /** Called if there was no response, or an invalid one: the server is asked for the outcome. */
  onLost?: (failure: ApiError) => void
  /** Called if it was rejected: nothing happened. */
  onRefused: (failure: ApiError) => void
}

/**
 * Returns a money request, which is sent only when its button is pressed, once, under the key of its confirm step. If
 * there was no response (connection lost, page reloaded, offline, logged in again) the server is asked for the outcome,
 * and nothing is sent (requirements 15.16).
 */
export function useConfirmedRequest<E extends Endpoint, Draft>(endpoint: E, options: ConfirmedRequest<E, Draft>) {
  const queries = useQueryClient()
  const [isSending, setSending] = useState(false)
  const [unsettled, setUnsettled] = useState<Unsettled | null>(
    options.kept.sent && options.asks !== false ? { what: 'asking' } : null,
  )
  const latest = useRef(options)
  latest.current = options
  /** How often this attempt was in progress when queried. */
  const polls = useRef(0)
  /** A status queried before the button was pressed again says nothing about this attempt. */
  const attempts = useRef(0)
  const askedFor = useRef<number | null>(null)

  const done = useCallback(
    (answer: ResponseOf<E>) => {
      void refreshEndpoints(queries, latest.current.refreshes)
      latest.current.onDone(answer)
    },
    [queries],
  )

  const settle = useCallback(
    async ({ background = false } = {}) => {
      const { kept, keep, onRefused } = latest.current
      const attempt = attempts.current
      if (askedFor.current === attempt) return
      askedFor.current = attempt
      try {
        const response = await call(requestStatus, { key: kept.key }, { background })
        if (attempt !== attempts.current) return
        if (response.status === 'answered') {
          const answered = parseStoredResponse(endpoint, response)
          if (answered === null) setUnsettled({ what: 'unreadable' })
          else if (answered instanceof ApiError) onRefused(answered)
          else done(answered)
          return
        }
        const state = stateWithoutResponse(response.status, Date.now() - (kept.sentAt ?? 0))
        if (state === 'arriving') polls.current += 1
        if (state === 'forgotten') keep({ ...kept, key: crypto.randomUUID(), sent: false })
        setUnsettled({ what: state === 'arriving' && polls.current > statusPollsMax ? 'delayed' : state })
      } catch (thrown) {
        if (!(thrown instanceof ApiError)) throw thrown
        if (attempt === attempts.current) setUnsettled({ what: 'offline' })
      } finally {
        if (askedFor.current === attempt) askedFor.current = null
      }
    },
    [endpoint, done],
  )

  const what = unsettled?.what
  useEffect(() => {
    if (what === 'asking') {
      const soon = setTimeout(() => void settle())
      return () => clearTimeout(soon)
    }
    if (what === undefined || !polled.includes(what)) return undefined
    const again = () => void settle({ background: true })
    const waiting = setInterval(again, statusPollMs)
    addEventListener('online', again)
    return () => {
      clearInterval(waiting)
      removeEventListener('online', again)
    }
  }, [what, settle])

  const send = async (input: InputOf<E>, draft: Draft = options.kept.draft, key: string = options.kept.key) => {
    const { keep, onRefused, subject } = latest.current
    const at = (sent: boolean) => keep({ key, sent, sentAt: Date.now(), draft })
    setSending(true)
    setUnsettled(null)
    polls.current = 0
    attempts.current += 1
    try {
      const answer = await call(endpoint, input, {
        idempotencyKey: key,
        once: true,
        onLeaving: () => at(true),
        onHeld: () => at(false),
        ...(subject ? { subject } : {}),
      })
      done(answer)
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown
      // The page then shows what is unavailable, even if it was opened before.
      if (thrown.code === 'money-stopped') void refreshEndpoints(queries, [settings])
      if (thrown.code === 'not-proved') at(false)
      else if (thrown.untouched) {
        at(false)
        setUnsettled({ what: 'not-taken', failure: thrown })
      } else if (thrown.unanswered || thrown.code === 'outcome-unknown' || thrown.status === 401) {
        latest.current.onLost?.(thrown)
        setUnsettled({ what: 'asking' })
      } else onRefused(thrown)
    } finally {
      setSending(false)
    }
  }
  const isUnknown = what !== undefined && ['arriving', 'offline', 'unreadable'].includes(what)
  const isUnderWay = isSending || isUnknown || what === 'asking'
  const mayChange = !isUnderWay && what !== 'delayed' && what !== 'expected'
  return { send, settle, unsettled, isSending, isUnderWay, isUnknown, mayChange }
}

/** Returns the stored response as the endpoint itself would have returned it; null if this page cannot read it. */
function parseStoredResponse<E extends Endpoint>(
  endpoint: E,
  response: ResponseOf<typeof requestStatus>,
): ResponseOf<E> | ApiError | null {
  const status = response.answerStatus ?? 0
  const { success, ...fields } = response.answer ?? {}
  if (success !== true) return apiErrorOf({ status, headers: new Headers() }, response.answer)
  const answer = z.safeDecode(endpoint.response, fields as never)
  return answer.success ? (answer.data as ResponseOf<E>) : null
}

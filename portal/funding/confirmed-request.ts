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
import type { StoredRequest } from './stored-request.ts'

/** The server deletes a key after this time: then the outcome is unknown, and the request is not sent again. */
const keyLifetimeMs = 20 * 3_600_000
/** A request that has not arrived by now never will: it may be changed. */
const arrivalMsMax = 120_000
const statusPollMs = 2_500
/** How often the status of a request in progress is queried before its button is enabled again. */
const statusPollsMax = 12

/**
 * What is known of a request without a response. `arriving`: the server is processing it. `offline`: the server could
 * not be reached. `absent`: it has not arrived, or not yet; its button sends it under the same key. `forgotten`: too
 * long ago. `unreadable`: it was accepted, by a server of another version than this page.
 */
export type Unsettled =
  | { what: 'asking' | 'arriving' | 'offline' | 'absent' | 'forgotten' | 'unreadable' }
  | { what: 'not-taken'; failure: ApiError }

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
  const asked = useRef(0)
  const isAsking = useRef(false)

  const done = useCallback(
    (answer: ResponseOf<E>) => {
      void refreshEndpoints(queries, latest.current.refreshes)
      latest.current.onDone(answer)
    },
    [queries],
  )

  const settle = useCallback(async () => {
    const { kept, keep, onRefused } = latest.current
    if (isAsking.current) return
    isAsking.current = true
    try {
      const response = await call(requestStatus, { key: kept.key })
      if (response.status === 'answered') {
        const answered = parseStoredResponse(endpoint, response)
        if (answered === null) setUnsettled({ what: 'unreadable' })
        else if (answered instanceof ApiError) onRefused(answered)
        else done(answered)
        return
      }
      if (response.status === 'in-progress' && asked.current < statusPollsMax) return setUnsettled({ what: 'arriving' })
      const age = Date.now() - (kept.sentAt ?? 0)
      if (age < keyLifetimeMs) return setUnsettled({ what: 'absent' })
      keep({ ...kept, key: crypto.randomUUID(), sent: false })
      setUnsettled({ what: 'forgotten' })
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown
      setUnsettled({ what: 'offline' })
    } finally {
      isAsking.current = false
    }
  }, [endpoint, done])

  const what = unsettled?.what
  useEffect(() => {
    if (what === 'asking') {
      const soon = setTimeout(() => void settle())
      return () => clearTimeout(soon)
    }
    if (what !== 'arriving' && what !== 'offline') return undefined
    const again = () => {
      asked.current += 1
      void settle()
    }
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
    asked.current = 0
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
  const mayHaveArrived = options.kept.sent && Date.now() - (options.kept.sentAt ?? 0) < arrivalMsMax
  return { send, settle, unsettled, isSending, isUnderWay, isUnknown, mayChange: !isUnderWay && !mayHaveArrived }
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

/**
 * Stores a money request whose confirm step is open: its Idempotency-Key and draft, in sessionStorage. A reload returns
 * to the same step and queries the outcome of a request that was already sent. Sends nothing.
 */
import { useCallback, useEffect, useState } from 'react'
import * as z from 'zod/mini'
import type { ApiError } from '#ui/api/api-error.ts'
import { storedRequestsPrefix, useClient } from '../session.ts'

export const storeKeys = ['deposit', 'withdrawal', 'transfer', 'bank'] as const
export type StoreKey = (typeof storeKeys)[number]

export interface StoredRequest<Draft> {
  key: string
  /** True from the moment the request was sent until its response is known. */
  sent: boolean
  /** When it was sent, in ms since 1970. */
  sentAt?: number | undefined
  draft: Draft
}

/** Returns `[kept, keep, forget]` for this client in this tab; data that the schema rejects counts as absent. */
export function useStoredRequest<S extends z.ZodMiniType>(at: StoreKey, schema: S) {
  const owner = useClient()?.id ?? ''
  const name = storedRequestsPrefix(owner) + at
  const [kept, setKept] = useState<StoredRequest<z.output<S>> | null>(() => readStored(name, schema))
  const keep = useCallback(
    (value: StoredRequest<z.output<S>>) => {
      sessionStorage.setItem(name, JSON.stringify(value))
      setKept(value)
    },
    [name],
  )
  const forget = useCallback(() => {
    sessionStorage.removeItem(name)
    setKept(null)
  }, [name])
  return { kept, keep, forget }
}

/**
 * Stores the step that is open before the confirm step, with its entries, so that a reload returns to it. `open` parses
 * only such steps; `useStoredRequest` stores a confirm step with its key.
 */
export function useOpenStep<S extends z.ZodMiniType, Step>(
  at: StoreKey,
  open: S,
  first: (kept: z.output<S> | null) => Step,
) {
  const name = `${storedRequestsPrefix(useClient()?.id ?? '')}${at}.step`
  const [step, setStep] = useState<Step>(() => {
    const read = open.safeParse(readJson(name))
    return first(read.success ? read.data : null)
  })
  useEffect(() => {
    if (open.safeParse(step).success) sessionStorage.setItem(name, JSON.stringify(step))
    else sessionStorage.removeItem(name)
  }, [name, open, step])
  return [step, setStep] as const
}

const storedSchema = z.object({
  key: z.string(),
  sent: z.boolean(),
  sentAt: z.optional(z.number()),
  draft: z.unknown(),
})

function readStored<S extends z.ZodMiniType>(name: string, schema: S): StoredRequest<z.output<S>> | null {
  const read = z.extend(storedSchema, { draft: schema }).safeParse(readJson(name))
  return read.success ? (read.data as StoredRequest<z.output<S>>) : null
}

/** Returns a client's requests that this tab sent without receiving a response. */
export function unansweredRequests(owner: string): { at: StoreKey; key: string; sentAt: number }[] {
  return storeKeys.flatMap((at) => {
    const read = storedSchema.safeParse(readJson(storedRequestsPrefix(owner) + at))
    return read.success && read.data.sent ? [{ at, key: read.data.key, sentAt: read.data.sentAt ?? 0 }] : []
  })
}

/** Stores the draft of a request that continues on the provider's page, under the provider's reference. */
export function storeDraft(at: StoreKey, owner: string, reference: string, draft: Record<string, unknown>): void {
  sessionStorage.setItem(`portal.aside.${at}`, JSON.stringify({ owner, reference, draft }))
}

/**
 * Continues on the provider's page. The step stays on screen until the browser has left it. After the browser's Back
 * the flow begins again, even if the browser restores the page from its cache.
 */
export function continueAtProvider(url: string, at: StoreKey, owner: string): void {
  sessionStorage.removeItem(storedRequestsPrefix(owner) + at)
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload(), { once: true })
  location.assign(url)
}

/** Restores the draft for TRY AGAIN under a new key if the payment failed at the provider. */
export function restoreDraft(at: StoreKey, owner: string, reference: string): void {
  const aside = z.object({ owner: z.literal(owner), reference: z.literal(reference), draft: z.unknown() })
  const read = aside.safeParse(readJson(`portal.aside.${at}`))
  sessionStorage.removeItem(`portal.aside.${at}`)
  if (!read.success) return
  const kept = { key: crypto.randomUUID(), sent: false, draft: read.data.draft }
  sessionStorage.setItem(storedRequestsPrefix(owner) + at, JSON.stringify(kept))
}

/** Stores the data of the result page: the facts of a success, or the reason of a failure. */
export function storeResult(at: StoreKey, owner: string, result: Record<string, unknown>): void {
  sessionStorage.setItem(`portal.result.${at}`, JSON.stringify({ owner, ...result }))
}

export function useStoredResult<S extends z.ZodMiniType>(at: StoreKey, schema: S): z.output<S> | null {
  const owner = useClient()?.id ?? ''
  const [result] = useState(() => {
    const read = z.object({ owner: z.literal(owner) }).safeParse(readJson(`portal.result.${at}`))
    const facts = read.success ? schema.safeParse(readJson(`portal.result.${at}`)) : null
    return facts?.success ? facts.data : null
  })
  return result
}

/** The stored errorMessage of requirements 10.6, with its translations by language and a reference for support. */
export const storedError = z.object({
  errorMessage: z.string(),
  translations: z._default(z.record(z.string(), z.string()), {}),
  reference: z.optional(z.string()),
})

/** Returns the data of the failed page for a rejection. */
export function failedResultOf({ error, translations, reference }: ApiError) {
  return { errorMessage: error, translations, reference }
}

function readJson(name: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? 'null')
  } catch {
    return null
  }
}

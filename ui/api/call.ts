/** Calls endpoints of the contract from a screen. */
import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import * as z from 'zod/mini'
import type { ResponseOf, Endpoint, EmptyObject } from '#contract/endpoint.ts'
import { stepUpHeader, textToSign } from '#contract/step-up.ts'
import { ApiError, type ErrorTexts, serverTexts } from './api-error.ts'
import { type StepUpSubject, withStepUp } from '../auth/step-up.ts'
import { isSameSession, type Session } from '../auth/session.ts'
import { withUnbrokenEmailWord } from '../text/no-break.ts'

type Part<S extends z.ZodMiniType> = S extends EmptyObject ? unknown : z.input<S>

/** All input of an endpoint in one object: path parameters, query and body. */
export type InputOf<E extends Endpoint> = Part<E['params']> & Part<E['query']> & Part<E['body']>

interface CallOptions {
  /** Another session than the app's own. */
  session?: Session
  /** Stored by the caller to send the same request again; otherwise generated if the endpoint requires one. */
  idempotencyKey?: string
  /** A poll or stream, which does not extend the session's idle time (requirements 4.8). */
  background?: boolean
  signal?: AbortSignal
  /** Sent once per click: if the outcome is unknown, it is not sent again automatically. */
  once?: boolean
  /** The subject that the step-up dialog names, if the endpoint requires a confirmation of its own. */
  subject?: StepUpSubject
  /**
   * Called each time before the request is sent, and when it waits for a confirmation, before which nothing is done.
   */
  onLeaving?: () => void
  onHeld?: () => void
}

const responseMsMax = 30_000
/** How often a request with an unknown outcome is repeated under its key before the user is asked. */
const repeatsMax = 4

let appSession: Session | null = null

/** Sets the session of all requests of the app; main.tsx calls it first. */
export function setSessionOfCalls(session: Session): void {
  appSession = session
}

export function sessionOfCalls(): Session {
  if (!appSession) throw new Error('main.tsx must set the session before the first call')
  return appSession
}

/**
 * Calls an endpoint; throws an ApiError if rejected. Amounts are sent as decimals and returned as minor units. If the
 * outcome is unknown, the request is repeated under the same key, which executes it only once (requirements 33.6).
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  options: CallOptions = {},
): Promise<ResponseOf<E>> {
  const idempotencyKey = options.idempotencyKey ?? crypto.randomUUID()
  for (let again = 0; ; again += 1) {
    try {
      return await sendRequest(endpoint, input, { ...options, idempotencyKey })
    } catch (thrown) {
      if (!(thrown instanceof ApiError && thrown.code === 'outcome-unknown')) throw thrown
      if (options.once || again === repeatsMax) throw thrown
      await waitSeconds(thrown.retryAfter ?? 1, options.signal)
    }
  }
}

function waitSeconds(count: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, count * 1000)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

async function sendRequest<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  options: CallOptions & { idempotencyKey: string },
): Promise<ResponseOf<E>> {
  const session = options.session ?? sessionOfCalls()
  const { path, body } = requestOf(endpoint, (input ?? {}) as Record<string, unknown>)
  const headers = new Headers({ accept: 'application/json', 'accept-language': i18n.locale })
  if (options.background) headers.set('x-background', '1')
  if (endpoint.idempotent) headers.set('idempotency-key', options.idempotencyKey)
  if (body !== undefined) headers.set('content-type', 'application/json')
  // After a confirmation the same request is sent again: same body, same key, the current token.
  const attempt = async (proof: string | undefined): Promise<ResponseOf<E>> => {
    const token = session.token()
    if (token) headers.set('authorization', `Bearer ${token}`)
    if (proof !== undefined) headers.set(stepUpHeader, proof)
    options.onLeaving?.()
    const request = { method: endpoint.method, headers, body: body ?? null, cache: 'no-store' } as const
    const response = await fetchResponse(path, request, options.signal)
    if (response.status === 401) {
      // A request that holds the lock cannot wait for it.
      if (!endpoint.replacesSession && (await session.reject(token))) return attempt(proof)
      if (session.token() === token) session.end('ended')
    }
    const fields = await responseFields(response, session, token).catch((thrown: unknown) => {
      if (endpoint.method !== 'GET') throw thrown
      throw toReadError(thrown, () => z.safeDecode(endpoint.query, queryOf(path) as never).success)
    })
    const answer = z.safeDecode(endpoint.response, fields as never)
    if (!answer.success) throw versionMismatchError(endpoint.method)
    return answer.data as ResponseOf<E>
  }
  const bind = async () => ({
    subject: options.subject ?? null,
    callHash: await hexOfSha256(textToSign(endpoint.method, path, body ?? '')),
  })
  const send = endpoint.replacesSession ? (proof?: string) => session.replace(() => attempt(proof)) : attempt
  return withStepUp(send, { bind: endpoint.requiresBoundStepUp ? bind : undefined, onHeld: options.onHeld })
}

async function hexOfSha256(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Splits the input into path, query and body: names of path parameters first, the others by the schemas. */
function requestOf(endpoint: Endpoint, input: Record<string, unknown>): { path: string; body?: string } {
  const rest = { ...input }
  const take = (name: string) => {
    const value = String(rest[name])
    delete rest[name]
    return value
  }
  let path = endpoint.path
    .replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(take(name)))
    // A rest parameter keeps its slashes and is encoded already.
    .replace('*', () => take('*'))
  if (endpoint.method === 'POST' || endpoint.method === 'PUT') return { path, body: JSON.stringify(rest) }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(rest)) {
    if (typeof value === 'string' && value !== '') query.set(name, value)
    else if (typeof value === 'number' || typeof value === 'boolean') query.set(name, String(value))
  }
  if (query.size > 0) path += `?${query}`
  return { path }
}

function queryOf(path: string): Record<string, string> {
  return Object.fromEntries(new URL(path, location.origin).searchParams)
}

async function fetchResponse(path: string, request: RequestInit, signal?: AbortSignal): Promise<Response> {
  await yieldToBrowser()
  const tooLong = AbortSignal.timeout(responseMsMax)
  try {
    return await fetch(path, { ...request, signal: signal ? AbortSignal.any([signal, tooLong]) : tooLong })
  } catch (thrown) {
    if (signal?.aborted) throw thrown
    throw noResponseError()
  }
}

/** Lets the browser render and respond to input between several requests of a screen, if it supports that. */
async function yieldToBrowser(): Promise<void> {
  if ('scheduler' in globalThis && 'yield' in scheduler) await scheduler.yield()
}

/** Returns the fields of a successful response; throws the ApiError of a rejection. Stores a new token. */
async function responseFields(
  response: Response,
  session: Session,
  token: string | null,
): Promise<Record<string, unknown>> {
  const json = await readJson(response)
  if (!response.ok || json?.['success'] !== true) throw apiErrorOf(response, json)
  const { success: _, ...fields } = json
  const fresh = fields['token']
  if (isSameSession(token, session.token()) && typeof fresh === 'string') session.keep(fresh)
  return fields
}

async function readJson(response: Response): Promise<Record<string, unknown> | null> {
  try {
    const json: unknown = await response.json()
    return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : null
  } catch {
    return null
  }
}

const errorTexts = { error: z.string(), errors: z._default(z.record(z.string(), z.string()), {}) }
const errorBody = z.object({
  ...errorTexts,
  code: z.optional(z.string()),
  /** The same in the other languages, by language. */
  texts: z._default(z.record(z.string(), z.object(errorTexts)), {}),
  values: z.optional(z.record(z.string(), z.union([z.string(), z.number()]))),
  reference: z.optional(z.string()),
})

/** Returns the ApiError of a rejecting response, also for uploads and files. */
export function apiErrorOf(
  response: { status: number; headers: { get(name: string): string | null } },
  json: unknown,
): ApiError {
  const body = errorBody.safeParse(json)
  if (!body.success) return unreadableResponseError(response.status)
  const wait = Number(response.headers.get('retry-after'))
  const { error, errors, reference } = body.data
  const byLanguage: Record<string, ErrorTexts> = { [i18n.locale]: { error, errors }, ...body.data.texts }
  // Our own error: only support can help, by the reference (requirements 2.16).
  const withReference = (text: string) => {
    const sentence = withUnbrokenEmailWord(text)
    return response.status === 500 && reference !== undefined ? t`${sentence} Reference ${reference}` : sentence
  }
  return new ApiError({
    status: response.status,
    code: body.data.code ?? 'refused',
    texts: () => {
      const texts = byLanguage[i18n.locale] ?? { error, errors }
      return { error: withReference(texts.error), errors: mapValues(texts.errors, withReference) }
    },
    translations: mapValues(byLanguage, (texts) => texts.error),
    values: body.data.values ?? {},
    reference,
    retryAfter: wait > 0 ? wait : undefined,
  })
}

function mapValues<From, To>(record: Readonly<Record<string, From>>, to: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, to(value)]))
}

/** Returns the error without a response, whose message is "Server error." (requirements 16.3). */
export function noResponseError(): ApiError {
  return new ApiError({ status: 0, code: 'no-answer', texts: () => serverTexts(t`Server error.`) })
}

/**
 * Returns the error of a read. A page sends only what its contract has: a server that does not have it is of another
 * version. It may reject several fields at once: these are the reader's only if the page's contract rejects them too.
 */
export function toReadError(thrown: unknown, isInContract: () => boolean): unknown {
  if (!(thrown instanceof ApiError)) return thrown
  const isOther = thrown.code === 'unknown-field' || (thrown.code === 'check-fields' && isInContract())
  return isOther ? versionMismatchError('GET') : thrown
}

/** Returns the error of a page that is older or newer than the server: one of them does not understand the other. */
function versionMismatchError(method: Endpoint['method']): ApiError {
  const isRead = method === 'GET'
  return new ApiError({
    status: 502,
    code: isRead ? 'other-version' : 'outcome-unseen',
    texts: () =>
      serverTexts(
        isRead
          ? t`This page may be out of date. Reload it.`
          : t`We could not confirm the result. Check the current status before you try again.`,
      ),
  })
}

function unreadableResponseError(status: number): ApiError {
  return new ApiError({
    status: status < 400 ? 502 : status,
    code: 'not-understood',
    texts: () => serverTexts(t`Something went wrong!`),
  })
}

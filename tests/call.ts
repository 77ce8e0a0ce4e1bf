/** Calls an endpoint over HTTP like a client of the API. */
import { createHash } from 'node:crypto'
import { request, type Agent } from 'node:http'
import { request as requestOverTls } from 'node:https'
import * as z from 'zod/mini'
import type { ResponseOf, Endpoint } from '#contract/endpoint.ts'
import { stepUpHeader, confirmStepUp, textToSign } from '#contract/step-up.ts'

export interface CallOptions {
  /** The token, or anyone who has one. */
  readonly as?: string | { readonly token: string }
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  /** The body as sent: attacks may send anything. */
  readonly body?: unknown
  /** Sent unchanged instead of a body. */
  readonly bytes?: Buffer | string
  readonly headers?: Readonly<Record<string, string>>
  /** The proof for a call that requires a separate one; null sends the call without a proof. */
  readonly proof?: { readonly password?: string; readonly code?: string } | null
  /** The local address to call from: "127.0.0.7". */
  readonly from?: string
}

export interface Failure {
  readonly code: string
  readonly error: string
  readonly errors: Readonly<Record<string, string>>
  readonly values: Readonly<Record<string, string | number>>
  readonly reference: string
}

export interface Reply<E extends Endpoint> {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly bytes: Buffer
  /** The parsed JSON, of any type. */
  readonly json: unknown
  /** The handler's response. Throws with the problem's text if there is none. */
  readonly answer: ResponseOf<E>
  /** The problem; throws if the call succeeded. */
  readonly failure: Failure
}

/** The target of a call: the back office may have a separate origin, and a proxy separate certificates. */
export interface CallTarget {
  readonly url: string
  readonly officeUrl?: string
  readonly agent?: Agent
}

/** Calls an endpoint on a server. */
export async function call<E extends Endpoint>(
  server: CallTarget,
  endpoint: E,
  options: CallOptions = {},
): Promise<Reply<E>> {
  const answered = await sendWithStepUp(server, endpoint, options)
  const text = answered.bytes.toString()
  const json: unknown = text.startsWith('{') ? JSON.parse(text) : null
  const message = `${endpoint.name}: ${answered.status} ${text.slice(0, 600)}`
  return {
    ...answered,
    json,
    get answer() {
      if (answered.status !== endpoint.status) throw new Error(message)
      const { success, ...fields } = json as { success: boolean }
      if (!success) throw new Error(message)
      return z.decode(endpoint.response, fields as never) as ResponseOf<E>
    },
    get failure() {
      if (answered.status < 400) throw new Error(message)
      return json as Failure
    },
  }
}

/** The password of everyone made by tests/factories.ts. */
export const goodPassword = 'Quince-harbour-71'

/** Sends a call; if it requires a proof, gives it like the portal, and sends the same call once more. */
async function sendWithStepUp(server: CallTarget, endpoint: Endpoint, options: CallOptions) {
  const first = await send(server, endpoint, options)
  if (!endpoint.requiresBoundStepUp || options.proof === null || first.status !== 403) return first
  if ((JSON.parse(first.bytes.toString()) as { code?: string }).code !== 'prove-again') return first
  const proof = await stepUpProofFor(server, endpoint, options)
  if (proof === null) return first
  return send(server, endpoint, { ...options, headers: { ...options.headers, [stepUpHeader]: proof } })
}

/** Returns a proof for one call with exactly this body, or null if none was given. */
export async function stepUpProofFor(
  server: CallTarget,
  endpoint: Endpoint,
  options: CallOptions,
): Promise<string | null> {
  const text = textToSign(endpoint.method, pathOf(endpoint, options), payloadOf(options).toString())
  const { as, from, proof } = options
  const callHash = createHash('sha256').update(text).digest('hex')
  const body = { ...(proof ?? { password: goodPassword }), callHash }
  const answered = await send(server, confirmStepUp, {
    ...(as === undefined ? {} : { as }),
    ...(from === undefined ? {} : { from }),
    body,
  })
  return (JSON.parse(answered.bytes.toString()) as { proof?: string }).proof ?? null
}

function payloadOf(options: CallOptions): Buffer {
  return Buffer.from(options.bytes ?? JSON.stringify(options.body ?? {}))
}

function send(server: CallTarget, endpoint: Endpoint, options: CallOptions) {
  const token = typeof options.as === 'object' ? options.as.token : options.as
  const payload = endpoint.method === 'GET' ? undefined : payloadOf(options)
  const headers = {
    accept: 'application/json',
    ...(payload ? { 'content-type': 'application/json', 'content-length': String(payload.length) } : {}),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...options.headers,
  }
  return new Promise<Pick<Reply<Endpoint>, 'status' | 'headers' | 'bytes'>>((resolve, reject) => {
    const isOffice = endpoint.path.startsWith('/api/backoffice/')
    const url = new URL(pathOf(endpoint, options), isOffice ? (server.officeUrl ?? server.url) : server.url)
    const asked = (url.protocol === 'https:' ? requestOverTls : request)(
      url,
      {
        method: endpoint.method,
        headers,
        ...(server.agent ? { agent: server.agent } : {}),
        ...(options.from === undefined ? {} : { localAddress: options.from }),
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) }),
        )
      },
    )
    asked.on('error', reject)
    asked.end(payload)
  })
}

function pathOf(endpoint: Endpoint, { params = {}, query = {} }: CallOptions): string {
  const path = endpoint.path
    .replace(/:(\w+)/g, (_, name: string) => encodeURIComponent((params[name] ?? '').toWellFormed()))
    .replace(/\*$/, () => params['*'] ?? '')
  const search = new URLSearchParams(query).toString()
  return search ? `${path}?${search}` : path
}

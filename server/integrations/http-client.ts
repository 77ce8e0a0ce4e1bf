/**
 * HTTP requests to an integration over kept-alive connections. Redirects are never followed, TLS is always verified,
 * the response is limited in size, and a failure says whether the request may have arrived.
 */
import { Agent as PlainAgent, request as plainRequest, type Agent, type IncomingHttpHeaders } from 'node:http'
import { Agent as SecureAgent, request as secureRequest } from 'node:https'
import { isIP } from 'node:net'
import { tlsOptions } from '../config/certificates.ts'
import { isPrivateAddress } from '../http/network.ts'
import { isLoopback, publicLookup } from './address.ts'

/** The time limit of a call to an integration, ms; not configurable (docs/operations.md, Integrations). */
export const callTimeoutMs = 10_000
const answerBytesMax = 5_000_000

/** No part of the request can have arrived. */
export class NotSent extends Error {}
/** It may have arrived; there was no complete response. */
class NoAnswer extends Error {}

export interface HttpResponse {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** From the first slash. */
  path: string
  headers: Readonly<Record<string, string>>
  body?: Buffer
}

export interface HttpClient {
  /** GET reuses connections; every other request uses a new one. */
  send(request: HttpRequest): Promise<HttpResponse>
  close(): void
}

interface HttpClientOptions {
  url: URL
  /** Certificates to trust in addition to the system's, PEM. */
  ca?: string
  timeoutMs: number
  connectionsMax: number
  /** Rejects hosts in a private network; this machine is allowed for the simulators. */
  publicOnly: boolean
}

/**
 * Creates a client of one host with its own connections, time-out and trusted certificates. Throws for a private
 * address if only public ones are allowed.
 */
export function httpClient(options: HttpClientOptions): HttpClient {
  const { url } = options
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const secure = url.protocol === 'https:'
  const guarded = options.publicOnly && !isLoopback(url.hostname)
  if (guarded && isIP(host) !== 0 && isPrivateAddress(host)) throw new Error(`${host} is a private address`)
  const limits = { maxSockets: options.connectionsMax, ...(guarded && { lookup: publicLookup }) }
  const trust = tlsOptions(options.ca)
  const agentOf = (keepAlive: boolean): Agent =>
    secure ? new SecureAgent({ ...limits, ...trust, keepAlive }) : new PlainAgent({ ...limits, keepAlive })
  const kept = agentOf(true)
  // The server may close a kept-alive connection while a request is being sent: its outcome would be unknown.
  const single = agentOf(false)
  const request = secure ? secureRequest : plainRequest
  return {
    send({ method, path, headers, body }) {
      return new Promise((resolve, reject) => {
        let connected = false
        const fail = (error: Error) =>
          reject(
            connected
              ? new NoAnswer(`${url.host}: ${error.message}`, { cause: error })
              : new NotSent(`${url.host}: ${error.message}`, { cause: error }),
          )
        const sent = request(new URL(path, url), {
          method,
          agent: method === 'GET' ? kept : single,
          signal: AbortSignal.timeout(options.timeoutMs),
          headers: { ...headers, ...(body !== undefined && { 'content-length': body.length }) },
        })
        sent.on('error', fail)
        sent.once('socket', (socket) => {
          if (!socket.connecting) connected = true
          else socket.once(secure ? 'secureConnect' : 'connect', () => (connected = true))
        })
        sent.once('response', (response) => {
          const chunks: Buffer[] = []
          let length = 0
          response.on('data', (chunk: Buffer) => {
            chunks.push(chunk)
            length += chunk.length
            if (length > answerBytesMax) sent.destroy(new Error('The response is too large'))
          })
          response.on('error', fail)
          response.once('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
          )
        })
        sent.end(body)
      })
    },
    close() {
      kept.destroy()
      single.destroy()
    },
  }
}

/** Returns the JSON object in a response's body, or null if the body is not one. */
export function jsonObject(body: Buffer): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return null
  }
}

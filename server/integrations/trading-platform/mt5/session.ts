/**
 * One session of the MT5 Web API. The session is its connection (integrations, MT5): one agent with one socket, calls
 * one after another, a ping every 20 s. The agent opens a connection only to sign in; a call whose connection is
 * already closed was therefore not sent, and is sent again after a new sign-in. A query whose connection is lost during
 * the call is repeated, too; a write in that situation is unknown.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { Agent as PlainAgent, request as plainRequest, type Agent, type ClientRequestArgs } from 'node:http'
import { Agent as SecureAgent, request as secureRequest } from 'node:https'
import type { Duplex } from 'node:stream'
import { tlsOptions } from '../../../config/certificates.ts'
import { integrationUrl } from '../../address.ts'
import { Rejected, silentLog, Unavailable, Unknown, type IntegrationLogger } from '../../errors.ts'
import { callTimeoutMs } from '../../http-client.ts'
import { challengeAnswer, passwordHash } from './handshake.ts'
import { type Mt5Answer, NotAuthenticated, type SendResult, parseAnswer, signInFields, queryText } from './wire-text.ts'

const clientVersion = '3470'
const clientName = 'ClientPortal'
const pingMs = 20_000
const queueWaitMs = 20_000
const answerBytesMax = 32_000_000
const backOffFirstMs = 250
const backOffMaxMs = 5_000

export interface SessionOptions {
  /** https://host[:port] of the access server. */
  url: string
  /** The manager account and its API password. */
  login: string
  password: string
  /** Certificates to trust in addition to the system's, PEM, for a platform inside the firm's own network. */
  ca?: string
  timeoutMs?: number
  log?: IntegrationLogger
}

/** Numbers are texts, except in lists (webapi_position_get_batch). */
export type CallBody = Readonly<Record<string, string | readonly number[]>>

export interface Mt5Call {
  path: string
  query?: Readonly<Record<string, string>>
  body?: CallBody
  /** `once`: must not be sent twice. Others may be repeated after a lost connection, a query immediately. */
  kind: 'question' | 'repeatable' | 'once'
  /** By `performance.now()`: it is not sent later, because its sender's lease may have expired. */
  sendBy?: number | undefined
  /** The maximum size of the response; a longer one throws `AnswerTooLarge`. */
  bytesMax?: number
}

/** The connection was closed before any part of the call left this machine. */
class NotSent extends Error {}
/** The response exceeds the query's maximum: query less at a time. */
export class AnswerTooLarge extends Unavailable {}
/** There was no complete response within the time of a call: query less at a time. */
export class TimedOut extends Unavailable {}

/** Returns whether the connection was lost during the call: the platform closes idle sessions without notice. */
function isConnectionLost(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE'].includes(String((error as { code?: unknown }).code))
}

export class Mt5Session {
  readonly #options: SessionOptions & { readonly timeoutMs: number; readonly log: IntegrationLogger }
  readonly #url: URL
  #agent: Agent | null = null
  #mayConnect = false
  #cookie: string | null = null
  #queue: Promise<unknown> = Promise.resolve()
  #lastUse = 0
  #failures = 0
  #notBefore = 0
  #closed = false
  readonly #pings: NodeJS.Timeout

  constructor(options: SessionOptions) {
    this.#options = { ...options, timeoutMs: options.timeoutMs ?? callTimeoutMs, log: options.log ?? silentLog }
    this.#url = integrationUrl(options.url, 'The MT5 address')
    this.#pings = setInterval(() => this.#ping(), pingMs)
    this.#pings.unref()
  }

  /**
   * Returns the server's response, whatever its retcode. Throws `Unavailable` if nothing can have changed, and for a
   * call of the kind `once` `Unknown` if it may have been applied.
   */
  call(call: Mt5Call): Promise<Mt5Answer> {
    const queuedAt = performance.now()
    return this.#enqueue(() => {
      if (performance.now() - queuedAt > queueWaitMs) throw new Unavailable('The platform is too slow: not sent')
      return this.#signedIn(call)
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#pings)
    await this.#enqueue(async () => {
      if (this.#agent !== null) await this.#send('/api/quit', {}, undefined).catch(() => undefined)
      this.#drop()
    })
  }

  #enqueue<Value>(work: () => Promise<Value>): Promise<Value> {
    const result = this.#queue.then(work)
    this.#queue = result.catch(() => undefined)
    return result
  }

  /** Signs in if needed, sends, and signs in once more if the session turns out to be closed. */
  async #signedIn(call: Mt5Call): Promise<Mt5Answer> {
    if (this.#closed) throw new Unavailable('The connection to the platform is closed')
    for (let attempt = 1; ; attempt += 1) {
      if (this.#agent === null) await this.#signIn()
      if (performance.now() > (call.sendBy ?? Number.POSITIVE_INFINITY)) throw new Unavailable('Not sent in time')
      try {
        return parseAnswer(await this.#send(call.path, call.query ?? {}, call.body, call.bytesMax))
      } catch (error) {
        this.#drop()
        if (error instanceof AnswerTooLarge && call.kind !== 'once') throw error
        if (error instanceof NotAuthenticated && attempt > 1) throw this.#rightMissing(call, error)
        const unsent = error instanceof NotSent
        const again =
          unsent ||
          (error instanceof NotAuthenticated && call.kind !== 'once') ||
          (isConnectionLost(error) && call.kind === 'question')
        if (again && attempt === 1) continue
        this.#options.log.warn({ path: call.path, kind: call.kind, problem: String(error) }, 'no response from MT5')
        if (call.kind === 'once' && !unsent) throw new Unknown(unknownText(call, error), error)
        const text = `${call.path}: no usable response`
        throw error instanceof TimedOut ? new TimedOut(text, error) : new Unavailable(text, error)
      }
    }
  }

  /** The session has just started, so the rejection is about the call: our login or address lacks a permission. */
  #rightMissing({ path, kind }: Mt5Call, { code }: NotAuthenticated): Error {
    this.#options.log.warn({ path, kind, problem: code }, 'MT5 rejected a call: permission missing')
    const text = `${path}: our login at the platform has no right for this (${code})`
    return kind === 'once' ? new Unknown(text) : new Rejected('no-permission', code, text)
  }

  async #signIn(): Promise<void> {
    if (performance.now() < this.#notBefore) throw new Unavailable('The platform could not be reached a moment ago')
    try {
      this.#agent = this.#newAgent()
      await this.#handshake()
      this.#failures = 0
      this.#options.log.info({ host: this.#url.host }, 'signed in to MT5')
    } catch (error) {
      this.#drop()
      this.#failures += 1
      this.#notBefore = performance.now() + Math.min(backOffMaxMs, backOffFirstMs * 2 ** (this.#failures - 1))
      this.#options.log.warn({ host: this.#url.host, problem: String(error) }, 'MT5 sign-in failed')
      throw new Unavailable('Signing in to the platform failed', error)
    }
  }

  /** Authenticates both sides. Throws if the server cannot prove that it knows the password. */
  async #handshake(): Promise<void> {
    const { login, password } = this.#options
    this.#mayConnect = true
    const start = { version: clientVersion, agent: clientName, login, type: 'manager' }
    const challenge = signInFields(await this.#send('/api/auth/start', start, undefined))
    const hash = passwordHash(password)
    const random = randomBytes(16).toString('hex')
    const answer = { srv_rand_answer: challengeAnswer(hash, challenge.srv_rand ?? ''), cli_rand: random }
    const proof = signInFields(await this.#send('/api/auth/answer', answer, undefined)).cli_rand_answer ?? ''
    const expected = Buffer.from(challengeAnswer(hash, random))
    const given = Buffer.from(proof.toLowerCase())
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      throw new Error('The server did not prove that it knows the password')
    }
  }

  #newAgent(): Agent {
    const limits = { keepAlive: true, maxSockets: 1, maxFreeSockets: 1 }
    const secure = this.#url.protocol === 'https:'
    const agent = secure ? new SecureAgent({ ...limits, ...tlsOptions(this.#options.ca) }) : new PlainAgent(limits)
    const connect = agent.createConnection.bind(agent)
    agent.createConnection = (
      options: ClientRequestArgs,
      done?: (error: Error | null, stream: Duplex) => void,
    ): Duplex | null | undefined => {
      if (this.#mayConnect) {
        this.#mayConnect = false
        return connect(options, done)
      }
      const refuse = done as ((error: Error) => void) | undefined
      refuse?.(new NotSent('The connection is gone'))
      return undefined
    }
    return agent
  }

  #drop(): void {
    this.#agent?.destroy()
    this.#agent = null
    this.#cookie = null
    this.#mayConnect = false
  }

  #ping(): void {
    if (this.#agent === null || performance.now() - this.#lastUse < pingMs / 2) return
    void this.#enqueue(async () => {
      if (this.#agent === null) return
      await this.#send('/api/test/access', {}, undefined).catch(() => this.#drop())
    })
  }

  /** Sends one request on the session's connection, 10 s at most. Redirects are never followed. */
  async #send(
    path: string,
    query: Readonly<Record<string, string>>,
    body: CallBody | undefined,
    bytesMax?: number,
  ): Promise<SendResult> {
    const bytes = body === undefined ? null : Buffer.from(JSON.stringify(body))
    const target = new URL(path + queryText(query), this.#url)
    const result = await this.#exchange(target, bytes, bytesMax)
    this.#lastUse = performance.now()
    if (result.status === 403 || result.status === 401) throw new NotAuthenticated(result.status)
    if (result.status !== 200) throw new Error(`HTTP ${result.status}`)
    return result
  }

  #exchange(target: URL, bytes: Buffer | null, bytesMax = answerBytesMax): Promise<SendResult> {
    const request = target.protocol === 'https:' ? secureRequest : plainRequest
    const signal = AbortSignal.timeout(this.#options.timeoutMs)
    return new Promise((resolve, reject) => {
      const fail = (error: Error) => reject(signal.aborted ? new TimedOut('No response in time', error) : error)
      const sent = request(target, {
        method: bytes === null ? 'GET' : 'POST',
        agent: this.#agent ?? false,
        signal,
        headers: {
          accept: '*/*',
          'content-type': 'application/x-www-form-urlencoded',
          ...(bytes !== null && { 'content-length': bytes.length }),
          ...(this.#cookie !== null && { cookie: this.#cookie }),
        },
      })
      sent.on('error', fail)
      sent.once('response', (response) => {
        const cookies = response.headers['set-cookie']
        if (cookies) this.#cookie = cookies.map((cookie) => cookie.split(';')[0]).join('; ')
        const chunks: Buffer[] = []
        let length = 0
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          length += chunk.length
          if (length <= bytesMax) return
          reject(new AnswerTooLarge('The response is too large'))
          sent.destroy()
        })
        response.on('error', fail)
        response.once('end', () => {
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') })
        })
      })
      sent.end(bytes ?? undefined)
    })
  }
}

/** Returns the text of an unknown rejection with its code for staff: it may be a missing permission. */
function unknownText({ path }: Mt5Call, error: unknown): string {
  return `${path}: no usable response${error instanceof NotAuthenticated ? ` (${error.code})` : ''}`
}

/** Signed calls to the gateway. A failure determines what may be done next. */
import type * as z from 'zod/mini'
import { integrationUrl } from '../../address.ts'
import {
  callTimeoutMs,
  httpClient,
  jsonObject,
  NotSent,
  type HttpClient,
  type HttpResponse,
} from '../../http-client.ts'
import { countCall, noCallCount, type CallCount } from '../../call-counts.ts'
import { Rejected, silentLog, Unavailable, Unknown, type IntegrationLogger } from '../../errors.ts'
import * as answers from './answers.ts'
import { signedRequest, type UnsignedCall } from './signature.ts'

const connectionsMax = 8

export interface Mt4Options {
  /** https://host[:port] of the gateway. */
  url: string
  key: string
  secret: string
  ca?: string
  timeoutMs?: number
  now?: () => Date
  log?: IntegrationLogger
  calls?: CallCount
}

type Kind = 'question' | 'repeatable' | 'once'

export interface GatewayCall extends UnsignedCall {
  readonly kind: Kind
  /** By `performance.now()`: it is not sent later, because its sender's lease may have expired. */
  readonly sendBy?: number | undefined
}

export class GatewayCaller {
  readonly #options: Mt4Options
  readonly #line: HttpClient
  readonly #log: IntegrationLogger

  constructor(options: Mt4Options) {
    this.#options = options
    this.#log = options.log ?? silentLog
    this.#line = httpClient({
      url: integrationUrl(options.url, 'The MT4 gateway'),
      timeoutMs: options.timeoutMs ?? callTimeoutMs,
      connectionsMax,
      publicOnly: false,
      ...(options.ca !== undefined && { ca: options.ca }),
    })
  }

  /** Returns the response of a query, validated by the schema. */
  ask<Schema extends z.ZodMiniType>(path: string, schema: Schema): Promise<z.output<Schema>> {
    return this.answer({ method: 'GET', path, kind: 'question' }, schema)
  }

  /** Returns the response of a query with many logins, which are in its body. */
  askByBody<Schema extends z.ZodMiniType>(path: string, body: object, schema: Schema): Promise<z.output<Schema>> {
    return this.answer({ method: 'POST', path, body, kind: 'question' }, schema)
  }

  answer<Schema extends z.ZodMiniType>(call: GatewayCall, schema: Schema): Promise<z.output<Schema>> {
    return this.#counted(async () => {
      const answer = schema.safeParse(await this.#send(call))
      if (answer.success) return answer.data
      if (call.kind === 'once') throw new Unknown(`${call.path}: the response does not follow the contract`)
      throw new Unavailable(`${call.path}: the response does not follow the contract`)
    })
  }

  /** Returns the response's object; otherwise throws the failure that determines what may be done next. */
  send(call: GatewayCall): Promise<Record<string, unknown>> {
    return this.#counted(() => this.#send(call))
  }

  #counted<Value>(call: () => Promise<Value>): Promise<Value> {
    return countCall(this.#options.calls ?? noCallCount, call)
  }

  async #send(call: GatewayCall): Promise<Record<string, unknown>> {
    if (performance.now() > (call.sendBy ?? Number.POSITIVE_INFINITY)) throw new Unavailable('Not sent in time')
    const { status, body } = await this.#exchange(call)
    const answer = jsonObject(body)
    if (status >= 200 && status < 300 && answer !== null) return answer
    const error = answers.errorAnswer.safeParse(answer)
    const code = error.success ? error.data.code : `http-${status}`
    const reason = answers.refusals.get(code)
    if (error.success && reason !== undefined)
      throw new Rejected(reason, `mt4:${code}`, `The gateway answered ${code} ${error.data.message}`)
    this.#log.warn({ path: call.path, status, code }, 'MT4 gateway rejected a call')
    if (call.kind === 'once' && code !== 'busy') throw new Unknown(`The gateway answered ${code}`)
    throw new Unavailable(`The gateway answered ${code}`)
  }

  async #exchange(call: GatewayCall): Promise<HttpResponse> {
    const { path, kind } = call
    try {
      return await this.#line.send(signedRequest(this.#options, call))
    } catch (error) {
      this.#log.warn({ path, kind, problem: String(error) }, 'no response from the MT4 gateway')
      if (kind === 'once' && !(error instanceof NotSent)) throw new Unknown(`${path}: no response`, error)
      throw new Unavailable(`${path}: no response`, error)
    }
  }

  close(): void {
    this.#line.close()
  }
}

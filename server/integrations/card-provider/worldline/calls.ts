/** The signed calls of both of the provider's products, and the meaning of their failures. */
import { jsonObject, httpClient, NotSent, type HttpResponse, type HttpClient } from '../../http-client.ts'
import { countCall, type CallCount } from '../../call-counts.ts'
import { Deferred, Rejected, Unavailable, Unknown, type IntegrationLogger } from '../../errors.ts'
import { errorIn } from './answers.ts'
import { authorization } from './signature.ts'

const jsonType = 'application/json'
const connectionsMax = 20
/**
 * A checkout that does not exist. According to the vendor's documents, 404 and 410 mean what does not exist or was
 * removed (409 is a conflict), and DELETE removes a checkout. They do not say for how long a status can be queried, nor
 * the response for a checkout that expired, or was removed: this was only tested with the simulator. The caller
 * therefore trusts it only for a checkout whose page has expired (`apply-status.ts`).
 */
const absentStatuses: readonly number[] = [404, 410]

/** Statuses about our key or the moment; other rejections of a query are about the resource. */
const passingStatuses: readonly number[] = [401, 403, 407, 408, 425, 429]

/** Statuses of a request that is rejected for good; after others it may still be executed. */
const rejectionByStatus: ReadonlyMap<number, 'refused' | 'declined'> = new Map([
  [400, 'refused'],
  [402, 'declined'],
  [403, 'refused'],
  [404, 'refused'],
])

/** The caller's identification in the format of the vendor's own clients; signed like all of their headers. */
const serverMetaInfo = Buffer.from(
  JSON.stringify({
    sdkIdentifier: 'ClientPortal/1',
    integrator: 'client-portal',
    platformIdentifier: `Node.js/${process.versions.node}`,
  }),
).toString('base64')

interface CallOptions {
  readonly url: URL
  /** `/v1/1234`: the version of the product and the merchant. */
  readonly root: string
  readonly key: string
  readonly secret: string
  readonly ca?: string
  readonly timeoutMs: number
  readonly log: IntegrationLogger
  readonly calls: CallCount
}

export class WorldlineCalls {
  readonly #options: CallOptions
  readonly #line: HttpClient

  constructor(options: CallOptions) {
    this.#options = options
    const { url, timeoutMs, ca } = options
    this.#line = httpClient({ url, timeoutMs, connectionsMax, publicOnly: true, ...(ca !== undefined && { ca }) })
  }

  /**
   * Returns the provider's response; null if the resource does not exist. Throws `Unavailable`, or `Deferred` if the
   * provider rejects queries about this resource.
   */
  read(path: string): Promise<Record<string, unknown> | null> {
    return countCall(this.#options.calls, () => this.#read(path))
  }

  async #read(path: string): Promise<Record<string, unknown> | null> {
    const { status, body } = await this.#question(() => this.#send('GET', path, undefined, undefined))
    const answer = jsonObject(body)
    // Without the provider's own error record it is a proxy's response, and says nothing about the resource.
    if (absentStatuses.includes(status) && Array.isArray(answer?.['errors'])) return null
    if (status === 200 && answer !== null) return answer
    const isLasting = status >= 400 && status < 500 && !passingStatuses.includes(status)
    const Failure = isLasting && Array.isArray(answer?.['errors']) ? Deferred : Unavailable
    throw new Failure(`The card provider answered ${status}`)
  }

  /** Removes a resource that may not exist any more. Throws `Rejected` or `Unavailable`. */
  remove(path: string): Promise<void> {
    return countCall(this.#options.calls, () => this.#remove(path))
  }

  async #remove(path: string): Promise<void> {
    const { status, body } = await this.#question(() => this.#send('DELETE', path, undefined, undefined))
    if (status >= 200 && status < 300) return
    const error = errorIn(jsonObject(body))
    if (error === null || status >= 500) throw new Unavailable(`The card provider answered ${status}`)
    if (absentStatuses.includes(status)) return
    throw new Rejected('refused', `card:${error.code ?? status}`, error.message ?? 'No reason given')
  }

  /** A repeat under the same key returns the same; so a lost response is requested once more immediately. */
  once(path: string, body: object, key: string): Promise<Record<string, unknown>> {
    return countCall(this.#options.calls, () => this.#once(path, body, key))
  }

  async #once(path: string, body: object, key: string): Promise<Record<string, unknown>> {
    let sent = false
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#post(path, body, key)
      } catch (error) {
        if (error instanceof Rejected) throw error
        sent ||= !(error instanceof NotSent)
        this.#options.log.warn({ attempt, problem: String(error) }, 'no response from the card provider')
        if (attempt < 2) continue
        throw sent ? new Unknown('The card provider did not respond', error) : new Unavailable('Not sent', error)
      }
    }
  }

  /** The same for calls that are harmless if repeated: a missing response only means unavailable. */
  async repeatable(path: string, body: object, key: string): Promise<Record<string, unknown>> {
    try {
      return await this.once(path, body, key)
    } catch (error) {
      if (error instanceof Unknown) throw new Unavailable(error.message, error)
      throw error
    }
  }

  close(): void {
    this.#line.close()
  }

  async #post(path: string, body: object, key: string): Promise<Record<string, unknown>> {
    const { status, body: raw } = await this.#send('POST', path, Buffer.from(JSON.stringify(body)), key)
    const answer = jsonObject(raw)
    if (status >= 200 && status < 300 && answer !== null) return answer
    const error = errorIn(answer)
    // Without the provider's own error record it is a proxy's response, and an earlier attempt may have been executed.
    const reason = error === null ? undefined : rejectionByStatus.get(status)
    if (error === null || reason === undefined) throw new Unknown(`The card provider answered ${status}`)
    throw new Rejected(reason, `card:${error.code ?? status}`, error.message ?? 'No reason given')
  }

  async #question(ask: () => Promise<HttpResponse>): Promise<HttpResponse> {
    try {
      return await ask()
    } catch (error) {
      throw new Unavailable('The card provider did not respond', error)
    }
  }

  #send(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body: Buffer | undefined,
    key: string | undefined,
  ): Promise<HttpResponse> {
    const fullPath = `${this.#options.root}${path}`
    const contentType = body === undefined ? '' : jsonType
    const date = new Date().toUTCString()
    const headers: Record<string, string> = {
      'X-GCS-ServerMetaInfo': serverMetaInfo,
      ...(key !== undefined && { 'X-GCS-Idempotence-Key': key }),
    }
    const signed = { method, contentType, date, headers, path: fullPath }
    return this.#line.send({
      method,
      path: fullPath,
      headers: {
        ...headers,
        date,
        accept: jsonType,
        authorization: authorization(this.#options.key, this.#options.secret, signed),
        ...(body !== undefined && { 'content-type': contentType }),
      },
      ...(body !== undefined && { body }),
    })
  }
}

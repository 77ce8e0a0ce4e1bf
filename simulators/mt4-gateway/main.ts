/**
 * The simulator of an MT4 server behind our gateway, contract v2: signatures, idempotency keys, faults. Its switches
 * are described in ../README.md.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Store, type Tables } from '../platform/store.ts'
import { marketRoutes } from '../platform/market.ts'
import { recordRoutes } from '../platform/record-routes.ts'
import { adjustableClock } from '../process/clock.ts'
import {
  faultRoutes,
  createFaults,
  requireValue,
  routeServer,
  textField,
  answerJson,
  bodyOf,
  fieldsOf,
  type Call,
  type Faults,
  fieldsIn,
  Misuse,
  type Fields,
  type Route,
} from '../process/http.ts'
import { listenAndAnnounce } from '../process/shutdown.ts'
import { openState } from '../process/state.ts'
import { deleteOrder } from './orders.ts'
import { editionRoute, newestEdition, rightsRoute, type GatewayRights } from './rights.ts'
import { decimal, hundredths } from '../platform/hundredths.ts'
import { answerTo, earlierResult, failure, isFailure, readsByBody, type Answer, type ErrorCode } from './calls.ts'

/** Records that the gateway writes otherwise than they are, until reset. */
class OddRecords {
  readonly #fields = new Map<string, Fields>()

  /**
   * `POST /records/garble { ticket, fields }`; `{ login, fields }` for the record of an account, `{ group, fields }` of
   * a group.
   */
  readonly route: Route = ({ fields }) => {
    const name = textField(fields, 'ticket') ?? textField(fields, 'login') ?? textField(fields, 'group')
    if (name === undefined) throw new Misuse('ticket, login or group is missing')
    this.#fields.set(name, fieldsIn(fields, 'fields'))
  }

  clear(): void {
    this.#fields.clear()
  }

  /** Returns the body of an answer in which these records are written otherwise; a field that is null is not sent. */
  in(body: unknown): unknown {
    if (this.#fields.size === 0) return body
    if (Array.isArray(body)) return body.map((item: unknown) => this.in(item))
    if (typeof body !== 'object' || body === null) return body
    const { ticket, login, name } = body as Fields
    const replacement = this.#fields.get(String(ticket ?? login ?? name))
    const written = Object.entries(body).flatMap(([name, value]) => {
      if (replacement === undefined || !(name in replacement)) return [[name, this.in(value)]]
      return replacement[name] === null ? [] : [[name, replacement[name]]]
    })
    return Object.fromEntries(written)
  }
}

const firstLogin = 410_001
const firstTicket = 80_512

const state = openState<Tables>(process.env.STATE_FILE)
const clock = adjustableClock(state.rows('settings').get('clock'), (clock) => state.commit({ settings: { clock } }))
const book = new Store(state, clock, { firstLogin, firstTicket, chargesAtClose: true })
const faults = createFaults(['forbid'])
const keys = {
  key: process.env.GATEWAY_KEY ?? 'portal',
  secret: process.env.GATEWAY_SECRET ?? 'simulator-gateway-secret',
}
const rights: GatewayRights = { ...newestEdition }
const odd = new OddRecords()
const wire = wireServer({ book, keys, rights, faults, overrides: odd })
const market = marketRoutes(book, () => undefined)
// An order of MetaTrader 4 is never reversed.
const { 'POST /market/turn': _unknown, ...marketSwitches } = market.routes

const switches = routeServer({
  ...faultRoutes(faults, {
    slow: ['ms'],
    refuse: ['code'],
    'no-look-up': [],
    crash: [],
    'drop-before': [],
    'drop-after': [],
    forbid: [],
    garble: ['kind'],
    misapply: [],
  }),
  ...marketSwitches,
  ...recordRoutes(book),
  'POST /orders/delete': ({ fields }) => {
    deleteOrder(book, requireValue(textField(fields, 'ticket'), 'ticket'))
  },
  'POST /records/garble': odd.route,
  'POST /clock': clock.route,
  'POST /rights': rightsRoute(rights),
  'POST /edition': editionRoute(rights),
  'POST /idle-close': () => {
    wire.closeIdleConnections()
  },
  'POST /reset': () => {
    faults.clear()
    market.stop()
    odd.clear()
    Object.assign(rights, newestEdition)
  },
  'GET /switches': () => ({ faults: faults.list(), offsetSeconds: clock.offsetSeconds() }),
})

await listenAndAnnounce(wire, switches)

const timeSlackSeconds = 300
const bodyBytesMax = 64_000

interface GatewayKeys {
  readonly key: string
  readonly secret: string
}

interface KeptAnswer extends Answer {
  readonly request: string
}

interface WireParts {
  readonly book: Store
  readonly keys: GatewayKeys
  readonly rights: GatewayRights
  readonly faults: Faults
  readonly overrides: OddRecords
}

function wireServer({ book, keys, rights, faults, overrides }: WireParts): Server {
  let lastTicket = '1'
  return createServer((request, response) => {
    serve(request, response).catch(() => answerSafely(response))
  })

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request)
    const url = new URL(request.url ?? '/', 'http://localhost')
    if (url.pathname === '/healthz') {
      const { tradeHistory, repeats } = rights
      const named = { ...(tradeHistory && { tradeHistory }), ...(repeats && { repeats }) }
      return answerJson(response, 200, { ok: true, contract: 2, ...named })
    }
    const login = /^\/v2\/accounts\/(\d+)/.exec(url.pathname)?.[1]
    const call: Call = { path: url.pathname, login, moves: url.pathname.endsWith('/balance') }
    if (faults.take('forbid', call) !== null || !isSigned(request, body, keys)) {
      response.writeHead(403, { 'content-length': 0 })
      return void response.end()
    }
    if (body.length > bodyBytesMax) {
      const { status, body: reason } = failure('bad_request', 'The body has more than 64 kB')
      return answerJson(response, status, reason)
    }
    await faults.holdUp(call)
    if (faults.take('drop-before', call) !== null) return void request.socket.destroy()
    const answer = answered(request, url, body, call)
    if (faults.take('drop-after', call) !== null) return void request.socket.destroy()
    const garble = faults.take('garble', call)
    if (garble !== null) return answerGarbled(response, textField(garble, 'kind') ?? 'half', answer)
    answerJson(response, answer.status, overrides.in(answer.body))
    const ticket = (answer.body as { ticket?: unknown } | null)?.ticket
    if (call.moves && typeof ticket === 'string') lastTicket = ticket
  }

  function answered(request: IncomingMessage, url: URL, body: Buffer, call: Call): Answer {
    const key = request.headers['idempotency-key']
    const method = request.method ?? 'GET'
    const fields = fieldsOf(body)
    if (method === 'GET' || readsByBody.includes(url.pathname))
      return unlessRefused(call, () =>
        answerTo(method, url.pathname, { book, fields, query: url.searchParams, rights }),
      )
    if (typeof key !== 'string') return failure('bad_request', 'Idempotency-Key is missing')
    const digest = createHash('sha256').update(`${method} ${url.pathname}\n`).update(body).digest('hex')
    const store = (answer: Answer): Answer => {
      book.state.commit({ answers: { [key]: { ...answer, request: digest } } })
      return answer
    }
    const before = book.state.rows('answers').get(key) as KeptAnswer | undefined
    if (before !== undefined && before.request !== digest) {
      return { status: 409, body: { code: 'conflict', message: 'The key was used for another request', native: '' } }
    }
    if (before !== undefined && !isFailure(before, 'timeout')) return before
    if (before !== undefined) {
      if (faults.take('no-look-up', call) !== null) return before
      const result = earlierResult(url.pathname, { book, fields })
      if (result !== null) return store(result)
    }
    // Stored before the platform is called: a process that is killed in between does not know the outcome.
    store(before ?? failure('timeout', 'The outcome is unknown'))
    const answer = unlessRefused(call, () => {
      const changed = misapplied(call, fields, url.pathname)
      const crash = faults.take('crash', call)
      if (crash !== null && crash['applied'] !== true) process.exit()
      const made = answerTo(method, changed.path, { book, fields: changed.fields, query: url.searchParams, rights })
      if (crash !== null) process.exit()
      return made
    })
    if (!isFailure(answer, 'busy')) return store(answer)
    if (before === undefined) book.state.commit({ answers: { [key]: null } })
    return answer
  }

  /** Makes the call, unless the next `refuse` matches it: then only if that says `applied`. */
  function unlessRefused(call: Call, make: () => Answer): Answer {
    const refuse = faults.take('refuse', call)
    if (refuse === null) return make()
    if (refuse['applied'] === true) make()
    return failure((textField(refuse, 'code') ?? 'busy') as ErrorCode, 'Refused by a switch')
  }

  function misapplied(
    call: Call,
    fields: Readonly<Record<string, unknown>>,
    path: string,
  ): { fields: Readonly<Record<string, unknown>>; path: string } {
    const fault = faults.take('misapply', call)
    if (fault === null) return { fields, path }
    const amount = hundredths(textField(fault, 'amount') ?? '')
    return {
      fields: amount === null ? fields : { ...fields, amount: decimal(amount) },
      path: `/v2/accounts/${textField(fault, 'login') ?? call.login ?? ''}/balance`,
    }
  }

  function answerGarbled(response: ServerResponse, kind: string, answer: Answer): void {
    const json = JSON.stringify(kind === 'ticket' ? { ticket: lastTicket } : answer.body)
    if (kind === 'unknown' || kind === 'constructor')
      return answerJson(response, 500, { code: kind, message: 'Something else', native: '9999' })
    response.writeHead(answer.status, { 'content-type': kind === 'html' ? 'text/html' : 'application/json' })
    if (kind === 'html') response.end('<html><body>Bad gateway</body></html>')
    else if (kind === 'ticket') response.end(json)
    else if (kind === 'number') response.end(json.replace(/"(-?\d+(?:\.\d+)?)"/g, '$1'))
    else response.end(json.slice(0, Math.floor(json.length / 2)))
  }
}

function isSigned(request: IncomingMessage, body: Buffer, keys: GatewayKeys): boolean {
  const header = (name: string) => String(request.headers[name] ?? '')
  const seconds = header('x-gateway-time')
  if (header('x-gateway-key') !== keys.key) return false
  if (!(Math.abs(Date.now() / 1000 - Number(seconds)) <= timeSlackSeconds)) return false
  const digest = createHash('sha256').update(body).digest('hex')
  const text = `${seconds}${request.method ?? ''}${request.url ?? ''}${digest}`
  const expected = Buffer.from(createHmac('sha256', keys.secret).update(text).digest('hex'))
  const given = Buffer.from(header('x-gateway-signature'))
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function answerSafely(response: ServerResponse): void {
  if (!response.headersSent) answerJson(response, 400, failure('bad_request', 'The body is wrong').body)
}

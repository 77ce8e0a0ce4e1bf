/** The access server's HTTP: the session belongs to the connection, and faults are applied. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { decimal, hundredths } from '../platform/hundredths.ts'
import type { Store } from '../platform/store.ts'
import {
  bodyOf,
  fieldsOf,
  Misuse,
  numberField,
  textField,
  type Call,
  type Fields,
  type Faults,
} from '../process/http.ts'
import { calls } from './calls.ts'
import type { ManagerRights } from './manager-rights.ts'
import { parametersOf, type BodyReading, type Parameters } from './parameters.ts'
import type { RecordOverrides } from './record-overrides.ts'
import { Forbidden, Refused, retcodeText } from './refused.ts'
import type { Sessions } from './sessions.ts'

const idleMs = 180_000
const moneyPath = '/api/trade/balance'
const cookieName = 'mt5session'
const keptCalls = 2000
const secretNames = /pass/
const quietPaths = ['/api/auth/start', '/api/auth/answer', '/api/test/access', '/api/quit']

/** The parts of the server: its accounts, its permissions, and its behaviour. */
interface WireParts {
  readonly book: Store
  /** Records past midnights. */
  readonly watch: () => void
  readonly sessions: Sessions
  readonly rights: ManagerRights
  readonly faults: Faults
  readonly overrides: RecordOverrides
  /** Whether signing in sets a cookie, and calls without it are rejected. */
  readonly setsCookie: boolean
}

interface SeenCall {
  readonly path: string
  readonly parameters: Readonly<Record<string, string>>
  /** The number of its connection, from 1. */
  readonly session: number
}

interface Wire {
  readonly server: Server
  /** Returns the newest calls since the last reset, without sign-ins and pings; passwords are left out. */
  seenCalls(): readonly SeenCall[]
  forgetCalls(): void
  padDeals(bytes: number): void
  readBodies(reading: BodyReading): void
  closeConnections(): void
  setIdle(ms: number): void
}

export function wireServer({ book, watch, sessions, rights, faults, overrides, setsCookie }: WireParts): Wire {
  const sockets = new Set<Socket>()
  const numbers = new WeakMap<Socket, number>()
  let connections = 0
  let padding = 0
  let bodyReading: BodyReading = { removesEscapes: false, readsFirstOnly: false }
  let seen: SeenCall[] = []
  let lastTicket = '1'
  const server = createServer((request, response) => {
    serve(request, response).catch(() => request.socket.destroy())
  })
  server.keepAliveTimeout = idleMs
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    connections += 1
    numbers.set(socket, connections)
    socket.once('close', () => sockets.delete(socket))
  })

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { socket } = request
    const url = new URL(request.url ?? '/', 'http://localhost')
    const body = fieldsOf(await bodyOf(request))
    const parameters = parseParameters(url, body, bodyReading)
    if (parameters === null) return reply(response, JSON.stringify({ retcode: retcodeText(3) }))
    const call: Call = { path: url.pathname, login: parameters.get('login'), moves: url.pathname === moneyPath }
    if (quietPaths.includes(call.path)) return serveQuiet(call.path, parameters, socket, response)
    if (faults.take('forbid', call) !== null) {
      sessions.forget(socket)
      return forbidden(response)
    }
    if (!isKnown(request)) return forbidden(response)
    note(call.path, parameters, numbers.get(socket) ?? 0)
    await faults.holdUp(call)
    watch()
    if (faults.take('drop-before', call) !== null) return void socket.destroy()
    const answer = answerTo(call, misapplied(call, parameters))
    if (answer === null) return forbidden(response)
    if (faults.take('drop-after', call) !== null) return void socket.destroy()
    const garble = faults.take('garble', call)
    if (garble === null) reply(response, JSON.stringify(answer))
    else reply(response, garbleAnswer(textField(garble, 'kind') ?? 'half', answer, lastTicket), garble.kind === 'html')
    if (call.moves && isRecord(answer.answer) && garble === null) lastTicket = String(answer.answer.Ticket)
  }

  function note(path: string, parameters: Parameters, session: number): void {
    const shown = Object.fromEntries([...parameters].filter(([name]) => !secretNames.test(name)))
    seen = [...seen.slice(1 - keptCalls), { path, parameters: shown, session }]
  }

  function isKnown({ socket, headers }: IncomingMessage): boolean {
    const hasCookie = !setsCookie || (headers.cookie ?? '').includes(`${cookieName}=${numbers.get(socket)}`)
    return sessions.isAuthenticated(socket) && hasCookie
  }

  function serveQuiet(path: string, parameters: Parameters, socket: Socket, response: ServerResponse): void {
    if (path === '/api/auth/start') return reply(response, JSON.stringify(sessions.start(socket, parameters)))
    if (path === '/api/auth/answer') {
      if (setsCookie) response.setHeader('set-cookie', `${cookieName}=${numbers.get(socket)}; path=/`)
      return reply(response, JSON.stringify(sessions.answer(socket, parameters)))
    }
    if (!sessions.isAuthenticated(socket)) return forbidden(response)
    if (path === '/api/quit') {
      sessions.forget(socket)
      response.setHeader('connection', 'close')
    }
    reply(response, JSON.stringify({ retcode: '0 Done' }))
  }

  /** Returns null for a call for which the manager account lacks the permission; the server then answers HTTP 403. */
  function answerTo(call: Call, parameters: Parameters): { retcode: string; answer?: unknown } | null {
    const refuse = faults.take('refuse', call)
    try {
      if (refuse !== null) throw new Refused(numberField(refuse, 'retcode') ?? 3)
      const known = calls[call.path]
      if (known === undefined) throw new Refused(13)
      const answer = known({ parameters, book, rights, padding })
      if (answer === undefined) return { retcode: '0 Done' }
      const isEmpty = Array.isArray(answer) && answer.length === 0 && !parameters.has('mask')
      return isEmpty ? { retcode: '1 Done' } : { retcode: '0 Done', answer: overrides.in(call.path, answer) }
    } catch (error) {
      if (error instanceof Forbidden) return null
      if (!(error instanceof Refused)) throw error
      return { retcode: retcodeText(error.retcode) }
    }
  }

  function misapplied(call: Call, parameters: Parameters): Parameters {
    const fault = faults.take('misapply', call)
    if (fault === null) return parameters
    const changed = new Map(parameters)
    const amount = hundredths(textField(fault, 'amount') ?? '')
    changed.set('login', textField(fault, 'login') ?? parameters.get('login') ?? '')
    if (amount !== null) changed.set('balance', decimal(amount))
    return changed
  }

  return {
    server,
    seenCalls: () => seen,
    forgetCalls() {
      seen = []
    },
    padDeals(bytes) {
      padding = bytes
    },
    readBodies(reading) {
      bodyReading = reading
    },
    closeConnections() {
      for (const socket of sockets) socket.destroy()
    },
    setIdle(ms) {
      server.keepAliveTimeout = ms
    },
  }
}

function parseParameters(url: URL, body: Fields, reading: BodyReading): Parameters | null {
  try {
    return parametersOf(url, body, reading)
  } catch (error) {
    if (!(error instanceof Misuse)) throw error
    return null
  }
}

function forbidden(response: ServerResponse): void {
  response.writeHead(403, { 'content-length': 0 })
  response.end()
}

function reply(response: ServerResponse, body: string, html = false): void {
  response.writeHead(200, {
    'content-type': html ? 'text/html' : 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}

function garbleAnswer(kind: string, answer: { retcode: string; answer?: unknown }, lastTicket: string): string {
  const json = JSON.stringify(answer)
  if (kind === 'half') return json.slice(0, Math.floor(json.length / 2))
  if (kind === 'html') return '<html><body>Bad gateway</body></html>'
  if (kind === 'text') return JSON.stringify({ ...answer, retcode: 'Done' })
  if (kind === 'unknown') return JSON.stringify({ retcode: '9999 Something else' })
  if (kind === 'name') return json.replaceAll('"PositionAdd"', '"OpenPositions"')
  if (kind === 'early')
    return json.replace(/("DatetimePrev":")(\d+)/g, (_match, name, seconds) => `${name}${Number(seconds) - 7_200}`)
  if (kind === 'ticket') return JSON.stringify({ ...answer, answer: { Ticket: lastTicket } })
  return json.replace(/"(-?\d+(?:\.\d+)?)"/g, '$1')
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** HTTP as the access server speaks it: the session belongs to the connection, and faults strike where they are due. */
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { decimal, hundredths } from '../platform/store.ts'
import type { Store } from '../platform/store.ts'
import { bodyOf, fieldsOf, numberField, textField } from '../process/http.ts'
import type { Call, Faults } from '../process/faults.ts'
import { calls, Refused, retcodes } from './calls.ts'
import type { Parameters, Sessions } from './sessions.ts'

const idleMs = 180_000
const moneyPath = '/api/trade/balance'
const quietPaths = ['/api/auth/start', '/api/auth/answer', '/api/test/access', '/api/quit']

export interface Wire {
  readonly server: Server
  closeConnections(): void
  setIdle(ms: number): void
}

export function wireServer(book: Store, sessions: Sessions, faults: Faults): Wire {
  const sockets = new Set<Socket>()
  let lastTicket = '1'
  const server = createServer((request, response) => {
    serve(request, response).catch(() => request.socket.destroy())
  })
  server.keepAliveTimeout = idleMs
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { socket } = request
    const url = new URL(request.url ?? '/', 'http://localhost')
    const parameters = parametersOf(url, await bodyOf(request))
    const call: Call = { path: url.pathname, login: parameters.get('login'), moves: url.pathname === moneyPath }
    if (quietPaths.includes(call.path)) return serveQuiet(call.path, parameters, socket, response)
    if (faults.take('forbid', call) !== null) {
      sessions.forget(socket)
      return forbidden(response)
    }
    if (!sessions.isAuthenticated(socket)) return forbidden(response)
    await faults.holdUp(call)
    if (faults.take('drop-before', call) !== null) return void socket.destroy()
    const answer = answerTo(call, misapplied(call, parameters))
    if (faults.take('drop-after', call) !== null) return void socket.destroy()
    const garble = faults.take('garble', call)
    if (garble === null) reply(response, JSON.stringify(answer))
    else reply(response, garbled(textField(garble, 'kind') ?? 'half', answer, lastTicket), garble.kind === 'html')
    if (call.moves && isRecord(answer.answer) && garble === null) lastTicket = String(answer.answer.Ticket)
  }

  function serveQuiet(path: string, parameters: Parameters, socket: Socket, response: ServerResponse): void {
    if (path === '/api/auth/start') return reply(response, JSON.stringify(sessions.start(socket, parameters)))
    if (path === '/api/auth/answer') return reply(response, JSON.stringify(sessions.answer(socket, parameters)))
    if (!sessions.isAuthenticated(socket)) return forbidden(response)
    if (path === '/api/quit') {
      sessions.forget(socket)
      response.setHeader('connection', 'close')
    }
    reply(response, JSON.stringify({ retcode: '0 Done' }))
  }

  function answerTo(call: Call, parameters: Parameters): { retcode: string; answer?: unknown } {
    const refuse = faults.take('refuse', call)
    try {
      if (refuse !== null) throw new Refused(numberField(refuse, 'retcode') ?? 3)
      const known = calls[call.path]
      if (known === undefined) throw new Refused(13)
      const answer = known(parameters, book)
      return answer === undefined ? { retcode: '0 Done' } : { retcode: '0 Done', answer }
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      return { retcode: `${error.retcode} ${retcodes[error.retcode] ?? 'Error'}` }
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
    closeConnections() {
      for (const socket of sockets) socket.destroy()
    },
    setIdle(ms) {
      server.keepAliveTimeout = ms
    },
  }
}

/** Query first, then the body, which wins; names in lower case, escapes undone in both. */
function parametersOf(url: URL, body: Buffer): Parameters {
  const parameters = new Map<string, string>()
  for (const [name, value] of url.searchParams) parameters.set(name.toLowerCase(), unescaped(value))
  for (const [name, value] of Object.entries(fieldsOf(body))) {
    if (typeof value === 'string' || typeof value === 'number') {
      parameters.set(name.toLowerCase(), unescaped(String(value)))
    }
  }
  return parameters
}

function unescaped(text: string): string {
  return text.replace(/\\([=|\\\n])/g, '$1')
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

function garbled(kind: string, answer: { retcode: string; answer?: unknown }, lastTicket: string): string {
  const whole = JSON.stringify(answer)
  if (kind === 'half') return whole.slice(0, Math.floor(whole.length / 2))
  if (kind === 'html') return '<html><body>Bad gateway</body></html>'
  if (kind === 'text') return JSON.stringify({ ...answer, retcode: 'Done' })
  if (kind === 'unknown') return JSON.stringify({ retcode: '9999 Something else' })
  if (kind === 'ticket') return JSON.stringify({ ...answer, answer: { Ticket: lastTicket } })
  return whole.replace(/"(-?\d+(?:\.\d+)?)"/g, '$1')
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

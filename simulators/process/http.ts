/**
 * The parts of HTTP that the simulators need: bodies, JSON responses, the server of the switches, and the faults of
 * future calls. Each program checks for its faults at the point at which it would fail in this way.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'

const bodyBytesMax = 1_000_000

export type Fields = Readonly<Record<string, unknown>>

/** A sentence for a person who used a switch incorrectly. */
export class Misuse extends Error {}

export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > bodyBytesMax) throw new Misuse('The body is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Returns the body as an object; an empty one is `{}`. */
export function fieldsOf(body: Buffer): Fields {
  return body.length === 0 ? {} : objectOf(JSON.parse(body.toString('utf8')), 'The body')
}

function objectOf(value: unknown, name: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Misuse(`${name} is not an object`)
  return value as Fields
}

export function answerJson(response: ServerResponse, status: number, value: unknown): void {
  const body = JSON.stringify(value)
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}

export type Route = (input: { fields: Fields; query: URLSearchParams; rest: string }) => unknown

/**
 * Returns a server of routes such as "POST /slow" or "GET /mails/*" (`rest` is the text at the star). A switch that
 * returns nothing answers `ok`.
 */
export function routeServer(routes: Readonly<Record<string, Route>>): Server {
  return createServer((request, response) => {
    answerRoute(routes, request, response).catch((error: unknown) => {
      const known = error instanceof Misuse || error instanceof SyntaxError
      if (!response.headersSent) answerJson(response, known ? 400 : 500, { error: String(error) })
    })
  })
}

async function answerRoute(
  routes: Readonly<Record<string, Route>>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const fields = fieldsOf(await bodyOf(request))
  const name = `${request.method ?? 'GET'} ${url.pathname}`
  const starred = Object.keys(routes).find((key) => key.endsWith('/*') && name.startsWith(key.slice(0, -1)))
  const route = routes[name] ?? (starred === undefined ? undefined : routes[starred])
  if (route === undefined) return answerJson(response, 404, { error: `There is no ${name}` })
  const rest = starred === undefined ? '' : decodeURIComponent(name.slice(starred.length - 1))
  const value = await route({ fields, query: url.searchParams, rest })
  if (value === undefined && request.method === 'GET') answerJson(response, 404, { error: 'Not found' })
  else answerJson(response, 200, value === undefined ? { ok: true } : value)
}

export function textField(fields: Fields, name: string): string | undefined {
  const value = fields[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  throw new Misuse(`${name} is not a text`)
}

export function numberField(fields: Fields, name: string): number | undefined {
  const text = textField(fields, name)
  if (text === undefined) return undefined
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) throw new Misuse(`${name} is not a number`)
  return value
}

/** Returns an object in a body. */
export function fieldsIn(fields: Fields, name: string): Fields {
  return objectOf(fields[name], name)
}

export function requireValue<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new Misuse(`${name} is missing`)
  return value
}

export interface Call {
  /** "/api/trade/balance", without the query. */
  readonly path: string
  readonly login?: string | undefined
  /** Whether a fault without a path matches this call. */
  readonly moves: boolean
}

export interface Fault {
  readonly kind: string
  readonly fields: Fields
  left: number
}

export interface Faults {
  add(kind: string, fields: Fields): void
  /** Returns and removes the first waiting fault of the kind that matches. */
  take(kind: string, call: Call, suits?: (fields: Fields) => boolean): Fields | null
  /** Delays a call for as long as a waiting `slow` says, or until the faults are cleared, if that is sooner. */
  holdUp(call: Call): Promise<void>
  list(): readonly Fault[]
  clear(): void
}

/** `anyCall` names the kinds that match any call if no path is given. */
export function createFaults(anyCall: readonly string[] = []): Faults {
  let faults: Fault[] = []
  let cleared = new AbortController()
  const take: Faults['take'] = (kind, call, suits = () => true) => {
    const fault = faults.find(
      (waiting) =>
        waiting.kind === kind && matchesFault(waiting, call, anyCall.includes(kind)) && suits(waiting.fields),
    )
    if (fault === undefined) return null
    fault.left -= 1
    if (fault.left === 0) faults = faults.filter((waiting) => waiting !== fault)
    return fault.fields
  }
  return {
    take,
    async holdUp(call) {
      const slow = take('slow', call)
      if (slow === null) return
      const { promise: over, resolve: end } = Promise.withResolvers<void>()
      const timer = setTimeout(end, numberField(slow, 'ms') ?? 0)
      cleared.signal.addEventListener('abort', () => end())
      await over
      clearTimeout(timer)
    },
    add(kind, fields) {
      const count = numberField(fields, 'count') ?? 1
      faults.push({ kind, fields, left: count === 0 ? Number.POSITIVE_INFINITY : count })
    },
    list: () => faults,
    clear() {
      faults = []
      cleared.abort()
      cleared = new AbortController()
    },
  }
}

function matchesFault(fault: Fault, call: Call, anyCall: boolean): boolean {
  const path = textField(fault.fields, 'path')
  const login = textField(fault.fields, 'login')
  if (login !== undefined && fault.kind !== 'misapply' && login !== call.login) return false
  return path === undefined ? anyCall || call.moves : call.path.startsWith(path)
}

/** Returns the switches that add faults, each with its required fields. */
export function faultRoutes(faults: Faults, kinds: Readonly<Record<string, readonly string[]>>): Record<string, Route> {
  const routes: Record<string, Route> = {}
  for (const [kind, fieldNames] of Object.entries(kinds)) {
    routes[`POST /${kind}`] = ({ fields }) => {
      for (const name of fieldNames) requireValue(textField(fields, name), name)
      faults.add(kind, fields)
    }
  }
  return routes
}

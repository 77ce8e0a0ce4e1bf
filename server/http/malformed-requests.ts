/**
 * Requests that cannot be parsed as HTTP, or do not end in time, reach no route and no hook: they are rejected here,
 * with the text and headers of every other problem, and the connection is closed (requirements 31.1).
 */
import { STATUS_CODES, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { Problem, problemBody } from './problem.ts'
import { requestIdHeader } from './request-id.ts'

/** Codes of Node's parser that have their own status; all others are a bad request. */
const statuses: Readonly<Record<string, number | undefined>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
}
const badRequest = 400

const expectationFailed = 417

/** Returns a handler for connections whose request cannot be parsed. `headers` are those of every response. */
export function rejectMalformed(headers: Readonly<Record<string, string>>, newReference: () => string) {
  const refuse = badRequestWriter(headers, newReference)
  return ({ code = '' }: { readonly code?: string }, socket: Socket): void => {
    if (socket.writable && code !== 'ECONNRESET') refuse(socket, statuses[code] ?? badRequest)
    socket.destroySoon()
  }
}

/**
 * Rejects requests that Node itself would answer without a body: an Expect header other than 100-continue. A request
 * without Host is passed to the hooks, which reject it (origins.ts); CONNECT gets no response, its connection is
 * closed.
 */
export function rejectExpectations(
  server: Server,
  headers: Readonly<Record<string, string>>,
  newReference: () => string,
): void {
  const refuse = badRequestWriter(headers, newReference)
  server.on('checkExpectation', ({ socket }) => {
    refuse(socket, expectationFailed)
    socket.destroySoon()
  })
}

function badRequestWriter(headers: Readonly<Record<string, string>>, newReference: () => string) {
  return (socket: Socket, status: number): void => {
    const reference = newReference()
    const body = JSON.stringify(problemBody(new Problem('malformed'), 'en', reference))
    const lines = Object.entries({
      ...headers,
      [requestIdHeader]: reference,
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}`)
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
  }
}

/**
 * The id of a request at a proxy or another service: returned in every response and logged in every line, in addition
 * to our own reference, which people quote (ADR 193).
 */
import type { IncomingHttpHeaders } from 'node:http'

export const requestIdHeader = 'x-request-id'

/** UUIDs, the hexadecimal ids of proxies, and our own references; nothing that could break a log line. */
const wellFormed = /^[A-Za-z0-9][A-Za-z0-9._-]{7,63}$/

/** Returns the sent id if it is well formed, otherwise the request's reference. */
export function requestIdOf(headers: IncomingHttpHeaders, reference: string): string {
  const sent = headers[requestIdHeader]
  return typeof sent === 'string' && wellFormed.test(sent) ? sent : reference
}

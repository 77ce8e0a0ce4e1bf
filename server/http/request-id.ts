/**
 * The id under which a proxy or another service knows a request: returned on every answer and in every line of the log,
 * beside our own reference, which is what a person reads out (ADR 193).
 */
import type { IncomingHttpHeaders } from 'node:http'

export const requestIdHeader = 'x-request-id'

/** UUIDs, the hexadecimal ids of proxies, our own references; nothing that could break a line of a log. */
const wellFormed = /^[A-Za-z0-9][A-Za-z0-9._-]{7,63}$/

/** Returns the id that was sent where it is well formed, else the request's reference. */
export function requestIdOf(headers: IncomingHttpHeaders, reference: string): string {
  const sent = headers[requestIdHeader]
  return typeof sent === 'string' && wellFormed.test(sent) ? sent : reference
}

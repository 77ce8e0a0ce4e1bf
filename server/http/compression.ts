/** Compresses JSON and pages with brotli for clients that accept it (ADR 290). */
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import Negotiator from 'negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { policyOfData } from './secure-headers.ts'

const compress = promisify(brotliCompress)
/** Smaller bodies gain no more than the additional headers cost. */
const compressedFromBytes = 600
const textual = /^(?:application\/json|text\/html)/
/** A fast quality, because every response is compressed on its own; a window of 64 kB needs little memory. */
const params = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 16 }

export function takesBrotli(request: FastifyRequest): boolean {
  return new Negotiator(request).encodings(['br', 'identity'])[0] === 'br'
}

/** Fastify hook `onSend`: sets the policy of data for JSON, and compresses JSON and pages. */
export async function compressText(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  const type = String(reply.getHeader('content-type') ?? '')
  if (type.startsWith('application/json')) reply.header('content-security-policy', policyOfData)
  if (typeof payload !== 'string' || payload.length < compressedFromBytes || !textual.test(type)) return payload
  reply.header('vary', 'accept-encoding')
  if (request.method === 'HEAD' || !takesBrotli(request)) return payload
  const compressed = await compress(payload, { params })
  reply.header('content-encoding', 'br').removeHeader('content-length')
  return compressed
}

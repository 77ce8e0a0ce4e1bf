import type { Endpoint } from '#contract/endpoint.ts'
import { fastEncode } from './fast-encoder.ts'

/** Returns the response body: checked and encoded by the endpoint's own schema, with `success` first. */
export function serializeResponse(endpoint: Endpoint, answer: unknown): Record<string, unknown> {
  return { success: true, ...(fastEncode(endpoint.response, answer) as object) }
}

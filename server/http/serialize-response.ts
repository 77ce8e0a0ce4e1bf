import type { Endpoint } from '#contract/endpoint.ts'
import { fastEncode } from './fast-encoder.ts'

/** Returns the body that leaves: checked and encoded by the endpoint's own schema, `success` in front. */
export function serializeResponse(endpoint: Endpoint, answer: unknown): Record<string, unknown> {
  return { success: true, ...(fastEncode(endpoint.response, answer) as object) }
}

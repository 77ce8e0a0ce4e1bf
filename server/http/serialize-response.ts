import type { Endpoint } from '#contract/endpoint.ts'
import { quickEncode } from './fast-encoder.ts'

/** The body that leaves: checked and encoded by the endpoint's own schema, `success` in front. */
export function wireAnswer(endpoint: Endpoint, answer: unknown): Record<string, unknown> {
  return { success: true, ...(quickEncode(endpoint.answer, answer) as object) }
}
